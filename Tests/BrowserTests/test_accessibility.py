"""axe-core on every page and every refused form, light and dark."""

import pytest
from axe import violations
from places import at_every_place
from playwright.sync_api import expect
from visitor import Way

BEST_PRACTICES_TOO = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@at_every_place()
def test_axe_finds_nothing(visitor_at, place):
    visitor = visitor_at(place, Way(screen="phone"))
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        results = violations(visitor.page, BEST_PRACTICES_TOO)
        assert results.violations_count == 0, f"{scheme}: {results.generate_report()}"
    visitor.page.emulate_media(color_scheme=visitor.way.scheme)


def test_axe_would_find_something(visitor):
    visitor.visit("/login")
    visitor.page.evaluate("document.querySelector('label').remove()")
    results = violations(visitor.page, BEST_PRACTICES_TOO)
    assert "label" in [each["id"] for each in results.response["violations"]]


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_fields_say_what_they_are_and_what_is_wrong_with_them(visitor):
    visitor.visit("/signup")
    expect(visitor.field("Name")).to_have_accessible_description("What should we call you?")
    expect(visitor.field("Password")).to_have_accessible_description(
        "At least 8 characters. Several words in a row are easy to remember."
    )
    visitor.send_plainly("signup")
    expect(visitor.field("Name")).to_have_accessible_description("What should we call you? Error: Enter your name.")
    expect(visitor.page.get_by_role("alert")).to_contain_text("There is a problem")
    expect(visitor.page.get_by_role("main")).to_have_count(1)


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_both_fields_of_a_refused_login_say_why(visitor):
    visitor.log_in("ada@example.com", password="not the password")
    visitor.is_told("Invalid email or password.")
    for label in ("Email address", "Password"):
        expect(visitor.field(label)).to_have_accessible_description("Error: Invalid email or password.")
        expect(visitor.field(label)).to_have_attribute("aria-invalid", "true")

"""axe-core on every page and every refused form, light and dark."""

import pytest
from axe import ABOUT_COLOURS, violations
from places import at_every_place
from playwright.sync_api import expect
from visitor import Way

BEST_PRACTICES_TOO = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@at_every_place()
def test_axe_finds_nothing(visitor_at, place):
    visitor = visitor_at(place, Way(screen="phone"))
    fill_the_glow(visitor.page)
    results = {"light": violations(visitor.page, BEST_PRACTICES_TOO)}
    visitor.page.emulate_media(color_scheme="dark")
    results["dark"] = violations(visitor.page, rules=ABOUT_COLOURS)
    visitor.page.emulate_media(color_scheme=visitor.way.scheme)
    visitor.page.evaluate("document.body.style.background = ''")
    for scheme, found in results.items():
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def fill_the_glow(page):
    """Fills the page with the strongest colour of its gradient, as axe judges no text on a gradient."""
    page.evaluate("document.body.style.background = 'color-mix(in srgb, var(--brand) 17%, var(--surface))'")


@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_axe_would_find_something(visitor):
    visitor.visit("/login")
    fill_the_glow(visitor.page)
    visitor.page.evaluate("document.querySelector('label').remove()")
    visitor.page.evaluate("document.querySelector('h1').style.color = '#ccc'")
    visitor.page.emulate_media(color_scheme="light")
    assert {"label", "color-contrast"} <= names(violations(visitor.page, BEST_PRACTICES_TOO))
    visitor.page.evaluate("document.querySelector('h1').style.color = '#555'")
    visitor.page.emulate_media(color_scheme="dark")
    assert names(violations(visitor.page, rules=ABOUT_COLOURS)) == {"color-contrast"}


def names(results) -> set[str]:
    return {each["id"] for each in results.response["violations"]}


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_fields_say_what_they_are_and_what_is_wrong_with_them(visitor):
    visitor.visit("/signup")
    expect(visitor.field("Name")).to_have_accessible_description("What should we call you?")
    expect(visitor.field("Password")).to_have_accessible_description(
        "At least 8 characters. A few random words work well."
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

"""The languages: the browser's wish, and a link."""

import pytest
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT, Way


def test_a_browser_that_prefers_german_gets_german(new_visitor, house):
    visitor = new_visitor(house, Way(language="de-AT"))
    visitor.visit("/signup")
    visitor.is_at("Konto anlegen")
    html = visitor.page.locator("html")
    expect(html).to_have_attribute("lang", "de")
    expect(html).to_have_attribute("dir", "ltr")
    visitor.button("Konto anlegen").click()
    expect(visitor.page.locator("#error-summary")).to_contain_text("Da stimmt etwas nicht")
    assert visitor.page.title().startswith("Fehler: ")


def test_a_browser_that_prefers_something_else_gets_english(new_visitor, house):
    visitor = new_visitor(house, Way(language="fr-FR"))
    visitor.visit("/login")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_link_changes_the_language_and_the_choice_stays(visitor):
    visitor.visit("/login?return_to=/privacy")
    visitor.choose_language("Deutsch")
    visitor.is_at("Willkommen zurück")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.locator("form:not([data-passkey]) input[name=return_to]")).to_have_value("/privacy")
    visitor.visit("/signup")
    visitor.is_at("Konto anlegen")
    visitor.choose_language("English")
    visitor.is_at("Create your account")
    visitor.visit("/")
    expect(visitor.link("Sign in")).to_be_visible()


@pytest.mark.parametrize("wish, language", [
    ("de", "de"), ("de-CH, fr;q=0.9", "de"), ("en, de;q=0.5", "en"), ("fr, de;q=0.2, en;q=0.1", "de"),
    ("de;q=0, en", "en"), ("*", "en"), ("ar-EG, en;q=0.8", "ar"), ("fr, ar;q=0.5", "ar"), ("x" * 5000, "en"), ("", "en"),
])
def test_the_wish_is_read_as_the_standard_says(house, wish, language):
    answer = house.ask("GET", "/login", Accept_Language=wish)
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]

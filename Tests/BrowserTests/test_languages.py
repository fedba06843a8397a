"""The languages: the browser's wish, and a link."""

import json
import re
from functools import reduce

import pytest
from house import REPOSITORY
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
    visitor.is_at("Anmelden")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.locator("form:not([data-passkey]) input[name=return_to]")).to_have_value("/privacy")
    visitor.visit("/signup")
    visitor.is_at("Konto anlegen")
    visitor.choose_language("English")
    visitor.is_at("Create your account")
    visitor.visit("/")
    expect(visitor.link("Sign in")).to_be_visible()


def test_an_answer_in_another_language_turns_the_whole_page(visitor):
    visitor.visit("/login")
    # In another tab.
    visitor.page.evaluate("path => fetch(path)", visitor.house.at("/?lang=ar"))
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("wrong")
    visitor.button("Sign in").click()
    visitor.is_at("تسجيل الدخول")
    html = visitor.page.locator("html")
    expect(html).to_have_attribute("lang", "ar")
    expect(html).to_have_attribute("dir", "rtl")
    expect(visitor.page.locator(".skip")).to_have_text("الانتقال إلى المحتوى الرئيسي")
    visitor.field("كلمة المرور").fill("")
    visitor.button("تسجيل الدخول").click()
    expect(visitor.page).to_have_title(re.compile("^خطأ: تسجيل الدخول"))


@pytest.mark.parametrize("wish, language", [
    ("de", "de"), ("de-CH, fr;q=0.9", "de"), ("en, de;q=0.5", "en"), ("fr, de;q=0.2, en;q=0.1", "de"),
    ("de;q=0, en", "en"), ("*", "en"), ("ar-EG, en;q=0.8", "ar"), ("fr, ar;q=0.5", "ar"), ("x" * 5000, "en"), ("", "en"),
])
def test_the_wish_is_read_as_the_standard_says(house, wish, language):
    answer = house.ask("GET", "/login", Accept_Language=wish)
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("language", ("en", "de", "ar"))
def test_the_title_of_a_window_has_no_soft_hyphens(language):
    sentences = json.loads((REPOSITORY / f"Templates/locales/{language}.json").read_text())
    titles = {
        key for page in (REPOSITORY / "Templates").rglob("*.mustache")
        for title in re.findall(r"\{\{\$(?:title|section)\}\}(.*?)\{\{/(?:title|section)\}\}", page.read_text())
        for key in re.findall(r"\[\[([\w.]+)\]\]", title)
    }
    assert len(titles) > 25
    assert [key for key in titles if "\u00ad" in reduce(dict.__getitem__, key.split("."), sentences)] == []


@pytest.mark.xdist_group("six_languages")
@pytest.mark.parametrize("script", [True, False])
def test_six_languages_are_a_menu_in_one_row_of_the_smallest_screen(new_visitor, open_house, script):
    house = open_house(VESTIBULE_BRAND_NAME="Fir & Birch")
    folder = house.folder / "Templates/locales"
    folder.mkdir(parents=True)
    names = {"fr": "Français", "es": "Español", "it": "Italiano"}
    for code, name in names.items():
        (folder / f"{code}.json").write_text(f'{{"language": "{name}", "direction": "ltr"}}', encoding="utf-8")
    house.stop()
    house.start()
    visitor = new_visitor(house, Way(script=script, size=(320, 640), language="de"))
    visitor.visit("/login")
    brand, menu = (visitor.page.locator(each).bounding_box() for each in (".brand", ".languages summary"))
    assert abs(brand["y"] + brand["height"] / 2 - menu["y"] - menu["height"] / 2) < 1
    assert brand["x"] + brand["width"] < menu["x"] and menu["x"] + menu["width"] <= 300
    expect(visitor.page.locator(".languages summary")).to_have_text("Sprache: Deutsch")
    entries = visitor.page.locator(".languages li")
    expect(entries.first).to_be_hidden()
    visitor.page.locator(".languages summary").click()
    expect(entries).to_have_count(5)
    for name in names.values():
        expect(entries.get_by_text(name)).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == 320
    entries.get_by_text("English").click()
    visitor.is_at("Sign in")

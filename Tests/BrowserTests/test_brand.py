"""An operator's own colours, logo and languages, and the mails in development, as a browser shows them."""

import re

import pytest
from axe import violations
from house import House
from playwright.sync_api import expect
from visitor import Way

# They share a server.
pytestmark = pytest.mark.xdist_group("brand")
THEME = """:root { --brand: #0a6b4f; }
@media (prefers-color-scheme: dark) { :root { --brand: #6fd3b0; } }
"""
MARK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 48">
<style>@media (prefers-color-scheme: dark) { path { fill: #6fd3b0; } }</style>
<path fill="#0a6b4f" d="M24 2 4 46h40zM72 2 52 46h40z"/>
</svg>
"""
PASHTO = '{"language": "پښتو", "direction": "rtl", "login": {"title": "ښه راغلاست"}}'
BRAND = {"light": "rgb(10, 107, 79)", "dark": "rgb(111, 211, 176)"}
SCHEMES = pytest.mark.parametrize("scheme", ("light", "dark"))


def style(locator, name: str) -> str:
    return locator.evaluate(f"each => getComputedStyle(each)[{name!r}]")


@pytest.fixture(scope="module")
def branded_house(open_house) -> House:
    """A server whose operator has a theme, a logo and a language."""
    house = open_house(VESTIBULE_BRAND_NAME="Fir & Birch")
    files = {"Public/css/theme.css": THEME, "Public/mark.svg": MARK, "Templates/locales/ps.json": PASHTO}
    for path, text in files.items():
        (house.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (house.folder / path).write_text(text, encoding="utf-8")
    house.stop()
    house.start()
    return house


@SCHEMES
def test_a_small_theme_colours_every_page_and_breaks_none(new_visitor, house, branded_house, scheme):
    plain, own = (new_visitor(each, Way(scheme=scheme)) for each in (house, branded_house))
    for visitor in (plain, own):
        visitor.visit("/login")
    assert style(own.button("Sign in"), "background-color") == BRAND[scheme]
    assert style(plain.button("Sign in"), "background-color") not in BRAND.values()
    for name in ("color", "fontFamily", "backgroundColor"):
        assert style(own.page.locator("body"), name) == style(plain.page.locator("body"), name)
    card = own.page.locator("main.card").bounding_box()
    assert card == plain.page.locator("main.card").bounding_box()
    # The link follows the brand, too: greener than blue.
    red, green, blue = map(float, re.findall(r"\d[\d.]*", style(own.link("Create an account"), "color")))
    assert green > blue > red
    assert violations(own.page).violations_count == 0


@SCHEMES
def test_a_logo_of_ones_own_is_shown_in_its_shape(new_visitor, branded_house, scheme):
    visitor = new_visitor(branded_house, Way(scheme=scheme))
    visitor.visit("/")
    mark = visitor.page.locator("img.mark")
    expect(mark).to_be_visible()
    assert mark.evaluate("each => each.naturalWidth / each.naturalHeight") == 2
    box = mark.bounding_box()
    assert box["width"] == pytest.approx(2 * box["height"], rel=0.02)


@pytest.mark.parametrize("screen", ("phone", "desktop"))
def test_a_language_brings_its_direction_along(new_visitor, branded_house, screen):
    visitor = new_visitor(branded_house, Way(screen=screen, language="ps-AF"))
    visitor.visit("/login")
    visitor.is_at("ښه راغلاست")
    expect(visitor.page.locator("html")).to_have_attribute("dir", "rtl")
    page = visitor.page
    name, languages = page.locator(".brand"), page.locator(".languages")
    assert name.bounding_box()["x"] > languages.bounding_box()["x"]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert violations(page).violations_count == 0


@SCHEMES
def test_development_shows_a_mail_as_it_looks(new_visitor, branded_house, address, scheme):
    visitor = new_visitor(branded_house, Way(scheme=scheme))
    # The test's own looks into the frame are scripts there.
    visitor.pardon("Blocked script execution")
    visitor.sign_up(address)
    code = branded_house.outbox.code_for(address)
    visitor.link("read the mail").click()
    visitor.is_at("Outgoing mail")
    mail = visitor.page.frame_locator("iframe.mail").first
    expect(mail.locator(".code")).to_have_text(code)
    assert style(mail.locator(".sheet"), "border-top-color") == BRAND[scheme]
    assert style(mail.locator(".sheet"), "max-width") == "none"
    expect(mail.locator("body")).to_contain_text("Fir & Birch")
    with visitor.context.expect_page() as opened:
        mail.get_by_role("link").last.click()
    opened.value.wait_for_load_state()
    assert opened.value.url.startswith(branded_house.url)


def test_no_page_but_that_one_may_frame_and_no_other_site_may_frame_a_mail(house):
    assert "frame-src" not in house.ask("GET", "/login").headers["Content-Security-Policy"]
    page = house.ask("GET", "/dev/mail").headers["Content-Security-Policy"]
    assert "frame-src 'self'" in page and "frame-ancestors 'none'" in page

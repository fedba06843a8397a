"""An operator's own colours, logo and languages, and the mails in development, as a browser shows them."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from axe import violations
from house import BINARY, REPOSITORY, House
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
MARK_IN_THE_DARK = MARK.replace("#0a6b4f", "#ffffff").replace("0 0 96 48", "0 0 144 48")
WORDMARK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><path fill="#0a6b4f" d="M0 0h200v40H0z"/></svg>"""
FONT = Path(__file__).parent / "fonts/serif.woff2"
# The handbook's own lines, with another name.
HANDBOOK = (REPOSITORY / "docs/operating/appearance.md").read_text()
FACES = re.findall(r"^    (@font-face .*SemiBold.*|:root \{ --font: .*)$", HANDBOOK, re.MULTILINE)
FONT_THEME = "\n".join(FACES).replace("Inter-SemiBold", "fir").replace("Inter", "Fir")
FONT_THEME += " :root { --logo-height: 2.5rem; --brand: #ffcc00; }"
PASHTO = '{"language": "پښتو", "direction": "rtl", "login": {"window": "ښه راغلاست"}}'
BRAND = {"light": "rgb(10, 107, 79)", "dark": "rgb(111, 211, 176)"}
SCHEMES = pytest.mark.parametrize("scheme", ("light", "dark"))


def style(locator, name: str) -> str:
    return locator.evaluate(f"each => getComputedStyle(each)[{name!r}]")


@pytest.fixture(scope="module")
def branded_house(open_house) -> House:
    """A server whose operator has a theme, a logo and a language."""
    files = {"css/theme.css": THEME, "mark.svg": MARK, "../Templates/locales/ps.json": PASHTO}
    return with_files(open_house(VESTIBULE_BRAND_NAME="Fir & Birch"), files)


@pytest.fixture(scope="module")
def lettered_house(open_house) -> House:
    """A server whose operator has a wordmark, a mark for the dark, an icon, and a font; its yellow is no colour for words."""
    files = {
        "css/theme.css": FONT_THEME, "fonts/fir.woff2": FONT.read_bytes(), "wordmark.svg": WORDMARK, "mark.svg": MARK,
        "mark-dark.svg": MARK_IN_THE_DARK, "favicon.svg": MARK,
    }
    return with_files(open_house(VESTIBULE_BRAND_NAME="Fir & Birch"), files)


def with_files(house: House, files: dict[str, str | bytes]) -> House:
    """The same server with files of its operator below Public."""
    for path, content in files.items():
        file = (house.folder / "Public" / path).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
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


@SCHEMES
def test_the_dark_has_a_logo_and_an_icon_of_its_own(new_visitor, open_house, scheme):
    house = with_files(open_house(), {"mark.svg": MARK, "mark-dark.svg": MARK_IN_THE_DARK})
    visitor = new_visitor(house, Way(scheme=scheme))
    visitor.visit("/login")
    name = {"light": "/mark.svg?v=", "dark": "/mark-dark.svg?v="}[scheme]
    mark = visitor.page.locator("header img.mark")
    expect(mark).to_be_visible()
    assert name in mark.evaluate("each => each.currentSrc")
    icons = visitor.page.locator("link[rel=icon]").evaluate_all(
        "all => all.filter(each => matchMedia(each.media || 'all').matches).map(each => each.href)")
    assert len(icons) == 1 and name in icons[0]


@SCHEMES
def test_a_wordmark_stands_for_mark_and_name_and_says_it(new_visitor, lettered_house, scheme):
    visitor = new_visitor(lettered_house, Way(scheme=scheme))
    visitor.visit("/")
    expect(visitor.page.get_by_role("heading", level=1, name="Fir & Birch", exact=True)).to_be_visible()
    wordmark = visitor.page.locator("h1 img")
    assert wordmark.bounding_box()["width"] == pytest.approx(5 * wordmark.bounding_box()["height"], rel=0.02)
    expect(visitor.page.locator("main img")).to_have_count(1)
    visitor.visit("/login")
    brand = visitor.page.get_by_role("link", name="Fir & Birch", exact=True).first
    expect(brand).not_to_contain_text("Fir")
    assert brand.locator("img").bounding_box()["height"] == pytest.approx(40)
    assert "/favicon.svg?v=" in visitor.page.locator("link[rel=icon]").get_attribute("href")


@SCHEMES
def test_a_font_of_ones_own_draws_every_page(new_visitor, lettered_house, scheme):
    visitor = new_visitor(lettered_house, Way(scheme=scheme))
    with visitor.page.expect_response(lambda answer: "/fonts/fir.woff2?v=" in answer.url) as asked:
        visitor.visit("/login")
    assert asked.value.headers["content-type"] == "font/woff2" and "immutable" in asked.value.headers["cache-control"]
    assert visitor.page.evaluate("document.fonts.ready.then(() => [...document.fonts].some(each => each.status === 'loaded'))")


@SCHEMES
def test_a_colour_that_words_cannot_have_is_the_ground_of_dark_ones(new_visitor, lettered_house, scheme):
    visitor = new_visitor(lettered_house, Way(scheme=scheme))
    visitor.visit("/signup")
    visitor.send_plainly("signup")
    assert style(visitor.button("Create account"), "background-color") == "rgb(255, 204, 0)"
    edge = style(visitor.button("Create account"), "border-top-color")
    assert (edge == "rgba(0, 0, 0, 0)") == (scheme == "dark")
    assert violations(visitor.page).violations_count == 0


@SCHEMES
def test_the_preview_opens_from_disk_in_both_schemes_whatever_the_browsers(chromium, lettered_house, scheme):
    command = [BINARY, "theme", "--preview"]
    environment = {"PATH": os.environ["PATH"], "VESTIBULE_BRAND_NAME": "Fir & Birch"}
    drawn = subprocess.run(command, cwd=lettered_house.folder, env=environment, check=True, capture_output=True, text=True)
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 1800, "height": 1200})
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(Path(drawn.stdout.strip()).as_uri())
    for drawn_in, ground in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(25, 28, 35)")):
        frames = [page.frame_locator(f"iframe[title='{name}, {drawn_in}']") for name in ("welcome", "login", "refused", "mail")]
        for frame in frames[:3]:
            expect(frame.locator("h1")).to_be_visible()
            assert style(frame.locator("body"), "background-color") == ground
            assert style(frame.locator(".button-strong"), "background-color") == "rgb(255, 204, 0)"
        assert frames[0].locator("h1 img").evaluate("each => each.naturalWidth") > 0
        assert frames[1].locator("h1").evaluate("() => document.fonts.ready.then(() => [...document.fonts].some(each => each.status === 'loaded'))")
        expect(frames[2].locator("#error-summary")).to_be_visible()
        expect(frames[3].locator(".code")).to_have_text("481506")
        assert style(frames[3].locator(".sheet"), "background-color") == ground
    context.close()
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}


def test_a_layout_without_a_footer_shows_what_the_server_refused(new_visitor, open_house):
    layout = (REPOSITORY / "Templates/layout.mustache").read_text()
    layout = re.sub(r"<footer.*</footer>\n", "", layout, flags=re.DOTALL)
    house = with_files(open_house(), {"../Templates/layout.mustache": layout})
    visitor = new_visitor(house, Way())
    visitor.log_in("ada@example.com", "something else")
    visitor.is_told("Invalid email or password.")


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

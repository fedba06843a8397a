"""The pictures of the README: `make pictures` takes them anew."""

import re

import album
import pytest
from test_brand import MARK
from playwright.sync_api import expect
from visitor import Way

ADDRESS = "ada@example.com"
SCHEMES = ("light", "dark")
# `--surface` fills a phone, `--ground` is around the card of a desktop (Public/css/vestibule/tokens.css).
GROUNDS = {
    ("phone", "light"): (255, 255, 255), ("phone", "dark"): (25, 28, 35),
    ("desktop", "light"): (244, 245, 247), ("desktop", "dark"): (15, 17, 22),
}
# Pixels to a pixel of CSS.
SCALES = {"phone": 2, "desktop": 1}
# The moments on the account page, so that a picture changes only when the page does.
FREEZE = """() => {
    for (const time of document.querySelectorAll("time:not([data-now])")) time.textContent = "2 hours ago";
}"""


@pytest.fixture
def take():
    def shoot(visitor, name: str) -> None:
        # Nothing hovered, no half-painted focus.
        visitor.page.mouse.move(0, 0)
        visitor.page.evaluate(FREEZE)
        screen, scheme = visitor.way.screen, visitor.way.scheme
        parts = [visitor.page.locator("h1"), *visitor.page.locator("main .button:visible, main input:visible").all()]
        album.take(visitor.page, f"{name}-{screen}-{scheme}", GROUNDS[screen, scheme], parts, SCALES[screen])

    return shoot


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_on_a_phone(new_visitor, open_house, take, scheme):
    house = open_house()
    visitor = new_visitor(house, Way(screen="phone", scheme=scheme), device_scale_factor=2)
    visitor.visit("/")
    take(visitor, "welcome")

    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", terms=False)
    visitor.sees(re.compile("^Strong"))
    visitor.button("Create account").click()
    visitor.is_told("Enter an email address like name@example.com.")
    expect(visitor.page.locator(".valid")).to_have_count(2)
    take(visitor, "signup-refused")

    visitor.sign_up(ADDRESS)
    take(visitor, "verify")
    visitor.type_code(house.outbox.code_for(ADDRESS))
    visitor.is_at("Your account")
    take(visitor, "account")
    visitor.visit("/account/security")
    take(visitor, "security")

    visitor.log_out()
    visitor.is_at("Vestibule")
    fill_login(visitor)
    take(visitor, "login")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_login_on_a_desktop(new_visitor, house, take, scheme):
    visitor = new_visitor(house, Way(scheme=scheme))
    fill_login(visitor)
    take(visitor, "login")


# As docs/operating/appearance.md says it; the ground follows the brand nowhere.
THEME = ":root { --brand: light-dark(#0a6b4f, #6fd3b0); }"


@pytest.fixture(scope="module")
def library(open_house):
    """A house with a name, a logo and a colour of its own, and an application behind it."""
    house = open_house(
        VESTIBULE_BRAND_NAME="Fir & Birch", VESTIBULE_APP_NOTES_ORIGINS="http://notes.localhost:3000",
        VESTIBULE_TRUSTED_PROXIES="127.0.0.1")
    for path, text in {"css/theme.css": THEME, "mark.svg": MARK}.items():
        file = house.folder / "Public" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    house.stop()
    house.start()
    return house


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_login_of_somebody_who_has_branded_it(new_visitor, library, take, scheme):
    visitor = new_visitor(library, Way(scheme=scheme))
    fill_login(visitor, "/login?return_to=http://notes.localhost:3000/")
    take(visitor, "login-branded")


def fill_login(visitor, path: str = "/login") -> None:
    visitor.visit(path)
    visitor.field("Email address").fill(ADDRESS)
    visitor.field("Password").fill("something long")
    visitor.page.locator(":focus").blur()
    expect(visitor.page.locator(".valid")).to_have_count(1)

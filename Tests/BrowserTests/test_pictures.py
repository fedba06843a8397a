"""The pictures of the README, in docs/pictures. `UPDATE_PICTURES=1` replaces them; else it is only tried."""

import os
import re

import pytest
from house import REPOSITORY
from playwright.sync_api import expect
from visitor import Way

ADDRESS = "ada@example.com"
SHOTS = {"phone-light": Way(screen="phone"), "phone-dark": Way(screen="phone", scheme="dark")}
# The moments on the account page, so that a picture changes only when the page does.
FREEZE = """() => {
    for (const time of document.querySelectorAll("time:not([data-now])")) time.textContent = "2 hours ago";
}"""


@pytest.fixture
def album(tmp_path):
    if os.environ.get("UPDATE_PICTURES") != "1":
        return tmp_path
    folder = REPOSITORY / "docs/pictures"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def take(album):
    def shoot(visitor, name: str) -> None:
        # Nothing hovered, no caret, no half-painted focus.
        visitor.page.mouse.move(0, 0)
        visitor.page.evaluate(FREEZE)
        picture = album / f"{name}.png"
        visitor.page.screenshot(path=picture, full_page=True, animations="disabled", caret="hide")
        assert picture.stat().st_size > 5_000

    return shoot


@pytest.mark.parametrize("shot", SHOTS)
def test_the_pictures_of_a_phone_can_be_taken(new_visitor, open_house, take, shot):
    house = open_house()
    visitor = new_visitor(house, SHOTS[shot], device_scale_factor=2)
    visitor.visit("/")
    take(visitor, f"welcome-{shot}")

    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", terms=False)
    visitor.sees(re.compile("^Strong"))
    visitor.button("Create account").click()
    visitor.is_told("Enter an email address like name@example.com.")
    expect(visitor.page.locator(".valid")).to_have_count(2)
    take(visitor, f"signup-refused-{shot}")

    visitor.sign_up(ADDRESS)
    take(visitor, f"verify-{shot}")
    visitor.type_code(house.outbox.code_for(ADDRESS))
    visitor.is_at("Your account")
    take(visitor, f"account-{shot}")
    visitor.visit("/account/security")
    take(visitor, f"security-{shot}")

    visitor.log_out()
    visitor.is_at("Vestibule")
    fill_login(visitor)
    take(visitor, f"login-{shot}")


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_the_pictures_of_a_desktop_can_be_taken(new_visitor, house, take, scheme):
    visitor = new_visitor(house, Way(scheme=scheme, size=(1280, 800)))
    fill_login(visitor)
    take(visitor, f"login-desktop-{scheme}")


def fill_login(visitor) -> None:
    visitor.visit("/login")
    visitor.field("Email address").fill(ADDRESS)
    visitor.field("Password").fill("something long")
    visitor.page.locator(":focus").blur()
    expect(visitor.page.locator(".valid")).to_have_count(1)

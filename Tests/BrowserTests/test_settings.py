"""What an operator changes, as a visitor sees it."""

import pytest
from house import PASSWORD
from playwright.sync_api import expect
from visitor import TERMS, WITH_AND_WITHOUT_SCRIPT

# They share two servers.
pytestmark = pytest.mark.xdist_group("settings")
every_way = pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)


@pytest.fixture(scope="module")
def closed_house(open_house):
    words = {"VESTIBULE_BRAND_NAME": "Fir & Birch", "VESTIBULE_BRAND_TAGLINE": "The <b>library</b>"}
    return open_house(VESTIBULE_SIGNUP="closed", **words)


@pytest.fixture(scope="module")
def quick_house(open_house):
    return open_house(
        VESTIBULE_VERIFICATION="off", VESTIBULE_PASSWORD_CONFIRMATION="off", VESTIBULE_AFTER_LOGIN_URL="/privacy"
    )


@every_way
def test_a_closed_house_offers_no_sign_up(new_visitor, closed_house, way):
    visitor = new_visitor(closed_house, way)
    for path in ("/", "/login"):
        visitor.visit(path)
        expect(visitor.page.locator("a[href^='/signup']")).to_have_count(0)
    visitor.visit("/signup")
    visitor.sees("You can't create an account here at the moment.")
    expect(visitor.page.get_by_role("textbox")).to_have_count(0)
    assert visitor.document.status == 403


def test_a_house_shows_its_own_name_and_line(new_visitor, closed_house, way):
    visitor = new_visitor(closed_house, way)
    visitor.visit("/")
    visitor.is_at("Fir & Birch")
    visitor.sees("The <b>library</b>")
    expect(visitor.page).to_have_title("Welcome · Fir & Birch")


@every_way
def test_without_verification_and_confirmation_one_form_is_enough(new_visitor, quick_house, way, address):
    visitor = new_visitor(quick_house, way)
    visitor.visit("/signup")
    expect(visitor.field("Repeat password")).to_have_count(0)
    visitor.field("Name").fill("Ada Lovelace")
    visitor.field("Email address").fill(address)
    visitor.field("Password").fill(PASSWORD)
    visitor.field(TERMS).check()
    visitor.button("Create account").click()
    visitor.is_at("Privacy")
    visitor.visit("/account")
    visitor.sees("Hello, Ada Lovelace.")


@every_way
def test_without_verification_a_taken_address_is_told(new_visitor, quick_house, way):
    form = {"display_name": "Ada", "email": "taken@example.com", "password": PASSWORD, "terms": "accepted"}
    quick_house.ask("POST", "/signup", form)
    visitor = new_visitor(quick_house, way)
    visitor.visit("/signup")
    visitor.field("Name").fill("Ada Lovelace")
    visitor.field("Email address").fill("taken@example.com")
    visitor.field("Password").fill(PASSWORD)
    visitor.field(TERMS).check()
    visitor.button("Create account").click()
    visitor.is_told("An account with this email already exists. Try signing in instead.", "Email address")
    visitor.was_answered("/signup", 422)

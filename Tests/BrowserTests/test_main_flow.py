"""The main job, whole: an account is created, the mailbox proved, and its owner comes and goes."""

import re

import engines
import pytest
from house import PASSWORD
from playwright.sync_api import expect
from visitor import EVERY_PAIR_AND_MOTION, WITH_WINDOWS, Way


@pytest.fixture(scope="module")
def chromium(chromium):
    """The one that people have, with all that is around its pages."""
    browser = chromium.browser_type.launch(executable_path=WITH_WINDOWS, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.mark.parametrize("way", EVERY_PAIR_AND_MOTION, ids=str)
def test_a_person_signs_up_proves_the_mailbox_and_comes_and_goes(visitor, outbox, address):
    come_and_go(visitor, outbox, address)


def test_a_server_on_postgresql_does_the_same(new_visitor, open_house, address):
    house = open_house(**engines.on_postgres())
    come_and_go(new_visitor(house, Way()), house.outbox, address)


def come_and_go(visitor, outbox, address) -> None:
    visitor.visit("/")
    visitor.is_at("Vestibule")
    visitor.link("Create account").click()
    visitor.is_at("Create your account")

    visitor.fill_sign_up(address, repeated="something else altogether")
    visitor.button("Create account").click()
    visitor.is_told("The passwords don't match.", "Repeat password")

    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.is_at("Check your email")
    visitor.sees("If that address can be used, we have sent a code to it.")
    visitor.sees(f"Enter the code for {address} below.")

    first = outbox.code_for(address)
    visitor.type_code("000000" if first != "000000" else "000001")
    visitor.is_told("That code is wrong or has expired.", "Code")
    visitor.sees("4 tries left.")
    visitor.button("Send again").click()
    second = outbox.code_for(address, number=2)
    visitor.sees("The earlier one no longer works.")
    expect(visitor.page).not_to_have_title(re.compile("^Error: "))
    visitor.type_code(f"{second[:3]} {second[3:]}")

    visitor.is_at("Your account")
    visitor.sees("Hello, Ada Lovelace.")
    visitor.sees(address)
    visitor.link("Devices").click()
    visitor.sees("This one")
    visitor.log_out()
    visitor.is_at("Vestibule")

    visitor.link("Sign in").click()
    visitor.is_at("Welcome back")
    visitor.field("Email address").fill(address)
    visitor.field("Password").fill("not the password")
    visitor.button("Sign in").click()
    visitor.is_told("Invalid email or password.")
    expect(visitor.field("Email address")).to_have_value(address)
    expect(visitor.field("Password")).to_have_value("")
    visitor.was_answered("/login", 422)

    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("Your account")
    visitor.log_out()
    visitor.is_at("Vestibule")
    visitor.visit("/account")
    visitor.is_at("Welcome back")

"""A person who forgot the password gets in again, with and without JavaScript."""

import pytest
from playwright.sync_api import expect
from visitor import PASSWORD, Way

NEW = "staple horse battery correct"


@pytest.mark.parametrize("way", [Way(script=True), Way(script=False)], ids=str)
def test_a_forgotten_password_is_replaced(house, new_visitor, way, address):
    house.make_account(address)
    sent = len(house.outbox.mails_to(address))
    visitor = new_visitor(house, way)
    visitor.visit("/login")
    visitor.change_form("Forgot password?")
    visitor.field("Email address").fill(address)
    visitor.button("Send code").click()
    visitor.is_at("Check your email")
    visitor.type_code(house.outbox.code_for(address, number=sent + 1))
    visitor.is_at("Choose a password")
    expect(visitor.field("New password")).to_be_focused()
    visitor.field("New password").fill(NEW)
    visitor.field("Repeat password").fill(NEW)
    visitor.button("Save password").click()
    visitor.is_at("Welcome back")
    visitor.sees("Your password has been saved.")
    expect(visitor.field("Email address")).to_have_value(address)
    visitor.field("Password").fill(NEW)
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


@pytest.mark.parametrize("way", [Way(script=True), Way(script=False)], ids=str)
def test_a_signed_in_visitor_changes_the_password(house, new_visitor, way, address):
    house.make_account(address)
    visitor = new_visitor(house, way)
    visitor.log_in(address)
    visitor.link("Security").click()
    visitor.link("Password").click()
    visitor.field("Current password").fill(PASSWORD)
    visitor.field("New password").fill(NEW)
    visitor.field("Repeat password").fill(NEW)
    visitor.button("Change password").click()
    visitor.is_at("Security")
    visitor.sees("Your password has been changed")


def test_a_link_that_no_longer_works_leads_to_a_new_beginning(visitor):
    visitor.visit(f"/reset/continue?flow={'A' * 43}")
    visitor.is_at("Let's start over")
    expect(visitor.page).to_have_title("Error: Let's start over · Vestibule")
    expect(visitor.page.get_by_text("Remembered it?")).to_have_count(0)
    expect(visitor.link("Sign in")).to_be_visible()

"""A person's years with an account: another name, another mailbox, a lost laptop, a copy of the data, and goodbye."""

import json
import re
from pathlib import Path

import pytest
from caller import Caller
from house import PASSWORD, a_new_address, codes_in, text_of
from mails import NEW_PASSWORD, twice, undo_link
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT, Way

every_way = pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
LAPTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
WRONG_CODE = "That code is wrong or has expired."
TYPE_DELETE = "Type the word “delete” to confirm."
CONFIRM = "To confirm, type “delete”"


@pytest.fixture
def owner(visitor, house, address):
    """Somebody with a new account, signed in."""
    house.make_account(address)
    visitor.is_signed_in(address)
    visitor.visit("/account")
    visitor.is_at("Your account")
    return visitor


def region(visitor, name: str):
    return visitor.page.get_by_role("region", name=name, exact=True)


def ask_for_email(visitor, new: str, password: str = PASSWORD) -> None:
    visitor.field("New email address").fill(new)
    visitor.field("Current password").fill(password)
    visitor.button("Send code").click()


def take_file(visitor, button: str) -> dict:
    """What the browser has saved after a click on that button."""
    with visitor.page.expect_download() as download:
        visitor.button(button).click()
    assert download.value.suggested_filename == "account.json"
    return json.loads(Path(download.value.path()).read_text())


# Name and address


@every_way
def test_a_name_is_changed_in_place(owner, way):
    owner.field("Name").fill("")
    owner.button("Save").click()
    owner.is_told("Enter your name.", "Name")
    owner.field("Name").fill("Ada King")
    owner.button("Save").click()
    owner.sees("Your name has been saved.")
    owner.sees("Hello, Ada King.")
    owner.page.reload()
    expect(owner.field("Name")).to_have_value("Ada King")


@every_way
def test_an_address_is_changed_once_its_mailbox_is_proved(owner, house, way, address):
    new = a_new_address()
    owner.link("Change email address").click()
    owner.is_at("Change email address")
    ask_for_email(owner, address)
    owner.is_told("That's already your email address. Enter another one.", "New email address")
    ask_for_email(owner, new, "not the password")
    owner.is_told("That's not your current password.", "Current password")
    expect(owner.field("New email address")).to_have_value(new)
    expect(owner.field("Current password")).to_have_value("")
    ask_for_email(owner, new)
    owner.is_at("Confirm the new address")
    owner.sees(new)

    code = house.outbox.code_for(new)
    owner.type_code("000000" if code != "000000" else "000001")
    owner.is_told(WRONG_CODE, "Code")
    Caller(house).log_in(address)
    owner.button("Send again").click()
    owner.sees("The earlier one no longer works.")
    owner.type_code(house.outbox.code_for(new, number=2))
    owner.is_at("Your account")
    owner.sees("Your email address has been changed.")
    expect(region(owner, "Your account")).to_contain_text(new)
    owner.link("Activity").click()
    expect(region(owner, "Activity")).to_contain_text("Email address changed")

    owner.log_out()
    owner.is_at("Vestibule")
    owner.log_in(address)
    owner.is_told("Invalid email or password.")
    owner.log_in(new)
    owner.is_at("Your account")


@every_way
def test_an_address_somebody_else_has_is_refused_only_after_the_code(owner, house, way):
    taken = a_new_address()
    house.make_account(taken)
    owner.visit("/account/email")
    ask_for_email(owner, taken)
    owner.is_at("Confirm the new address")
    owner.type_code(house.outbox.code_for(taken, number=2))
    owner.is_told("Another account uses this address now. Nothing was changed.")


@every_way
def test_a_flow_that_has_ended_leads_back_to_its_start(owner, way):
    ended = {"name": "vestibule-flow", "value": "e" + "A" * 43, "url": owner.house.url}
    owner.context.add_cookies([ended])
    owner.visit("/account/email/verify")
    owner.is_at("Change email address")
    owner.sees("Please enter the new address again.")


@every_way
def test_going_back_after_the_end_of_a_flow_leads_to_the_account(owner, way):
    for path in ("/account/email/verify", "/signup/verify"):
        owner.visit(path)
        owner.is_at("Your account")
        expect(owner.page.locator(".notice")).to_have_count(0)


@every_way
def test_starting_over_and_going_back_are_offered(owner, way):
    owner.visit("/account/email")
    ask_for_email(owner, a_new_address())
    owner.link("Start over").click()
    owner.is_at("Change email address")
    owner.link("Profile").click()
    owner.is_at("Your account")


@every_way
def test_the_owner_of_the_former_mailbox_takes_the_account_back(visitor, house, way, address):
    house.make_account(address)
    thief, stolen = Caller(house).log_in(address), a_new_address()
    thief.change_email(stolen)
    link = undo_link(house, address)

    visitor.visit(link)
    visitor.is_at("Wasn't you?")
    visitor.sees("a•••@example.com")
    visitor.button("Send code").click()
    visitor.is_at("Take your account back")
    mail = house.outbox.mail_about(address, "Your code to take your account back")
    visitor.field("Code").fill(codes_in(text_of(mail))[0])
    visitor.field("New password").fill("password")
    visitor.field("Repeat password").fill("password")
    visitor.button("Restore my address").click()
    visitor.is_told("Attackers try this password first. Choose a less common one.", "New password")
    visitor.field("New password").fill(NEW_PASSWORD)
    visitor.field("Repeat password").fill(NEW_PASSWORD)
    visitor.button("Restore my address").click()
    visitor.is_at("Welcome back")
    visitor.sees("Your address is restored, and everyone has been signed out.")

    assert thief.get("/account").status == 303
    visitor.log_in(stolen, NEW_PASSWORD)
    visitor.is_told("Invalid email or password.")
    visitor.log_in(address, PASSWORD)
    visitor.is_told("Invalid email or password.")
    visitor.log_in(address, NEW_PASSWORD)
    visitor.is_at("Your account")
    house.outbox.mail_about(address, "Your email address is restored")
    visitor.log_out()
    visitor.is_at("Vestibule")
    visitor.visit(link)
    visitor.sees("That link has been used or is older than 7 days.")


@every_way
def test_the_way_back_survives_a_change_of_language(visitor, house, way, address):
    house.make_account(address)
    Caller(house).log_in(address).change_email(a_new_address())
    visitor.visit(undo_link(house, address))
    visitor.choose_language("Deutsch")
    visitor.is_at("Waren Sie das nicht?")
    visitor.button("Code senden").click()
    visitor.is_at("Holen Sie Ihr Konto zurück")
    mail = house.outbox.mail_about(address, "Ihr Code, um Ihr Konto zurückzuholen")
    visitor.field("Code").fill(codes_in(text_of(mail))[0])
    visitor.field("Neues Passwort").fill(NEW_PASSWORD)
    visitor.field("Passwort wiederholen").fill(NEW_PASSWORD)
    visitor.button("Adresse wiederherstellen").click()
    visitor.is_at("Willkommen zurück")


# Devices


@every_way
def test_a_lost_laptop_is_signed_out_from_elsewhere(owner, new_visitor, house, way, address):
    laptop = new_visitor(house, way, user_agent=LAPTOP)
    laptop.log_in(address)
    laptop.is_at("Your account")
    house.outbox.mail_about(address, "New sign-in to your account")

    owner.link("Devices").click()
    sessions = region(owner, "Where you're signed in").get_by_role("listitem")
    lost = sessions.filter(has_text="Firefox on Windows")
    expect(lost).to_have_count(1)
    lost.locator("summary").click()
    lost.get_by_role("button", name="Sign out there").click()
    owner.sees("The other browser has been signed out.")
    expect(lost).to_have_count(0)
    owner.link("Activity").click()
    activity = region(owner, "Activity").get_by_role("listitem")
    expect(activity.filter(has_text="Signed out another browser")).to_have_count(1)
    expect(activity.filter(has_text="Firefox on Windows")).to_contain_text("Signed in from a new browser")

    laptop.link("Security").click()
    laptop.is_at("Welcome back")
    laptop.sees("You have been signed out. Please sign in again.")


@every_way
def test_signing_others_out_asks_for_the_password_when_it_was_not_given_lately(new_visitor, aging_house, way, address):
    aging_house.make_account(address)
    other = Caller(aging_house).log_in(address)
    visitor = new_visitor(aging_house, way)
    visitor.log_in(address)
    visitor.is_at("Your account")
    aging_house.let_proofs_grow_old()
    visitor.visit("/account/devices")
    visitor.button("Sign out everywhere else").click()
    visitor.is_at("Confirm it's you")
    assert other.get("/account").status == 200
    visitor.field("Current password").fill("not the password")
    visitor.button("Continue").click()
    visitor.is_told("That's not your current password.", "Current password")
    visitor.field("Current password").fill(PASSWORD)
    visitor.button("Continue").click()
    visitor.is_at("Devices")
    visitor.sees("Every other browser has been signed out.")
    assert other.get("/account").status == 303


@every_way
def test_everybody_else_is_signed_out_at_once(owner, house, way, address):
    others = [Caller(house).log_in(address) for _ in range(2)]
    owner.visit("/account/devices")
    owner.button("Sign out everywhere else").click()
    expect(region(owner, "Where you're signed in").get_by_role("listitem")).to_have_count(1)
    expect(owner.button("Sign out everywhere else")).to_have_count(0)
    assert [other.get("/account").status for other in others] == [303, 303]


@every_way
def test_failed_attempts_are_listed_and_counted(owner, house, way, address):
    for _ in range(3):
        house.ask("POST", "/login", {"email": address, "password": "wrong"}, User_Agent=LAPTOP)
    owner.visit("/account/activity")
    failed = region(owner, "Activity").get_by_role("listitem").filter(has_text="Wrong password at sign-in")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("×3")
    expect(failed).to_contain_text("Firefox on Windows")


@every_way
def test_earlier_activity_is_folded_away(owner, house, way, address):
    for number in range(5):
        house.ask("POST", "/login", {"email": address, "password": "wrong"}, User_Agent=f"Firefox/{number}")
    owner.visit("/account/activity")
    created = region(owner, "Activity").get_by_text("Account created")
    expect(created).to_be_hidden()
    owner.page.get_by_text("Earlier activity").click()
    expect(created).to_be_visible()
    expect(region(owner, "Activity").get_by_role("heading", level=2)).to_have_count(1)


# The data, and goodbye


@every_way
def test_a_copy_of_everything_is_downloaded(owner, way, address):
    owner.link("Your data").click()
    export = take_file(owner, "Download your data")
    assert export["account"]["email"] == address
    assert export["account"]["display_name"] == "Ada Lovelace"
    assert len(export["sessions"]) == 2
    owner.is_at("Your data")
    expect(owner.button("Download your data")).not_to_have_attribute("aria-disabled", "true")
    owner.link("Activity").click()
    expect(region(owner, "Activity")).to_contain_text("Data downloaded")


@every_way
def test_a_copy_asks_for_the_password_when_it_was_not_given_lately(new_visitor, aging_house, way):
    visitor = new_visitor(aging_house, way)
    visitor.log_in(aging_house.member)
    visitor.is_at("Your account")
    aging_house.let_proofs_grow_old()
    visitor.visit("/account/data")
    visitor.button("Download your data").click()
    visitor.is_at("Confirm it's you")
    visitor.field("Current password").fill("not the password")
    visitor.button("Continue").click()
    visitor.is_told("That's not your current password.", "Current password")
    visitor.was_answered("/account/export", 422)
    visitor.field("Current password").fill(PASSWORD)
    assert take_file(visitor, "Continue")["account"]["email"] == aging_house.member
    visitor.is_at("Here is your data")
    with visitor.page.expect_download():
        visitor.link("Download again").click()
    visitor.link("Back to your account").click()
    visitor.is_at("Your data")


@every_way
def test_an_account_is_deleted_and_its_address_is_free_again(owner, house, way, address):
    other_tab = owner.context.new_page()
    other_tab.goto("/account")
    owner.link("Your data").click()
    owner.link("Delete account").click()
    owner.is_at("Delete account")
    expect(owner.link("Download your data")).to_have_attribute("href", "/account/data")
    owner.button("Delete account for good").click()
    owner.is_told(TYPE_DELETE, CONFIRM)
    owner.field("Current password").fill("not the password")
    owner.field(CONFIRM).fill("delete")
    owner.button("Delete account for good").click()
    owner.is_told("That's not your current password.", "Current password")
    expect(owner.field(CONFIRM)).to_have_value("delete")
    owner.field("Current password").fill(PASSWORD)
    owner.button("Delete account for good").click()
    owner.is_at("Vestibule")
    owner.sees("Your account has been deleted.")
    house.outbox.mail_about(address, "Your account has been deleted")

    other_tab.get_by_role("link", name="Security").click()
    expect(other_tab.get_by_role("heading", level=1)).to_have_text("Sign in")
    owner.log_in(address)
    owner.is_told("Invalid email or password.")
    owner.sign_up(address, name="Ada King")
    owner.type_code(house.outbox.code_for(address, number=2))
    owner.is_at("Your account")
    owner.sees("Hello, Ada King.")
    owner.link("Activity").click()
    expect(region(owner, "Activity")).to_contain_text("Account created")
    expect(region(owner, "Activity")).not_to_contain_text("Signed in from a new browser")


def test_without_javascript_leaving_is_one_request_and_one_redirect(new_visitor, house, address):
    house.make_account(address)
    visitor = new_visitor(house, Way(script=False))
    visitor.log_in(address)
    visitor.visit("/account/delete")
    visitor.field("Current password").fill(PASSWORD)
    visitor.field(CONFIRM).fill("delete")
    visitor.button("Delete account for good").click()
    visitor.is_at("Vestibule")
    visitor.was_answered("/account/delete", 303)
    expect(visitor.page).to_have_url(re.compile(r"/$"))
    expect(visitor.page.get_by_role("status").first).to_have_text("Your account has been deleted.")

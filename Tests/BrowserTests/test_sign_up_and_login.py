"""Sign-up and login, apart from the way that most people go: refusals, second thoughts, two tabs."""

import re

import pytest
from house import PASSWORD
from places import NOTES
from playwright.sync_api import expect
from visitor import TERMS, WITH_AND_WITHOUT_SCRIPT, Way

# Some of it has passed already where the machine is busy.
IN_A_MINUTE = re.compile(r"^Too many attempts\. Try again in (1 minute|\d\d? seconds?)\.$")
IN_AN_HOUR = re.compile(r"Too many attempts\. Try again in (1 hour|\d\d minutes)\.")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_every_step_says_which_application_it_leads_to(new_visitor, owned_house, address, way):
    visitor = new_visitor(owned_house, way)
    purpose = visitor.page.locator(".title .lead")
    visitor.visit(f"/login?return_to={NOTES}")
    visitor.is_at("Sign in")
    expect(purpose).to_have_text("to continue to Notes")
    visitor.field("Email address").fill(address)
    visitor.field("Password").fill("wrong")
    visitor.button("Sign in").click()
    visitor.is_told("Invalid email or password.")
    expect(purpose).to_have_text("to continue to Notes")
    visitor.change_form("Forgot password?")
    expect(purpose).to_have_text("to continue to Notes")
    visitor.visit(f"/signup?return_to={NOTES}")
    expect(purpose).to_have_text("to continue to Notes")
    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.is_at("Check your email")
    expect(purpose).to_have_text("to continue to Notes")
    visitor.visit("/login?return_to=http://elsewhere.localhost:3999/")
    expect(purpose).to_have_count(0)


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_refused_sign_up_says_what_is_wrong_at_every_field(visitor, way):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", password="short", terms=False)
    visitor.button("Create account").click()
    visitor.is_told("Enter an email address like name@example.com.", "Email address")
    visitor.is_told("Use at least 8 characters.", "Password")
    visitor.is_told("Accept the terms to continue.", TERMS)
    expect(visitor.page.locator("#error-summary li")).to_have_count(3)
    if not way.script:
        visitor.was_answered("/signup", 422)


def test_what_only_the_server_can_judge_is_shown_in_place(visitor, address):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@-example.com", name="Ada <b>Lovelace</b>")
    visitor.button("Create account").click()
    visitor.is_told("Enter an email address like name@example.com.", "Email address")
    visitor.was_answered("/signup", 422)
    expect(visitor.field("Name")).to_have_value("Ada <b>Lovelace</b>")
    expect(visitor.field("Password")).to_have_value(PASSWORD)
    expect(visitor.field(TERMS)).to_be_checked()
    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.is_at("Check your email")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_refused_form_keeps_what_was_typed_but_never_the_password(visitor, way):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", name="Ada \"Countess\" Łovelace")
    visitor.send_plainly("signup")
    visitor.was_answered("/signup", 422)
    expect(visitor.field("Name")).to_have_value("Ada \"Countess\" Łovelace")
    expect(visitor.field("Email address")).to_have_value("ada@example")
    expect(visitor.field(TERMS)).to_be_checked()
    for label in ("Password", "Repeat password"):
        expect(visitor.field(label)).to_have_value("")
    assert PASSWORD not in visitor.document.text()


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_taken_address_walks_the_same_way_until_its_owner_has_typed_the_code(visitor, outbox, house, address):
    house.make_account(address)
    visitor.sign_up(address, name="Somebody Else")
    visitor.sees("If that address can be used, we have sent a code to it.")
    mail = outbox.mail_to(address, number=2)
    assert mail["Subject"].endswith(" is your Vestibule code; you already have an account")
    assert f"{house.url}/login" in mail.get_body(("plain",)).get_content()

    visitor.type_code(outbox.code_for(address, number=2))
    visitor.is_told("An account with this email already exists. Try signing in instead.")
    visitor.page.get_by_role("main").get_by_role("link", name="Sign in").click()
    visitor.is_at("Sign in")
    visitor.log_in(address)
    visitor.sees("Hello, Ada Lovelace.")


def test_a_new_and_a_taken_address_look_alike_to_a_stranger(new_visitor, house, way, address):
    house.make_account(address)
    pages = []
    for each in (address, "never-seen-before@example.com"):
        stranger = new_visitor(house, way)
        stranger.sign_up(each)
        pages.append(stranger.page.content().replace(each, "(address)"))
    assert pages[0] == pages[1]


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_mistyped_address_is_mended_where_it_was_typed(visitor, address):
    visitor.sign_up(f"x{address}")
    visitor.sees(f"Enter the code for x{address} below.")
    visitor.link("Start over").click()
    visitor.is_at("Create your account")
    expect(visitor.field("Email address")).to_have_value(f"x{address}")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.field("Password")).to_have_value("")
    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.sees(f"Enter the code for {address} below.")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_the_way_back_after_signing_out_shows_nothing_of_the_account(visitor, member):
    visitor.log_in(member)
    visitor.is_at("Your account")
    visitor.log_out()
    visitor.is_at("Vestibule")
    visitor.page.go_back()
    expect(visitor.page.get_by_text(member)).to_have_count(0)
    visitor.is_at("Welcome back")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_somebody_who_is_signed_in_is_not_asked_to_sign_in(visitor, member):
    visitor.log_in(member)
    visitor.is_at("Your account")
    for path in ("/", "/login", "/signup"):
        visitor.visit(path)
        visitor.is_at("Your account")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_the_page_that_was_wanted_comes_after_signing_in(visitor, member):
    visitor.visit("/login?return_to=/privacy")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill("not the password")
    visitor.button("Sign in").click()
    visitor.is_told("Invalid email or password.")
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("Privacy")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_raised_terms_are_asked_for_at_the_next_sign_in(new_visitor, raised_house, way):
    visitor = new_visitor(raised_house, way)
    visitor.log_in(raised_house.agreeable[way.script])
    visitor.is_at("The terms have changed")
    visitor.visit("/account")
    visitor.is_at("The terms have changed")
    visitor.button("Accept and continue").click()
    visitor.is_told("Accept the terms to continue.", TERMS)
    visitor.field(TERMS).check()
    visitor.button("Accept and continue").click()
    visitor.is_at("Your account")
    visitor.link("Your data").click()
    visitor.sees(re.compile("^Version 2"))


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_too_many_attempts_are_told_when_to_come_back(new_visitor, open_house, way, address):
    house = open_house(VESTIBULE_LIMIT_LOGIN="1/m/ip")
    visitor = new_visitor(house, way)
    for _ in range(2):
        visitor.log_in(address)
    visitor.sees(IN_A_MINUTE)
    visitor.was_answered("/login", 429)


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_asking_for_too_many_codes_is_refused_and_the_page_still_works(new_visitor, open_house, way, address):
    house = open_house(VESTIBULE_LIMIT_MAIL="1/h/address")
    visitor = new_visitor(house, way)
    visitor.sign_up(address)
    visitor.button("Send again").click()
    visitor.is_told(IN_AN_HOUR)
    visitor.is_at("Check your email")
    visitor.was_answered("/signup/resend", 429)
    visitor.type_code(house.outbox.code_for(address))
    visitor.is_at("Your account")


def test_the_language_can_be_changed_after_a_refused_request_for_another_code(new_visitor, open_house, address):
    house = open_house(VESTIBULE_LIMIT_MAIL="1/h/address")
    visitor = new_visitor(house, Way(script=False))
    visitor.sign_up(address)
    visitor.button("Send again").click()
    visitor.is_told(IN_AN_HOUR)
    visitor.choose_language("Deutsch")
    visitor.is_at("Sehen Sie in Ihr Postfach")


def test_two_tabs_do_not_trip_over_each_other(visitor, house, address):
    visitor.sign_up(address)
    second = visitor.context.new_page()
    second.goto("/signup/verify")
    visitor.type_code(house.outbox.code_for(address))
    visitor.is_at("Your account")
    second.get_by_label("Code", exact=True).press_sequentially("123456")
    second.get_by_role("button", name="Confirm").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Your account")
    visitor.log_out()
    visitor.is_at("Vestibule")
    second.get_by_role("button", name="Sign out").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Vestibule")


def test_every_browser_that_is_signed_in_is_listed(new_visitor, house, way, address):
    house.make_account(address)
    for _ in range(2):
        visitor = new_visitor(house, way)
        visitor.log_in(address)
        visitor.is_at("Your account")
    visitor.link("Devices").click()
    rows = visitor.page.get_by_role("region", name="Where you're signed in").get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="This one")).to_have_count(1)
    expect(rows.filter(has_text="Chrome on Linux")).to_have_count(2)


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_who_has_used_up_the_tries_can_only_start_over(visitor, outbox, address):
    visitor.sign_up(address)
    wrong = "000000" if outbox.code_for(address) != "000000" else "000001"
    for left in ("4 tries left.", "3 tries left.", "2 tries left.", "1 try left."):
        visitor.type_code(wrong)
        visitor.is_told("That code is wrong or has expired.", "Code")
        visitor.sees(left)
        expect(visitor.field("Code")).to_have_value(wrong)
        expect(visitor.page.get_by_role("button", name="Confirm")).not_to_have_attribute("aria-disabled", "true")
    visitor.type_code(wrong)
    visitor.is_told("Too many wrong codes, so this one no longer works.")
    expect(visitor.page.locator("#error-summary")).to_be_focused()
    for heading, again in (("Let's start over", visitor.page.reload), ("Let's start over", lambda: visitor.choose_language("Deutsch")),
                           ("Noch einmal von vorn", lambda: visitor.choose_language("English"))):
        visitor.is_at(heading)
        expect(visitor.page.locator("main form")).to_have_count(0)
        again()
    visitor.is_at("Let's start over")
    visitor.sees("Too many wrong codes, so this one no longer works.")
    visitor.link("Start over").click()
    visitor.is_at("Create your account")
    expect(visitor.field("Email address")).to_have_value(address)

"""Staying signed in, and losing nothing on the way from form to form, with and without JavaScript."""

import re

import pytest
from house import PASSWORD
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT, WITH_WINDOWS, Way

EVERYBODY = pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
# Pages fade, and visitors do not wait for it.
EVERYBODY_IN_MOTION = pytest.mark.parametrize("way", [Way(motion=True), Way(script=False, motion=True)], ids=str)
ADDRESS = "ada@example.com"


def address_is(visitor, value: str) -> None:
    expect(visitor.field("Email address")).to_have_value(value)
    assert "ada" not in visitor.page.url


# Remembered


@pytest.mark.parametrize("stays", [True, False])
def test_who_signs_up_is_still_signed_in_when_the_browser_opens_again(chromium, house, tmp_path, address, stays):
    def browser():
        return chromium.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=WITH_WINDOWS, args=["--no-sandbox"], base_url=house.url)

    first = browser()
    page = first.new_page()
    page.goto("/signup")
    box = page.get_by_label("Keep me signed in")
    expect(box).to_be_checked()
    box.set_checked(stays)
    page.get_by_label("Name", exact=True).fill("Ada Lovelace")
    page.get_by_label("Email address").fill(address)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat password", exact=True).fill(PASSWORD)
    page.get_by_label(re.compile("^I accept")).check()
    page.get_by_role("button", name="Create account").click()
    page.get_by_label("Code", exact=True).press_sequentially(house.outbox.code_for(address))
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/account*")
    first.close()
    second = browser()
    page = second.new_page()
    page.goto("/login")
    expect(page).to_have_url(re.compile("/account" if stays else "/login"))
    second.close()


# From form to form


@EVERYBODY
def test_the_address_goes_along_to_every_form_and_back(visitor):
    visitor.visit("/login?return_to=/privacy")
    visitor.field("Email address").fill(ADDRESS)
    visitor.field("Password").fill("something")
    visitor.change_form("Forgot password?")
    visitor.is_at("Forgot your password?")
    address_is(visitor, ADDRESS)
    visitor.change_form("Sign in")
    visitor.is_at("Sign in")
    address_is(visitor, ADDRESS)
    visitor.change_form("Create an account")
    visitor.is_at("Create your account")
    address_is(visitor, ADDRESS)
    visitor.field("Name").fill("Ada Lovelace")
    visitor.field("Email address").fill(f"x{ADDRESS}")
    visitor.change_form("Sign in")
    visitor.is_at("Sign in")
    address_is(visitor, f"x{ADDRESS}")
    visitor.change_form("Create an account")
    visitor.is_at("Create your account")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    visitor.change_form("Sign in")
    visitor.is_at("Sign in")
    expect(visitor.page.locator("form:not([data-passkey]) input[name=return_to]")).to_have_value("/privacy")
    expect(visitor.field("Password")).to_have_value("")


@EVERYBODY
def test_the_way_back_keeps_the_form(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill(ADDRESS)
    visitor.change_form("Create an account")
    visitor.is_at("Create your account")
    visitor.field("Name").fill("Ada Lovelace")
    visitor.change_form("Sign in")
    visitor.is_at("Sign in")
    visitor.page.go_back()
    visitor.is_at("Create your account")
    address_is(visitor, ADDRESS)
    if visitor.way.script:
        expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    visitor.page.go_back()
    visitor.is_at("Sign in")
    address_is(visitor, ADDRESS)


@EVERYBODY_IN_MOTION
def test_a_walk_between_choice_and_forms(visitor, house, address):
    visitor.visit("/")
    visitor.link("Create account").click()
    visitor.is_at("Create your account")
    visitor.page.go_back()
    visitor.is_at("Vestibule")
    visitor.link("Sign in").click()
    visitor.is_at("Sign in")
    visitor.page.go_back()
    visitor.is_at("Vestibule")
    visitor.link("Create account").click()
    visitor.is_at("Create your account")
    visitor.nothing_is_typed()
    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.type_code(house.outbox.code_for(address))
    visitor.is_at("Your account")


@pytest.mark.parametrize("way", [Way(motion=True)], ids=str)
def test_twenty_fast_changes_of_the_page_leave_a_form_that_works(visitor, member):
    visitor.visit("/login")
    visitor.field("Email address").fill(member)
    for _ in range(10):
        for link in ("Create an account", "Sign in"):
            visitor.page.get_by_role("main").get_by_role("link", name=link, exact=True).click(no_wait_after=True)
    visitor.is_at("Sign in")
    address_is_kept = visitor.field("Email address")
    expect(address_is_kept).to_have_value(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


@EVERYBODY
def test_another_language_keeps_the_address_and_enter_still_sends_the_form(visitor, member):
    visitor.visit("/signup?return_to=/privacy")
    visitor.field("Name").fill("Ada Lovelace")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill("something")
    visitor.choose_language("Deutsch")
    visitor.is_at("Konto anlegen")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.field("E-Mail-Adresse")).to_have_value(member)
    expect(visitor.field("Passwort")).to_have_value("")
    expect(visitor.page.locator("form:not([data-passkey]) input[name=return_to]")).to_have_value("/privacy")
    visitor.visit("/login")
    visitor.choose_language("English")
    visitor.is_at("Sign in")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.field("Password").press("Enter")
    visitor.is_at("Your account")


@EVERYBODY
def test_the_language_link_keeps_what_was_typed_but_no_password(visitor, address):
    visitor.visit("/signup")
    visitor.fill_sign_up(address)
    visitor.field("Keep me signed in").uncheck()
    visitor.choose_language("Deutsch")
    visitor.is_at("Konto anlegen")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.field("E-Mail-Adresse")).to_have_value(address)
    expect(visitor.field(re.compile("^Ich akzeptiere"))).to_be_checked()
    expect(visitor.field("Angemeldet bleiben")).not_to_be_checked()
    expect(visitor.field("Passwort")).to_have_value("")
    visitor.link("Vestibule").click()
    visitor.link("Konto anlegen").click()
    visitor.is_at("Konto anlegen")
    visitor.nothing_is_typed()
    expect(visitor.field("Angemeldet bleiben")).to_be_checked()


@EVERYBODY
def test_where_one_wanted_to_go_survives_a_forgotten_password(visitor, house, address):
    house.make_account(address)
    visitor.visit("/login?return_to=/privacy")
    visitor.change_form("Forgot password?")
    visitor.field("Email address").fill(address)
    visitor.button("Send code").click()
    visitor.is_at("Check your email")
    visitor.type_code(house.outbox.code_for(address, number=2))
    visitor.is_at("Choose a password")
    visitor.field("New password").fill("staple horse battery correct")
    visitor.field("Repeat password").fill("staple horse battery correct")
    visitor.button("Save password").click()
    visitor.is_at("Welcome back")
    expect(visitor.field("Email address")).to_have_value(address)
    visitor.field("Password").fill("staple horse battery correct")
    visitor.button("Sign in").click()
    visitor.is_at("Privacy")


@pytest.mark.parametrize("way", [Way(script=False)], ids=str)
def test_enter_in_a_login_without_script_signs_in(visitor, member):
    visitor.visit("/login")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.field("Password").press("Enter")
    visitor.is_at("Your account")


def test_who_is_offline_is_told_so_on_our_page_and_goes_on_later(visitor, member):
    visitor.visit("/login")
    visitor.pardon("net::ERR_INTERNET_DISCONNECTED")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.context.set_offline(True)
    for press in (visitor.button("Sign in"), visitor.link("Create an account"), visitor.link("Vestibule")):
        press.click()
        visitor.is_told("No connection. Check your network and try again.")
        visitor.is_at("Sign in")
    expect(visitor.field("Password")).to_have_value(PASSWORD)
    visitor.context.set_offline(False)
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


# The code


@EVERYBODY
def test_the_field_for_the_code_has_the_focus(visitor, house, address):
    visitor.sign_up(address)
    expect(visitor.field("Code")).to_be_focused()
    visitor.page.keyboard.type(house.outbox.code_for(address))
    visitor.page.keyboard.press("Enter")
    visitor.is_at("Your account")


def paste(visitor, text: str) -> None:
    """As the clipboard does it."""
    visitor.field("Code").fill("")
    visitor.field("Code").evaluate(
        """(input, text) => {
            input.value = text;
            input.dispatchEvent(new InputEvent("input", {bubbles: true, inputType: "insertFromPaste"}));
        }""", text)


@pytest.mark.parametrize("shape", ["{}", " {} ", "{}.\n", "{0[0]}{0[1]}{0[2]}\u2212{0[3]}{0[4]}{0[5]}"])
def test_a_code_that_is_pasted_is_sent_by_itself(visitor, house, address, shape):
    visitor.sign_up(address)
    paste(visitor, shape.format(house.outbox.code_for(address)))
    visitor.is_at("Your account")
    assert [path for path, _ in visitor.posts].count("/signup/verify") == 1


def test_it_is_sent_by_itself_once_and_never_after_a_refusal(visitor, house, address):
    visitor.page.clock.install()
    visitor.sign_up(address)
    code = house.outbox.code_for(address)
    for part in ("12345", "1234567", "12345678"):
        paste(visitor, part)
    visitor.enter_code("000000" if code != "000000" else "000001")
    visitor.let_time_pass()
    assert "/signup/verify" not in visitor.sent
    paste(visitor, "000000" if code != "000000" else "000001")
    visitor.is_told("That code is wrong or has expired.")
    paste(visitor, code)
    visitor.let_time_pass()
    assert visitor.sent.count("/signup/verify") == 1
    visitor.button("Confirm").click()
    visitor.is_at("Your account")


def test_a_refused_code_costs_no_other_try_when_enter_comes_late(visitor, house, address):
    visitor.sign_up(address)
    code = house.outbox.code_for(address)
    paste(visitor, "000000" if code != "000000" else "000001")
    visitor.is_told("That code is wrong or has expired.")
    visitor.field("Code").press("Enter")
    visitor.button("Confirm").click()
    expect(visitor.field("Code")).to_be_focused()
    paste(visitor, code)
    visitor.field("Code").press("Enter")
    visitor.is_at("Your account")
    assert visitor.sent.count("/signup/verify") == 2


def test_one_wrong_digit_can_be_mended(visitor, house, address):
    visitor.sign_up(address)
    code = house.outbox.code_for(address)
    wrong = f"{code[:5]}{(int(code[5]) + 1) % 10}"
    visitor.type_code(wrong)
    visitor.is_told("That code is wrong or has expired.", "Code")
    expect(visitor.field("Code")).to_have_value(wrong)
    expect(visitor.field("Code")).to_have_accessible_description(re.compile(r"Error: That code is wrong or has expired\. 4\xa0tries left\."))
    visitor.field("Code").press("End")
    visitor.field("Code").press("Backspace")
    visitor.field("Code").press_sequentially(code[5])
    visitor.field("Code").press("Enter")
    visitor.is_at("Your account")


# The order of the tab key

PASSKEY = "Sign in with a passkey"
NEEDS_SCRIPT = ("Show", PASSKEY)


@EVERYBODY
@pytest.mark.parametrize("path, order", [
    ("/login", ["Email address", "Password", "Show password", "Keep me signed in", "Forgot password?", "Sign in",
                PASSKEY, "Create an account"]),
    ("/reset", ["Email address", "Send code", "Sign in"]),
])
def test_the_focus_goes_through_the_forms_in_reading_order(visitor, path, order):
    visitor.visit(path)
    if visitor.way.script and PASSKEY in order:
        expect(visitor.button(PASSKEY)).to_be_visible()
    visitor.page.get_by_role("main").focus()
    stops = []
    name = """() => (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"""
    for wanted in order:
        if wanted.startswith(NEEDS_SCRIPT) and not visitor.way.script:
            continue
        visitor.page.keyboard.press("Tab")
        label = visitor.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
        stops.append(label or visitor.page.evaluate(name))
    assert stops == [each for each in order if visitor.way.script or not each.startswith(NEEDS_SCRIPT)]

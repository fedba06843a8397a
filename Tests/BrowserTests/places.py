"""Every page there is, refused forms included, and how a visitor gets there; for the tests that look at all of them."""

from dataclasses import dataclass
from functools import cache
from typing import Callable

import pytest
from authenticators import PASSKEYS, add_passkey, begin_second_step, trusted_browser
from caller import Caller
from house import PASSWORD, a_new_address, codes_in, text_of
from mails import factor_undo_link, letter, links_in, twice, undo_link
from playwright.sync_api import expect
from visitor import TERMS, Visitor, Way


@dataclass(frozen=True)
class Place:
    name: str
    go: Callable[[Visitor], None]
    house: str = "house"
    needs_script: bool = False

    def __str__(self) -> str:
        return self.name

    def house_for(self, way: Way) -> str:
        """Which house is visited. With script the usual one is one under a path, without it has a host of its own: so
        each page is looked at in both."""
        return "mounted_house" if way.script and self.house == "house" else self.house


PLACES: list[Place] = []
# A page of the application behind the `owned_house`.
NOTES = "http://notes.localhost:3999/today"


def at_every_place(but: Callable[[Place], bool] = lambda place: False):
    """A test for each place; those of one place run in one worker, one after the other."""
    cases = [pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in PLACES if not but(each)]
    return pytest.mark.parametrize("place", cases)


def place_named(name: str) -> Place:
    return next(place for place in PLACES if place.name == name)


def place(house: str = "house", needs_script: bool = False):
    def add(go):
        PLACES.append(Place(go.__name__, go, house, needs_script))
        return go

    return add


def page(name: str, path: str, house: str = "house") -> None:
    PLACES.append(Place(name, lambda visitor: visitor.visit(path), house))


def comes_from_apple(visitor: Visitor, address: str, verified: bool = True) -> None:
    """Somebody Apple knows by that address, up to what we make of it."""
    visitor.pardon("http://127.0.0.1:")
    visitor.house.apple.tell(person={"sub": f"at {address}", "email": address, "lie": None if verified else "unverified"})
    visitor.visit("/login")
    visitor.link("Continue with Apple").click()
    visitor.page.get_by_role("button", name="Continue", exact=True).click()


page("welcome", "/")
page("login", "/login")
page("sign_up", "/signup")
page("sign_up_that_took_too_long", "/signup/verify")
page("reset_that_is_not_known", "/reset/verify")
page("reset", "/reset")
page("reset_in_german", "/reset?lang=de")
page("terms", "/terms")
page("privacy", "/privacy")
page("nothing_here", "/no-such-page")
page("welcome_in_german", "/?lang=de")
page("sign_up_in_german", "/signup?lang=de")
page("login_after_a_link_too_old", f"/account/email/undo?token={'A' * 43}")
page("login_after_a_link_without_cookies", "/account/email/undo")
page("login_for_an_application", f"/login?return_to={NOTES}", "owned_house")
page("welcome_for_an_application", f"/?return_to={NOTES}", "owned_house")
page("privacy_of_somebody", "/privacy", "owned_house")
page("nothing_here_but_somebody_to_ask", "/no-such-page", "owned_house")
# What an application asks for by OpenID Connect, with all that it may see.
ASKED = (
    "/oauth/authorize?client_id=notes&redirect_uri=http://localhost/in&response_type=code"
    "&scope=openid+profile+email+groups+offline_access")
page("application_that_is_unknown", "/oauth/authorize?client_id=nobody", "owned_house")
page("application_at_another_address", ASKED.replace("/in", "/out"), "owned_house")


def of_somebody_signed_in(name: str, path: str) -> None:
    def go(visitor: Visitor) -> None:
        address = a_new_address()
        visitor.house.make_account(address)
        visitor.is_signed_in(address)
        visitor.visit(path)

    PLACES.append(Place(name, go, "owned_house"))


of_somebody_signed_in("application_that_wants_to_see", ASKED)
of_somebody_signed_in("application_of_other_groups", ASKED.replace("=notes&", "=wiki&").replace("+offline_access", ""))
of_somebody_signed_in("application_that_wants_proof", f"{ASKED}&prompt=login")
of_somebody_signed_in("sign_out_for_an_application", "/oauth/logout")


@place()
def welcome_after_leaving(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    visitor.is_signed_in(address)
    visitor.visit("/account/delete")
    visitor.field("Current password").fill(PASSWORD)
    visitor.field("To confirm, type “delete”").fill("delete")
    visitor.button("Delete account for good").click()
    visitor.is_at("Vestibule")


@place()
def login_refused_empty(visitor):
    visitor.visit("/login")
    visitor.send_plainly("login")


@place()
def login_refused_wrong(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("wrong")
    visitor.send_plainly("login")


@place()
def sign_up_refused_empty(visitor):
    visitor.visit("/signup")
    visitor.send_plainly("signup")


@place()
def sign_up_refused_filled(visitor):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", name="Ada <b>&\"Lovelace\"</b>", password="password", terms=True)
    visitor.send_plainly("signup")


@place(needs_script=True)
def sign_up_judged_while_filled(visitor):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example.com", repeated="something else", terms=False)
    visitor.button("Create account").click()
    visitor.is_told("The passwords don't match.")
    visitor.button("Show password").click()
    visitor.sees("Strong")


@place(needs_script=True)
def login_judged_while_empty(visitor):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    visitor.is_told("Enter your email address.")


def sign_up(visitor, address: str, wrong_codes: int = 0) -> None:
    """Up to the page that asks for the code; the forms before it were sent without the browser."""
    caller = Caller(visitor.house, user_agent=visitor.user_agent)
    caller.post("/signup", display_name="Ada Lovelace", email=address, terms="accepted", **twice(PASSWORD))
    for _ in range(wrong_codes):
        assert caller.ask("POST", "/signup/verify", {"code": "000000"}).status == 422
    visitor.takes_over(caller)
    visitor.visit("/signup/verify")
    visitor.is_at("Check your email")


@place()
def verify(visitor):
    sign_up(visitor, a_new_address())


@place()
def verify_refused(visitor):
    sign_up(visitor, a_new_address())
    visitor.send_plainly("verify")


@place()
def verify_spent(visitor):
    sign_up(visitor, a_new_address(), wrong_codes=4)
    visitor.enter_code("000000")
    visitor.send_plainly("verify")
    visitor.is_at("Let's start over")


@place()
def verify_of_a_taken_address(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    sign_up(visitor, address)
    visitor.enter_code(visitor.house.outbox.code_for(address, number=2))
    visitor.send_plainly("verify")
    visitor.is_at("You already have an account")


@place()
def verify_after_a_wrong_code(visitor):
    sign_up(visitor, a_new_address())
    visitor.enter_code("99999999")
    visitor.send_plainly("verify")
    visitor.sees("4 tries left.")


@place()
def account(visitor):
    visitor.log_in(visitor.house.member)
    visitor.is_at("Your account")


@place("raised_house")
def raised_terms(visitor):
    visitor.log_in(visitor.house.member)
    visitor.is_at("The terms have changed")


@place("raised_house")
def raised_terms_refused(visitor):
    visitor.log_in(visitor.house.member)
    visitor.is_at("The terms have changed")
    visitor.send_plainly("accept")


@cache
def guest_of_the_operator(house) -> str:
    """The address of somebody who was invited and has chosen the password, but not seen the terms."""
    mail = letter(house, "invitation").mail
    flow = next(link for link in links_in(mail) if "flow=" in link).split("flow=")[1]
    caller = Caller(house)
    caller.get(f"/reset/continue?flow={flow}")
    caller.post("/reset/continue")
    caller.post("/reset/verify", code=codes_in(text_of(mail))[0], **twice(PASSWORD))
    return mail["To"].addresses[0].addr_spec


@place()
def first_terms(visitor):
    visitor.log_in(guest_of_the_operator(visitor.house))
    visitor.is_at("Our terms")


@place("mail_house")
def development_mail(visitor):
    assert visitor.house.member
    # Axe and Playwright look into frames, and the sandbox of the mails keeps them out.
    visitor.pardon("Failed to execute 'postMessage' on 'DOMWindow'")
    visitor.pardon("Blocked script execution")
    visitor.visit("/dev/mail")
    visitor.is_at("Outgoing mail")


@place()
def reset_refused(visitor):
    visitor.visit("/reset")
    visitor.field("Email address").fill("ada@example")
    visitor.send_plainly("reset")


def ask_for_reset(visitor, address: str) -> None:
    """Up to the page that asks for the code; the form before it was sent without the browser."""
    caller = Caller(visitor.house, user_agent=visitor.user_agent)
    caller.post("/reset", email=address)
    visitor.takes_over(caller)
    visitor.visit("/reset/verify")
    visitor.is_at("Check your email")


@place()
def reset_verify(visitor):
    ask_for_reset(visitor, visitor.house.member)


@place()
def reset_verify_refused(visitor):
    reset_verify(visitor)
    visitor.send_plainly("reset-verify")
    visitor.is_at("Enter the code")


@place()
def reset_choose(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    ask_for_reset(visitor, address)
    visitor.type_code(visitor.house.outbox.code_for(address, number=2))
    visitor.is_at("Choose a password")


@place()
def reset_choose_refused(visitor):
    reset_choose(visitor)
    visitor.send_plainly("reset-verify")


@place()
def change_email_spent(visitor):
    ask_for_email(visitor, wrong_codes=4)
    visitor.enter_code("000000")
    visitor.send_plainly("verify-email")
    visitor.is_at("Let's start over")


@place()
def change_password(visitor):
    sign_in(visitor, "/account/password")
    visitor.is_at("Change password")


@place()
def change_password_refused(visitor):
    change_password(visitor)
    visitor.send_plainly("change-password")


def sign_in(visitor, path: str = "/account") -> None:
    visitor.is_signed_in(visitor.house.member)
    visitor.visit(path)


@place()
def account_in_german(visitor):
    sign_in(visitor, "/account?lang=de")
    visitor.is_at("Ihr Konto")


@place()
def account_after_a_busy_day(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    for number in range(6):
        Caller(visitor.house, user_agent=f"Firefox/{number}").log_in(address)
    visitor.is_signed_in(address)
    visitor.visit("/account/devices")
    visitor.page.locator("main summary").first.click()
    visitor.page.locator(".older > summary").click()
    visitor.page.locator(".older li summary").first.click()
    expect(visitor.page.locator(".older form").first).to_be_visible()


@place()
def account_activity(visitor):
    account_after_a_busy_day(visitor)
    visitor.visit("/account/activity")
    visitor.page.locator("main summary").click()
    expect(visitor.page.locator("main details li").last).to_be_visible()


@place()
def account_data(visitor):
    sign_in(visitor, "/account/data")


@place()
def account_devices_with_a_trusted_browser(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    passkey = add_passkey(Caller(visitor.house).log_in(address))
    visitor.takes_over(trusted_browser(visitor.house, address, passkey, visitor.user_agent))
    visitor.visit("/account/devices")
    visitor.button("Stop trusting").wait_for()


@place()
def account_devices_in_german(visitor):
    sign_in(visitor, "/account/devices?lang=de")


@place()
def account_security(visitor):
    sign_in(visitor, "/account/security")


def sign_in_with_app(visitor, path: str) -> Caller:
    """Somebody of their own, who has an authenticator app."""
    address = a_new_address()
    visitor.house.make_account(address)
    caller = Caller(visitor.house, user_agent=visitor.user_agent).log_in(address)
    caller.add_app()
    visitor.takes_over(caller)
    visitor.visit(path)
    return caller


@place()
def authenticator_app(visitor):
    sign_in(visitor, "/account/security/totp")
    visitor.field("Code from the app").wait_for()


@place()
def authenticator_app_refused(visitor):
    authenticator_app(visitor)
    visitor.field("Code from the app").fill("12345")
    visitor.send_plainly("totp")


@place()
def authenticator_app_in_german(visitor):
    sign_in(visitor, "/account/security/totp?lang=de")
    visitor.button("App hinzufügen").wait_for()


@place()
def authenticator_app_added(visitor):
    sign_in_with_app(visitor, "/account/security/totp")
    visitor.page.get_by_text("Remove the app").wait_for()


@place()
def another_authenticator_app(visitor):
    authenticator_app_added(visitor)
    visitor.link("Set up another app").click()
    visitor.sees("Your current app works until the new one is confirmed.")


@place()
def recovery_codes_without_factor(visitor):
    sign_in(visitor, "/account/security/recovery-codes")
    visitor.sees("Add an authenticator app or a passkey first:")


@place()
def recovery_codes_refused(visitor):
    caller = sign_in_with_app(visitor, "/account/security/recovery-codes")
    caller.remove_app()
    visitor.takes_over(caller)
    visitor.send_plainly("make-codes")
    visitor.sees("Add an authenticator app or a passkey first:")


@place()
def recovery_codes(visitor):
    sign_in_with_app(visitor, "/account/security/recovery-codes")
    visitor.button("Make recovery codes").click()
    visitor.is_at("Keep these safe")


@place()
def recovery_codes_made(visitor):
    recovery_codes(visitor)
    visitor.visit("/account/security/recovery-codes?lang=de")
    visitor.sees("Sie haben noch 10 Codes.")


def sign_in_with_passkey(visitor, path: str = PASSKEYS) -> Caller:
    """Somebody of their own, who has a passkey."""
    address = a_new_address()
    visitor.house.make_account(address)
    caller = Caller(visitor.house, user_agent=visitor.user_agent).log_in(address)
    add_passkey(caller)
    visitor.takes_over(caller)
    visitor.visit(path)
    return caller


@place()
def passkeys(visitor):
    sign_in(visitor, PASSKEYS)
    visitor.is_at("Passkeys")


@place()
def passkeys_of_somebody(visitor):
    caller = sign_in_with_passkey(visitor)
    add_passkey(caller, "Key on my key ring")
    visitor.takes_over(caller)
    visitor.visit(PASSKEYS)
    visitor.page.locator(".rename summary").first.click()
    visitor.button("Save").wait_for()


@place()
def passkeys_in_german(visitor):
    sign_in_with_passkey(visitor, f"{PASSKEYS}?lang=de")
    visitor.is_at("Passkeys")


@place()
def passkey_refused(visitor):
    sign_in(visitor, PASSKEYS)
    send_nonsense(visitor, "passkey-add")


@place()
def passkey_name_refused(visitor):
    sign_in_with_passkey(visitor)
    visitor.page.locator(".rename summary").first.click()
    name = visitor.page.locator("details input[name=name]")
    name.fill("")
    visitor.send_plainly(name.evaluate("each => each.form.id"))


@place()
def passkey_about_to_be_removed(visitor):
    sign_in_with_passkey(visitor)
    visitor.page.locator(".remove > summary").click()
    visitor.button("Yes, remove it").wait_for()


@place()
def passkey_removed(visitor):
    sign_in_with_passkey(visitor)
    visitor.remove("Remove")
    visitor.sees("Passkey removed.")


@place()
def account_security_with_a_passkey_of_the_browser(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    caller = Caller(visitor.house).log_in(address)
    add_passkey(caller, by_itself="on")
    visitor.takes_over(caller)
    visitor.visit("/account/security")


@place()
def account_security_with_passkey(visitor):
    sign_in_with_passkey(visitor, "/account/security")


def send_nonsense(visitor, form: str) -> None:
    """What no authenticator signs."""
    visitor.page.locator(f"#{form} [name=credential]").evaluate("each => each.value = '{}'")
    visitor.send_plainly(form)


@place()
def login_refused_passkey(visitor):
    visitor.visit("/login")
    send_nonsense(visitor, "passkey")


def give_password(visitor, address: str) -> None:
    """Has given the right one, without the browser, and is asked for the second step."""
    visitor.takes_over(begin_second_step(Caller(visitor.house, user_agent=visitor.user_agent), address))
    visitor.visit("/login/second")


@place()
def second_step(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    add_passkey(Caller(visitor.house).log_in(address))
    give_password(visitor, address)
    visitor.is_at("Confirm it's you")


@place()
def second_step_refused(visitor):
    second_step(visitor)
    send_nonsense(visitor, "second-passkey")


@place()
def second_step_in_german(visitor):
    second_step(visitor)
    visitor.choose_language("Deutsch")
    visitor.is_at("Bestätigen Sie, dass Sie es sind")


@place()
def second_step_with_everything(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    caller = Caller(visitor.house).log_in(address)
    add_passkey(caller)
    caller.add_app()
    caller.make_recovery_codes()
    give_password(visitor, address)
    visitor.link("Use a recovery code").wait_for()


@place()
def second_step_by_app(visitor):
    second_step_with_everything(visitor)
    visitor.link("Use your authenticator app").click()
    visitor.field("Code from your authenticator app").wait_for()


@place()
def second_step_by_recovery_code(visitor):
    second_step_with_everything(visitor)
    visitor.link("Use a recovery code").click()
    visitor.field("Recovery code").wait_for()


@place()
def second_step_by_app_refused(visitor):
    second_step_by_app(visitor)
    visitor.field("Code from your authenticator app").evaluate("each => each.value = '000000'")
    visitor.send_plainly("second")


@place()
def second_proof(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    passkey = add_passkey(Caller(visitor.house).log_in(address))
    visitor.takes_over(trusted_browser(visitor.house, address, passkey, visitor.user_agent))
    visitor.visit("/account/password")
    visitor.is_at("Confirm it's you")


@place()
def second_proof_refused(visitor):
    second_proof(visitor)
    send_nonsense(visitor, "second-passkey")


@place()
def second_proof_with_everything(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    caller = Caller(visitor.house).log_in(address)
    passkey = add_passkey(caller)
    caller.add_app()
    caller.make_recovery_codes()
    visitor.takes_over(trusted_browser(visitor.house, address, passkey, visitor.user_agent))
    visitor.visit("/account/password")
    visitor.is_at("Confirm it's you")


@place()
def second_proof_by_recovery_code(visitor):
    second_proof_with_everything(visitor)
    visitor.button("Use a recovery code").click()
    visitor.field("Recovery code").wait_for()


@place()
def second_proof_by_app_refused(visitor):
    second_proof_with_everything(visitor)
    visitor.button("Use your authenticator app").click()
    visitor.field("Code from your authenticator app").wait_for()
    visitor.page.locator("#second-code").evaluate("each => each.value = '000000'")
    visitor.send_plainly("second-proof")


@place()
def name_saved(visitor):
    sign_in(visitor)
    visitor.button("Save").click()
    visitor.sees("Your name has been saved.")


@place()
def signed_out(visitor):
    sign_in(visitor)
    visitor.log_out()
    visitor.sees("You're signed out.")


@place()
def profile_refused(visitor):
    sign_in(visitor)
    visitor.field("Name").fill("")
    visitor.send_plainly("profile")


@place()
def change_email(visitor):
    sign_in(visitor, "/account/email")
    visitor.is_at("Change email address")


@place()
def change_email_refused(visitor):
    change_email(visitor)
    visitor.field("New email address").fill("ada@example")
    visitor.send_plainly("change-email")


def ask_for_email(visitor, wrong_codes: int = 0) -> None:
    """Up to the page that asks for the code; the forms before it were sent without the browser."""
    caller = Caller(visitor.house, user_agent=visitor.user_agent).log_in(visitor.house.member)
    caller.ask_for_email(a_new_address())
    for _ in range(wrong_codes):
        wrong = caller.ask("POST", "/account/email/verify", {"code": "000000", "csrf": caller.csrf})
        assert wrong.status == 422
    visitor.takes_over(caller)
    visitor.visit("/account/email/verify")
    visitor.is_at("Confirm the new address")


@place()
def change_email_verify(visitor):
    ask_for_email(visitor)


@place()
def change_email_verify_refused(visitor):
    change_email_verify(visitor)
    visitor.send_plainly("verify-email")


@place()
def undo_factor(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    add_passkey(Caller(visitor.house).log_in(address))
    visitor.visit(factor_undo_link(visitor.house, address))
    visitor.is_at("Wasn't you?")


@place()
def reset_after_a_factor_was_taken_back(visitor):
    undo_factor(visitor)
    visitor.button("Take it back").click()
    visitor.sees("Taken back. Everyone has been signed out, and the old password no longer works. Now choose a new one.")
    visitor.is_at("Choose a password")


page("login_after_a_link_that_takes_nothing_back", "/account/security/undo?token=AAAA")


@place()
def undo_email(visitor):
    address = a_new_address()
    visitor.house.make_account(address)
    Caller(visitor.house).log_in(address).change_email(a_new_address())
    visitor.visit(undo_link(visitor.house, address))
    visitor.is_at("Wasn't you?")


@place()
def undo_email_verify(visitor):
    undo_email(visitor)
    visitor.button("Send code").click()
    visitor.is_at("Take your account back")


@place()
def undo_email_refused(visitor):
    undo_email_verify(visitor)
    visitor.field("New password").fill("password")
    visitor.send_plainly("undo-verify")


@place()
def undo_email_in_german(visitor):
    undo_email(visitor)
    visitor.choose_language("Deutsch")
    visitor.is_at("Waren Sie das nicht?")


@place()
def continue_from_a_mail(visitor):
    links = links_in(letter(visitor.house, "reset_requested").mail)
    visitor.visit(next(link for link in links if "/reset/continue" in link))
    visitor.is_at("Choose a password")


@place()
def delete_account(visitor):
    sign_in(visitor, "/account/delete")
    visitor.is_at("Delete account")


@place()
def delete_account_refused(visitor):
    delete_account(visitor)
    visitor.field("To confirm, type “delete”").fill("remove")
    visitor.send_plainly("delete-account")


@place("aging_house")
def proof(visitor):
    sign_in(visitor)
    visitor.house.let_proofs_grow_old()
    visitor.visit("/account/data")
    visitor.button("Download your data").click()
    visitor.is_at("Confirm it's you")


@place("aging_house")
def data_on_its_way(visitor):
    proof(visitor)
    visitor.field("Current password").fill(PASSWORD)
    with visitor.page.expect_download():
        visitor.button("Continue").click()


@place("aging_house")
def proof_refused(visitor):
    proof(visitor)
    visitor.field("Current password").fill("wrong")
    visitor.send_plainly("proof")


@place("provider_house")
def welcome_with_providers(visitor):
    visitor.visit("/")


@place("provider_house")
def login_with_providers(visitor):
    # A callback that nobody asked for.
    visitor.visit("/auth/apple/callback")


@place("provider_house")
def sign_up_with_providers(visitor):
    visitor.visit("/signup?lang=de")


@place("provider_house")
def almost_there(visitor):
    comes_from_apple(visitor, a_new_address())
    visitor.is_at("Almost there")


@place("provider_house")
def almost_there_refused(visitor):
    almost_there(visitor)
    visitor.field("Name").fill("")
    visitor.send_plainly("auth/continue")


@place("provider_house")
def almost_there_with_a_taken_address(visitor):
    comes_from_apple(visitor, visitor.house.member)
    visitor.link("Sign in to connect").wait_for()


@place("provider_house")
def almost_there_and_signed_in(visitor):
    almost_there_with_a_taken_address(visitor)
    visitor.link("Sign in to connect").click()
    visitor.field("Email address").fill(visitor.house.member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.button("Connect").wait_for()


@place("provider_house")
def almost_there_without_a_proved_address(visitor):
    comes_from_apple(visitor, a_new_address(), verified=False)
    visitor.sees("confirmed your email address")
    visitor.is_at("Sign in another way")


@place("provider_house")
def account_without_a_password(visitor):
    almost_there(visitor)
    visitor.field(TERMS).check()
    visitor.button("Create account").click()
    visitor.is_at("Your account")
    visitor.visit("/account/security")


@place("provider_house")
def account_that_could_add_providers(visitor):
    sign_in(visitor, "/account/security")


@place("provider_house")
def confirm_before_adding(visitor):
    sign_in(visitor, "/account/confirm")


@place("provider_house")
def question_before_a_provider(visitor):
    visitor.visit("/auth/example?lang=en&return_to=/account")
    visitor.is_at("Continue with Example & Co?")


@place("provider_house")
def question_to_somebody_signed_in(visitor):
    sign_in(visitor, "/auth/example?lang=de")
    visitor.is_at("Mit Example & Co fortfahren?")


@place("provider_house")
def on_the_way_to_a_provider(visitor):
    sign_in(visitor, "/account/security")
    mark = visitor.link("Add Example & Co").get_attribute("href").split("link=")[1]
    visitor.page.route("**/auth/example?link=*", lambda route: route.fulfill(status=204))
    visitor.visit(f"/account/confirm?add=example&link={mark}")
    visitor.is_at("One moment")


@place("provider_house")
def confirm_before_adding_refused(visitor):
    confirm_before_adding(visitor)
    visitor.send_plainly("proof")

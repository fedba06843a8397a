"""Every mail, as it arrives."""

import re
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from urllib.parse import urlsplit

import pytest
from authenticators import add_passkey, begin_second_step, remove_passkey, use_for_second_step
from caller import Caller
from house import PASSWORD, House, a_new_address, codes_in, text_of

NEW_PASSWORD = "staple horse battery correct"


@dataclass(frozen=True)
class Letter:
    """A mail, and who can sign in by the time it has come; nobody when the account is gone."""

    mail: EmailMessage
    address: str | None
    password: str = PASSWORD


def links_in(mail: EmailMessage) -> list[str]:
    """Every link, once, in order."""
    links = re.findall(r"https?://\S+", text_of(mail))
    links += re.findall(r'href="([^"]+)"', mail.get_body(("html",)).get_content())
    return list(dict.fromkeys(links))


def twice(password: str) -> dict[str, str]:
    return {"password": password, "password_confirmation": password}


def somebody(house: House) -> str:
    """The address of a new account."""
    address = a_new_address()
    house.make_account(address)
    return address


def signup_code(house: House) -> Letter:
    address = somebody(house)
    return Letter(house.outbox.mail_to(address), address)


def signup_taken(house: House) -> Letter:
    address = somebody(house)
    Caller(house).post("/signup", display_name="Ada", email=address, terms="accepted", **twice(PASSWORD))
    return Letter(house.outbox.mail_about(address, "You already have an account"), address)


def password_reset(house: House) -> Letter:
    address = somebody(house)
    Caller(house).post("/reset", email=address)
    return Letter(house.outbox.mail_about(address, "Your code for a new password"), address)


def password_changed(house: House) -> Letter:
    address = somebody(house)
    caller = Caller(house)
    caller.post("/reset", email=address)
    mail = house.outbox.mail_about(address, "Your code for a new password")
    caller.post("/reset/verify", code=codes_in(text_of(mail))[0], **twice(NEW_PASSWORD))
    return Letter(house.outbox.mail_about(address, "Your password was changed"), address, NEW_PASSWORD)


def password_set(house: House) -> Letter:
    address, caller = a_new_address(), Caller(house)
    house.command("users", "create", address)
    invited = text_of(house.outbox.mail_about(address, "An account was made for you"))
    caller.get("/reset/continue?flow=" + re.search(r"flow=(\S+)", invited)[1])
    caller.post("/reset/continue")
    caller.post("/reset/verify", code=codes_in(invited)[0], **twice(PASSWORD))
    caller.post("/login", email=address, password=PASSWORD)
    caller.get("/account/terms")
    caller.post("/account/terms", terms="accepted")
    return Letter(house.outbox.mail_about(address, "A password was set for your account"), address)


def password_replaced(house: House) -> Letter:
    address = somebody(house)
    caller = Caller(house).log_in(address)
    caller.post("/account/password", current_password=PASSWORD, **twice(NEW_PASSWORD))
    return Letter(house.outbox.mail_about(address, "Your password was changed"), address, NEW_PASSWORD)


def email_change_code(house: House) -> Letter:
    address, new = somebody(house), a_new_address()
    Caller(house).log_in(address).ask_for_email(new)
    return Letter(house.outbox.mail_about(new, "Your code for the new email address"), address)


def email_changed(house: House) -> Letter:
    old, new = somebody(house), a_new_address()
    Caller(house).log_in(old).change_email(new)
    return Letter(house.outbox.mail_about(old, "Your email address was changed"), new)


def email_restored(house: House) -> Letter:
    old = somebody(house)
    Caller(house).log_in(old).change_email(a_new_address())
    take_back(house, old)
    return Letter(house.outbox.mail_about(old, "Your email address is restored"), old, NEW_PASSWORD)


def email_taken_back(house: House) -> Letter:
    old, new = somebody(house), a_new_address()
    Caller(house).log_in(old).change_email(new)
    take_back(house, old)
    return Letter(house.outbox.mail_about(new, "This address was removed from your account"), old, NEW_PASSWORD)


def email_undo_code(house: House) -> Letter:
    old, new = somebody(house), a_new_address()
    Caller(house).log_in(old).change_email(new)
    ask_for_undo_code(house, old)
    return Letter(house.outbox.mail_about(old, "Your code to take your account back"), new)


def ask_for_undo_code(house: House, old: str) -> Caller:
    """The browser of somebody who has opened the link, and had a code sent to the former address."""
    caller = Caller(house)
    moved = caller.get(urlsplit(undo_link(house, old))._replace(scheme="", netloc="").geturl())
    assert moved.headers["Location"] == "/account/email/undo"
    caller.post("/account/email/undo")
    return caller


def take_back(house: House, old: str) -> None:
    caller = ask_for_undo_code(house, old)
    mail = house.outbox.mail_about(old, "Your code to take your account back")
    caller.post("/account/email/undo/verify", code=codes_in(text_of(mail))[0], **twice(NEW_PASSWORD))


def undo_link(house: House, old: str) -> str:
    """What the owner of the former address was sent."""
    mail = house.outbox.mail_about(old, "Your email address was changed")
    return next(link for link in links_in(mail) if "token=" in link)


def account_locked(house: House) -> Letter:
    old, new = somebody(house), a_new_address()
    Caller(house).log_in(old).change_email(new)
    house.command("users", "create", old)
    take_back(house, old)
    return Letter(house.outbox.mail_about(new, "Your account is locked"), None)


def new_sign_in(house: House) -> Letter:
    address = somebody(house)
    Caller(house).log_in(address)
    return Letter(house.outbox.mail_about(address, "New sign-in to your account"), address)


def new_sign_ins(house: House) -> Letter:
    address = somebody(house)
    for _ in range(5):
        Caller(house).log_in(address)
    house.let_a_day_pass_for_summaries()
    return Letter(house.outbox.mail_about(address, "More new sign-ins to your account"), address)


def identity_added(house: House) -> Letter:
    address = somebody(house)
    Caller(house).log_in(address).add_apple()
    return Letter(house.outbox.mail_about(address, "A way to sign in was added"), address)


def identity_removed(house: House) -> Letter:
    address = somebody(house)
    member = Caller(house).log_in(address)
    member.add_apple()
    member.post(re.search(r'action="(/account/identities/[^"]+/remove)"', member.get("/account/security").text)[1])
    return Letter(house.outbox.mail_about(address, "A way to sign in was removed"), address)


def totp_added(house: House) -> Letter:
    address = somebody(house)
    member = Caller(house).log_in(address)
    member.add_app()
    mail = house.outbox.mail_about(address, "An authenticator app was added")
    # So that the password alone signs in again.
    member.remove_app()
    return Letter(mail, address)


def totp_removed(house: House) -> Letter:
    address = totp_added(house).address
    return Letter(house.outbox.mail_about(address, "Your authenticator app was removed"), address)


def recovery_codes_made(house: House) -> Letter:
    address = somebody(house)
    member = Caller(house).log_in(address)
    member.add_app()
    member.make_recovery_codes()
    mail = house.outbox.mail_about(address, "New recovery codes were made")
    member.remove_app()
    return Letter(mail, address)


def passkey_added(house: House) -> Letter:
    address = somebody(house)
    member = Caller(house).log_in(address)
    add_passkey(member)
    mail = house.outbox.mail_about(address, "A passkey was added to your account")
    # So that the password alone signs in again.
    remove_passkey(member)
    return Letter(mail, address)


def passkey_second_step(house: House) -> Letter:
    address = somebody(house)
    member = Caller(house).log_in(address)
    add_passkey(member, by_itself="on")
    use_for_second_step(member)
    mail = house.outbox.mail_about(address, "Signing in now needs a second step")
    house.command("users", "reset-factors", "--now", address)
    return Letter(mail, address)


def factor_taken_back(house: House) -> Letter:
    address = somebody(house)
    add_passkey(Caller(house).log_in(address))
    owner = Caller(house)
    owner.get(urlsplit(factor_undo_link(house, address))._replace(scheme="", netloc="").geturl())
    owner.post("/account/security/undo")
    mail = house.outbox.mail_about(address, "Changes to your account were taken back")
    owner.post("/reset", email=address)
    code = codes_in(text_of(house.outbox.mail_about(address, "Your code for a new password")))[0]
    owner.post("/reset/verify", code=code, **twice(NEW_PASSWORD))
    return Letter(mail, address, NEW_PASSWORD)


def factor_undo_link(house: House, address: str) -> str:
    """What the owner of the account was sent."""
    mail = house.outbox.mail_about(address, "A passkey was added to your account")
    return next(link for link in links_in(mail) if "token=" in link)


def passkey_removed(house: House) -> Letter:
    address = passkey_added(house).address
    return Letter(house.outbox.mail_about(address, "A passkey was removed from your account"), address)


def somebody_with_app(house: House) -> tuple[str, Caller]:
    """The address of a new account, and who can remove the app."""
    address = somebody(house)
    member = Caller(house).log_in(address)
    member.add_app()
    return address, member


def second_step_refused(house: House) -> Letter:
    address, member = somebody_with_app(house)
    stranger = begin_second_step(Caller(house), address)
    for _ in range(5):
        stranger.ask("POST", "/login/second", {"code": "000000"})
    mail = house.outbox.mail_about(address, "Someone couldn't finish signing in to your account")
    member.remove_app()
    return Letter(mail, address)


def recovery_code_used(house: House) -> Letter:
    address, member = somebody_with_app(house)
    code = member.make_recovery_codes()[0]
    begin_second_step(Caller(house), address).post("/login/second", code=code)
    mail = house.outbox.mail_about(address, "A recovery code was used")
    member.remove_app()
    return Letter(mail, address)


def factor_removal_asked(house: House) -> Letter:
    address, member = somebody_with_app(house)
    house.command("users", "reset-factors", address)
    mail = house.outbox.mail_about(address, "Your second factors will be removed soon")
    member.remove_app()
    return Letter(mail, address)


def factors_removed(house: House) -> Letter:
    address, _ = somebody_with_app(house)
    house.command("users", "reset-factors", "--now", address)
    return Letter(house.outbox.mail_about(address, "Your second factors were removed"), address)


def account_deleted(house: House) -> Letter:
    address = somebody(house)
    Caller(house).log_in(address).delete()
    return Letter(house.outbox.mail_about(address, "Your account has been deleted"), None)


def invitation(house: House) -> Letter:
    address = a_new_address()
    house.command("users", "create", address)
    return Letter(house.outbox.mail_about(address, "An account was made for you"), None)


def reset_requested(house: House) -> Letter:
    address = somebody(house)
    house.command("users", "send-reset", address)
    return Letter(house.outbox.mail_about(address, "Choose a new password"), address)


KINDS = {
    each.__name__: each
    for each in (
        signup_code, signup_taken, password_reset, password_changed, password_set, password_replaced, email_change_code,
        email_changed, email_undo_code, email_restored, email_taken_back, account_locked, new_sign_in, new_sign_ins, identity_added,
        identity_removed, account_deleted, invitation, reset_requested, totp_added, totp_removed, recovery_codes_made,
        passkey_added, passkey_removed, passkey_second_step, factor_taken_back, second_step_refused, recovery_code_used, factor_removal_asked, factors_removed,
    )
}
# The house that sends it, where it is not just any.
SENDERS = {"new_sign_ins": "aging_house", "identity_added": "provider_house", "identity_removed": "provider_house"}

# A test for each kind; those of one kind run in one worker, one after the other.
at_every_kind = pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.xdist_group(kind)) for kind in KINDS])


@cache
def letter(house: House, kind: str) -> Letter:
    """One of each kind is enough for those who only read it."""
    return KINDS[kind](house)

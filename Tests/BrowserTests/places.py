"""Every page there is, refused forms included, and how a visitor gets there; for the tests that look at all of them."""

from dataclasses import dataclass
from typing import Callable

from house import a_new_address
from visitor import Visitor


@dataclass(frozen=True)
class Place:
    name: str
    go: Callable[[Visitor], None]
    house: str = "house"
    needs_script: bool = False

    def __str__(self) -> str:
        return self.name


PLACES: list[Place] = []


def place(house: str = "house", needs_script: bool = False):
    def add(go):
        PLACES.append(Place(go.__name__, go, house, needs_script))
        return go

    return add


def page(name: str, path: str) -> None:
    PLACES.append(Place(name, lambda visitor: visitor.visit(path)))


page("welcome", "/")
page("login", "/login")
page("sign_up", "/signup")
page("sign_up_that_took_too_long", "/signup?notice=flow-expired")
page("reset", "/reset")
page("reset_in_german", "/reset?lang=de")
page("terms", "/terms")
page("privacy", "/privacy")
page("nothing_here", "/no-such-page")
page("welcome_in_german", "/?lang=de")
page("sign_up_in_german", "/signup?lang=de")


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
    visitor.is_told("The two passwords are not the same.")
    visitor.button("Show password").click()
    visitor.sees("Strong")


@place(needs_script=True)
def login_judged_while_empty(visitor):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    visitor.is_told("Enter your email address.")


@place()
def verify(visitor):
    visitor.sign_up(a_new_address())


@place()
def verify_refused(visitor):
    visitor.sign_up(a_new_address())
    visitor.send_plainly("verify")


@place()
def verify_of_a_taken_address(visitor):
    before = len(visitor.house.outbox.mails_to(visitor.house.member))
    visitor.sign_up(visitor.house.member)
    visitor.field("Code").fill(visitor.house.outbox.code_for(visitor.house.member, number=before + 1))
    visitor.send_plainly("verify")


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


@place()
def development_mail(visitor):
    assert visitor.house.member
    visitor.visit("/dev/mail")
    visitor.is_at("Outgoing mail")


@place()
def reset_refused(visitor):
    visitor.visit("/reset")
    visitor.field("Email address").fill("ada@example")
    visitor.send_plainly("reset")


@place()
def reset_verify(visitor):
    visitor.visit("/reset")
    visitor.field("Email address").fill(visitor.house.member)
    visitor.button("Send code").click()
    visitor.is_at("Choose a new password")


@place()
def reset_verify_refused(visitor):
    reset_verify(visitor)
    visitor.send_plainly("reset-verify")


@place()
def change_password(visitor):
    visitor.log_in(visitor.house.member)
    visitor.is_at("Your account")
    visitor.visit("/account/password")
    visitor.is_at("Change password")


@place()
def change_password_refused(visitor):
    visitor.log_in(visitor.house.member)
    visitor.is_at("Your account")
    visitor.visit("/account/password")
    visitor.send_plainly("change-password")

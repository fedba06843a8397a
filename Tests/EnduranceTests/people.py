"""People who sign up, sign in, change what opens the account, enter an application, and go."""

import itertools
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pyotp
from authenticators import SoftwarePasskey
from kills import HOST, ORIGIN
from promises import Over, Person, State
from wire import Answer, Cut

PASSWORDS = ["violet tram under seven bridges", "quiet river beside nine towers", "amber kite over three islands"]
CHANGED, CODE_USED = "Your password was changed", "A recovery code was used"
numbers = itertools.count(1)
# Seconds of one code of an authenticator app.
STEP = 30


def a_new_address() -> str:
    return f"ada.{next(numbers)}@example.com"


@dataclass
class Member(Person):
    key: SoftwarePasskey | None = None
    app: str = ""
    # The latest step of the app whose code may have been used.
    step: int = 0
    recovery: list[str] = field(default_factory=list)
    # Addresses of before, which may still take the account back and are told when it is deleted.
    former: list[str] = field(default_factory=list)

    def live(self) -> None:
        try:
            self.sign_up()
            for act in self.random.choices(ACTS, k=self.random.randint(3, 9)):
                act(self)
            if self.random.random() < 0.4:
                self.delete()
        except Over:
            pass

    # How anything is done

    def act(self, name: str, ask: Callable[[str], Answer], becomes: Callable[[str, Answer | None], State],
            mail: str = "", signed_in: bool = True) -> Answer | None:
        """Does it until it is done, and notes what holds then. `ask` and `becomes` get the token of a session.

        `mail`: the subject of what is mailed about it, to the address of before. Returns nil if the answer was lost.
        """
        while True:
            self.look_up()
            token, before = self.token() if signed_in else "", self.state
            try:
                answer = ask(token)
            except Cut:
                answer = None
                if not self.settle(becomes(token, None)):
                    continue
            if answer and answer.status == 503:
                continue
            if self.has_proved(answer, token):
                continue
            if answer and answer.status >= 400:
                raise self.refused(name, answer)
            if answer:
                self.hold(becomes(token, answer))
            self.note(name, (before.address, mail) if mail else None)
            return answer

    def begin(self, path: str, to: str, subject: str, signed_in: bool = False, **body) -> tuple[str, str] | None:
        """Asks for a code by mail. Returns the flow and the code, or nil if the answer was lost."""
        while True:
            self.look_up()
            known, token = len(self.site.mailbox.codes[to]), self.token() if signed_in else ""
            try:
                answer = self.call("POST", path, token, **body)
            except Cut:
                self.site.cuts += 1
                return self.note("", perhaps=(to, subject))
            if answer.status == 503 or self.has_proved(answer, token):
                continue
            if answer.status != 202:
                raise self.refused(path, answer)
            self.note("", (to, subject))
            codes = self.site.mailbox.codes_to(to, known)
            if not codes:
                # The count of mails tells that it was lost.
                raise Over
            return answer.json["flow"], codes[0]

    def has_proved(self, answer: Answer | None, token: str) -> bool:
        """Gives the proof that was asked for instead of an answer."""
        if not answer or answer.status != 403 or answer.json["code"] != "reauthentication_required":
            return False
        factor = self.factor("factors/proof/options", token)
        self.try_factor(factor, lambda: self.call("POST", "factors/proof", token, **factor),
                        lambda answer: self.state.closed(token).opened(answer))
        return True

    def token(self) -> str:
        """Of a session that is open."""
        while not self.state.tokens:
            self.log_in()
        return self.random.choice(self.state.tokens)

    # Second factors

    def factor(self, options: str = "sign-in/passkey/options", token: str = "") -> dict:
        """What proves one: the passkey, a recovery code, or the next code of the app."""
        while self.state.passkey:
            try:
                asked = self.call("POST", options, token).json
                return {"challenge": asked["challenge"], "credential": json.loads(self.key.sign(asked["options"]))}
            except Cut:
                pass
        if self.recovery:
            return {"code": self.recovery[-1]}
        return {"code": self.app_code()}

    def app_code(self) -> str:
        """Each is taken once, one step ahead at most."""
        self.step = max(self.step + 1, int(time.time()) // STEP)
        if self.step > int(time.time()) // STEP + 1:
            raise Over
        return pyotp.TOTP(self.app).at(self.step * STEP)

    def try_factor(self, factor: dict, ask: Callable[[], Answer], becomes: Callable[[Answer | None], State]) -> None:
        """What comes of it; a code counts as used also when the answer was lost."""
        told = (self.state.address, CODE_USED) if factor.get("code") in self.recovery else None
        self.recovery = [code for code in self.recovery if code != factor.get("code")]
        try:
            answer = ask()
        except Cut:
            self.settle(becomes(None))
            return self.note("", perhaps=told)
        if answer.status == 503:
            return self.note("", perhaps=told)
        if answer.status != 200:
            raise self.refused("second factor", answer)
        self.hold(becomes(answer))
        self.note("second factor", told)
        self.used.append(lambda: self.second_step(factor))

    def second_step(self, factor: dict) -> Answer:
        """A new sign-in with that factor."""
        begun = self.call("POST", "sign-in", email=self.state.address, password=self.state.password)
        if begun.status != 403:
            return Answer(begun.status if begun.status >= 400 else 409, begun.head, begun.body)
        return self.call("POST", "sign-in/second", flow=begun.json["flow"], **factor)

    # What people do

    def sign_up(self) -> None:
        begun = None
        while not begun:
            address, password = a_new_address(), self.random.choice(PASSWORDS)
            begun = self.begin("sign-up", address, "code", email=address, password=password, name="Ada", terms=True)
        ask = lambda _: self.call("POST", "sign-up/verify", flow=begun[0], code=begun[1])
        new = State(True, address, password)
        self.act("sign-up", ask, lambda _, answer: new.opened(answer), signed_in=False)
        self.used.append(lambda: ask(""))

    def log_in(self) -> None:
        begun = None
        ask = lambda _: self.call("POST", "sign-in", email=self.state.address, password=self.state.password)
        if self.state.way == "in":
            self.act("login", ask, lambda _, answer: self.state.opened(answer), signed_in=False)
            return
        while not begun:
            self.look_up()
            try:
                begun = ask("")
            except Cut:
                self.site.cuts += 1
        if begun.status != 403:
            raise self.refused("login", begun)
        factor = self.factor()
        ask = lambda: self.call("POST", "sign-in/second", flow=begun.json["flow"], **factor)
        self.try_factor(factor, ask, lambda answer: self.state.opened(answer))

    def log_in_by_passkey(self) -> None:
        if not self.state.passkey:
            return
        factor = self.factor()
        ask = lambda: self.call("POST", "sign-in/passkey", **factor)
        self.try_factor(factor, ask, lambda answer: self.state.opened(answer))

    def log_out(self) -> None:
        self.act("sign-out", lambda token: self.call("POST", "sign-out", token),
                 lambda token, _: self.state.closed(token))

    def end_another(self) -> None:
        """A session, by its name in the list."""
        self.log_in()
        if len(self.state.tokens) < 2:
            return
        other, token = self.state.tokens[-2:]
        try:
            listed = self.call("GET", "sessions", other)
        except Cut:
            return
        if listed.status != 200:
            raise self.refused("the list of sessions", listed)
        name = next(each["id"] for each in listed.json["sessions"] if each["current"])
        ask = lambda _: self.call("DELETE", f"sessions/{name}", token, current_password=self.state.password)
        self.act("session ended", ask, lambda *_: self.state.closed(other), signed_in=False)

    def rename(self) -> None:
        name = f"Ada {next(numbers)}"
        self.act("name", lambda token: self.call("PATCH", "user", token, name=name),
                 lambda *_: replace(self.state, name=name))

    def another_password(self) -> str:
        return self.random.choice([each for each in PASSWORDS if each != self.state.password])

    def change_password(self) -> None:
        new, old = self.another_password(), self.state.password
        ask = lambda token: self.call("POST", "user/password", token, current_password=old, password=new)
        becomes = lambda _, answer: replace(self.state, tokens=(), password=new).opened(answer)
        self.act("password", ask, becomes, CHANGED)

    def reset(self) -> None:
        begun = self.begin("password-reset", self.state.address, "code for a new password", email=self.state.address)
        if not begun:
            # Nobody can tell the next code from that of the flow that was lost.
            raise Over
        new = self.another_password()
        ask = lambda _: self.call("POST", "password-reset/verify", flow=begun[0], code=begun[1], password=new)
        becomes = lambda *_: replace(self.state, password=new, tokens=())
        self.act("reset", ask, becomes, CHANGED, signed_in=False)
        self.used.append(lambda: ask(""))

    def change_address(self) -> None:
        begun = None
        while not begun:
            new = a_new_address()
            begun = self.begin("user/email", new, "code for the new email address", signed_in=True, email=new,
                               current_password=self.state.password)
        ask = lambda token: self.call("POST", "user/email/verify", token, flow=begun[0], code=begun[1])
        before = self.state.address
        self.act("address", ask, lambda token, answer: self.state.closed(token).opened(answer, address=new),
                 "Your email address was changed")
        self.former.append(before)

    def add_app(self) -> None:
        if self.state.has_app:
            return self.remove_app()

        def ask(token: str) -> Answer:
            begun = self.call("POST", "factors/totp", token)
            if begun.status != 200:
                return begun
            self.app = begun.json["key"].replace(" ", "")
            return self.call("POST", "factors/totp/confirm", token, setup=begun.json["setup"], code=self.app_code())

        self.act("app added", ask, lambda token, answer: self.state.closed(token).opened(answer, has_app=True),
                 "An authenticator app was added")

    def without(self, token: str, answer: Answer | None, **changes) -> State:
        """With a factor less; recovery codes go with the last one."""
        rest = replace(self.state, **changes)
        has_factor = rest.passkey or rest.has_app
        return rest.closed(token).opened(answer, has_codes=rest.has_codes and bool(has_factor))

    def remove_app(self) -> None:
        self.act("app removed", lambda token: self.call("DELETE", "factors/totp", token),
                 lambda token, answer: self.without(token, answer, has_app=False), "Your authenticator app was removed")
        self.forget_codes()

    def forget_codes(self) -> None:
        if not self.state.has_codes:
            self.recovery = []

    def add_passkey(self) -> None:
        if self.state.passkey:
            return self.remove_passkey()
        key = self.key = SoftwarePasskey(ORIGIN)

        def ask(token: str) -> Answer:
            options = self.call("POST", "factors/passkeys/options", token)
            if options.status != 200:
                return options
            credential = json.loads(key.create(options.json["options"]))
            return self.call(
                "POST", "factors/passkeys", token, challenge=options.json["challenge"], credential=credential)

        self.act("passkey added", ask, lambda token, answer: self.state.closed(token).opened(answer, passkey="yes"),
                 "A passkey was added to your account")

    def remove_passkey(self) -> None:
        def ask(token: str) -> Answer:
            listed = self.call("GET", "factors", token)
            if listed.status != 200:
                return listed
            return self.call("DELETE", f"factors/passkeys/{listed.json['passkeys'][0]['id']}", token)

        self.act("passkey removed", ask, lambda token, answer: self.without(token, answer, passkey=""),
                 "A passkey was removed from your account")
        self.forget_codes()

    def make_codes(self) -> None:
        if self.state.has_codes or self.state.way == "in":
            return
        made = self.act("recovery codes", lambda token: self.call("POST", "factors/recovery-codes", token),
                        lambda token, answer: self.state.closed(token).opened(answer, has_codes=True),
                        "New recovery codes were made")
        self.recovery = made.json["codes"] if made else []

    def enter_application(self) -> None:
        """By way of the ticket, which opens it once."""
        token, browser = self.token(), ""
        try:
            begun = self.site.ask("GET", "/.vestibule/start?to=/", lines=(HOST,))
            browser = begun.cookie("vestibule-start")
            wish = begun.header("Location").removeprefix(ORIGIN)
            ticket = self.site.ask("GET", wish, lines=(f"Cookie: vestibule={token}",)).header("Location")
        except Cut:
            return
        if "ticket=" not in ticket:
            raise self.refused("the application", begun)
        place = re.sub("^http://[^/]+", "", ticket)
        ask = lambda _="": self.site.ask("GET", place, lines=(HOST, f"Cookie: vestibule-start={browser}"))
        # What the session was shown before ends with the next cookie.
        kept = tuple(each for each in self.state.cookies if each[1] != token)
        before = [cookie for cookie, shown in self.state.cookies if shown == token]
        try:
            entered = ask()
        except Cut:
            self.site.cuts += 1
            self.cookies = [cookie for cookie in self.cookies if cookie not in before]
            return self.hold(replace(self.state, cookies=kept))
        if entered.status != 303:
            raise self.refused("the ticket", entered)
        self.hold(replace(self.state, cookies=kept + ((entered.cookie("vestibule-app"), token),)))
        self.note("ticket")
        self.used.append(ask)

    def delete(self) -> None:
        def ask(token: str) -> Answer:
            # What still waits to be sent to the account's addresses goes with it.
            self.site.expect_less(self.told)
            return self.call("DELETE", "user", token, current_password=self.state.password)

        subject = "Your account has been deleted"
        self.act("deletion", ask, lambda *_: State(), subject)
        for address in self.former:
            self.note("", (address, subject))


ACTS = [
    Member.log_in, Member.log_in_by_passkey, Member.log_out, Member.end_another, Member.rename,
    Member.change_password, Member.reset, Member.change_address, Member.add_app, Member.add_passkey,
    Member.make_codes, Member.enter_application,
]

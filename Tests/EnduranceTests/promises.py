"""What a person was promised, and whether it holds.

Each person knows one `State`. An act that is acknowledged leads to the next one; an act whose answer is lost leaves two
that may be true, and what is found after the restart must be one of them, whole.
"""

import itertools
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kills import ASKS, Site
from wire import Answer, Cut

# Seconds within which a session that ended on one node is refused by the others; one is promised.
SOON = 3


class Over(Exception):
    """This life is not gone on with."""


@dataclass(frozen=True)
class State:
    exists: bool = False
    address: str = ""
    password: str = ""
    name: str = "Ada"
    # Of open sessions; and applications' cookies, each with the token that was shown for it, which it ends with.
    tokens: tuple[str, ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    passkey: str = ""
    has_app: bool = False
    has_codes: bool = False

    @property
    def way(self) -> str:
        """What a sign-in with the right password comes to."""
        methods = {"passkey": self.passkey, "recovery_code": self.has_codes, "totp": self.has_app}
        has_factor = self.passkey or self.has_app
        return "second " + " ".join(each for each in methods if methods[each]) if has_factor else "in"

    def opened(self, answer: Answer | None, **changes) -> "State":
        """With a new session; nobody knows its token when the answer was lost."""
        return replace(self, tokens=self.tokens + ((answer.json["token"],) if answer else ()), **changes)

    def closed(self, token: str) -> "State":
        return replace(self, tokens=tuple(each for each in self.tokens if each != token))


@dataclass
class Person:
    site: Site
    random: random.Random
    state: State = State()
    # What is asked for: all that was ever true of late.
    tokens: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    passwords: list[str] = field(default_factory=list)
    # What was used up and must not work again, until it has been tried after a kill.
    used: list[Callable[[], Answer]] = field(default_factory=list)
    # Mails, by address and subject.
    told: list[tuple[str, str]] = field(default_factory=list)
    # How many kills there had been when everything was looked up.
    seen: int = 0
    # What was found wrong is not asked for again.
    is_broken: bool = False

    def call(self, method: str, path: str, token: str = "", **body) -> Answer:
        return self.site.ask(method, f"/api/auth/{path}", token, json.dumps(body).encode() if body else b"")

    def hold(self, state: State) -> None:
        """Goes on from there."""
        self.state = state
        self.tokens = (self.tokens + [token for token in state.tokens if token not in self.tokens])[-6:]
        self.cookies = (self.cookies + [cookie for cookie, _ in state.cookies if cookie not in self.cookies])[-3:]
        for known, word in ((self.addresses, state.address), (self.passwords, state.password)):
            if word and word not in known[-1:]:
                known.append(word)

    def note(self, act: str, mail: tuple[str, str] | None = None, perhaps: tuple[str, str] | None = None) -> None:
        """What was done, and the mail that comes of it."""
        self.told += [mail] if mail else []
        self.site.note(act, mail, perhaps)

    def refused(self, name: str, answer: Answer) -> Over:
        """What was acknowledged, or not done yet, must be accepted."""
        self.is_broken = True
        self.site.findings.add("lost", f"{name} is refused with {answer.status}: {answer.body[:300]} {self.state}")
        return Over()

    def settle(self, after: State) -> bool:
        """After an answer that was lost: whether the act was done. What cannot be told counts as not done."""
        self.site.cuts += 1
        self.site.wait_for_all()
        found = self.look_up([self.state, after])
        self.hold(found)
        return found is after

    def look_up(self, candidates: list[State] | None = None) -> State:
        """After a kill: what is found must be what was promised. Returns it."""
        if not candidates and self.seen == self.site.kills:
            return self.state
        candidates = candidates or [self.state]
        for state in candidates:
            self.hold(state)
        deadline = time.monotonic() + (SOON if len(self.site.nodes) > 1 else 0)
        while True:
            kills = self.site.kills
            try:
                found, again = self.observe(), sum(replay().status < 400 for replay in self.used)
            except Cut:
                continue
            wanted = [self.expected(state) for state in candidates]
            if found in wanted or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        self.seen = kills
        self.used.clear()
        self.site.looked_up += 1
        if again:
            self.site.findings.add("doubled", f"{again} used again: {self.state}")
        if found in wanted:
            return candidates[wanted.index(found)]
        self.is_broken = True
        self.tell(found, wanted)
        raise Over

    def tell(self, found: dict, wanted: list[dict]) -> None:
        wrong = {what: found[what] for what in found if all(each[what] != found[what] for each in wanted)}
        text = f"{wrong or found} instead of {[{what: each[what] for what in wrong or found} for each in wanted]}"
        self.site.findings.add("lost" if wrong else "half", f"{text}: {self.state}")

    def observe(self) -> dict:
        """What the servers say to everything this person knows."""
        pairs = itertools.product(self.addresses[-2:], self.passwords[-2:])
        found = {("in", *pair): self._way(*pair) for pair in pairs}
        answers = {token: self._judged(self.call("GET", "session", token)) for token in self.tokens}
        found |= {("session", token): answer.status == 200 for token, answer in answers.items()}
        names = [answer.json["user"]["name"] for answer in answers.values() if answer.status == 200]
        found["name"] = names[0] if names else None
        return found | {("application", cookie): self._is_inside(cookie) for cookie in self.cookies}

    def expected(self, state: State) -> dict:
        """The same, by what was promised."""
        right = (state.address, state.password)
        wanted = {
            ("in", *pair): state.way if state.exists and pair == right else "no"
            for pair in itertools.product(self.addresses[-2:], self.passwords[-2:])}
        wanted |= {("session", token): token in state.tokens for token in self.tokens}
        wanted["name"] = state.name if any(token in state.tokens for token in self.tokens) else None
        shown = dict(state.cookies)
        return wanted | {("application", cookie): shown.get(cookie) in state.tokens for cookie in self.cookies}

    def _way(self, address: str, password: str) -> str:
        answer = self._judged(self.call("POST", "sign-in", email=address, password=password))
        if answer.status == 200:
            self.call("POST", "sign-out", answer.json["token"])
            return "in"
        if answer.status == 403:
            return "second " + " ".join(sorted(answer.json["methods"]))
        return "no" if answer.status == 401 else str(answer.status)

    def _is_inside(self, cookie: str) -> bool:
        lines = (*ASKS, f"Cookie: vestibule-app={cookie}")
        return self._judged(self.site.ask("GET", "/authz/forward-auth", lines=lines)).status == 200

    def _judged(self, answer: Answer) -> Answer:
        """Throws `Cut`, after which all is asked again, where a server was too busy to say what is true."""
        if answer.status == 503:
            raise Cut
        return answer

"""Visitors who use the site all the time, and what they were promised."""

import itertools
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import requests
from house import Outbox, eventually

PASSWORDS = [f"violet tram under {number} bridges" for number in ("seven", "eleven")]
numbers = itertools.count(1)
# Seconds for a mail: one that a node had taken when it died waits for the end of its lease, a minute.
LEASE = 150


class SharedOutbox(Outbox):
    """One that several threads read."""

    def __init__(self, folder):
        super().__init__(folder)
        self.lock = threading.Lock()

    def mails_to(self, address: str):
        with self.lock:
            return super().mails_to(address)

    def code_for(self, address: str, number: int = 1) -> str:
        return eventually(lambda: self.codes_for(address)[number - 1 : number], f"a code to {address}", LEASE)[0]


@dataclass
class Promise:
    """What one visitor was told. `None`: the answer did not come, and either may be true."""

    address: str
    flow: str = ""
    code: str = ""
    # Of the account, in the order given; the last ones may not have been taken.
    passwords: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


@dataclass
class Answer:
    status: int
    body: dict
    at: float


class Visitors:
    """Threads that sign up, sign in, change passwords and sign out, each round with a new address."""

    def __init__(self, url: str, outbox: Outbox):
        self.url, self.outbox = url, outbox
        self.promises: list[Promise] = []
        self.failures: list[tuple[str, int]] = []
        self.statuses: Counter[int] = Counter()
        self.started_flows: dict[str, str] = {}
        self.lock = threading.Lock()
        self.rounds = 0
        self.errors: list[BaseException] = []
        self.ends = threading.Event()

    def call(self, session: requests.Session, method: str, path: str, token: str = "", **body) -> Answer:
        """Status 0: the connection was lost."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            answer = session.request(
                method, f"{self.url}/api/auth/{path}", json=body or None, headers=headers, timeout=30)
            found = answer.json() if answer.content else {}
            status = answer.status_code
        except (requests.RequestException, ValueError):
            status, found = 0, {}
        with self.lock:
            self.statuses[status] += 1
            if status in (0, 500, 502, 504):
                self.failures.append((f"{method} {path}", status))
        return Answer(status, found, time.monotonic())

    def round(self) -> None:
        session = requests.Session()
        promise = Promise(f"ada.{next(numbers)}@example.com")
        with self.lock:
            self.promises.append(promise)
            self.rounds += 1
        begun = self.call(session, "POST", "sign-up", email=promise.address, password=PASSWORDS[0], name="Ada", terms=True)
        if begun.status != 202:
            return
        promise.flow = begun.body["flow"]
        promise.code = self.outbox.code_for(promise.address)
        made = self.call(session, "POST", "sign-up/verify", flow=promise.flow, code=promise.code)
        if made.status != 200:
            promise.code = "" if made.status == 0 or made.status >= 500 else promise.code
            return
        promise.passwords = [PASSWORDS[0]]
        token = made.body["token"]
        changed = self.call(
            session, "POST", "user/password", token, current_password=PASSWORDS[0], password=PASSWORDS[1])
        if changed.status in (200, 204):
            promise.passwords = [PASSWORDS[1]]
        elif changed.status == 0 or changed.status >= 500:
            promise.passwords = list(PASSWORDS)
        signed_in = self.call(session, "POST", "sign-in", email=promise.address, password=promise.passwords[-1])
        if signed_in.status != 200:
            return
        token = signed_in.body["token"]
        if self.call(session, "POST", "sign-out", token).status == 204:
            promise.ended.append(token)

    def run(self, threads: int = 4) -> "Visitors":
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(threads)]
        for thread in self.threads:
            thread.start()
        return self

    def work(self) -> None:
        # As people do it; as fast as they can they would begin thousands of rounds, and each is checked.
        try:
            while not self.ends.wait(0.25):
                self.round()
        except BaseException as error:
            self.errors.append(error)
            raise

    def wait_for(self, rounds: int) -> None:
        eventually(lambda: self.rounds >= rounds, f"{rounds} rounds", within=300)

    def stop(self) -> None:
        self.ends.set()
        for thread in self.threads:
            thread.join()
        assert not self.errors, self.errors

    def broken_promises(self) -> list[str]:
        """Of everything that was acknowledged, what does not hold."""
        session, broken = requests.Session(), []
        for promise in self.promises:
            if promise.code and promise.passwords:
                again = self.call(session, "POST", "sign-up/verify", flow=promise.flow, code=promise.code)
                if again.status == 200:
                    broken.append(f"{promise.address}: the code worked twice")
            if promise.passwords:
                answers = [
                    self.call(session, "POST", "sign-in", email=promise.address, password=password).status
                    for password in promise.passwords]
                if 200 not in answers:
                    broken.append(f"{promise.address}: signing in is refused ({answers})")
                others = [password for password in PASSWORDS if password not in promise.passwords]
                for password in others:
                    if self.call(session, "POST", "sign-in", email=promise.address, password=password).status == 200:
                        broken.append(f"{promise.address}: the old password works")
            for token in promise.ended:
                if self.call(session, "GET", "session", token).status != 401:
                    broken.append(f"{promise.address}: the ended session lives")
        return broken


class Probe:
    """Asks for one path ten times a second, and keeps what it was told."""

    def __init__(self, url: str, **headers: str):
        self.url, self.headers = url, headers
        self.answers: list[tuple[float, int, str]] = []
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.work)

    def work(self) -> None:
        session = requests.Session()
        while not self.ends.wait(0.1):
            begun = time.monotonic()
            try:
                answer = session.get(self.url, headers=self.headers, timeout=30)
                self.answers.append((begun, answer.status_code, answer.headers.get("Retry-After", "")))
            except requests.RequestException:
                self.answers.append((begun, 0, ""))

    def __enter__(self) -> "Probe":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ends.set()
        self.thread.join()

    def statuses(self) -> set[int]:
        return {status for _, status, _ in self.answers}

    def outage(self) -> float:
        """Seconds between the first and the last answer that was not 200."""
        times = [at for at, status, _ in self.answers if status != 200]
        return times[-1] - times[0] if times else 0

#!/usr/bin/env python3
"""`make timing`: do login, sign-up and reset answer known and unknown addresses alike?

Every state an address can be in is compared with an address nobody has signed up with: pairs in random order, all
cases taking turns, on one keep-alive connection, with the limits off. A case leaks when two of three runs say so.
Two controls per form keep this honest: another unknown address must look alike, and one that this client delays by
2 ms must be caught. Exits with 1 for a leak, or when a control fails.
"""

import argparse
import contextlib
import dataclasses
import gc
import random
import re
import secrets
import sqlite3
import sys
import time
import typing

import evidence
import house
import passkeys
from house import Client, Trouble

WARM_UPS = 20
# Login stops comparing passwords after this many failures in a row: a state of its own, not to be met by chance.
FAILURES_AT_MOST = 100
DELAY_SECONDS = 0.002
OLD_PARAMETERS = {"ARGON2_MEMORY_KIB": "8192", "ARGON2_ITERATIONS": "2"}
VOLATILE = {"date", "x-request-id"}
STATES = {
    "wrong password": "",
    "disabled": "disabled_at = created_at",
    "unverified": "verified_at = NULL",
    "no password": "password_hash = NULL",
    "old parameters": "password_hash = :old_hash",
    "too many failures": "",
    "authenticator app": "",
    "passkey": "",
}
# What an account of that state has besides.
FACTORS = {
    "authenticator app": "INSERT INTO factor_keys VALUES (:id, 'totp', x'01', 0, :created_at, NULL)",
    "passkey": """
        INSERT INTO passkeys (
            id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, transports,
            is_backup_eligible, is_backed_up, is_second_factor, name, created_at, last_used_at
        ) VALUES (
            :id, :id, :credential, -7, :key, 0, zeroblob(16), 'internal', 0, 0, 1, 'phone', :created_at, NULL)
        """,
}


def new_address():
    """All of one length, so that answers that show them are, too."""
    return f"v{secrets.token_hex(6)}@example.com"


@dataclasses.dataclass
class Case:
    """One state of an address, on one form."""

    name: str
    path: str
    form: typing.Callable[[str], dict]
    status: int
    address: typing.Callable[[], str] = new_address
    delay: float = 0
    # What has to be done first, untimed; returns headers for the request.
    prepare: typing.Callable[[Client, str], list] = lambda client, email: []
    # What the table calls it when it differs, and when it does not; and whether it has to differ.
    verdicts: tuple = ("LEAK", "alike")
    must_differ: bool = False
    runs: list = dataclasses.field(default_factory=list)
    shapes: tuple = dataclasses.field(default_factory=lambda: (set(), set()))

    @property
    def differs(self):
        return sum(run.differs for run in self.runs) >= 2

    @property
    def told_by_content(self):
        return self.shapes[0] != self.shapes[1]

    @property
    def fails(self):
        return self.told_by_content or self.differs != self.must_differ

    @property
    def disputed(self):
        return len(self.runs) == 2 and self.runs[0].differs != self.runs[1].differs

    def row(self):
        # Of two runs the clearer one, of three the one in the middle.
        shown = sorted(self.runs, key=lambda run: abs(run.z))[len(self.runs) // 2]
        verdict = "LEAK: the answers differ" if self.told_by_content else self.verdicts[not self.differs]
        return [
            self.path, self.name, f"{shown.baseline:.2f}", f"{shown.gap:+.3f}",
            f"{shown.low:+.3f} to {shown.high:+.3f}", f"{shown.z:+.1f}", f"{shown.auc:.3f}",
            f"{sum(run.differs for run in self.runs)} of {len(self.runs)}", verdict,
        ]


def controls(path, form, status, **more):
    return [
        Case("unknown again (control)", path, form, status, verdicts=("NOISE: measure again", "alike"), **more),
        Case(
            f"unknown, {DELAY_SECONDS * 1000:.0f} ms late (control)", path, form, status, delay=DELAY_SECONDS,
            verdicts=("caught", "NOT CAUGHT: too noisy"), must_differ=True, **more),
    ]


# Accounts

def make_accounts(binary, folder, count):
    """For every state `count` accounts, as rows of the temporary database; returns their addresses by state."""
    old, new = new_address(), new_address()
    with house.vestibule(binary, folder, VERIFICATION="off", **OLD_PARAMETERS) as server:
        house.sign_up(server, old)
    with house.vestibule(binary, folder, VERIFICATION="off") as server:
        house.sign_up(server, new)
    with contextlib.closing(sqlite3.connect(folder / "data/vestibule.sqlite")) as database, database:
        database.row_factory = sqlite3.Row
        accounts = {row["email"]: dict(row) for row in database.execute("SELECT * FROM accounts")}
        model = accounts[new]
        if model["email_key"] != new or "m=8192,t=2," not in accounts[old]["password_hash"]:
            raise Trouble("accounts are not stored as this program knows it")
        model["verified_at"] = model["created_at"]
        return {
            state: [
                _clone(database, model, change, accounts[old]["password_hash"], FACTORS.get(state))
                for _ in range(count)
            ]
            for state, change in STATES.items()
        }


def _clone(database, model, change, old_hash, factor=None):
    email = new_address()
    row = model | {"id": secrets.token_hex(len(model["id"]) // 2), "email": email, "email_key": email}
    columns = ", ".join(row)
    database.execute(f"INSERT INTO accounts ({columns}) VALUES ({', '.join(':' + name for name in row)})", row)
    if change:
        database.execute(f"UPDATE accounts SET {change} WHERE id = :id", {"id": row["id"], "old_hash": old_hash})
    if factor:
        database.execute(factor, row | {"credential": passkeys.credential(email), "key": passkeys.KEY})
        database.execute("INSERT INTO passkey_users VALUES (?, randomblob(64))", (row["id"],))
    return email


def in_turn(addresses):
    """Each address as often as any other, in random order."""
    waiting = []

    def next_one():
        if not waiting:
            waiting.extend(random.sample(addresses, len(addresses)))
        return waiting.pop()

    return next_one


# Cases

def login_cases(client, accounts):
    def form(email):
        return house.login_form(email, house.WRONG_PASSWORD)

    locked = accounts["too many failures"][:1]
    for email in locked * FAILURES_AT_MOST:
        client.post("/login", form(email))
    cases = controls("/login", form, 422)
    for state, addresses in accounts.items():
        chosen = locked if state == "too many failures" else addresses
        cases.append(Case(state, "/login", form, 422, in_turn(chosen)))
    # The server times a set of parameters it has not met before, and evens it out from then on.
    for _ in range(2 * WARM_UPS):
        client.post("/login", form(random.choice(accounts["old parameters"])))
    return cases


def signup_cases(client, accounts):
    waiting = [new_address() for _ in range(10)]
    for email in waiting:
        client.post("/signup", house.signup_form(email))
    return controls("/signup", house.signup_form, 303) + [
        Case("taken", "/signup", house.signup_form, 303, in_turn(accounts["wrong password"])),
        Case("pending", "/signup", house.signup_form, 303, in_turn(waiting)),
    ]


def reset_form(email):
    return {"email": email}


# The states in which a reset must look the same; failures in a row are no matter for it.
RESET_STATES = ("wrong password", "disabled", "unverified", "no password", "authenticator app", "passkey")


def passkey_cases(client, accounts):
    """An address stands for the passkey that `passkeys.credential` makes of it; no signature is right."""
    challenges = []

    def prepare(client, email):
        answer = client.post("/login/passkey/options", {})
        challenges.append(passkeys.challenge(answer.body))
        return [f"Cookie: {answer.cookies()}"]

    def form(email):
        origin = f"http://localhost:{client.port}"
        return {"credential": passkeys.response(email, challenges.pop(), origin=origin)}

    return controls("/login/passkey", form, 422, prepare=prepare) + [
        Case("passkey of an account", "/login/passkey", form, 422, in_turn(accounts["passkey"]), prepare=prepare)
    ]


def reset_cases(client, accounts):
    return controls("/reset", reset_form, 303) + [
        Case("known" if state == "wrong password" else state, "/reset", reset_form, 303, in_turn(accounts[state]))
        for state in RESET_STATES
    ]


def reset_verify_cases(client, accounts):
    def form(email):
        return {"code": "000000", "password": house.PASSWORD, "password_confirmation": house.PASSWORD}

    def prepare(client, email):
        answer = client.post("/reset", reset_form(email))
        return [f"Cookie: {answer.cookies()}"]

    return controls("/reset/verify", form, 422, prepare=prepare) + [
        Case(
            "known" if state == "wrong password" else state, "/reset/verify", form, 422, in_turn(accounts[state]),
            prepare=prepare)
        for state in RESET_STATES
    ]


# Measuring

def _without_value(cookie):
    """Its name and its attributes, which come in any order."""
    name, *attributes = re.sub("=[^;]*", "=", cookie, count=1).split("; ")
    return name, *sorted(attributes)


def shape(answer, email):
    """An answer without what may differ from one to the next: what a stranger could tell two of them apart by."""
    headers = tuple(
        (name, _without_value(value) if name == "set-cookie" else value)
        for name, value in answer.headers if name not in VOLATILE
    )
    # The page of a refused passkey names one in as many bytes, so that browsers forget it.
    body = re.sub(rb'data-[a-z]+="[\w-]{22,}"', b"", answer.body)
    return answer.status, headers, body.replace(email.encode(), b"")


def ask(client, case, is_case):
    """Milliseconds of one answer."""
    email = case.address() if is_case else new_address()
    headers = case.prepare(client, email)
    # Of equal length each time.
    visitor = "X-Forwarded-For: 10.{}.{}.100".format(random.randrange(100, 200), random.randrange(100, 200))
    request = client.request("POST", case.path, case.form(email), [*headers, visitor])
    start = time.perf_counter_ns()
    if is_case and case.delay:
        time.sleep(case.delay)
    head, body = client.exchange(request)
    elapsed = (time.perf_counter_ns() - start) / 1e6
    answer = house.Answer(head, body)
    if answer.status != case.status:
        raise Trouble(f"POST {case.path}, {case.name if is_case else 'unknown'}: {answer.status}, not {case.status}")
    case.shapes[is_case].add(shape(answer, email))
    return elapsed


def pair(client, case):
    first = random.random() < 0.5
    times = {is_case: ask(client, case, is_case) for is_case in (first, not first)}
    return times[False], times[True]


def run(client, cases, pairs):
    """One run of all cases, which take turns in random order."""
    samples = {case.name: [] for case in cases}
    gc.collect()
    gc.disable()
    for number in range(WARM_UPS + pairs):
        for case in random.sample(cases, len(cases)):
            times = pair(client, case)
            if number >= WARM_UPS:
                samples[case.name].append(times)
    gc.enable()
    for case in cases:
        case.runs.append(evidence.compare(*zip(*samples[case.name])))


def judge(client, cases, pairs, say):
    """Two runs, and a third for what they do not agree on."""
    for number in (1, 2, 3):
        chosen = [case for case in cases if number < 3 or case.disputed]
        if chosen:
            say(f"{chosen[0].path}, {len(chosen)} cases of {pairs} pairs, run {number}")
            run(client, chosen, pairs)
    return cases


def measure(options):
    def say(text):
        print(f"  {text} …", file=sys.stderr, flush=True)

    binary, machine = house.server_binary(options.server), house.Machine()
    count = 3 * (options.pairs + WARM_UPS) // (FAILURES_AT_MOST - 10) + 2
    with house.temporary_folder() as folder:
        say("making accounts")
        accounts = make_accounts(binary, folder, count)
        # No limit goes by address then, not even those that no setting switches off.
        with house.vestibule(binary, folder, TRUSTED_PROXIES="127.0.0.1") as server, Client(server.port) as client:
            cases = []
            for make in (login_cases, signup_cases, reset_cases, reset_verify_cases, passkey_cases):
                if options.form in (None, make.__name__.removesuffix("_cases")):
                    cases += judge(client, make(client, accounts), options.pairs, say)
    house.print_table(
        ["form", "compared with unknown", "ms", "gap ms", "95 % CI", "z", "AUC", "runs that differ", "verdict"],
        [case.row() for case in cases])
    print(
        f"\n{options.pairs} pairs a run; gap: between 10th percentiles; "
        "a run differs when its CI excludes 0, |z| > 3.3 and AUC is outside 0.45–0.55\n"
        + machine.load())
    return [case for case in cases if case.fails]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", help="another binary than .build/release/vestibule")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--form", choices=["login", "signup", "reset", "reset_verify", "passkey"], help="only this one")
    options = parser.parse_args()
    house.end_on_signals()
    try:
        failed = measure(options)
    except Trouble as trouble:
        sys.exit(f"timing: {trouble}")
    if failed:
        sys.exit("timing: failed: " + ", ".join(f"{case.path} {case.name}" for case in failed))


if __name__ == "__main__":
    main()

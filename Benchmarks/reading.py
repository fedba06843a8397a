"""What those who are signed in read while others sign in and sign up: the rate, by the rate of the same server at rest."""

import concurrent.futures
import contextlib
import itertools
import json
import sqlite3
import subprocess
import threading
import time

import house
from house import Client, Trouble

# As many again sign in and do not read.
READERS = 50
CONNECTIONS = 16
LOGINS, SIGNUPS = 20, 5
# Connections of each kind.
LANES = 8
# The defaults but for mails, of which a measurement sends more than a site may.
LIMITS = {
    "LIMIT_LOGIN": "30/m/ip, 200/h/ip, 10/15m/address, 10/15m/device", "LIMIT_SIGNUP": "10/m/ip, 50/d/ip, 5/h/address",
    "LIMIT_MAIL": "off", "TRUSTED_PROXIES": "127.0.0.1",
}
PATHS = ("/account", "/api/auth/session")


def email(number):
    return f"reader{number}@example.com"


def make_readers(binary, folder):
    """Returns for each path the file of headers that sign in those who read."""
    with house.vestibule(binary, folder, VERIFICATION="off") as server:
        cookies = [house.sign_up(server, email(number)) for number in range(2 * READERS)][:READERS]
    # The server that is measured lets nobody in whose mailbox is not proved.
    with contextlib.closing(sqlite3.connect(folder / "data/vestibule.sqlite")) as database, database:
        database.execute("UPDATE accounts SET verified_at = created_at")
    tokens = [dict(pair.split("=", 1) for pair in one.split("; "))["vestibule"] for one in cookies]
    headers = {PATHS[0]: [f"Cookie: {one}" for one in cookies], PATHS[1]: [f"Authorization: Bearer {t}" for t in tokens]}
    for number, path in enumerate(PATHS):
        (folder / f"readers{number}").write_text("".join(line + "\n" for line in headers[path]))
    return {path: folder / f"readers{number}" for number, path in enumerate(PATHS)}


def read(server, path, readers, seconds, headers=()):
    """Requests a second, and the server's processor microseconds for each."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", house.ROOT / "Benchmarks/readers.lua"]
    for header in headers:
        command += ["-H", header]
    before = server.processor_seconds()
    done = subprocess.run(
        [*command, f"http://127.0.0.1:{server.port}{path}", "--", readers], capture_output=True, text=True,
        timeout=seconds + 30)
    spent = server.processor_seconds() - before
    try:
        result = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Trouble(f"wrk says:\n{done.stdout}{done.stderr}") from None
    if result["broken"] or result["refused"]:
        raise Trouble(f"{result['broken']} requests of {path} broke off, {result['refused']} were refused")
    return result["requests"] / (result["microseconds"] / 1e6), spent * 1e6 / result["requests"]


def _write(port, lane, rate, make, stop):
    """Posts at fixed times from a client address each, until it is told to stop; returns how many were answered 303."""
    start = time.perf_counter()
    done = 0
    with Client(port) as client:
        for number in itertools.count(lane, LANES):
            if stop.wait(max(0, start + number / rate - time.perf_counter())):
                return done
            path, form = make(number)
            address = f"X-Forwarded-For: 10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
            answer = client.post(path, form, [address])
            if answer.status != 303:
                raise Trouble(f"POST {path} answers {answer.status}")
            done += 1


def _login(number):
    # The numbers of a turn are spread, so that neighbours differ.
    return "/login", house.login_form(email(number * 37 % (2 * READERS)), house.PASSWORD)


def _signup(number):
    return "/signup", house.signup_form(f"new{time.time_ns()}@example.com")


@contextlib.contextmanager
def writers(port, kinds=((LOGINS, _login), (SIGNUPS, _signup))):
    """Sign-ins and sign-ups go on meanwhile, or what else is to be posted so many times a second; afterwards the yielded
    list holds how many a second were answered."""
    stop, start = threading.Event(), time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(len(kinds) * LANES) as threads:
        lanes_of_kinds = [
            [threads.submit(_write, port, lane, rate, make, stop) for lane in range(LANES)] for rate, make in kinds
        ]
        try:
            time.sleep(1)
            rates = []
            yield rates
        finally:
            stop.set()
        seconds = time.perf_counter() - start
        for lanes in lanes_of_kinds:
            rates.append(sum(lane.result() for lane in lanes) / seconds)


def _turns(server, path, readers, options):
    """For each round what `read` returns at rest and while others write, and how many a second wrote."""
    read(server, path, readers, 1)
    turns = []
    for _ in range(options.rounds):
        rest = read(server, path, readers, options.seconds)
        with writers(server.port) as rates:
            busy = read(server, path, readers, options.seconds)
        turns.append((rest, busy, rates))
    return turns


def _is_starved(turns):
    """Readers at full speed, or other programs, left too little of the processors for the hashes."""
    return any(logins < 0.9 * LOGINS or signups < 0.9 * SIGNUPS for _, _, (logins, signups) in turns)


def _how(turns):
    busy, rest = (house.spread([turn[side][0] for turn in turns], "{:,.0f}") for side in (1, 0))
    logins, signups = ([turn[2][kind] for turn in turns] for kind in (0, 1))
    starved = ": TOO FEW, the ratio means nothing" if _is_starved(turns) else ""
    return (
        f"{busy} ÷ {rest} /s; {house.spread(logins, '{:.1f}')} logins and {house.spread(signups, '{:.1f}')} sign-ups "
        f"a second{starved}")


def figures(table, options, binary, folder, say):
    """A row for each path."""
    folder.mkdir()
    readers = make_readers(binary, folder)
    with house.vestibule(binary, folder, **LIMITS) as server:
        for path in PATHS:
            say(f"GET {path} at rest and among sign-ins")
            turns = _turns(server, path, readers[path], options)
            ratios = [busy[0] / rest[0] for rest, busy, _ in turns]
            table.ratio(f"GET {path} among sign-ins ÷ at rest", ratios, 0.8, _how(turns))
            if _is_starved(turns):
                table.rows[-1][3] = "NO"

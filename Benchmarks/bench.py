#!/usr/bin/env python3
"""`make bench`: how fast and how small the server is, in ratios to bare libraries measured in the same run.

What is compared takes turns (A B A B …); the table shows the median of the rounds, least and greatest in brackets.
"""

import argparse
import concurrent.futures
import contextlib
import itertools
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
import urllib.parse

import apple
import crowd
import factors
import hashing
import house
import nginx
import openid
import reading
import signals
import verdicts
from house import CORES, Client, Trouble, spread
from openid import WARM

HERE = house.ROOT / "Benchmarks"
BARE = house.ROOT / ".build/benchmarks/release/bare"
LOOKUPS = house.ROOT / ".build/release/lookups"
VERIFICATIONS = house.ROOT / ".build/release/verifications"
FEW, MANY = 1_000, 1_000_000
EVENTS = 10_000
FLOODERS = 8
READERS = 16
APP_TURN_SECONDS = 2


class Table:
    """The figures so far; printed once, at the end."""

    def __init__(self):
        self.rows = []

    def ratio(self, figure, values, least, how):
        """A figure that has to reach its target."""
        met = statistics.median(values) >= least
        self.rows.append([figure, spread(values), f"≥ {least:.2f}", "yes" if met else "NO", how])

    def at_most(self, figure, values, most, how):
        """A ratio that has to stay within its target."""
        met = statistics.median(values) <= most
        self.rows.append([figure, spread(values), f"≤ {most:.1f}", "yes" if met else "NO", how])

    def rate(self, figure, values, least, how):
        """Something a second, that has to reach its target."""
        met = statistics.median(values) >= least
        self.rows.append([figure, spread(values, "{:,.0f}"), f"≥ {least:,}", "yes" if met else "NO", how])

    def amount(self, figure, values, most, how):
        """Milliseconds or MiB, that have to stay within their target."""
        met = statistics.median(values) <= most
        self.rows.append([figure, spread(values, "{:.1f}"), f"≤ {most:.0f}", "yes" if met else "NO", how])

    def control(self, figure, values, how="", form="{:.1f}"):
        """Shown to judge the rows above by."""
        self.rows.append([f"  {figure}", spread(values, form), "", "", how])

    def print(self):
        house.print_table(["figure", "measured", "target", "met", "how"], self.rows)


def say(text):
    print(f"  {text} …", file=sys.stderr, flush=True)


# Load

def wrk(port, path, connections, seconds, forms=(), headers=()):
    """One run of wrk on one thread, as load.lua counts it; `forms`: a file of forms to post, the status wanted, and
    "spread" when each form comes from a client address of its own."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", HERE / "load.lua"]
    for header in headers:
        command += ["-H", header]
    command += [f"http://127.0.0.1:{port}{path}"] + (["--", *map(str, forms)] if forms else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30)
    try:
        result = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Trouble(f"wrk says:\n{done.stdout}{done.stderr}") from None
    if result["broken"]:
        raise Trouble(f"{result['broken']} requests of {path} broke off")
    wrong = result["unexpected"] if forms else result["refused"]
    if wrong:
        raise Trouble(f"{wrong} of {result['requests']} answers of {path} had not the status they should have")
    result["rate"] = result["requests"] / (result["microseconds"] / 1e6)
    return result


def measured(process, *arguments, **named):
    """Requests per second, and the server's processor microseconds per request, which other programs hardly change."""
    before = process.processor_seconds()
    result = wrk(process.port, *arguments, **named)
    return result["rate"], (process.processor_seconds() - before) * 1e6 / result["requests"]


@contextlib.contextmanager
def flood(port, forms, seconds, path="/login", connections=FLOODERS):
    """Posts them for a little longer than the block is meant to take."""
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        load = threads.submit(wrk, port, path, connections, seconds + 2, forms)
        time.sleep(1)
        yield load


def paced(port, requests, rate, seconds, offset):
    """Requests in turn at fixed times on one connection; each lasts from when it was due, so a stall counts for all it
    delays."""
    with contextlib.suppress(PermissionError):
        os.nice(-5)
    times, turns = [], itertools.cycle(requests)
    with Client(port) as client:
        for _ in range(WARM):
            client.exchange(next(turns))
        start = time.perf_counter() + offset
        for number in range(int(rate * seconds)):
            due = start + number / rate
            wait = due - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            head, _ = client.exchange(next(turns))
            times.append((time.perf_counter() - due) * 1000)
            if not head.startswith("HTTP/1.1 200"):
                raise Trouble(f"a paced request was answered {head.splitlines()[0]}")
    return times


def paced_pair(server, bare, rate, seconds, path="/login", headers=(), requests=None):
    """The server and the bare route at once, from a process each: milliseconds. `requests` are asked in place of the path."""
    context = multiprocessing.get_context("fork")
    asked, bare_asked = ([client_request(process.port, at, headers)] for process, at in ((server, path), (bare, "/page")))
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as clients:
        page = clients.submit(paced, server.port, requests or asked, rate, seconds, 0.05)
        control = clients.submit(paced, bare.port, bare_asked, rate, seconds, 0.05 + 0.5 / rate)
        return page.result(), control.result()


def client_request(port, path, headers):
    """The bytes of a GET."""
    with Client(port) as client:
        return client.request("GET", path, headers=headers)


# Figures

def starts(binary, folder, count):
    return [_start(binary, folder) for _ in range(count)]


def _start(binary, folder):
    with serve(binary, folder) as server:
        return server.seconds_to_first_answer * 1000


def serve(binary, folder, **settings):
    return house.vestibule(binary, folder, VERIFICATION="off", HASHING_THREADS=str(CORES), **settings)


def bare_route(folder, size):
    port = house.free_port()
    return house.Process([BARE, "route", str(port), str(size)], port, "/page", folder)


def write_forms(path, forms):
    path.write_text("".join(urllib.parse.urlencode(form) + "\n" for form in forms))
    return path


def make_house(binary, folder):
    """Eight accounts that log in, one that has a single session, and many that are attacked: after 100 failures in a row
    an account lets nobody in but known browsers, which would be another path."""
    emails = [f"visitor{number}@example.com" for number in range(FLOODERS)]
    with serve(binary, folder) as server:
        for email in emails:
            house.sign_up(server, email)
        victims = [f"victim{number}@example.com" for number in range(100)]
        for email in victims:
            house.sign_up(server, email)
        cookies = house.sign_up(server, "resident@example.com")
    right = write_forms(folder / "right", [house.login_form(email, house.PASSWORD) for email in emails])
    wrong = []
    for number in range(2000):
        wrong.append(house.login_form(f"stranger{number}@example.com", house.WRONG_PASSWORD))
        wrong.append(house.login_form(victims[number % len(victims)], house.WRONG_PASSWORD))
    return cookies, (right, 303), (write_forms(folder / "wrong", wrong), 422)


def page_sizes(server, signed_in):
    """Of the login page, and of each path with the header that signs in."""
    with Client(server.port) as client:
        sizes = [len(client.get("/login").body)]
        for path, header in signed_in.items():
            answer = client.get(path, [header])
            if answer.status != 200:
                raise Trouble(f"GET {path}, signed in, answers {answer.status}")
            sizes.append(len(answer.body))
        return sizes


def ways_in(cookies):
    """The same session for a browser and for an app: its token is the cookie's value."""
    token = dict(pair.split("=", 1) for pair in cookies.split("; "))["vestibule"]
    return {"/account": f"Cookie: {cookies}", "/api/auth/session": f"Authorization: Bearer {token}"}


def settled_memory(server):
    """Of a server that has shown a page of each kind, when what its start left to do is done."""
    with Client(server.port) as client:
        for path in ("/", "/login", "/signup"):
            client.get(path)
    # Memory is given back one second and ten seconds after the start.
    time.sleep(12)
    return server.memory_mib()


def stripped_mib(binary, folder):
    subprocess.run(["strip", "-o", folder / "stripped", binary], check=True)
    return (folder / "stripped").stat().st_size / 2**20


def flood_figures(table, options, server, bare, wrong, with_smtp):
    """Before anything else has used the server: its memory is still that of a fresh one."""
    idle = settled_memory(server)
    quiet, flooded, quiet_control, flooded_control = [], [], [], []

    def note(pair, page, control):
        page.append(house.percentile(pair[0], 0.99))
        control.append(house.percentile(pair[1], 0.99))

    rates = []
    for round in range(options.rounds):
        say(f"GET /login, quiet and flooded, {round + 1} of {options.rounds}")
        note(paced_pair(server, bare, options.rate, options.seconds), quiet, quiet_control)
        with flood(server.port, wrong, options.seconds) as load:
            note(paced_pair(server, bare, options.rate, options.seconds), flooded, flooded_control)
        rates.append(load.result()["rate"])
    peak = server.memory_mib()["VmHWM"]
    paced_as = f"{options.rate}/s for {options.seconds} s a turn, from when each was due"
    table.amount(
        "p99 of GET /login in a flood, ms", flooded, 10,
        f"{FLOODERS} connections, {spread(rates, '{:.0f}')} wrong logins/s")
    table.control("bare route in the same flood", flooded_control, paced_as)
    table.control("GET /login without flood", quiet)
    table.control("bare route without flood", quiet_control)
    table.amount("memory idle, MiB", [idle["VmRSS"]], 30, f"resident; without files {idle['RssAnon']:.1f}")
    table.amount("memory idle with SMTP, MiB", [with_smtp], 36, "resident; libcurl is loaded")
    table.amount(
        "memory in the flood, MiB", [peak], idle["VmRSS"] + 19 * CORES + 6,
        f"highest; target idle + {CORES} threads × 19 + 6")


def costly_form(number):
    """A sign-up form in which everything is wrong: runs of a character, and words of them, take zxcvbn longest."""
    name = "aaaaaaaa " * 100
    email = ".".join("a" * length for length in range(8, 30)) + f"{number}@"
    return {"display_name": name, "email": email, "password": "a" * 1_024, "password_confirmation": "b" * 1_024}


def refused_figures(table, options, binary, folder):
    """Forms with a new password that are refused, each from another client address, so that no limit ends the flood."""
    folder.mkdir()
    forms = write_forms(folder / "costly", [costly_form(number) for number in range(4_000)])
    with serve(binary, folder, TRUSTED_PROXIES="127.0.0.1") as server:
        with Client(server.port) as client:
            size = len(client.get("/login").body)
        with bare_route(folder, size) as bare:
            for path, status, what in (("/signup", 422, "refused forms"), ("/signup/strength", 200, "estimates")):
                flooded, control, rates = [], [], []
                for round in range(options.rounds):
                    say(f"GET /login in a flood of POST {path}, {round + 1} of {options.rounds}")
                    with flood(server.port, (forms, status, "spread"), options.seconds, path, READERS) as load:
                        pair = paced_pair(server, bare, options.rate, options.seconds)
                    flooded.append(house.percentile(pair[0], 0.99))
                    control.append(house.percentile(pair[1], 0.99))
                    rates.append(load.result()["rate"])
                table.amount(
                    f"p99 of GET /login in a flood of POST {path}, ms", flooded, 10,
                    f"{READERS} connections, {spread(rates, '{:.0f}')} {what}/s")
                table.control("bare route in the same flood", control)


def page_figure(table, options, figure, target, server, path, bare, size, headers=()):
    ratios, by_processor, rates, bare_rates = [], [], [], []
    for process, at in ((bare, "/page"), (server, path)):
        wrk(process.port, at, READERS, 1, headers=headers)
    for round in range(options.rounds):
        say(f"GET {path} and a bare route, {round + 1} of {options.rounds}")
        bare_rate, bare_cost = measured(bare, "/page", READERS, options.seconds, headers=headers)
        rate, cost = measured(server, path, READERS, options.seconds, headers=headers)
        ratios.append(rate / bare_rate)
        by_processor.append(bare_cost / cost)
        rates.append(rate)
        bare_rates.append(bare_rate)
    table.ratio(
        figure, ratios, target,
        f"{statistics.median(rates):,.0f} ÷ {statistics.median(bare_rates):,.0f} /s, {size:,} bytes; "
        f"by processor time {spread(by_processor)}")


def nginx_figure(table, options, server, path, folder):
    """What nginx does with the same bytes and headers, from a file."""
    with Client(server.port) as client:
        answer = client.get(path)
    with nginx.Nginx(folder, answer) as other:
        ratios, by_processor, rates, other_rates = [], [], [], []
        for process, at in ((other, "/answer"), (server, path)):
            wrk(process.port, at, READERS, 1)
        for round in range(options.rounds):
            say(f"GET {path} and nginx, {round + 1} of {options.rounds}")
            other_rate, other_cost = measured(other, "/answer", READERS, options.seconds)
            rate, cost = measured(server, path, READERS, options.seconds)
            ratios.append(rate / other_rate)
            by_processor.append(other_cost / cost)
            rates.append(rate)
            other_rates.append(other_rate)
    table.ratio(
        f"GET {path} ÷ nginx", ratios, 0.5,
        f"{statistics.median(rates):,.0f} ÷ {statistics.median(other_rates):,.0f} /s, {len(answer.body):,} bytes; "
        f"by processor time {spread(by_processor)}")


def prepared_figures(table, options, server, folder, bare, login_size):
    """What is the same for everybody."""
    page_figure(table, options, "GET /login ÷ bare route", 2, server, "/login", bare, login_size)
    nginx_figure(table, options, server, "/login", folder / "nginx-page")
    nginx_figure(table, options, server, "/css/vestibule.css", folder / "nginx-file")


def apple_figure(table, options, binary, folder):
    """Sign-ins of apps with a token of Apple's each, as the stand-in signs them, for a nonce of ours each."""
    folder.mkdir()
    with apple.StandIn(folder) as provider, serve(binary, folder, **provider.settings()) as server:
        apple.sign_up(server, provider)
        rates = []
        for round in range(options.rounds):
            say(f"sign-ins with Apple, {round + 1} of {options.rounds}")
            bodies = folder / "tokens"
            bodies.write_text(apple.sign_ins(server, provider, apple.RATE_AT_MOST * APP_TURN_SECONDS))
            rates.append(wrk(server.port, apple.SIGN_IN, READERS, APP_TURN_SECONDS, (bodies, 200))["rate"])
    table.rate(
        "native sign-ins with Apple, /s", rates, 1000,
        f"{READERS} connections; a token, a nonce and a durable session each, keys cached")


def verdict_figures(table, options, binary, folder, wrong):
    def beside_flood(server, bare, path, headers):
        flooded, control = [], []
        for round in range(options.rounds):
            say(f"GET {path}, flooded, {round + 1} of {options.rounds}")
            with flood(server.port, wrong, options.seconds):
                pair = paced_pair(server, bare, options.rate, options.seconds, path, headers)
            flooded.append(house.percentile(pair[0], 0.99))
            control.append(house.percentile(pair[1], 0.99))
        return flooded, control

    verdicts.figures(table, options, binary, folder, say, bare_route, beside_flood)


def openid_figures(table, options, binary, folder):
    def beside(server, bare, requests, other):
        """A pair of lists of milliseconds, and how many a second the flood was."""
        with contextlib.ExitStack() as stack:
            if other:
                path, forms = other
                load = stack.enter_context(flood(server.port, forms, options.seconds, path))
            pair = paced_pair(server, bare, options.rate, options.seconds, requests=requests)
        return pair, load.result()["rate"] if other else 0

    openid.figures(table, options, binary, folder / "openid", say, bare_route, beside)
    signals.figures(table, options, binary, folder / "signals", say)


def verifier_figure(table, options):
    """What an application pays for a verifier that takes nothing that two readers could understand differently."""
    say("assertions verified")
    done = subprocess.run([VERIFICATIONS, str(options.rounds), "2"], capture_output=True, text=True, check=True)
    pairs = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    own, alone = map(statistics.median, zip(*pairs))
    table.ratio(
        "assertions verified ÷ jwt-kit alone", [own / alone for own, alone in pairs], 0.9,
        f"{own:,.0f} ÷ {alone:,.0f} a second of a core")


def lookup_figures(table, options, few, many):
    """What every request looks up must not get slower with the number of accounts."""
    measured = {FEW: [], MANY: []}
    for round in range(options.rounds):
        say(f"lookups among {FEW:,} and {MANY:,} accounts, {round + 1} of {options.rounds}")
        for count, path in ((FEW, few), (MANY, many)):
            command = [LOOKUPS, path, str(count), "1"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            measured[count].append(list(map(float, done.stdout.split())))
            # What it wrote is on the disk before others are measured.
            os.sync()
    for place, name in enumerate(("login without hashing", "session resume", "limit check")):
        few_us, many_us = ([row[place] for row in measured[count]] for count in (FEW, MANY))
        table.at_most(
            f"{name}, {MANY:,} ÷ {FEW:,}", [b / a for a, b in zip(few_us, many_us)], 1.5,
            f"{statistics.median(many_us):.0f} ÷ {statistics.median(few_us):.0f} µs, each with its change of threads")


def export_figure(table, options, binary, folder, many):
    """The export of an account with many events, in the crowd's house."""
    email = "historian@example.com"
    with serve(binary, folder) as server:
        cookies = house.sign_up(server, email)
        crowd.add_events(many, email, EVENTS)
        with Client(server.port) as client:
            page = client.get("/account", [f"Cookie: {cookies}"]).body.decode()
            form = {"csrf": page.partition('name="csrf" value="')[2].partition('"')[0]}
            milliseconds = []
            for _ in range(2 * options.rounds + 1):
                request = client.request("POST", "/account/export", form, [f"Cookie: {cookies}"])
                start = time.perf_counter()
                answer = house.Answer(*client.exchange(request))
                milliseconds.append((time.perf_counter() - start) * 1000)
                if answer.status != 200 or answer.body.count(b'"kind"') < EVENTS:
                    raise Trouble(f"the export answers {answer.status}")
    table.amount(
        "export, ms", milliseconds[1:], 200, f"{EVENTS:,} events, {len(answer.body):,} bytes, {MANY:,} accounts")


def crowd_figures(table, options, binary, folder):
    say(f"making {FEW:,} and {MANY:,} accounts")
    few = crowd.fill(binary, folder / "few", FEW)
    many = crowd.fill(binary, folder / "many", MANY)
    lookup_figures(table, options, few, many)
    export_figure(table, options, binary, folder / "many", many)


def measure(options):
    binary = house.server_binary(options.server)
    if not BARE.exists():
        raise Trouble(f"{BARE} is missing; scripts/bench builds it")
    table, machine = Table(), house.Machine()
    with house.temporary_folder() as folder:
        if options.openid:
            openid_figures(table, options, binary, folder)
        else:
            refused_figures(table, options, binary, folder / "refused")
        if options.refused or options.openid:
            table.print()
            return print(f"\n{machine.load()}")
        say("making accounts")
        cookies, right, wrong = make_house(binary, folder)
        say(f"starting {options.starts} times")
        milliseconds = starts(binary, folder, options.starts)
        with serve(binary, folder, MAIL_URL="smtp://127.0.0.1:2525") as server:
            with_smtp = settled_memory(server)["VmRSS"]
        with serve(binary, folder) as server:
            with serve(binary, folder) as other:
                login_size, *signed_in_sizes = page_sizes(other, ways_in(cookies))
            with bare_route(folder, login_size) as bare:
                flood_figures(table, options, server, bare, wrong, with_smtp)
                prepared_figures(table, options, server, folder, bare, login_size)
            for (path, header), size in zip(ways_in(cookies).items(), signed_in_sizes):
                with bare_route(folder, size) as bare:
                    page_figure(table, options, f"GET {path} ÷ bare route", 0.3, server, path, bare, size, [header])
            hashing.figures(
                table, options, server,
                lambda seconds: measured(server, "/login", FLOODERS, seconds, right), say)
        apple_figure(table, options, binary, folder / "apple")
        reading.figures(table, options, binary, folder / "reading", say)
        verdict_figures(table, options, binary, folder / "verdicts", wrong)
        factors.figures(table, options, binary, folder / "factors", say)
        openid_figures(table, options, binary, folder)
        verifier_figure(table, options)
        if not options.small:
            crowd_figures(table, options, binary, folder)
        table.amount("binary, stripped, MiB", [stripped_mib(binary, folder)], 25, "serve and all commands")
    table.amount("start to first answer, ms", milliseconds, 50, f"{options.starts} starts, with a database")
    table.print()
    print(f"\n{hashing.processor()}; {machine.load()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", help="another binary than .build/release/vestibule")
    parser.add_argument("--rounds", type=int, default=5, help="turns each side takes")
    parser.add_argument("--seconds", type=int, default=5, help="length of one turn")
    parser.add_argument("--rate", type=int, default=200, help="paced GETs a second in the flood")
    parser.add_argument("--small", action="store_true", help="leave out what needs a million accounts")
    parser.add_argument("--refused", action="store_true", help="only the flood of refused forms")
    parser.add_argument("--openid", action="store_true", help="only OpenID Connect and signals")
    parser.add_argument("--starts", type=int, default=9)
    options = parser.parse_args()
    house.end_on_signals()
    try:
        measure(options)
    except Trouble as trouble:
        sys.exit(f"bench: {trouble}")


if __name__ == "__main__":
    main()

"""Signing people in to applications by OpenID Connect: whole code flows, alone, behind logins and beside floods."""

import base64
import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
import statistics
import subprocess
import urllib.parse

import crowd
import house
from house import CORES, Client, Trouble, spread

SIGNATURES = house.ROOT / ".build/release/signatures"
SESSIONS = 10_000
CONNECTIONS = 16
SCOPES = "openid profile email"
REDIRECT = "https://notes.example.net/callback?from=door"
VERIFIER = "a-verifier-of-the-length-that-libraries-have"
ALGORITHMS = {"notes": "RS256", "paper": "ES256"}
SETTINGS = {"VERIFICATION": "off", "HASHING_THREADS": str(CORES)} | {
    f"APP_{name.upper()}_{key}": value
    for name, algorithm in ALGORITHMS.items() for key, value in (("REDIRECTS", REDIRECT), ("ID_TOKEN", algorithm))
}
# Before the timed ones.
WARM = 20


class OpenIDClient:
    """An application of the settings, with its secret."""

    def __init__(self, binary, folder, name):
        environment = os.environ | {f"VESTIBULE_{key}": value for key, value in SETTINGS.items()}
        made = subprocess.run(
            [binary, "apps", "secret", name, "--json"], cwd=folder, env=environment, capture_output=True, text=True,
            check=True)
        self.name, self.secret = name, json.loads(made.stdout)["secret"]
        challenge = hashlib.sha256(VERIFIER.encode()).digest()
        self.authorize = "/oauth/authorize?" + urllib.parse.urlencode({
            "client_id": name, "redirect_uri": REDIRECT, "response_type": "code", "scope": SCOPES,
            "state": "af0ifjsldkj-af0ifjsldkj", "nonce": "n-0S6_WzA2Mj-n-0S6_WzA2Mj", "code_challenge_method": "S256",
            "code_challenge": base64.urlsafe_b64encode(challenge).decode().rstrip("=")})
        # In front of the code.
        self.form = urllib.parse.urlencode({
            "grant_type": "authorization_code", "redirect_uri": REDIRECT, "code_verifier": VERIFIER}) + "&code="
        self.basic = "Basic " + base64.b64encode(f"{name}:{self.secret}".encode()).decode()

    def redemption(self, client, code):
        """The bytes of a request for tokens."""
        fields = dict(urllib.parse.parse_qsl(self.form + code))
        return client.request("POST", "/oauth/token", fields, [f"Authorization: {self.basic}"])

    def redemptions(self, port, count):
        """That many, with a code each, of sessions drawn at random."""
        requests = []
        with Client(port) as client:
            for _ in range(count):
                token = crowd.token(secrets.randbelow(SESSIONS))
                answer = client.get(self.authorize, [f"Cookie: vestibule={token}"])
                code = answer.all("location")[0].partition("code=")[2].partition("&")[0]
                requests.append(self.redemption(client, code))
        return requests

    def wrong_codes(self, path, count=2000):
        """A file of forms, none of which is worth a token."""
        fields = {"client_id": self.name, "client_secret": self.secret}
        front = f"{urllib.parse.urlencode(fields)}&{self.form}"
        path.write_text("".join(f"{front}{secrets.token_urlsafe(32)}\n" for _ in range(count)))
        return path


def _run(server, lines, steps, client, connections, seconds):
    """How often a second wrk comes to the last step, and the server's processor microseconds for each time."""
    before = server.processor_nanoseconds()
    done = subprocess.run(
        ["wrk", f"-t{connections}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s",
         house.ROOT / "Benchmarks/flows.lua",
         f"http://127.0.0.1:{server.port}/", "--", lines, steps, client.authorize, client.form, client.basic],
        capture_output=True, text=True, timeout=seconds + 30)
    spent = server.processor_nanoseconds() - before
    try:
        result = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Trouble(f"wrk says:\n{done.stdout}{done.stderr}") from None
    if result["broken"] or result["unexpected"]:
        raise Trouble(f"{steps}: {result['broken']} requests broke off, {result['unexpected']} answers were others")
    return result["flows"] / (result["microseconds"] / 1e6), spent / 1000 / result["flows"]


def _signatures(seconds):
    """Of RS256 and ES256 alone on all cores: how many a second, and processor microseconds of each."""
    done = subprocess.run([SIGNATURES, str(CORES), str(seconds)], capture_output=True, text=True, check=True)
    return dict(zip(("RS256", "ES256"), (tuple(map(float, line.split())) for line in done.stdout.splitlines())))


FLOW = "authorize token userinfo"


def _flow_rows(table, options, server, clients, tokens, say):
    """Of each algorithm, and what its signatures alone would allow."""
    flows, alone = ({algorithm: [] for algorithm in clients} for _ in range(2))
    for client in clients.values():
        _run(server, tokens, FLOW, client, CONNECTIONS, 2)
    for round in range(options.rounds):
        say(f"code flows, and signatures alone, {round + 1} of {options.rounds}")
        signatures = _signatures(options.seconds)
        for algorithm, client in clients.items():
            alone[algorithm].append(signatures[algorithm])
            flows[algorithm].append(_run(server, tokens, FLOW, client, CONNECTIONS, options.seconds))
    for algorithm in clients:
        (rates, costs), (most, of_signature) = zip(*flows[algorithm]), zip(*alone[algorithm])
        table.rate(
            f"sign-ins by code flow, {algorithm}, /s", rates, 2500,
            f"{SESSIONS:,} sessions; authorize, token and userinfo; {statistics.median(most):,.0f} signatures/s alone")
        table.control(
            "of which the processor takes, µs", costs, f"a signature alone {spread(of_signature, '{:.0f}')} µs",
            form="{:.0f}")
    pairs = zip(*([cost for _, cost in flows[algorithm]] for algorithm in ALGORITHMS.values()))
    table.control("processor time with RS256 ÷ ES256", [rsa / curve for rsa, curve in pairs], form="{:.2f}")


def _login_row(table, options, server, client, logins, say):
    """Logins by password that go on into an application, by those that do not."""
    rates = {"login": [], f"login {FLOW}": []}
    for steps in rates:
        _run(server, logins, steps, client, 4 * CORES, 1)
    for round in range(options.rounds):
        say(f"logins with a code flow and without, {round + 1} of {options.rounds}")
        for steps, measured in rates.items():
            measured.append(_run(server, logins, steps, client, 4 * CORES, options.seconds)[0])
    alone, followed = rates.values()
    table.ratio(
        "logins with a code flow ÷ without", [a / b for a, b in zip(followed, alone)], 0.85,
        f"{statistics.median(followed):.1f} ÷ {statistics.median(alone):.1f} /s, RS256")


def _flood_rows(table, options, server, bare, client, floods, say, beside):
    """`beside` takes server, bare route, requests and, if any, a flood's path and forms."""
    for name, flood in {"without flood": None, **floods}.items():
        loaded, control, rates = [], [], []
        for round in range(options.rounds):
            say(f"tokens, {name}, {round + 1} of {options.rounds}")
            requests = client.redemptions(server.port, WARM + options.rate * options.seconds)
            (own, other), rate = beside(server, bare, requests, flood)
            loaded.append(house.percentile(own, 0.99))
            control.append(house.percentile(other, 0.99))
            rates.append(rate)
        if flood:
            table.amount(f"p99 of POST /oauth/token {name}, ms", loaded, 5, f"{spread(rates, '{:,.0f}')} of them/s")
            table.control("bare route in the same flood", control)
        else:
            table.control("POST /oauth/token without flood", loaded, f"{options.rate}/s, from when each was due")
            table.control("bare route without flood", control)


def _consents(path):
    """As those who sign in again have given them."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for name in ALGORITHMS:
            database.execute(
                "INSERT INTO application_consents SELECT id, ?, ?, created_at FROM accounts", [name, SCOPES])


def _write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _wrong_logins(path):
    """Half of the addresses have no account."""
    names = (f"{'visitor' if number % 2 else 'stranger'}{number}@example.com" for number in range(4_000))
    return _write(path, (urllib.parse.urlencode(house.login_form(name, house.WRONG_PASSWORD)) for name in names))


def figures(table, options, binary, folder, say, bare_route, beside):
    """`beside` as `_flood_rows` takes it."""
    say(f"making {SESSIONS:,} sessions")
    _consents(crowd.fill(binary, folder, SESSIONS))
    clients = {algorithm: OpenIDClient(binary, folder, name) for name, algorithm in ALGORITHMS.items()}
    tokens = _write(folder / "tokens", (crowd.token(number) for number in range(SESSIONS)))
    logins = _write(folder / "logins", (
        json.dumps(house.login_form(f"visitor{number}@example.com", house.PASSWORD)) for number in range(SESSIONS)))
    floods = {
        "in a flood of wrong logins": ("/login", (_wrong_logins(folder / "wrong"), 422)),
        "in a flood of wrong codes": ("/oauth/token", (clients["RS256"].wrong_codes(folder / "codes"), 400)),
    }
    with house.vestibule(binary, folder, **SETTINGS) as server, bare_route(folder, 1500) as bare:
        _flow_rows(table, options, server, clients, tokens, say)
        _login_row(table, options, server, clients["RS256"], logins, say)
        _flood_rows(table, options, server, bare, clients["RS256"], floods, say, beside)

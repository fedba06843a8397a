"""How fast passkeys sign in, and what a second step costs."""

import base64
import concurrent.futures
import contextlib
import hashlib
import hmac
import re
import sqlite3
import struct
import time

import crowd
import house
import passkeys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PEOPLE = 500
CONNECTIONS = 16
SIGN_INS = 3000
WITH_APP = 100
# As by default (docs/operating/limits.md): both steps count, as they do for everybody.
LIMITS = {
    "LIMIT_LOGIN": "30/m/ip, 200/h/ip, 10/15m/address, 10/15m/device",
    "LIMIT_VERIFY": "5/10m/flow, 15/h/address, 30/h/ip, 100/d/ip",
}


def _email(number):
    return f"visitor{number}@example.com"


def _handle(email):
    return hashlib.sha512(email.encode()).digest()


def _give_passkeys(path, key):
    """The same key to all: the server does not care."""
    point = key.public_key().public_numbers()
    public = point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for number in range(PEOPLE):
            email = _email(number)
            (account, created), = database.execute("SELECT id, created_at FROM accounts WHERE email = ?", (email,))
            database.execute("INSERT INTO passkey_users VALUES (?, ?)", (account, _handle(email)))
            database.execute(
                "INSERT INTO passkeys (id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, "
                "transports, is_backup_eligible, is_backed_up, is_second_factor, name, created_at, last_used_at) "
                "VALUES (?, ?, ?, -7, ?, 0, zeroblob(16), 'internal', 0, 0, 1, 'phone', ?, NULL)",
                (account, account, passkeys.credential(email), public, created))


def _signed_requests(server, key, count):
    """Requests of sign-ins whose challenges were asked for before."""
    def sign(signed):
        return key.sign(signed, ec.ECDSA(hashes.SHA256()))

    requests = []
    with house.Client(server.port) as client:
        for number in range(count):
            email = _email(number % PEOPLE)
            answer = client.post("/login/passkey/options", {})
            response = passkeys.response(
                email, passkeys.challenge(answer.body), sign, origin=f"http://localhost:{server.port}",
                handle=_handle(email))
            requests.append(
                client.request("POST", "/login/passkey", {"credential": response}, [f"Cookie: {answer.cookies()}"]))
    return requests


def _send(port, requests):
    with house.Client(port) as client:
        for request in requests:
            head, body = client.exchange(request)
            if not head.startswith("HTTP/1.1 303"):
                raise house.Trouble(f"a passkey was refused: {head}\n{body[:300]}")


def _sign_ins(server, key):
    """How many a second."""
    requests = _signed_requests(server, key, SIGN_INS)
    parts = [requests[start::CONNECTIONS] for start in range(CONNECTIONS)]
    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(lambda part: _send(server.port, part), parts))
    return SIGN_INS / (time.perf_counter() - begin)


def _code(key, step):
    """RFC 6238."""
    digest = hmac.digest(base64.b32decode(key), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset:offset + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def _field(page, name):
    return re.search(rf'name="{name}" value="([^"]+)"', page).group(1)


def _network(number):
    """A proxy says that each comes from a network of its own: a network may sign up so often at once."""
    return [f"X-Forwarded-For: 10.{number // 250}.{number % 250}.1"]


def _add_app(server, client, email, network):
    """Returns the key, of which the present step is used up."""
    cookies = [f"Cookie: {house.sign_up(server, email, network)}", *network]
    page = client.get("/account/security/totp", cookies).body.decode()
    key = re.search(r"secret=([A-Z2-7]+)", page).group(1)
    answer = client.post("/account/security/totp", {
        "csrf": _field(page, "csrf"), "setup": _field(page, "setup"), "code": _code(key, int(time.time()) // 30)},
        cookies)
    if answer.status != 303:
        raise house.Trouble(f"an app was refused: {answer.status}")
    return key


def _logins(server, client, people):
    """Processor nanoseconds of the server; `people` are addresses with keys of apps, or with None."""
    before = server.processor_nanoseconds()
    for number, (email, key) in enumerate(people):
        network = _network(number)
        answer = client.post("/login", house.login_form(email, house.PASSWORD), network)
        if key:
            answer = client.post(
                "/login/second", {"code": _code(key, int(time.time()) // 30 + 1)},
                [f"Cookie: {answer.cookies()}", *network])
        if answer.status != 303 or "vestibule=" not in answer.cookies():
            raise house.Trouble(f"a login was refused: {answer.status}")
    return server.processor_nanoseconds() - before


def _compared(server, client, with_app, without):
    """The first half with, all without, the other half with: a server that was just filled works more at first."""
    half = len(with_app) // 2
    first = _logins(server, client, with_app[:half])
    alone = _logins(server, client, without)
    return (first + _logins(server, client, with_app[half:])) / alone


def figures(table, options, binary, folder, say):
    key = ec.generate_private_key(ec.SECP256R1())
    _give_passkeys(crowd.fill(binary, folder, PEOPLE), key)
    with house.vestibule(binary, folder, VERIFICATION="off") as server:
        rates = []
        for number in range(options.rounds):
            say(f"passkeys, {number + 1} of {options.rounds}")
            rates.append(_sign_ins(server, key))
        table.rate(
            "sign-ins by passkey/s", rates, 1000, f"{PEOPLE} accounts, {CONNECTIONS} connections, ES256; the client here")
    ratios = []
    for number in range(options.rounds):
        say(f"second steps, {number + 1} of {options.rounds}")
        apps = folder / f"apps{number}"
        apps.mkdir()
        settings = {"VERIFICATION": "off", "TRUSTED_PROXIES": "127.0.0.1"} | LIMITS
        with house.vestibule(binary, apps, **settings) as server, house.Client(server.port) as client:
            names = [f"app{person}@example.com" for person in range(WITH_APP)]
            with_app = {name: _add_app(server, client, name, _network(n)) for n, name in enumerate(names)}
            without = {f"without.{name}": None for name in names}
            for number, name in enumerate(without):
                house.sign_up(server, name, _network(number))
            ratios.append(_compared(server, client, list(with_app.items()), list(without.items())))
    table.at_most("login with an app's code ÷ without", ratios, 1.1, f"processor time, {WITH_APP} logins each")

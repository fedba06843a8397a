"""`vestibule check-proxy`: finds nothing behind a proxy set up as printed, and what is wrong behind others."""

import itertools
import json
import re
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from house import BINARY, PATIENCE, free_port
from proxies import Caddy, TrailingProxy
from town import PROXIES, Town

KINDS = [pytest.param(kind, marks=pytest.mark.xdist_group(f"check-{kind}")) for kind in PROXIES]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=KINDS)
def town(request, tmp_path_factory):
    town = Town(tmp_path_factory.mktemp(request.param), request.param)
    yield town
    town.stop()


@pytest.fixture(scope="module")
def token(town) -> str:
    """The file that holds one."""
    file = town.folder / "token"
    file.write_text(town.token("notes") + "\n")
    return str(file)


def check(town: Town, *arguments: str, port: int | None = None, stdin=None) -> tuple[int, list[dict], str]:
    """Exit code, rows of the table and what stands beside it."""
    url = f"http://notes.localhost:{port or town.port}/"
    ran = subprocess.run(
        [BINARY, "check-proxy", url, "--json", *arguments], cwd=town.folder, capture_output=True, text=True, timeout=2 * PATIENCE,
        stdin=stdin)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


def through(rows: list[dict]) -> list[str]:
    return [row["attack"] for row in rows if row["is_through"]]


def test_nothing_gets_through_what_was_printed(town, token):
    status, rows, told = check(town)
    assert (status, through(rows)) == (0, []) and len(rows) > 90
    hosts = {row["attack"] for row in rows if row["attack"].startswith("Host: ")}
    assert f"Host: notes.localhost.:{town.port}" in hosts and f"Host: NOTES.LOCALHOST:{town.port}" in hosts
    assert any(row["attack"].startswith("X-Rewrite-URL: ") for row in rows)
    assert "Without --token-file" in told and {row["result"] for row in rows} == {"refused"}
    status, rows, told = check(town, "--token-file", token)
    assert (status, through(rows), told) == (0, [], "")
    assert sum(row["result"] == "clean" for row in rows) > 30


def test_a_verdict_in_one_line_is_all_unless_more_is_wanted(town, token):
    command = [BINARY, "check-proxy", f"http://notes.localhost:{town.port}/", "--token-file", token]
    told = [
        subprocess.run([*command, *more], cwd=town.folder, capture_output=True, text=True, timeout=2 * PATIENCE)
        for more in ([], ["--verbose"])]
    assert [each.returncode for each in told] == [0, 0] and [each.stderr for each in told] == ["", ""]
    verdict = re.fullmatch(rf"ok: none of (\d+) attacks got through to http://notes.localhost:{town.port}(; \d+ of them got no answer, or 429 or 5xx)?\n", told[0].stdout)
    heading, *rows, last = told[1].stdout.splitlines(keepends=True)
    assert heading.startswith("RESULT") and len(rows) == int(verdict[1]) and last == told[0].stdout
    assert {row.split()[0] for row in rows} == {"refused", "clean"}


def test_it_takes_the_place_of_an_application_that_echoes_nothing(town, token, tmp_path):
    place, port = f"127.0.0.1:{free_port()}", free_port()
    config = town.config().replace(f"127.0.0.1:{town.notes.port}", place).replace(f":{town.port}", f":{port}")
    # The origin that Vestibule knows has the other port.
    config = re.sub(f"(X-Forwarded-Host |X-Original-URL http://)notes.localhost:{port}", rf"\g<1>notes.localhost:{town.port}", config)
    proxy = PROXIES[town.kind](tmp_path, port, config)
    try:
        status, rows, _ = check(town, "--token-file", token, "--listen", place, port=port)
        assert (status, through(rows)) == (0, [])
        assert sum(row["result"] == "clean" for row in rows) > 30
    finally:
        proxy.stop()


def test_a_token_that_is_none_is_said(town):
    (town.folder / "wrong").write_text("vestibule_wrong")
    status, rows, told = check(town, "--token-file", "wrong")
    assert (status, rows) == (1, []) and "the token opens nothing (status 401)" in told


def test_a_token_comes_by_standard_input(town, token):
    with open(token) as file:
        status, rows, _ = check(town, "--token-file", "-", stdin=file)
    assert status == 0 and any(row["result"] == "clean" for row in rows)


@pytest.mark.parametrize("arguments", [("--token", "vestibule_secret"), ("--token=vestibule_secret",)])
def test_a_token_on_the_command_line_is_refused(town, arguments):
    status, rows, told = check(town, *arguments)
    assert (status, rows) == (64, []) and "--token-file" in told and "vestibule_secret" not in told


def test_a_url_with_a_password_is_refused(town):
    ran = subprocess.run(
        [BINARY, "check-proxy", "http://ada:geheim@notes.localhost/"], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 64 and "geheim" not in ran.stderr and "without a user" in ran.stderr


def test_it_is_said_when_nobody_answers(town):
    status, rows, told = check(town, port=free_port())
    assert (status, rows) == (1, []) and "does not answer" in told


@contextmanager
def a_proxy_that(answers):
    """Its port; `answers` makes status and headers of a request's number and its head."""
    numbers = itertools.count()

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers = answers(next(numbers), self)
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield proxy.server_port
        proxy.shutdown()


def check_answers(town, status: int, **headers: str):
    """What is said of a proxy that gives everybody this answer."""
    with a_proxy_that(lambda *_: (status, headers)) as port:
        return check(town, port=port)


@pytest.mark.parametrize("status", (403, 502))
def test_it_is_said_when_the_door_behind_the_proxy_does_not_answer(town, status):
    code, rows, told = check_answers(town, status)
    assert (code, rows) == (1, []) and f"answered {status}" in told and "nothing was checked" in told


@pytest.mark.parametrize("status", (403, 429, 503))
def test_a_proxy_that_refuses_requests_for_their_number_is_not_called_safe(town, status):
    """As limits on requests and many firewalls do: what comes behind the limit is not looked at."""
    with a_proxy_that(lambda number, _: (401 if number < 3 else status, {})) as port:
        code, rows, told = check(town, port=port)
    assert (code, rows) == (1, []) and "nothing can be said" in told
    assert f"stopped answering as before (status {status})" in told


def test_a_proxy_that_refuses_a_token_for_the_number_of_requests_is_not_called_safe(town, token):
    real, allowed = Path(token).read_text().strip(), itertools.chain([200], itertools.repeat(503))

    def answers(_, request):
        return next(allowed) if request.headers["Vestibule-Token"] == real else 401, {}

    with a_proxy_that(answers) as port:
        code, rows, told = check(town, "--token-file", token, port=port)
    assert (code, rows) == (1, []) and "stopped answering as before (status 503)" in told


def test_it_is_said_how_many_attacks_got_no_answer(town):
    counts = []
    for end in (10, 15):
        with a_proxy_that(lambda number, _: (503 if 10 <= number < end else 401, {})) as port:
            url = f"http://notes.localhost:{port}/"
            ran = subprocess.run([BINARY, "check-proxy", url], capture_output=True, text=True, timeout=2 * PATIENCE)
        said = re.fullmatch(r"ok: none of \d+ attacks got through to [^;]+(?:; (\d+) of them got no answer, or 429 or 5xx)?\n", ran.stdout)
        counts.append(int(said[1] or 0))
    assert counts[1] == counts[0] + 5


@pytest.mark.parametrize(("rest", "target"), [
    ("/#/notes", "/"), ("/a?b#c", "/a?b"), ("?tab=1", "/?tab=1"), ("?to=/a", "/?to=/a"), ("#top", "/"), ("", "/"),
])
def test_the_page_is_asked_for_as_browsers_do(rest, target):
    asked = []
    with a_proxy_that(lambda _, request: (asked.append(request.path), (502, {}))[1]) as port:
        url = f"http://notes.localhost:{port}{rest}"
        subprocess.run([BINARY, "check-proxy", url], capture_output=True, timeout=PATIENCE)
    assert asked == [target]


def test_a_proxy_that_leads_strangers_into_the_application_is_found(town):
    """A redirect that is not to the sign-in comes from the application."""
    code, rows, told = check_answers(town, 302, Location="/notes/1")
    assert code == 1 and "no session at all" in through(rows) and "anybody gets in without signing in" in told


ASKS = """
    forward_auth 127.0.0.1:{door} {{
        uri /authz/forward-auth
        header_up X-Forwarded-Host notes.localhost:{town}
        copy_headers Vestibule-Assertion
    }}
"""
WRONG = {
    "asks nobody": ("", ["no session at all", "path //x", "a WebSocket"]),
    "asks, and leaves the client's headers": (ASKS, ["Remote-User, with the token", "Remote-Groups, with the token"]),
    "asks for one path only": (ASKS.replace("forward_auth", "forward_auth /"), ["path //x", "path /%23x"]),
    "asks, and leaves other marks": (
        "request_header -Remote-*\nrequest_header -Vestibule-Assertion" + ASKS,
        [f"Remote{mark}User and others with {mark}, with the token" for mark in "!#$%&'*+^`|~"]),
    "asks, and passes on the first upgrade of two": (
        """
        @other not header_regexp Upgrade (?i)^websocket$
        request_header @other -Upgrade
        request_header Connection Upgrade""" + ASKS.replace("copy_headers", "header_up -Connection\nheader_up -Upgrade\ncopy_headers"),
        ["Upgrade: h2c and Upgrade: websocket, with the token"]),
    "asks, and drops what a client names": (ASKS, ["Connection: Vestibule-Assertion, Remote-User, Remote-Email, Remote-Name, Remote-Groups, with the token"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_it_finds_a_proxy_that(town, token, tmp_path, what):
    asks, found = WRONG[what]
    port, listening = free_port(), free_port()
    asks = asks.format(door=town.house.port, town=town.port)
    config = (
        f"http://notes.localhost:{port} {{\n    bind 127.0.0.1\n    route {{\n        {asks}"
        f"\n        reverse_proxy 127.0.0.1:{listening}\n    }}\n}}\n")
    proxy = Caddy(tmp_path, port, config)
    try:
        status, rows, told = check(town, "--token-file", token, "--listen", f"127.0.0.1:{listening}", port=port)
        assert status == 1 and set(found) <= set(through(rows)), through(rows)
        assert re.search(r"\d+ of \d+ (attacks|requests) got through", told) and "proxy-config" in told
    finally:
        proxy.stop()


def test_it_finds_names_that_pass_behind_a_body(town, token):
    port, listening = free_port(), free_port()
    proxy = TrailingProxy(port, town.house.port, f"notes.localhost:{town.port}", listening)
    try:
        status, rows, _ = check(town, "--token-file", token, "--listen", f"127.0.0.1:{listening}", port=port)
        assert (status, through(rows)) == (1, ["all of these behind the body, with the token"])
    finally:
        proxy.stop()

"""`vestibule check-proxy`: finds nothing behind a proxy set up as printed, and what is wrong behind others."""

import json
import re
import subprocess

import pytest
from house import BINARY, PATIENCE, free_port
from proxies import Caddy
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
    return town.token("notes")


def check(town: Town, *arguments: str, port: int | None = None) -> tuple[int, list[dict], str]:
    """Exit code, rows of the table and what stands beside it."""
    url = f"http://notes.localhost:{port or town.port}/"
    ran = subprocess.run(
        [BINARY, "check-proxy", url, "--json", *arguments], cwd=town.folder, capture_output=True, text=True, timeout=2 * PATIENCE)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


def through(rows: list[dict]) -> list[str]:
    return [row["attack"] for row in rows if row["is_through"]]


def test_nothing_gets_through_what_was_printed(town, token):
    status, rows, told = check(town)
    assert (status, through(rows)) == (0, []) and len(rows) > 80
    hosts = {row["attack"] for row in rows if row["attack"].startswith("Host: ")}
    assert f"Host: notes.localhost.:{town.port}" in hosts and f"Host: NOTES.LOCALHOST:{town.port}" in hosts
    assert "Without --token" in told and {row["result"] for row in rows} == {"refused"}
    status, rows, told = check(town, "--token", token)
    assert (status, through(rows), told) == (0, [], "")
    assert sum(row["result"] == "clean" for row in rows) > 30


def test_it_takes_the_place_of_an_application_that_echoes_nothing(town, token, tmp_path):
    place, port = f"127.0.0.1:{free_port()}", free_port()
    config = town.config().replace(f"127.0.0.1:{town.notes.port}", place).replace(f":{town.port}", f":{port}")
    # The origin that Vestibule knows has the other port.
    config = re.sub(f"(X-Forwarded-Host |X-Original-URL http://)notes.localhost:{port}", rf"\g<1>notes.localhost:{town.port}", config)
    proxy = PROXIES[town.kind](tmp_path, port, config)
    try:
        status, rows, _ = check(town, "--token", token, "--listen", place, port=port)
        assert (status, through(rows)) == (0, [])
        assert sum(row["result"] == "clean" for row in rows) > 30
    finally:
        proxy.stop()


def test_a_token_that_is_none_is_said(town):
    status, rows, told = check(town, "--token", "vestibule_wrong")
    assert (status, rows) == (1, []) and "the token opens nothing (status 401)" in told


def test_it_is_said_when_nobody_answers(town):
    status, rows, told = check(town, port=free_port())
    assert (status, rows) == (1, []) and "does not answer" in told


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
        status, rows, told = check(town, "--token", token, "--listen", f"127.0.0.1:{listening}", port=port)
        assert status == 1 and set(found) <= set(through(rows)), through(rows)
        assert "attacks got through" in told and "proxy-config" in told
    finally:
        proxy.stop()

"""The endpoint that proxies ask, asked directly: as Caddy, Traefik and nginx do, and as somebody who pretends to be one."""

import sqlite3
import subprocess

import pytest
from attacks import FORGED, HEADERS
from house import BINARY, ON_SQLITE, PATIENCE, QUICK_HASHES, House, a_new_address
from proxies import raw
from town import PAGE, Town, Walker

ORIGIN = "http://notes.localhost:1"
HOST = "notes.localhost:1"
CADDY = ["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: http", f"X-Forwarded-Host: {HOST}", "X-Forwarded-Uri: /a?b=c",
         "X-Forwarded-Method: GET"]
# What Traefik's ForwardAuth sends besides the client's own headers.
TRAEFIK = [*CADDY, "X-Forwarded-Port: 1", "X-Forwarded-Server: edge", "X-Real-Ip: 203.0.113.7"]
NGINX = ["X-Forwarded-For: 203.0.113.7", f"X-Original-URL: {ORIGIN}/a?b=c", "X-Original-Method: GET"]
WAYS = {"caddy": ("/authz/forward-auth", CADDY, 303), "traefik": ("/authz/forward-auth", TRAEFIK, 303),
        "nginx": ("/authz/auth-request", NGINX, 401)}
SETTINGS = {"VESTIBULE_APP_NOTES_ORIGINS": ORIGIN, "VESTIBULE_APP_WIKI_ORIGINS": "http://wiki.localhost:1",
            "VESTIBULE_APP_WIKI_HEADERS": "plain", "VESTIBULE_PUBLIC_URL": "http://login.localhost:1"}
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("verdict-endpoint")]


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> House:
    house = House(tmp_path_factory.mktemp("house"), **QUICK_HASHES, **SETTINGS, VESTIBULE_TRUSTED_PROXIES="127.0.0.1")
    yield house
    house.kill()


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def ask(house: House, path: str, lines: list[str]):
    return raw(house.port, path, f"127.0.0.1:{house.port}", lines)


def without(lines: list[str], name: str) -> list[str]:
    return [line for line in lines if not line.lower().startswith(name.lower() + ":")]


def test_a_page_visit_is_told_where_to_sign_in(house, way):
    path, lines, status = way
    answer = ask(house, path, [*lines, *PAGE])
    assert (answer[0], answer[1]["location"]) == (status, f"{ORIGIN}/.vestibule/start?to=/a%3Fb%3Dc")
    assert answer[1]["cache-control"] == "no-store" and "set-cookie" not in answer[1]


def test_what_is_missing_or_twice_is_400(house, way):
    path, lines, status = way
    for line in lines[1:]:
        name = line.split(":")[0]
        if name in ("X-Forwarded-Port", "X-Forwarded-Server", "X-Real-Ip"):
            continue
        assert ask(house, path, [*without(lines, name), *PAGE])[0] == 400, name
        assert ask(house, path, [*lines, line, *PAGE])[0] == 400, name
        assert ask(house, path, [*lines, f"{name}: {FORGED}", *PAGE])[0] == 400, name


@pytest.mark.parametrize("origin", [
    "http://evil.localhost:1", "https://notes.localhost:1", "http://notes.localhost", "http://notes.localhost:2",
    "http://notes.localhost.:1", "http://notes.localhost:01",
])
def test_an_origin_that_no_application_has_is_403(house, origin):
    assert statuses(house, origin) == {403}


@pytest.mark.parametrize("origin", [
    "http://notes.localhost:1.evil.example", "http://a@notes.localhost:1", "ftp://notes.localhost:1",
    "http://notes.localhost:1,wiki.localhost:1", "http://", "http://notes%2elocalhost:1", "http://*",
])
def test_an_origin_that_cannot_be_read_is_400(house, origin):
    assert statuses(house, origin) == {400}


def statuses(house: House, origin: str) -> set[int]:
    """Of both ways of asking."""
    scheme, host = origin.split("://")
    lines = [f"X-Forwarded-Proto: {scheme}", f"X-Forwarded-Host: {host}", "X-Forwarded-Uri: /", "X-Forwarded-Method: GET"]
    nginx = [f"X-Original-URL: {origin}/", "X-Original-Method: GET"]
    return {ask(house, f"/authz/{path}", [*of, *PAGE])[0] for path, of in (("forward-auth", lines), ("auth-request", nginx))}


def test_the_host_has_no_upper_case(house):
    lines = [line.replace("notes.localhost", "NOTES.Localhost") for line in CADDY]
    answer = ask(house, "/authz/forward-auth", [*lines, *PAGE])
    assert (answer[0], answer[1]["location"]) == (303, f"{ORIGIN}/.vestibule/start?to=/a%3Fb%3Dc")


@pytest.mark.parametrize("target", [
    "//app", "//evil.example", "/%2f", "/%2Fapp", "/..", "/../app", "/a/..;/b", "/..;/", "/%2e%2e/", "/%2E./", "/.%2e/", "/./a", "/\\", "/%5c", "/%5Capp",
    "/%00", "/a#b", "app", "", "http://evil.example/", "*", "/a b",
])
def test_a_path_that_servers_read_differently_is_400(house, target):
    for path, lines, name in (("/authz/forward-auth", CADDY, "X-Forwarded-Uri"), ("/authz/auth-request", NGINX, "X-Original-URL")):
        value = target if name == "X-Forwarded-Uri" else ORIGIN + target
        if (target, name) == ("", "X-Original-URL"):
            continue
        assert ask(house, path, [*without(lines, name), f"{name}: {value}", *PAGE])[0] == 400, name


@pytest.mark.parametrize("what", HEADERS)
def test_no_header_makes_somebody_of_nobody(house, way, what):
    path, lines, status = way
    answer = ask(house, path, [*lines, *PAGE, *HEADERS[what]])
    assert answer[0] in (status, 400) and "vestibule-assertion" not in answer[1]


@pytest.fixture(scope="module")
def detailed_house(tmp_path_factory) -> House:
    """With a line in the log for each request, which none answers beside the routes."""
    house = House(
        tmp_path_factory.mktemp("house"), **QUICK_HASHES, **SETTINGS, VESTIBULE_TRUSTED_PROXIES="127.0.0.1",
        VESTIBULE_LOG_LEVEL="debug")
    yield house
    house.kill()


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("spelling", ["{}", "{}?x", "{}/", "/{}"])
def test_no_question_is_answered_as_the_script_of_the_forms_is(house, detailed_house, way, spelling, method):
    path, lines, status = way
    sent = [*lines, *PAGE, "Vestibule-Fetch: 1", "Cookie: vestibule-flash=x"]
    for asked in (house, detailed_house):
        answer = raw(asked.port, spelling.format(path), f"127.0.0.1:{asked.port}", sent, method)
        assert answer[0] == status or method == "POST" and answer[0] >= 400
        assert "set-cookie" not in answer[1] or spelling == "/{}"


@pytest.mark.parametrize("credentials", [
    "Cookie: vestibule=x", "Cookie: vestibule-app=x", "Cookie: __Host-vestibule-app=x; __Host-vestibule=x", "Vestibule-Token: x",
    "Authorization: Bearer x", "Cookie: vestibule-app=", "Cookie: ;;;", "Cookie: vestibule-app=" + 43 * "A",
])
def test_credentials_that_are_none_get_no_200(house, way, credentials):
    path, lines, status = way
    wanted = 401 if credentials.startswith("Vestibule-Token") else status
    answer = ask(house, path, [*lines, *PAGE, credentials])
    assert answer[0] == wanted and "vestibule-assertion" not in answer[1] and "set-cookie" not in answer[1]


def test_a_200_has_the_visitors_cookies_without_those_of_the_product(house, way):
    path, lines, _ = way
    token = subprocess.run(
        [BINARY, *"tokens create --app notes --label tests".split()], cwd=house.folder, env=house.surroundings(), check=True,
        capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
    ask_with = lambda cookies: ask(house, path, [*lines, f"Vestibule-Token: {token}", *(f"Cookie: {line}" for line in cookies)])
    told = {
        # As bytes of UTF-8 are shown here.
        ("theme=dark; vestibule=x; lang=de",): "theme=dark; lang=de",
        ("vestibule-app=x;a=b; __Host-vestibule-device=y", "c=\"d e\""): "a=b; c=\"d e\"",
        ("not-vestibule=1; Vestibule=2; a=vestibule=3; Ã¼=4",): "not-vestibule=1; Vestibule=2; a=vestibule=3; Ã¼=4",
        ("vestibule=x; __Host-vestibule-flow=y; vestibule-new=z; ;",): None,
        (): None,
    }
    for cookies, wanted in told.items():
        answer = ask_with(cookies)
        assert (answer[0], answer[1].get("cookie")) == (200, wanted), cookies


@pytest.mark.parametrize("trusted", ["", "10.9.8.7", "203.0.113.0/24"])
def test_a_peer_that_is_no_trusted_proxy_is_refused(tmp_path, trusted):
    own = {"VESTIBULE_TRUSTED_PROXIES": trusted} if trusted else {}
    house = House(tmp_path, **QUICK_HASHES, **SETTINGS, **own)
    try:
        for path, lines, _ in WAYS.values():
            assert ask(house, path, [*lines, *PAGE])[0] == 403
        for place in ("start?to=/", "enter?ticket=x", "session", "logout"):
            assert raw(house.port, f"/.vestibule/{place}", HOST, PAGE)[0] == 403
    finally:
        house.kill()


def damage(house: House) -> None:
    """Overwrites where SQLite keeps the sessions of applications."""
    house.stop()
    file = house.folder / "data/vestibule.sqlite"
    database = sqlite3.connect(file)
    size = database.execute("PRAGMA page_size").fetchone()[0]
    roots = database.execute("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'application_sessions' AND rootpage > 0")
    pages = [number for number, in roots]
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with open(file, "r+b") as content:
        for number in pages:
            content.seek((number - 1) * size)
            content.write(b"\xa5" * size)
    house.start()


def cookie_of(walker: Walker) -> str:
    return "Cookie: " + "; ".join(f"{name}={value}" for name, value in walker.jars["notes.localhost"].items())


@pytest.mark.parametrize("kind", ["caddy", "nginx"])
def test_a_store_that_cannot_be_read_lets_nobody_in(tmp_path, kind):
    town = Town(tmp_path, kind, **ON_SQLITE)
    try:
        address = a_new_address()
        town.make_account(address)
        walker = Walker(town)
        assert walker.enter(town.url("notes"), address).status == 200
        town.reached()
        damage(town.house)
        lines = [f"X-Original-URL: {town.url('notes')}", "X-Original-Method: GET", cookie_of(walker)]
        assert raw(town.house.port, "/authz/auth-request", "localhost", lines)[0] == 503
        assert town.ask("notes", "/", [*PAGE, cookie_of(walker)])[0] == (503 if kind == "caddy" else 500)
        assert town.reached() == []
    finally:
        town.stop()

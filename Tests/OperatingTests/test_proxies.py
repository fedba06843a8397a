"""Through a real Caddy and a real nginx, set up as `vestibule proxy-config` prints: people get in, and nobody else."""

import json
import re
import sys
import time
from urllib.parse import urlsplit

import jwt
import pytest
from attacks import ELSEWHERE, FORGED, HEADERS, NAMES, TARGETS, UPGRADES
from house import PATIENCE, REPOSITORY, a_new_address
from town import PAGE, PROXIES, Town, Walker

sys.path.insert(0, str(REPOSITORY / "docs/examples/notes-python"))
KINDS = [pytest.param(kind, marks=pytest.mark.xdist_group(f"proxy-{kind}")) for kind in PROXIES]
SOCKET = [
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=KINDS)
def town(request, tmp_path_factory):
    town = Town(tmp_path_factory.mktemp(request.param), request.param)
    yield town
    town.stop()


@pytest.fixture
def address(town) -> str:
    address = a_new_address()
    town.make_account(address)
    return address


@pytest.fixture
def ada(town, address) -> Walker:
    """Signed in, and inside both applications."""
    return inside(town, address)


def inside(town: Town, address: str) -> Walker:
    walker = Walker(town)
    assert walker.enter(town.url("notes"), address).status == 200
    assert walker.visit(town.url("wiki")).status == 200
    town.reached()
    return walker


@pytest.fixture(scope="module")
def member(town) -> tuple[Walker, str]:
    """Somebody inside both applications, and their address; for tests that change nothing of that."""
    address = a_new_address()
    town.make_account(address)
    return inside(town, address), address


def cookie(walker: Walker, host: str) -> str:
    return "Cookie: " + "; ".join(f"{name}={value}" for name, value in walker.jars[f"{host}.localhost"].items())


def values(reached: list, name: str) -> list[str]:
    """Of a header that reached an application, in any spelling."""
    plain = lambda text: re.sub("[^a-z]", "", text.lower())
    return [value for each, value in reached[0][2] if plain(each) == plain(name)]


def cookie_kinds() -> set[str]:
    """How the names of all cookies end that the product sets."""
    texts = [file.read_text() for folder in ("Serving", "Vestibule") for file in (REPOSITORY / "Sources" / folder).rglob("*.swift")]
    kinds = {kind for text in texts for kind in re.findall(r'\bKind\(rawValue: "(-[a-z-]+|)"\)', text)}
    assert {"", "-app", "-start", "-device", "-flow", "-link", "-typed", "-auth", "-auth-answer", "-auth-pending", "-passkey"} <= kinds
    return kinds


def claims(reached: list) -> dict:
    return jwt.decode(values(reached, "Vestibule-Assertion")[0], options={"verify_signature": False})


@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_a_folder_are_not_kept_and_their_parts_are_asked_about(tmp_path, kind):
    files = {"index.html": "no-store", "a.txt": "no-store", "a.pdf": "no-store", "a.gif": "private, no-cache"}
    (tmp_path / "files").mkdir()
    for file in files:
        (tmp_path / "files" / file).write_text("inside")
    origin = "http://site.localhost:{port}"
    town = Town(tmp_path, kind, lambda _: {"site": tmp_path / "files"}, VESTIBULE_APP_SITE_ORIGINS=origin)
    try:
        address, walker = a_new_address(), Walker(town)
        town.make_account(address)
        assert walker.enter(town.url("site"), address).headers.get_all("cache-control") == ["no-store"]
        for file, said in files.items():
            answer = walker.visit(town.url("site", f"/{file}"))
            assert (answer.status, answer.headers.get_all("cache-control")) == (200, [said]), file
        again = walker.ask(town.url("site", "/a.gif"), lines=[f"If-None-Match: {answer.headers['etag']}"])
        assert (again.status, again.headers.get_all("cache-control")) == (304, ["private, no-cache"])
    finally:
        town.stop()


# Who has a right to come in


def test_a_visitor_comes_back_to_the_very_page_and_enters_the_next_application_without_signing_in(town, address):
    walker = Walker(town)
    wanted = town.url("notes", "/deep/page?x=1&y=%2F%26&z=a+b")
    page = walker.visit(wanted)
    assert 'id="login"' in page.text and walker.at.startswith(f"{town.public}/login")
    assert walker.log_in(page, address).text.startswith("Welcome inside.")
    assert walker.at == wanted
    [reached] = town.reached()
    assert reached[1] == "/deep/page?x=1&y=%2F%26&z=a+b"
    assert claims([reached])["aud"] == f"http://{town.hosts['notes']}"
    assert walker.visit(town.url("wiki")).text.startswith("Welcome inside.")
    assert not any(urlsplit(url).path == "/login" for url in walker.way)
    [reached] = town.reached()
    told = [values([reached], name) for name in NAMES[1:]]
    # Proxies leave out what is empty: nobody is in a group.
    assert told == [[claims([reached])["sub"]], [address], ["Ada Lovelace"], []]


def test_signing_out_in_one_application_ends_all(town, ada):
    assert ada.visit(town.url("notes", "/.vestibule/logout"), {}).status == 200
    for host in ("notes", "wiki"):
        assert 'id="login"' in ada.visit(town.url(host)).text
    assert ada.visit(f"{town.public}/account").text.count('id="login"') == 1
    assert town.reached() == []


def test_ending_the_session_at_the_door_ends_it_everywhere_at_once(town, ada):
    old = {host: cookie(ada, host) for host in ("notes", "wiki")}
    page = ada.visit(f"{town.public}/account")
    csrf = re.search('name="csrf" value="([^"]+)"', page.text)[1]
    ada.visit(f"{town.public}/logout", {"csrf": csrf})
    for host, line in old.items():
        assert town.ask(host, "/", [line, "Accept: */*"])[0] == 401
    assert town.reached() == []


def test_only_members_enter_what_a_group_is_named_for(town, ada, address):
    url = town.url("staff")
    assert ada.visit(url).status == 403
    assert town.reached() == []
    town.house.command("users", "groups", address, "--add", "staff")
    wait_for(200, url, ada)
    assert claims(town.reached())["groups"] == ["staff"]
    town.house.command("users", "groups", address, "--remove", "staff")
    wait_for(403, url, ada)
    town.reached()
    assert ada.visit(url).status == 403
    assert town.reached() == []


def wait_for(status: int, url: str, walker: Walker) -> None:
    """A server sees within 50 milliseconds what a command has committed (docs/operating/administration.md)."""
    end = time.monotonic() + PATIENCE
    while walker.visit(url).status != status:
        assert time.monotonic() < end


def test_an_application_sees_its_own_cookies_and_none_that_the_sources_name(town, ada):
    ours = "; ".join(f"{prefix}vestibule{kind}=x" for kind in cookie_kinds() for prefix in ("", "__Host-"))
    for line in (f"theme=dark; {ours}; lang=de", f"{ours};theme=dark;{ours}; lang=de;"):
        # The real one is the first of its name.
        assert town.ask("notes", "/", [f"{cookie(ada, 'notes')}; {line}"])[0] == 200
        assert values(town.reached(), "Cookie") == ["theme=dark; lang=de"]
    assert town.ask("notes", "/", [f"{cookie(ada, 'notes')}; {ours}"])[0] == 200
    assert values(town.reached(), "Cookie") == []


@pytest.mark.parametrize("place", ["{own}; {planted}", "{planted}; {own}", "{own}; theme=dark; {planted}"])
def test_a_planted_cookie_does_not_show_what_opens_an_application(town, member, place):
    walker, _ = member
    secret = re.search("vestibule-app=([^;]+)", cookie(walker, "notes"))[1]
    for planted in ("vestibule-app=x", "__Host-vestibule-app=x"):
        line = place.format(own=f"vestibule-app={secret}", planted=planted)
        town.ask("notes", "/", [f"Cookie: {line}"])
        assert not any(secret in value for each in town.reached() for _, value in each[2])


def test_a_large_body_and_a_web_socket_pass_for_those_who_may(town, ada):
    line = cookie(ada, "notes")
    assert town.ask("notes", "/upload", [line], method="POST", body=b"x" * 3_000_000)[0] == 200
    assert town.reached()[0][3] == 3_000_000
    status, _, frames = town.ask("notes", "/socket", [line, *SOCKET])
    assert status == 101 and frames.startswith(b"\x81\x07Welcome")
    assert values(town.reached(), "Vestibule-Assertion")[0].startswith("ey")


def test_scripts_of_its_pages_learn_who_is_signed_in(town, ada, address):
    status, _, body = town.ask("notes", "/.vestibule/session", [cookie(ada, "notes"), "Accept: application/json"])
    told = json.loads(body)
    assert (status, told["user"]["email"]) == (200, address) and told["assertion"].startswith("ey")
    assert town.ask("notes", "/.vestibule/session", ["Accept: application/json"])[0] == 401


# Who has none


def test_a_stranger_is_led_to_the_sign_in_or_told_401(town):
    status, headers, _ = town.ask("notes", "/deep?x=1", PAGE)
    assert status == 303 and headers["location"].startswith(town.url("notes", "/.vestibule/start?to="))
    assert "set-cookie" not in headers
    for lines in (["Accept: */*"], [*PAGE[:1], "Sec-Fetch-Mode: cors"], ["Accept: application/json"], SOCKET):
        status, headers, _ = town.ask("notes", "/deep?x=1", lines)
        assert (status, headers.get("location")) == (401, None), lines
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert town.ask("notes", "/", PAGE, method=method, body=b"x")[0] == 401
    assert town.reached() == []


@pytest.mark.parametrize("what", HEADERS)
def test_no_header_of_a_stranger_opens_an_application(town, what):
    for host in ("notes", "wiki"):
        status, headers, _ = town.ask(host, "/", [*PAGE, *HEADERS[what]])
        assert status == 303 and headers["location"].startswith(town.url(host, "/.vestibule/start?to="))
    assert town.reached() == []


@pytest.mark.parametrize("what", HEADERS)
def test_no_header_of_a_member_makes_somebody_else_of_them(town, member, what):
    walker, address = member
    for host in ("notes", "wiki"):
        lines = [line for line in HEADERS[what]]
        status = town.ask(host, "/", [*PAGE, cookie(walker, host), *lines])[0]
        assert status == 200, town.house.folder / "server.log"
        reached = town.reached()
        assert FORGED not in str(reached) and "OPTIONS" not in str(reached)
        assert claims(reached)["email"] == address and len(values(reached, "Vestibule-Assertion")) == 1
        assert values(reached, "Remote-Email") == ([address] if host == "wiki" else [])
        assert values(reached, "Upgrade") == []


@pytest.mark.parametrize("protocols", UPGRADES, ids=" and ".join)
def test_an_upgrade_leads_to_web_sockets_only(town, member, protocols):
    walker, _ = member
    lines = [f"Upgrade: {protocol}" for protocol in protocols] + SOCKET[2:]
    ask = ["Connection: Upgrade, HTTP2-Settings", *lines, "HTTP2-Settings: AAMAAABkAAQAAP__"]
    assert town.ask("notes", "/", ask)[0] in (303, 401) and town.reached() == []
    status, headers, _ = town.ask("notes", "/", [cookie(walker, "notes"), *ask])
    reached = town.reached()
    assert (status, headers.get("upgrade")) == ((101, "websocket") if values(reached, "Upgrade") else (200, None))
    assert values(reached, "Upgrade") in ([], ["websocket"]) and values(reached, "HTTP2-Settings") == []


def test_nobody_is_named_behind_a_body(town, ada, address):
    trailers = "".join(f"{name}: {FORGED}\r\n" for name in NAMES).encode()
    lines = [cookie(ada, "wiki"), "TE: trailers", f"Trailer: {', '.join(NAMES)}", "Transfer-Encoding: chunked"]
    assert town.ask("wiki", "/", lines, method="POST", body=b"1\r\nx\r\n0\r\n" + trailers + b"\r\n")[0] == 200
    reached = town.reached()
    assert values(reached, "Remote-Email") == [address] and FORGED not in str(reached)


def test_a_name_that_is_not_set_up_is_served_by_nobody(town):
    for host in (f"evil.localhost:{town.port}", f"127.0.0.1:{town.port}", "evil.example", "localhost"):
        for path in ("/", "/login", "/signup", "/.vestibule/start?to=/"):
            for method in ("GET", "POST"):
                status, headers, body = town.ask(host, path, [*PAGE, "Sec-Fetch-Site: same-origin"], method=method)
                assert (status, body) == ((0, b"") if town.kind == "nginx" else (200, b"")), (host, path, headers)
    assert town.reached() == []


@pytest.mark.parametrize("target", TARGETS)
def test_no_path_leads_a_stranger_around_the_question(town, target):
    status, headers, body = town.ask("notes", target, PAGE)
    assert status in (301, 303, 400, 404, 500)
    if status in (301, 303):
        assert headers["location"].startswith(town.url("notes", "/.vestibule/")), headers["location"]
    assert b"Welcome inside" not in body and town.reached() == []


@pytest.mark.parametrize("target", ["//app", "/%2f", "/%2e%2e/", "/a/../app", "/\\", "/%5c", "/%00", "/.vestibule/../app"])
def test_a_path_that_servers_read_differently_is_refused_to_members_too(town, member, target):
    walker, _ = member
    status = town.ask("notes", target, [*PAGE, cookie(walker, "notes")])[0]
    assert status == 400 or (town.kind == "nginx" and status == 500)
    assert town.reached() == []


def test_other_spellings_of_a_host_get_nobody_in(town, ada):
    port = town.port
    for host in (f"NOTES.localhost:{port}", f"notes.localhost.:{port}", "notes.localhost", "notes.localhost:80", f"evil.localhost:{port}"):
        status, headers, body = town.ask(host, "/", PAGE)
        assert b"Welcome inside" not in body and town.reached() == [], host
        assert status != 303 or headers["location"].startswith("http://notes.localhost"), host
    # A name has no upper case.
    assert town.ask(f"NOTES.localhost:{port}", "/", [*PAGE, cookie(ada, "notes")])[0] == 200


def test_a_cookie_opens_the_application_it_was_given_for(town, ada):
    for other, own in (("wiki", "notes"), ("notes", "wiki"), ("staff", "notes")):
        status, headers, _ = town.ask(other, "/", [*PAGE, cookie(ada, own)])
        assert status == 303 and "/.vestibule/start" in headers["location"]
    # Nor does the cookie of the sign-in.
    assert town.ask("notes", "/", [*PAGE, cookie(ada, "login")])[0] == 303
    assert town.reached() == []


def test_an_assertion_is_good_for_one_application(town, ada):
    from assertion import Verifier

    town.ask("notes", "/", [cookie(ada, "notes")])
    [token] = values(town.reached(), "Vestibule-Assertion")
    keys = f"http://127.0.0.1:{town.house.port}/.well-known/jwks.json"
    origins = {host: f"http://{town.hosts[host]}" for host in ("notes", "wiki")}
    good = {host: Verifier(keys, issuer=town.public, audience=origin) for host, origin in origins.items()}
    assert good["notes"].visitor({"Vestibule-Assertion": token})["aud"] == origins["notes"]
    assert good["wiki"].visitor({"Vestibule-Assertion": token}) is None
    # Nor does it open anything by itself.
    assert town.ask("notes", "/", [*PAGE, f"Vestibule-Assertion: {token}"])[0] == 303
    assert town.ask("notes", "/", [*PAGE, f"Authorization: Bearer {token}", f"Vestibule-Token: {token}"])[0] == 401
    assert town.reached() == []


@pytest.mark.parametrize("to", ELSEWHERE)
def test_nobody_is_led_to_another_site(town, ada, to):
    answer = ada.visit(town.url("notes", f"/.vestibule/start?to={to}"), follow=False)
    if answer.status == 303:
        answer = ada.visit(town.url("notes", f"/.vestibule/start?to={to}"))
        assert all(".localhost" in url.split("/")[2] for url in ada.way), ada.way
    else:
        assert answer.status == 400


# Tickets


def ticket(walker: Walker, town: Town, host: str) -> str:
    """The address with a ticket that this browser would go to next."""
    answer = walker.visit(town.url(host, "/.vestibule/start?to=/"), follow=False)
    answer = walker.visit(answer.headers["location"], follow=False)
    assert answer.status == 303 and "/.vestibule/enter?ticket=" in answer.headers["location"]
    return answer.headers["location"]


def enters(walker: Walker, town: Town, url: str) -> bool:
    """Whether the address gives this browser a cookie that opens the application."""
    walker.ask(url)
    host = url.split("/")[2].split(":")[0].split(".")[0]
    status = town.ask(host, "/", [*PAGE, cookie(walker, host)])[0]
    town.reached()
    return status == 200


def without_application(walker: Walker, host: str) -> Walker:
    jar = walker.jars[f"{host}.localhost"]
    for name in [name for name in jar if name.endswith("-app")]:
        del jar[name]
    return walker


def test_a_ticket_works_once_in_its_browser_at_its_application(town, ada):
    walker = without_application(ada, "notes")
    url = ticket(walker, town, "notes")
    # Another browser, and another application.
    assert not enters(Walker(town), town, url)
    walker = without_application(walker, "notes")
    url = ticket(walker, town, "notes")
    assert not enters(without_application(walker, "wiki"), town, url.replace("notes.", "wiki."))
    url = ticket(walker, town, "notes")
    assert enters(walker, town, url)
    assert not enters(without_application(walker, "notes"), town, url)


def test_a_ticket_ends_with_the_session(town, ada):
    walker = without_application(ada, "notes")
    url = ticket(walker, town, "notes")
    walker.visit(town.url("wiki", "/.vestibule/logout"), {}, follow=False)
    assert not enters(walker, town, url)


def test_a_ticket_ends_after_a_minute(town, ada):
    walker = without_application(ada, "notes")
    url = ticket(walker, town, "notes")
    town.house._set_back("UPDATE handover_tickets SET expires_at = expires_at - 61000")
    assert not enters(walker, town, url)


def test_a_sign_in_that_another_browser_began_is_not_finished_here(town, address, ada):
    """Login by force: Eve's address would sign Ada in as Eve."""
    eve = Walker(town)
    other = a_new_address()
    town.make_account(other)
    eve.enter(town.url("notes"), other)
    url = ticket(without_application(eve, "notes"), town, "notes")
    ada.visit(url)
    town.reached()
    town.ask("notes", "/", [cookie(ada, "notes")])
    reached = town.reached()
    assert claims(reached)["email"] == address


# Machines


def test_a_token_opens_its_application_and_no_other(town):
    token = town.token("notes")
    assert town.ask("notes", "/", [f"Vestibule-Token: {token}"])[0] == 200
    reached = town.reached()
    told = claims(reached)
    assert told["sub"].startswith("token:") and told["amr"] == ["token"] and token not in str(reached)
    for host, line in (("wiki", token), ("notes", token + "x"), ("notes", "")):
        assert town.ask(host, "/", [*PAGE, f"Vestibule-Token: {line}"])[0] == 401
    assert town.reached() == []

"""Applications on the host of the sign-in, and hand-overs that cannot work: a page names the cause."""

from contextlib import contextmanager

import pytest
from attacks import HEADERS
from house import a_new_address
from proxies import Caddy
from town import PAGE, PROXIES, Town, Walker

KINDS = [pytest.param(kind, marks=pytest.mark.xdist_group(f"same-host-{kind}")) for kind in PROXIES]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=KINDS)
def town(request, tmp_path_factory):
    """Its notes are on the public origin, and the sign-in is under a path there."""
    town = Town(tmp_path_factory.mktemp(request.param), request.param, VESTIBULE_PUBLIC_URL="http://notes.localhost:{port}/auth")
    yield town
    town.stop()


def test_on_the_same_host_the_sign_in_is_under_its_path_and_leads_back(town):
    address = a_new_address()
    town.make_account(address)
    walker = Walker(town)
    wanted = town.url("notes", "/deep?x=%2F")
    page = walker.visit(wanted)
    assert walker.at.startswith(f"{town.public}/login?")
    assert walker.log_in(page, address).text.startswith("Welcome inside.") and walker.at == wanted
    # The cookie of the sign-in opens the application, and is not shown to it.
    assert "vestibule=" not in str(town.reached()) and list(walker.jars) == ["notes.localhost"]
    assert walker.visit(town.url("wiki")).text.startswith("Welcome inside.")
    walker.visit(town.url("notes", "/.vestibule/logout"), {})
    assert 'id="login"' in walker.visit(wanted).text and 'id="login"' in walker.visit(town.url("wiki")).text


def test_on_the_same_host_no_header_opens_it(town):
    town.reached()
    for what, lines in HEADERS.items():
        assert town.ask("notes", "/", [*PAGE, *lines])[0] == 303, what
    for target in ("/authx", "/auth/../app", "/auth%2f../app", "/auth/..;/app", "/AUTH/", "/.well-known/jwks.jsonx"):
        status, _, body = town.ask("notes", target, PAGE)
        assert status in (303, 400, 404, 500) and b"Welcome inside" not in body, target
    assert town.reached() == []


def test_nobody_but_the_proxy_asks_for_verdicts_or_readiness(town):
    for target in ("/auth/authz/forward-auth", "/auth/authz/auth-request", "/auth/readyz"):
        status, headers, _ = town.ask("notes", target, [*PAGE, f"X-Original-URL: {town.url('wiki')}", "X-Original-Method: GET"])
        assert (status, headers.get("location")) == (404, None), target
    assert town.ask("notes", "/auth/login", PAGE)[0] == 200


# Hand-overs that cannot work


class HalfWay(Town):
    """One application is named with https, where its proxy has none."""

    def config(self) -> str:
        return "\n\n".join(block for block in super().config().split("\n\n") if "https://" not in block)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    town = HalfWay(tmp_path_factory.mktemp("other"), "caddy", VESTIBULE_APP_SAFE_ORIGINS="https://safe.localhost:{port}")
    yield town
    town.stop()


@contextmanager
def behind(town: Town, config: str):
    """Another configuration of its proxy for a while."""
    town.proxy.stop()
    try:
        town.proxy = Caddy(town.folder, town.port, config)
        yield
    finally:
        town.proxy.stop()
        town.proxy = Caddy(town.folder, town.port, town.config())


@pytest.mark.xdist_group("hand-over")
def test_a_proxy_that_keeps_the_cookie_to_itself_is_no_endless_way(other):
    address = a_new_address()
    other.make_account(address)
    walker = Walker(other)
    walker.enter(other.url("notes"), address)
    asked = "header_up -Forwarded\n\t\t\t\theader_up -Connection"
    assert asked in other.config()
    with behind(other, other.config().replace(asked, "header_up -Cookie")):
        page = walker.visit(other.url("notes", "/page"))
        assert page.status == 500 and "pass your cookie on" in page.text and len(walker.way) < 15


@pytest.mark.xdist_group("hand-over")
def test_a_browser_that_keeps_no_cookie_of_the_application_is_told(other):
    address = a_new_address()
    other.make_account(address)
    walker = Walker(other)
    walker.enter(other.url("wiki"), address)

    class Forgetful(dict):
        def __setitem__(self, name, value) -> None:
            pass

    walker.jars["notes.localhost"] = Forgetful()
    page = walker.visit(other.url("notes"))
    assert page.status == 400 and "return the cookie from" in page.text and len(walker.way) < 15


@pytest.mark.xdist_group("hand-over")
def test_a_proxy_that_changes_the_host_is_told_so(other):
    block = (
        f"http://notes.localhost:{other.port} {{\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:{other.house.port} {{\n"
        "\t\theader_up Host {upstream_hostport}\n\t}\n}\n")
    with behind(other, block):
        status, _, body = other.ask("notes", "/.vestibule/start?to=/", PAGE)
    words = f"The proxy in front of {other.hosts['notes']} asks for 127.0.0.1:{other.house.port} instead"
    assert status == 500 and words in body.decode()
    assert "cause=host_changed" in (other.house.folder / "server.log").read_text()


@pytest.mark.xdist_group("hand-over")
def test_a_host_that_no_setting_names_and_http_for_https_are_named(other):
    block = "http://{host}.localhost:{port} {{\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:{door}\n}}\n"
    port = other.port
    told = {
        "unknown": (403, f"No application is set up for http://unknown.localhost:{port}"),
        "safe": (500, f"is set up for https://safe.localhost:{port} only"),
    }
    for host, (wanted, words) in told.items():
        with behind(other, block.format(host=host, port=port, door=other.house.port)):
            status, _, body = other.ask(f"{host}.localhost:{port}", "/.vestibule/start?to=/", PAGE)
            assert status == wanted and words in body.decode()

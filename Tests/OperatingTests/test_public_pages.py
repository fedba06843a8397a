"""What docs/operating/applications.md says of public pages, in a real Caddy and a real nginx."""

import json
import re
import subprocess

import pytest
from attacks import FORGED, NAMES
from house import BINARY, PASSWORD, PATIENCE, a_new_address
from proxies import Headers
from test_proxies import claims, cookie, values
from test_proxy_config import section
from town import PAGE, Town, Walker

pytestmark = pytest.mark.long
CADDY, NGINX, MAPS, COOKIES, OPEN_CADDY, OPEN_NGINX = section("Public pages")
# The public pages are listed, or the closed ones are.
WAYS = {
    ("caddy", "public"): [CADDY], ("nginx", "public"): [NGINX],
    ("caddy", "closed"): [CADDY.replace(CADDY.splitlines()[0] + "\n", OPEN_CADDY)], ("nginx", "closed"): [OPEN_NGINX],
    # What the page warns of.
    ("caddy", "prefix"): [CADDY.replace(CADDY.splitlines()[0], "@public not path /members*")],
}
VERDICT, LAST = "    location = /.vestibule-verdict {\n", "\t\thandle {\n"
TRICKS = [
    "/static/..%2fmembers", "/static/..;/members", "/static/../members", "/static/%2e%2e/members", "/static/..%5cmembers",
    "/static/..\\members", "/static/.;/members", "/static/..%252fmembers", "/static//members", "/static/a..b", "//members",
    "/%6dembers", "/%2fmembers", "/.//members", "/about/../members", "/about%0a", "/about;/../members", "/about%3f/../members",
    "/about#/../members", "/members/..%2fabout", "/members/%2e%2e/about", "/members/../about", "/members/..%2fstatic/a.css",
    "/members%2f", "/members;x", "/;/members", "/..;/members", "/static/a.css%00", "http://notes.localhost/members", "members", "*",
]


class PublicTown(Town):
    """With the lines of the page in what was printed."""

    def __init__(self, folder, kind: str, which: str):
        self.lines = WAYS[kind, which]
        super().__init__(folder, kind)

    def config(self) -> str:
        ours = lambda text: text.replace("127.0.0.1:3000", f"127.0.0.1:{self.notes.port}").replace(
            "notes.example.com", self.hosts["notes"])
        before, notes, after = re.split(r"(?m)(^# Notes$.*?(?=^# Staff$|\Z))", super().config(), flags=re.DOTALL)
        [lines] = map(ours, self.lines)
        if self.kind == "caddy":
            assert notes.count(LAST) == 1
            return before + notes.replace(LAST, lines + LAST) + after
        printed = "proxy_set_header Cookie $vestibule_cookie;\n"
        assert notes.count(VERDICT) == notes.count(printed) == 1
        notes = notes.replace(VERDICT, VERDICT + lines).replace(printed, COOKIES)
        return before + MAPS + notes + after

    def check(self, path: str) -> list[str]:
        """What `check-proxy` finds."""
        ran = subprocess.run(
            [BINARY, "check-proxy", self.url("notes", path), "--json"], capture_output=True, text=True, timeout=2 * PATIENCE)
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        assert len(rows) > 100 and ran.returncode in (0, 1), ran.stderr
        return [row["attack"] for row in rows if row["is_through"]]


@pytest.fixture(scope="module", params=[
    pytest.param(way, id=" ".join(way), marks=pytest.mark.xdist_group(" ".join(way))) for way in WAYS if "prefix" not in way])
def town(request, tmp_path_factory):
    town = PublicTown(tmp_path_factory.mktemp("town"), *request.param)
    yield town
    town.stop()


@pytest.mark.parametrize("path", ["/", "/?x=1", "/about", "/about?x=/members", "/static/a.css", "/static/img/b-2_c.min.js"])
def test_everybody_sees_a_public_page(town, path):
    assert town.ask("notes", path, PAGE)[0] == 200
    [(_, reached, _, _)] = town.reached()
    assert reached == path


def test_a_public_page_gets_the_sites_own_cookies_and_none_of_ours(town):
    own, app, start = "theme=dark", "vestibule-app=secret", "__Host-vestibule-start=secret"
    for sent in ([own, app], [app, own], [app, start, own], [own, start, app], [app, own, start], [own], [app, start]):
        town.ask("notes", "/about", [*PAGE, "Cookie: " + "; ".join([*sent, "my-vestibule-app=mine"])])
        [cookies] = values(town.reached(), "Cookie")
        kept = [each for each in sent if each == own] + ["my-vestibule-app=mine"]
        assert cookies.split("; ") == kept, sent
    # Any host of the domain can set a second one of the same name, without the prefix.
    for sent in ([app, start], [f"__Host-{app}", own, app], [start, own, "vestibule-start=x", app]):
        town.ask("notes", "/about", [*PAGE, "Cookie: " + "; ".join(sent)])
        assert "secret" not in str(town.reached()), sent


def test_a_public_page_is_told_nobodys_name(town):
    lines = [f"{name.replace('-', mark)}: {FORGED}" for name in NAMES for mark in "-_."]
    # Some applications take what these say for the path.
    lines += [f"{name}: /{FORGED}" for name in ("X-Original-URL", "X-Rewrite-URL")]
    town.ask("notes", "/about", [*PAGE, *lines, f"Vestibule-Token: {FORGED}"])
    [reached] = town.reached()
    assert FORGED not in str(reached)


def test_a_closed_page_is_for_people_who_are_signed_in(town):
    status, headers, _ = town.ask("notes", "/members", PAGE)
    assert status == 303 and headers["location"].startswith(town.url("notes", "/.vestibule/start?to="))
    assert town.ask("notes", "/members", ["Accept: */*"])[0] == 401 and town.reached() == []
    address, walker = a_new_address(), Walker(town)
    town.make_account(address)
    assert walker.enter(town.url("notes", "/members"), address).status == 200
    town.reached()
    town.ask("notes", "/members", [*PAGE, cookie(walker, "notes") + "; theme=dark"])
    reached = town.reached()
    assert claims(reached)["email"] == address and values(reached, "Cookie") == ["theme=dark"]


def test_links_of_the_site_lead_back_to_it(town):
    wanted, address, walker = town.url("notes", "/members"), a_new_address(), Walker(town)
    login, signup = (f"{town.public}/{page}?return_to={wanted}" for page in ("login", "signup"))
    page = walker.visit(signup)
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
    form |= {"display_name": "Ada", "email": address, "password": PASSWORD, "password_confirmation": PASSWORD, "terms": "accepted"}
    walker.visit(f"{town.public}/signup", form)
    welcome = walker.visit(f"{town.public}/signup/verify", {"code": town.house.outbox.code_for(address)})
    assert (walker.at, welcome.status) == (wanted, 200)
    assert (walker.visit(login).status, walker.at) == (200, wanted)
    walker.visit(town.url("notes", "/.vestibule/logout"), {})
    assert walker.visit(f"{town.public}/account").status == 200 and walker.at.startswith(f"{town.public}/login")
    assert (walker.log_in(walker.visit(login), address).status, walker.at) == (200, wanted)
    town.reached()


@pytest.mark.parametrize("target", TRICKS)
def test_no_other_spelling_leads_to_a_closed_page(town, target):
    assert isinstance(town.ask("notes", target, PAGE)[1], Headers) and town.reached() == []


def test_check_proxy_finds_no_way_to_a_closed_page(town):
    assert town.check("/members") == town.check("/members/1?x=1") == []


def test_check_proxy_finds_the_ways_around_a_prefix(tmp_path):
    town = PublicTown(tmp_path, "caddy", "prefix")
    try:
        found = town.check("/members/")
        assert "path /..;/members/" in found and "no session at all" not in found
    finally:
        town.stop()

"""Attacks on real servers: codes and refresh tokens that are used fifty times at once, over connections of their own, at one
node and at two; text that only looks equal; and sign-outs that nobody has asked for."""

import http.client
import json
import subprocess
import threading
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode, urlsplit

import engines
import pytest
from caller import Caller
from house import BINARY, PATIENCE, House

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("openid attacks")]

USES = 50
ADA = "ada@example.com"
DOOR = "http://localhost:8080"
REDIRECT, LEFT = "https://notes.example/in", "https://notes.example/bye"
ASKED = {
    "client_id": "notes", "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid offline_access", "state": "s-1",
}
SETTINGS = {
    f"VESTIBULE_APP_NOTES_{name}": value
    for name, value in {"REDIRECTS": REDIRECT, "PKCE": "optional", "OFFLINE": "on", "TRUSTED": "on", "ID_TOKEN": "ES256"}.items()
} | {
    "VESTIBULE_APP_PHONE_REDIRECTS": "http://127.0.0.1/Kiosk", "VESTIBULE_APP_PHONE_CLIENT": "public",
    "VESTIBULE_APP_NOTES_LOGOUT_REDIRECTS": LEFT, "VESTIBULE_APP_HOME_ORIGINS": DOOR, "VESTIBULE_PUBLIC_URL": DOOR,
    "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1",
}


class Application:
    """A client's own server, which may ask any of the nodes."""

    def __init__(self, nodes: list[House]):
        self.nodes = nodes
        secret = subprocess.run(
            [BINARY, "apps", "secret", "notes"], cwd=nodes[0].folder, env=nodes[0].surroundings(), check=True,
            capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
        self.headers = {
            "Authorization": "Basic " + b64encode(f"notes:{secret}".encode()).decode(),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        nodes[0].make_account(ADA)
        self.sign_in()

    def sign_in(self) -> None:
        self.browser = Caller(self.nodes[0]).log_in(ADA)

    def code(self) -> str:
        answer = self.browser.get("/oauth/authorize?" + urlencode(ASKED))
        return parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]

    def redemption(self) -> dict[str, str]:
        return {"grant_type": "authorization_code", "code": self.code(), "redirect_uri": REDIRECT}

    def rotation(self) -> dict[str, str]:
        return {"grant_type": "refresh_token", "refresh_token": self.tokens(self.redemption())[1]["refresh_token"]}

    def tokens(self, form: dict[str, str], node: int = 0, ready: threading.Barrier | None = None) -> tuple[int, dict]:
        connection = http.client.HTTPConnection("127.0.0.1", self.nodes[node].port, timeout=PATIENCE)
        connection.connect()
        if ready:
            ready.wait(PATIENCE)
        connection.request("POST", "/oauth/token", urlencode(form), self.headers)
        response = connection.getresponse()
        told = json.loads(response.read())
        connection.close()
        return response.status, told

    def all_at_once(self, form: dict[str, str]) -> list[tuple[int, dict]]:
        """Half of them at each of two nodes."""
        ready = threading.Barrier(USES)
        with ThreadPoolExecutor(USES) as pool:
            uses = [pool.submit(self.tokens, form, number % len(self.nodes), ready) for number in range(USES)]
            return [use.result() for use in uses]

    def opens(self, token: str) -> list[int]:
        """What each node answers to an access token."""
        return [node.ask("GET", "/oauth/userinfo", Authorization=f"Bearer {token}").status for node in self.nodes]


@pytest.fixture(scope="module", params=["one node", "two nodes"])
def notes(request, tmp_path_factory):
    nodes = [House(tmp_path_factory.mktemp("house"), **SETTINGS)] if request.param == "one node" else []
    if not nodes:
        shared = SETTINGS | engines.on_postgres() | {"VESTIBULE_SECRET_KEY": "b25seSBmb3IgdGVzdHMsIGFzIGFsbCBjYW4gcmVhZCE="}
        nodes += [House(tmp_path_factory.mktemp("house"), **shared) for _ in range(2)]
    yield Application(nodes)
    for node in nodes:
        node.kill()


def test_what_one_node_gave_is_good_at_each_until_the_session_ends(notes):
    status, told = notes.tokens(notes.redemption(), node=-1)
    assert status == 200 and set(notes.opens(told["access_token"])) == {200}
    status, newer = notes.tokens({"grant_type": "refresh_token", "refresh_token": told["refresh_token"]})
    assert status == 200 and set(notes.opens(newer["access_token"])) == {200}
    left = notes.redemption()
    notes.browser.get("/account")
    notes.browser.post("/logout")
    assert set(notes.opens(told["access_token"]) + notes.opens(newer["access_token"])) == {401}
    for form in [left, {"grant_type": "refresh_token", "refresh_token": newer["refresh_token"]}]:
        assert notes.tokens(form, node=-1) == (400, refused("invalid_grant"))
    notes.sign_in()


@pytest.mark.parametrize("form", [Application.redemption, Application.rotation], ids=["code", "refresh token"])
def test_of_fifty_uses_at_once_one_wins_and_what_it_gave_has_ended(notes, form):
    answers = notes.all_at_once(form(notes))
    won = [told for status, told in answers if status == 200]
    assert len(won) == 1 and [told for status, told in answers if status != 200] == [refused("invalid_grant")] * (USES - 1)
    assert set(notes.opens(won[0]["access_token"])) == {401}
    again = {"grant_type": "refresh_token", "refresh_token": won[0]["refresh_token"]}
    assert notes.tokens(again) == (400, refused("invalid_grant"))
    # The session goes on, and so does the application.
    assert notes.tokens(notes.redemption())[0] == 200


def test_a_redirect_that_ends_like_the_right_one_at_a_nul_is_another_one(notes):
    form = notes.redemption()
    assert notes.tokens(form | {"redirect_uri": f"{REDIRECT}\0x"}) == (400, refused("invalid_grant"))
    assert notes.tokens(form)[0] == 200


def test_letters_that_only_look_equal_make_no_loopback_redirect_equal(notes):
    asked = ASKED | {"client_id": "phone", "prompt": "none"}
    same, other = (
        notes.nodes[0].ask("GET", "/oauth/authorize?" + urlencode(asked | {"redirect_uri": f"http://127.0.0.1:7/{letter}iosk"}))
        for letter in ["K", "\N{KELVIN SIGN}"])
    assert same.status == 303 and same.headers["Location"].startswith("http://127.0.0.1:7/Kiosk?error=")
    assert other.status == 400 and other.headers["Location"] is None


@pytest.mark.parametrize("query", ["", f"?client_id=notes&post_logout_redirect_uri={LEFT}"])
def test_while_nobody_is_signed_in_another_site_wipes_nothing_and_makes_no_page_say_anything(notes, query):
    answer = notes.nodes[0].ask("GET", f"/oauth/logout{query}", Sec_Fetch_Dest="image", Sec_Fetch_Site="cross-site")
    assert answer.status == 303 and answer.headers["Location"] == (LEFT if query else "/")
    assert answer.headers["Clear-Site-Data"] is None and answer.headers["Set-Cookie"] is None


def test_what_a_proxy_is_told_of_a_session_ends_none(notes):
    cookies = "; ".join(f"{name}={value}" for name, value in notes.browser.cookies.items())
    host = urlsplit(DOOR).netloc
    verdict = notes.nodes[0].ask(
        "GET", "/authz/forward-auth", Cookie=cookies, X_Forwarded_Method="GET", X_Forwarded_Proto="http",
        X_Forwarded_Host=host, X_Forwarded_Uri="/")
    asked = notes.browser.get(f"/oauth/logout?id_token_hint={verdict.headers['Vestibule-Assertion']}")
    assert asked.status == 200 and "Sign out?" in asked.text
    assert notes.browser.get("/account").status == 200


def refused(error: str) -> dict[str, str]:
    return {"error": error, "error_description": "unknown, spent, expired or of another request"}

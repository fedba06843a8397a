"""Applications are told that a session has ended, by real servers over real connections."""

import base64
import hashlib
import json
import subprocess
import threading
import time
from collections import defaultdict
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from caller import Caller
from house import BINARY, PATIENCE, eventually
from receivers import Receiver

REDIRECT = "https://notes.example.com/in"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
NOTES = {f"VESTIBULE_APP_NOTES_{name}": value for name, value in
         {"REDIRECTS": REDIRECT, "CLIENT": "public", "TRUSTED": "on"}.items()}
URL = "VESTIBULE_APP_NOTES_LOGOUT_URL"
ADA = "ada@example.com"


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def operate(house, *arguments: str) -> str:
    return subprocess.run([BINARY, *arguments], cwd=house.folder, env=house.surroundings(), capture_output=True,
                          text=True, timeout=PATIENCE).stdout


def claims(token: str) -> dict:
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def told(receiver: Receiver) -> list[dict]:
    """What the tokens say, in the order in which they came."""
    forms = [parse_qs(each["body"].decode()) for each in receiver.told]
    assert all(set(form) == {"logout_token"} for form in forms)
    return [claims(form["logout_token"][0]) for form in forms]


def enter(caller: Caller) -> str:
    """Goes on into Notes. Returns the session as Notes knows it."""
    query = urlencode({"client_id": "notes", "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid",
                       "code_challenge": CHALLENGE, "code_challenge_method": "S256"})
    answer = caller.ask("GET", f"/oauth/authorize?{query}")
    code, = parse_qs(urlsplit(answer.headers["Location"]).query)["code"]
    given = caller.house.ask("POST", "/oauth/token", {
        "grant_type": "authorization_code", "client_id": "notes", "code": code, "redirect_uri": REDIRECT,
        "code_verifier": VERIFIER})
    return claims(json.loads(given.text)["id_token"])["sid"]


def test_what_the_operator_ends_is_told_within_two_seconds_and_retried_as_listed(open_house, receiver):
    receiver.answers = {0: 503}
    house = open_house(**NOTES, **{URL: receiver.url})
    house.make_account(ADA)
    session = enter(Caller(house).log_in(ADA))
    start = time.monotonic()
    operate(house, "users", "disable", ADA)
    eventually(lambda: receiver.told, "a token", within=2 + time.monotonic() - start)
    [line] = eventually(lambda: [each for each in operate(house, "signals", "list", "--json").splitlines()
                                 if json.loads(each).get("reason")], "a signal that waits")
    entry = json.loads(line)
    assert (entry["target"], entry["type"], entry["reason"]) == ("app:notes", "logout", "answered 503")
    assert operate(house, "signals", "retry", entry["id"]) == "1 signal is due now\n"
    eventually(lambda: operate(house, "signals", "list") == "" or len(receiver.told) == 2, "another try")
    first, second = told(receiver)
    assert first["jti"] == second["jti"] == entry["id"] and first["sid"] == session


def test_a_redirect_is_not_followed(open_house, receiver):
    elsewhere = Receiver()

    def redirect(handler):
        handler.send_response(307)
        handler.send_header("Location", elsewhere.url)
        handler.end_headers()

    receiver.usual = redirect
    house = open_house(**NOTES, **{URL: receiver.url})
    house.make_account(ADA)
    caller = Caller(house).log_in(ADA)
    enter(caller)
    caller.post("/logout")
    eventually(lambda: "answered 307" in operate(house, "signals", "list"), "a refusal")
    assert receiver.told and not elsewhere.told
    elsewhere.close()


@pytest.mark.parametrize(("answer", "warns"), [(400, False), (204, True), (403, True), (404, True), (302, True)])
def test_the_doctor_asks_each_logout_address(open_house, receiver, answer, warns):
    receiver.usual = answer
    house = open_house(**NOTES, **{URL: receiver.url})
    said = operate(house, "doctor")
    assert [parse_qs(each["body"].decode(), keep_blank_values=True) for each in receiver.told] == [{"logout_token": [""]}]
    assert (f"warn applications: Notes is not told of logouts: {receiver.url} answers {answer}" in said) == warns, said
    # Who has no proxy in front of it needs none.
    assert "FAIL" not in said


def test_the_doctor_finds_no_tls_where_a_redirect_has_it(open_house, receiver):
    origin = f"https://localhost:{receiver.port}"
    house = open_house(**NOTES | {"VESTIBULE_APP_NOTES_REDIRECTS": f"{origin}/in"})
    assert f"warn applications: Notes at {origin} does not answer" in operate(house, "doctor")


@pytest.mark.long
def test_kills_lose_no_token_and_change_no_order(open_house, receiver):
    house = open_house(**NOTES, **{URL: receiver.url})
    people = [f"person.{number}@example.com" for number in range(4)]
    for email in people:
        house.make_account(email)
    entered, ended, kills, ends = defaultdict(list), set(), [], threading.Event()

    def live(email: str) -> None:
        while not ends.is_set():
            try:
                caller = Caller(house).log_in(email)
                session = enter(caller)
                entered[email].append(session)
                caller.post("/logout")
                ended.add(session)
            except Exception:
                time.sleep(0.05)

    threads = [threading.Thread(target=live, args=[email]) for email in people]
    for thread in threads:
        thread.start()
    for life in range(8):
        eventually(lambda: len(ended) > 3 * life, "more sign-outs")
        kills.append(time.monotonic())
        house.kill()
        house.start()
    ends.set()
    for thread in threads:
        thread.join()
    eventually(lambda: operate(house, "signals", "list", "--json") == "", "everything told")
    first, order = {}, []
    for each, said in zip(receiver.told, told(receiver)):
        if said["jti"] in first:
            began = first[said["jti"]]
            assert any(began <= kill + 1 and kill <= each["at"] for kill in kills), "doubled without a kill"
        else:
            first[said["jti"]] = each["at"]
            order.append(said["sid"])
    assert len(ended) > 20 and ended <= set(order) and len(set(order)) == len(order)
    for sessions in entered.values():
        assert [session for session in order if session in sessions] == [each for each in sessions if each in order]

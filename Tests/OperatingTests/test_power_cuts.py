"""`kill -9` between the two steps of what people do with second factors: nothing is lost, and nothing counts twice."""

import re

import pyotp
import pytest
from authenticators import PASSKEYS, SoftwarePasskey, add_passkey, begin_second_step, options_of
from caller import Caller
from house import a_new_address


@pytest.fixture
def house(open_house):
    return open_house()


@pytest.fixture
def member(house) -> str:
    address = a_new_address()
    house.make_account(address)
    return address


def cut_the_power(house) -> None:
    house.kill()
    house.start()


def test_between_password_and_passkey(house, member):
    passkey = add_passkey(Caller(house).log_in(member))
    caller = begin_second_step(Caller(house), member)
    asked = options_of(caller, "/login/second/options")
    cut_the_power(house)
    signed = passkey.sign(asked)
    caller.post("/login/second", credential=signed)
    assert caller.get("/account").status == 200
    # The challenge was noted as answered, which survives, too.
    cut_the_power(house)
    other = begin_second_step(Caller(house), member)
    other.cookies["vestibule-passkey"] = caller.cookies.get("vestibule-passkey", "")
    assert other.ask("POST", "/login/second", {"credential": signed}).status == 422
    assert caller.get("/account").status == 200


def test_between_password_and_code_with_tries_used_and_a_recovery_code_spent(house, member):
    owner = Caller(house).log_in(member)
    owner.add_app()
    codes = owner.make_recovery_codes()
    caller = begin_second_step(Caller(house), member)
    for _ in range(4):
        assert caller.ask("POST", "/login/second", {"code": "00000000"}).status == 422
    cut_the_power(house)
    assert caller.get("/login/second").status == 200
    caller.post("/login/second", code=codes[0])
    assert caller.get("/account").status == 200
    cut_the_power(house)
    other = begin_second_step(Caller(house), member)
    assert other.ask("POST", "/login/second", {"code": codes[0]}).status == 422
    for _ in range(3):
        assert other.ask("POST", "/login/second", {"code": "00000000"}).status == 422
    cut_the_power(house)
    # The fifth try is the last one, whatever happened between.
    last = other.ask("POST", "/login/second", {"code": "00000000"})
    assert last.status == 422 and 'action="/login/second"' not in last.text
    assert other.ask("POST", "/login/second", {"code": codes[1]}).status != 303


def test_between_the_sign_in_by_passkey_that_was_asked_for_and_its_answer(house, member):
    passkey = add_passkey(Caller(house).log_in(member))
    caller = Caller(house)
    asked = options_of(caller, "/login/passkey/options")
    cut_the_power(house)
    caller.post("/login/passkey", credential=passkey.sign(asked))
    assert caller.get("/account").status == 200


def test_between_the_key_of_an_app_and_its_first_code(house, member):
    caller = Caller(house).log_in(member)
    page = caller.get("/account/security/totp").text
    key = re.search(r'class="key"[^>]*>([A-Z2-7 ]+)<', page)[1].replace(" ", "")
    setup = re.search(r'name="setup" value="([^"]+)"', page)[1]
    cut_the_power(house)
    caller.post("/account/security/totp", setup=setup, code=pyotp.TOTP(key).now())
    cut_the_power(house)
    assert begin_second_step(Caller(house), member).get("/login/second").status == 200


def test_between_a_new_passkey_that_was_asked_for_and_its_answer(house, member):
    caller = Caller(house).log_in(member)
    caller.get(PASSKEYS)
    passkey = SoftwarePasskey(house.origin)
    made = passkey.create(options_of(caller, f"{PASSKEYS}/options"))
    cut_the_power(house)
    caller.post(PASSKEYS, name="My phone", credential=made)
    cut_the_power(house)
    assert "My phone" in caller.get(PASSKEYS).text


def test_between_a_form_that_waits_and_its_proof(house, member):
    passkey = add_passkey(Caller(house).log_in(member))
    caller = begin_second_step(Caller(house), member)
    caller.post("/login/second", credential=passkey.sign(options_of(caller, "/login/second/options")))
    caller.get("/account")
    house.let_proofs_grow_old()
    held = caller.ask("POST", "/account/sessions/end-others", {"csrf": caller.csrf})
    path = re.search(r'action="([^"]+\?held=[^"]+)"', held.text)[1]
    asked = options_of(caller, f"{PASSKEYS}/proof-options")
    cut_the_power(house)
    done = caller.ask("POST", path, {"csrf": caller.csrf, "credential": passkey.sign(asked)})
    assert (done.status, done.headers["Location"]) == (303, "/account/devices")
    assert caller.get("/account").status == 200

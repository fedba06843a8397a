"""What `/api/auth/openapi.json` promises is kept: schemathesis calls a live server with what it allows and forbids."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import PASSWORD, House, a_new_address

pytestmark = pytest.mark.long
SETTINGS = Path(__file__).with_name("schemathesis.toml")
# The address and password of the examples in the description.
EXAMPLE = {"email": "ada@example.com", "password": "violet tram under seven bridges"}


@pytest.fixture(scope="module")
def fresh_house(open_house) -> House:
    return open_house()


def token_of(house: House, **credentials: str) -> str:
    answer = house.ask(
        "POST", "/api/auth/sign-in", json.dumps(credentials).encode(), Content_Type="application/json")
    assert answer.status == 200, answer.text
    return json.loads(answer.text)["token"]


def test_the_api_does_what_its_description_says(fresh_house):
    member = a_new_address()
    # Not the password of the examples: those would delete the account on the way.
    fresh_house.make_account(member, password=PASSWORD[::-1])
    fresh_house.make_account(EXAMPLE["email"], password=EXAMPLE["password"])
    credentials = {"email": member, "password": PASSWORD[::-1]}
    tokens = {name: token_of(fresh_house, **credentials) for name in ("API_TOKEN", "API_TOKEN_TO_END")}
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"), "--config-file", SETTINGS, "run",
            f"{fresh_house.url}/api/auth/openapi.json", "--checks", "all", "--continue-on-failure", "--workers", "2",
            "--seed", "1",
        ],
        env=os.environ | tokens, cwd=fresh_house.folder, capture_output=True, text=True, timeout=1200,
    )
    log = (fresh_house.folder / "server.log").read_text()
    assert done.returncode == 0, done.stdout + done.stderr + log
    assert "error" not in log

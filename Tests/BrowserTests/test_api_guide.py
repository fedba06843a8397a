"""docs/api.md is true: its curl lines run one after the other."""

import json
import os
import re
import subprocess
from collections import Counter

import pyotp
import pytest
from house import PATIENCE, REPOSITORY, House, codes_in, eventually, text_of
from providers import Apple

pytestmark = pytest.mark.long
GUIDE = (REPOSITORY / "docs/api.md").read_text()
CALLS = re.findall(r"^(curl .+)\n# (\d{3})(?: (.+))?$", GUIDE, re.MULTILINE)
# What differs from run to run, by the member's name.
CHANGING = (
    "flow", "token", "id", "nonce", "created_at", "last_seen_at", "expires_at", "setup", "key", "uri", "codes",
)


def steady(answer):
    """The answer without what differs from run to run."""
    if isinstance(answer, dict):
        return {name: "" if name in CHANGING else steady(value) for name, value in answer.items()}
    return [steady(one) for one in answer] if isinstance(answer, list) else answer


class Reader:
    """Somebody who copies the lines into a shell, with the values of the last answers."""

    def __init__(self, house: House, apple: Apple):
        self.house, self.apple = house, apple
        self.flow = self.token = self.address = self.nonce = self.identity_token = self.authorization_code = ""
        self.setup = self.key = self.recovery_code = ""
        self.mails_read: Counter[str] = Counter()

    def run(self, line: str) -> tuple[int, dict | None]:
        line = line.replace("http://localhost:8080", self.house.url)
        values = {
            "FLOW": self.flow, "TOKEN": self.token, "CODE": self.next_code() if "$CODE" in line else "",
            "NONCE": self.nonce, "IDENTITY_TOKEN": self.identity_token,
            "AUTHORIZATION_CODE": self.authorization_code, "SETUP": self.setup, "RECOVERY_CODE": self.recovery_code,
            "APP_CODE": pyotp.TOTP(self.key).now() if self.key else "",
        }
        done = subprocess.run(
            ["bash", "-c", f"{line} -sS -w '\\n%{{http_code}}'"], env=os.environ | values, capture_output=True,
            text=True, timeout=PATIENCE, check=True,
        )
        body, status = done.stdout.rsplit("\n", 1)
        answer = json.loads(body) if body else None
        self.remember(line, answer or {})
        return int(status), answer

    def remember(self, line: str, answer: dict) -> None:
        self.token = answer.get("token", self.token)
        if "flow" in answer:
            self.flow = answer["flow"]
            self.address = re.search('"email": "([^"]+)"', line)[1]
        self.setup, self.key = answer.get("setup", self.setup), answer.get("key", self.key)
        self.recovery_code = answer.get("codes", [self.recovery_code])[0]
        if "nonce" in answer:
            self.nonce = answer["nonce"]
            self.identity_token = self.apple.identity_token("001234.ada", self.nonce)
            self.authorization_code = self.apple.code(sub="001234.ada", app=True)

    def next_code(self) -> str:
        """Of the mail that the last flow caused; every mail to an address before it has been read."""
        mails = lambda: self.house.outbox.mails_to(self.address)
        with_code = lambda: [m for m in mails() if "code" in m["Subject"] and codes_in(text_of(m))][self.mails_read[self.address] :]
        mail = eventually(with_code, f"a code to {self.address}")[0]
        self.mails_read[self.address] += 1
        return re.search(r"(?<!\d)\d{6}(?!\d)", mail.get_body(("plain",)).get_content())[0]


@pytest.fixture(scope="module")
def apple(tmp_path_factory):
    apple = Apple(tmp_path_factory.mktemp("apple"))
    yield apple
    apple.stop()


@pytest.fixture(scope="module")
def fresh_house(open_house, apple) -> House:
    return open_house(**apple.settings())


def test_every_call_of_the_guide_answers_as_it_says(fresh_house, apple):
    reader = Reader(fresh_house, apple)
    assert len(CALLS) == GUIDE.count("\ncurl ") > 15
    for line, status, body in CALLS:
        expected = json.loads(body.replace("http://localhost:8080", fresh_house.url)) if body else None
        found_status, found = reader.run(line)
        assert (found_status, steady(found)) == (int(status), steady(expected)), line
    assert "/auth/revoke" in [call["call"] for call in apple.tell(record=True)["record"]]

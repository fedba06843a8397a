"""The first program of docs/swift.md, as scripts/consumer has built it, typed into at a real server."""

import json
import subprocess
import time

import pyotp
import pytest
from house import PASSWORD, PATIENCE, REPOSITORY, House, a_new_address

pytestmark = pytest.mark.long
GREET = REPOSITORY / ".build/consumer/client/debug/greet"


class Newcomer:
    """Somebody at a terminal, with a home of their own."""

    def __init__(self, house: House, home):
        self.house, self.home, self.address = house, home, a_new_address()

    @property
    def token(self):
        return self.home / ".greet-token"

    def runs_it(self, *lines: str, code=None) -> str:
        """What the program says in the end. `code` is asked for once the lines were typed."""
        program = subprocess.Popen(
            # By HOME alone, Foundation takes the home that the system has for the user.
            [GREET], env={"CFFIXED_USER_HOME": str(self.home)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        program.stdin.write("".join(f"{line}\n" for line in [self.house.url, *lines]))
        program.stdin.flush()
        said, _ = program.communicate(f"{code()}\n" if code else None, timeout=PATIENCE)
        assert program.returncode == 0, said
        return said.splitlines()[-1].split(": ")[-1]

    def asks(self, path: str, body: dict) -> dict:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token.read_text()}"}
        answer = self.house.ask("POST", f"/api/auth/{path}", json.dumps(body).encode(), **headers)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    def adds_an_authenticator_app(self) -> pyotp.TOTP:
        setup = self.asks("factors/totp", {})
        app = pyotp.TOTP(setup["key"])
        self.asks("factors/totp/confirm", {"setup": setup["setup"], "code": app.now()})
        return app


def test_it_greets_after_a_code_by_mail_and_after_one_of_an_app(house, tmp_path):
    ada = Newcomer(house, tmp_path)
    typed = [ada.address, PASSWORD]
    by_mail = lambda: ada.house.outbox.code_for(ada.address)  # noqa: E731
    assert ada.runs_it(*typed, "Ada", code=by_mail) == "Hello, Ada!"
    assert ada.runs_it() == "Hello, Ada!"

    app = ada.adds_an_authenticator_app()
    ada.token.unlink()
    # The code that added it is used up.
    by_app = lambda: app.at(time.time() + 30)  # noqa: E731
    assert ada.runs_it(*typed, "", code=by_app) == "Hello, Ada!"

"""A public client on somebody's machine: no secret, PKCE, and an answer to a port that the system chose."""

import json
import subprocess
import sys

import pytest
from handbook import program
from neighbourhood import Neighbourhood

TITLE = "An app on a desktop"


@pytest.fixture
def app(parties: Neighbourhood):
    application = parties.sections[TITLE]
    process = subprocess.Popen(
        [sys.executable, program("native_app.py"), parties.url, application.name.lower()], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, env={"SSL_CERT_FILE": str(parties.root)})
    yield process
    process.kill()
    process.communicate()


def test_a_person_signs_up_for_an_app_on_a_desktop_and_signs_out(parties, person, app):
    person.others.append("http://127.0.0.1:")
    person.page.goto(app.stdout.readline().strip())
    person.signs_up()
    person.agrees("Camera")
    person.shows("You may close this window.")
    learned = json.loads(app.stdout.readline())
    assert learned["email"] == person.address and learned["name"] == "Ada Lovelace"

    app.stdin.write("\n")
    app.stdin.flush()
    person.page.goto(app.stdout.readline().strip())
    person.sees("You're signed out.")
    assert app.wait(timeout=60) == 0
    assert not person.is_signed_in_at_the_door()

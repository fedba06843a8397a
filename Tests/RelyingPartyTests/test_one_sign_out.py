"""One login for two applications, and one sign-out."""

import base64
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import party_django
import party_jupyterhub
from house import eventually
from neighbourhood import python_of
from person import Person
from visitor import Way

# Seconds.
SOON = 2


def test_one_login_opens_a_hub_and_a_site_and_one_sign_out_leaves_both(parties, person):
    hub = party_jupyterhub.start(parties)
    site = party_django.start(parties)

    person.page.goto(f"{hub}/hub/home")
    person.signs_up()
    person.agrees("Hub")
    person.is_back_at(hub)
    person.shows(person.address)
    person.page.goto(f"{site}/")
    person.link("Sign in").click()
    # Nobody asks who it is again.
    person.agrees("Site")
    person.is_back_at(site)
    person.shows(f"Welcome, {person.address}.")

    # Both go on while the session does.
    time.sleep(SOON)
    assert person.address in person.gets("Django", "/")[1]
    assert person.gets("JupyterHub", "/hub/home")[0] == 200

    person.signs_out_at_the_door()
    start = time.monotonic()
    eventually(lambda: "Nobody is here." in person.gets("Django", "/")[1], "the end at the site", within=SOON)
    eventually(lambda: person.gets("JupyterHub", "/hub/home")[0] == 302, "the end at the hub", within=SOON)
    assert time.monotonic() - start < SOON
    person.page.goto(f"{site}/")
    person.shows("Nobody is here.")
    person.page.goto(f"{hub}/hub/home")
    person.is_at_the_door()


def test_a_sign_out_ends_no_other_session_at_the_site_and_forged_tokens_end_none(parties, person, chromium):
    site = party_django.start(parties)
    person.page.goto(f"{site}/oidc/authenticate/")
    person.signs_up()
    person.agrees("Site")
    person.is_back_at(site)
    other = Person(chromium, parties, Way())
    other.address = person.address
    other.page.goto(f"{site}/oidc/authenticate/")
    other.signs_in()
    other.is_back_at(site)
    for forged in ("", "x", "e30.e30.e30", id_token(parties)):
        assert told(parties, forged) == 400, forged
    person.signs_out_at_the_door()
    eventually(lambda: "Nobody is here." in person.gets("Django", "/")[1], "the end at the site")
    assert person.address in other.gets("Django", "/")[1]
    other.context.close()


def test_a_site_that_cannot_fetch_the_keys_wants_the_token_later(parties):
    party_django.start(parties)
    header = base64.urlsafe_b64encode(b'{"alg":"RS256","kid":"x"}').decode().rstrip("=")
    parties.kill()
    try:
        assert told(parties, f"{header}.e30.e30") == 503
    finally:
        parties.start()


def id_token(parties) -> str:
    """One of the site's, which Vestibule has signed."""
    database = parties.folder / parties.sections["Django"].host / "site.sqlite"
    code = ("import django; django.setup(); from django.contrib.sessions.models import Session; "
            "print(next(filter(None, (each.get_decoded().get('oidc_id_token') for each in Session.objects.all()))))")
    return subprocess.run(
        [python_of("django"), "-c", code], cwd=database.parent, check=True, capture_output=True, text=True,
        env={"DJANGO_SETTINGS_MODULE": "mysite.settings", "PYTHONPATH": str(database.parent)}).stdout.strip()


def told(parties, token: str) -> int:
    try:
        body = urllib.parse.urlencode({"logout_token": token}).encode()
        return urllib.request.urlopen(f"http://127.0.0.1:{parties.port_of('Django')}/signed-out/", body).status
    except urllib.error.HTTPError as error:
        return error.code

"""django-allauth with the settings of Paperless-ngx, which itself is no Python package."""

import json
import re

from handbook import program
from neighbourhood import python_of

TITLE = "Paperless-ngx"


def start(parties) -> str:
    folder, python = parties.folder_of(TITLE), python_of("allauth")
    package = folder / "mysite"
    package.mkdir()
    environment, = parties.theirs(TITLE)
    apps, providers = re.search(r"PAPERLESS_APPS=(\S+)\nPAPERLESS_SOCIALACCOUNT_PROVIDERS='(.+)'", environment, re.DOTALL).groups()
    (package / "settings.py").write_text(
        program("django_settings.py").read_text() + f"APPS = {apps!r}\n" + program("allauth_settings.py").read_text()
        + f"import json\nSOCIALACCOUNT_PROVIDERS = json.loads({json.dumps(providers)})\n")
    (package / "urls.py").write_text(program("allauth_urls.py").read_text())
    command = f"{python} -m django migrate --verbosity 0 && exec {python} -m django runserver --noreload {parties.port_of(TITLE)}"
    parties.run(TITLE, folder, ["sh", "-c", command], DJANGO_SETTINGS_MODULE="mysite.settings", PYTHONPATH=str(folder))
    return parties.origin_of(TITLE)


def test_a_person_signs_up_with_the_settings_of_paperless_and_signs_out_there(parties, person):
    origin = start(parties)
    person.page.goto(f"{origin}/")
    person.link("Sign in").click()
    person.signs_up()
    person.agrees("Paperless")
    person.is_back_at(origin)
    person.shows(f"Welcome, {person.address}.")

    # It ends its own session only.
    person.button("Leave").click()
    person.shows("Nobody is here.")
    assert person.is_signed_in_at_the_door()

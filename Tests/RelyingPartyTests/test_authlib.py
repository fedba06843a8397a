"""Authlib, in a Flask site."""

import pytest
from handbook import program
from neighbourhood import python_of
from visitor import WITH_AND_WITHOUT_SCRIPT

TITLE = "Authlib"


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_person_signs_up_for_an_authlib_site_and_signs_out(parties, person):
    folder, origin = parties.folder_of(TITLE), parties.origin_of(TITLE)
    site = folder / "site.py"
    about = f"ORIGIN, PORT = {origin!r}, {parties.port_of(TITLE)}\n"
    site.write_text(about + "\n".join(parties.theirs(TITLE)) + program("authlib_site.py").read_text())
    parties.run(TITLE, folder, [python_of("authlib"), site])

    person.page.goto(f"{origin}/in")
    person.signs_up()
    person.agrees("Notes")
    person.is_back_at(origin)
    person.shows(f"Welcome, Ada Lovelace, {person.address}")

    # The second time nobody is asked.
    person.page.goto(f"{origin}/in")
    person.is_back_at(origin)
    person.shows("Welcome, Ada Lovelace")

    person.page.goto(f"{origin}/out")
    person.is_back_at(origin)
    person.shows("Nobody is here.")
    assert not person.is_signed_in_at_the_door()

"""idpyoidc, the successor of pyoidc, in a Flask site."""

from handbook import program
from neighbourhood import python_of

TITLE = "idpyoidc"


def test_a_person_signs_up_for_an_idpyoidc_site_and_signs_out(parties, person):
    folder, origin = parties.folder_of(TITLE), parties.origin_of(TITLE)
    site = folder / "site.py"
    about = f"ORIGIN, PORT, ISSUER = {origin!r}, {parties.port_of(TITLE)}, {parties.url!r}\n"
    site.write_text(about + "\n".join(parties.theirs(TITLE)) + program("idpyoidc_site.py").read_text())
    parties.run(TITLE, folder, [python_of("idpyoidc"), site])

    person.page.goto(f"{origin}/in")
    person.signs_up()
    person.agrees("Wiki")
    person.is_back_at(origin)
    person.shows(f"Welcome, Ada Lovelace, {person.address}")

    person.page.goto(f"{origin}/out")
    person.is_back_at(origin)
    person.shows("Nobody is here.")
    assert not person.is_signed_in_at_the_door()

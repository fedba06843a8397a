"""JupyterHub, with the GenericOAuthenticator of oauthenticator."""

from party_jupyterhub import start


def test_a_person_signs_up_for_a_jupyterhub_and_signs_out(parties, person):
    origin = start(parties)
    person.page.goto(f"{origin}/hub/home")
    person.signs_up()
    person.agrees("Hub")
    person.is_back_at(origin)
    person.shows(person.address)

    person.page.locator("#logout").click()
    # The hub does not say whose session it means.
    person.is_at("Sign out?")
    person.button("Sign out").click()
    # It leads on, as nobody is signed in there.
    person.is_at_the_door()
    assert not person.is_signed_in_at_the_door()

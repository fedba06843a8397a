"""mozilla-django-oidc, in a Django site."""

from party_django import start


def test_a_person_signs_up_for_a_django_site_and_signs_out(parties, person):
    origin = start(parties)
    person.page.goto(f"{origin}/")
    person.link("Sign in").click()
    person.signs_up()
    person.agrees("Site")
    person.is_back_at(origin)
    person.shows(f"Welcome, {person.address}.")

    person.button("Leave").click()
    person.is_back_at(origin)
    person.shows("Nobody is here.")
    assert not person.is_signed_in_at_the_door()

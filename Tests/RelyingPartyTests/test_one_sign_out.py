"""One login for two applications, and one sign-out."""

import time

import party_django
import party_jupyterhub

# Seconds.
SOON = 2


def test_one_login_opens_a_hub_and_a_site_and_one_sign_out_leaves_both(parties, person):
    hub = party_jupyterhub.start(parties)
    # The handbook says a minute, and that less is sooner.
    site = party_django.start(parties, OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS=1)

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

    # Both look at the session again, and find it.
    person.page.goto(f"{hub}/hub/home")
    person.shows(person.address)
    time.sleep(SOON)
    person.page.goto(f"{site}/")
    person.shows(f"Welcome, {person.address}.")

    # At Vestibule itself, which neither application is told of.
    person.page.goto(f"{parties.url}/account")
    person.log_out()
    person.sees("You're signed out.")
    time.sleep(SOON)
    person.page.goto(f"{site}/")
    person.shows("Nobody is here.")
    person.page.goto(f"{hub}/hub/home")
    person.is_at_the_door()

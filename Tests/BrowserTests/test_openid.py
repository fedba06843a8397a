"""Signing in to an application by OpenID Connect, with a client that others wrote."""

import subprocess

import pytest
from house import BINARY, PASSWORD, PATIENCE, a_new_address
from playwright.sync_api import expect
from relying_party import RelyingParty
from visitor import WITH_AND_WITHOUT_SCRIPT

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("openid")]


@pytest.fixture(scope="module", params=["query", "form_post"])
def notes(request, open_house):
    """An application and its house."""
    party = RelyingParty()
    house = open_house(
        VESTIBULE_APP_NOTES_REDIRECTS=party.redirect, VESTIBULE_APP_NOTES_LOGOUT_REDIRECTS=f"{party.url}/left")
    secret = subprocess.run(
        [BINARY, "apps", "secret", "notes"], cwd=house.folder, env=house.surroundings(), check=True,
        capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
    party.start(house.url, "notes", secret, response_mode=request.param)
    party.house, party.mode = house, request.param
    yield party
    party.stop()


def arrive(guest, notes) -> None:
    """Without a script the form with the answer is sent by hand."""
    if notes.mode == "form_post" and not guest.way.script:
        guest.is_at("Back to the application")
        guest.button("Continue").click()
    guest.is_at("Hello, Ada Lovelace.")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_from_the_sign_up_into_an_application_and_out(new_visitor, notes, way):
    guest = new_visitor(notes.house, way, others=[notes.url])
    address = a_new_address()
    guest.visit(notes.url)
    guest.is_at("Sign in")
    expect(guest.page.get_by_text("Notes")).to_be_visible()
    guest.change_form("Create an account")
    guest.fill_sign_up(address)
    guest.button("Create account").click()
    guest.is_at("Check your email")
    guest.type_code(notes.house.outbox.code_for(address))
    guest.is_at("Continue to Notes?")
    guest.button("Continue").click()
    arrive(guest, notes)
    expect(guest.page.get_by_text(f'"email": "{address}", "email_verified": true, "groups": []')).to_be_visible()
    guest.link("Sign out").click()
    guest.is_at("You have left")
    guest.visit(notes.url)
    guest.is_at("Sign in")
    guest.field("Email address").fill(address)
    guest.field("Password").fill(PASSWORD)
    guest.button("Sign in").click()
    arrive(guest, notes)
    guest.visit("/account/data")
    guest.button("End access").click()
    guest.sees("The application's access has ended.")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_no_is_told_to_the_application(new_visitor, notes, way):
    guest = new_visitor(notes.house, way, others=[notes.url])
    address = a_new_address()
    guest.sign_up(address)
    guest.type_code(notes.house.outbox.code_for(address))
    guest.sees("Your account is ready.")
    guest.visit(notes.url)
    guest.is_at("Continue to Notes?")
    guest.button("Cancel").click()
    if notes.mode == "form_post" and not way.script:
        guest.button("Continue").click()
    guest.is_at("Not signed in")
    guest.sees("access_denied")

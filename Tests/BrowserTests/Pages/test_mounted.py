"""The site under `/auth` of a host that is an application's, through a real proxy."""

import re
from dataclasses import replace

import pytest
from house import PASSWORD
from mails import links_in
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT

# The same visits as at a host of one's own.
from test_forgotten_password import (  # noqa: F401
    test_a_forgotten_password_is_replaced,
    test_a_signed_in_visitor_changes_the_password,
)
from test_main_flow import test_a_person_signs_up_proves_the_mailbox_and_comes_and_goes  # noqa: F401
from test_passkeys import (  # noqa: F401
    member,
    owner,
    test_a_person_adds_a_passkey_and_signs_in_without_typing,
    test_after_the_password_a_passkey_is_asked_for_and_a_trusted_browser_is_asked_no_more,
    test_autofill_begins_with_the_first_event_on_the_page,
    test_in_a_trusted_browser_the_passkey_comes_before_the_form,
)
from test_sign_up_and_login import test_somebody_who_is_signed_in_is_not_asked_to_sign_in  # noqa: F401
from test_staying import EVERYBODY, test_a_walk_between_choice_and_forms, test_the_way_back_keeps_the_form  # noqa: F401


@pytest.fixture(scope="module")
def house(mounted_house):
    return mounted_house


@pytest.fixture
def visitor(new_visitor, house, way):
    """Pages fade at a host of one's own; here it would be the same."""
    return new_visitor(house, replace(way, motion=False))


@EVERYBODY
def test_an_application_at_another_path_is_found_again_after_signing_in(visitor, house, member):
    visitor.pardon(f"request to another host: http://localhost:{house.proxy_port}/app?x=1&y=%2F")
    visitor.visit("/login?return_to=%2Fapp%3Fx%3D1%26y%3D%252F")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("/app?x=1&y=%2F")
    assert visitor.page.url == f"http://localhost:{house.proxy_port}/app?x=1&y=%2F"


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_a_page_of_the_account_is_found_again_after_signing_in(visitor, house, member):
    visitor.visit("/account/devices")
    assert visitor.page.url == f"{house.url}/login?return_to=/auth/account/devices"
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.sees("This one")
    assert visitor.page.url == f"{house.url}/account/devices"


def test_no_link_but_that_to_a_provider_says_whether_to_stay(visitor, house):
    """Every path begins like those of providers here."""
    visitor.visit("/login")
    visitor.field("Keep me signed in").uncheck()
    visitor.change_form("Create an account")
    visitor.is_at("Create your account")
    assert visitor.page.url == f"{house.url}/signup"


def test_the_welcome_page_ends_what_was_typed(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.page.locator("a.brand").click()
    visitor.is_at("Vestibule")
    visitor.link("Sign in").click()
    visitor.is_at("Sign in")
    expect(visitor.field("Email address")).to_have_value("")


def test_a_password_is_judged_while_it_is_typed(visitor):
    visitor.visit("/signup")
    visitor.field("Password").fill(PASSWORD)
    visitor.sees("Strong")


@pytest.mark.parametrize("path", ["", "/"])
def test_the_path_itself_is_the_welcome_page(visitor, house, path):
    visitor.pardon(f"request to another host: {house.url}")
    visitor.page.goto(house.url + path)
    visitor.is_at("Vestibule")
    visitor.link("Sign in").click()
    visitor.is_at("Sign in")


def test_links_of_mails_open_pages_under_the_path(house, member):
    links = [link for mail in house.outbox.mails_to(member) for link in links_in(mail)]
    assert links and all(re.match(re.escape(house.url) + "(/|$)", link) for link in links)


def test_outside_of_the_path_the_server_has_nothing_for_people(house):
    house.mount = ""
    try:
        assert [house.ask("GET", path).status for path in ("/login", "/", "/css/vestibule.css")] == [404] * 3
        assert [house.ask("GET", path).status for path in ("/healthz", "/readyz", "/auth/login")] == [200] * 3
        moved = house.ask("GET", "/.well-known/change-password")
        assert (moved.status, moved.headers["Location"]) == (302, "/auth/account/password")
    finally:
        del house.mount

"""Signing in through a provider, in a real Chromium, with and without JavaScript; the providers are another site."""

import re
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest
from house import PASSWORD, a_new_address, text_of
from places import place_named
from playwright.sync_api import expect
from visitor import TERMS, WITH_AND_WITHOUT_SCRIPT, Way

EVERYBODY = pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)


@pytest.fixture
def guest(new_visitor, provider_house, way):
    visitor = new_visitor(provider_house, way)
    visitor.pardon("request to another host: http://127.0.0.1:")
    visitor.pardon("http://127.0.0.1:")
    visitor.pardon("cdn.jsdelivr.net")
    # What the mock's page wants from the network is not to be had here.
    visitor.context.route("https://cdn.jsdelivr.net/**", lambda route: route.abort())
    return visitor


def come_from_example(visitor, address: str) -> None:
    """At the mock, the address is the subject too; it was told the claims of those it knows."""
    visitor.page.wait_for_url(re.compile("^http://127.0.0.1:.*/oauth2/authorize"))
    visitor.page.get_by_role("button", name=address, exact=True).click()


@EVERYBODY
def test_somebody_new_signs_up_and_in_through_any_provider(guest, provider_house, way):
    person = provider_house.people[f"new-{way.script}"]
    guest.visit("/signup")
    guest.link("Continue with Example & Co").click()
    come_from_example(guest, person)
    guest.is_at("Almost there")
    guest.sees(f"Your account will use {person}.")
    guest.field("Name").fill("Ada Lovelace")
    guest.button("Create account").click()
    guest.is_told("Accept the terms to continue.", TERMS)
    guest.field(TERMS).check()
    guest.button("Create account").click()
    guest.is_at("Your account")
    guest.log_out()
    guest.is_at("Vestibule")
    guest.visit("/login?return_to=/account/email")
    guest.link("Continue with Example & Co").click()
    come_from_example(guest, person)
    guest.is_at("Change email address")


@EVERYBODY
def test_changing_ones_mind_leads_back_quietly(guest):
    guest.visit("/")
    guest.link("Continue with Example & Co").click()
    guest.page.get_by_role("button", name="Deny", exact=True).click()
    guest.is_at("Vestibule")
    expect(guest.page.locator(".notice")).to_have_count(0)


@EVERYBODY
def test_a_taken_address_is_connected_after_the_password(guest, provider_house, way):
    person = provider_house.people[f"taken-{way.script}"]
    provider_house.make_account(person)
    guest.visit("/login")
    guest.link("Continue with Example & Co").click()
    come_from_example(guest, person)
    guest.sees(f"You already have an account for {person}. Sign in to it once to connect Example & Co; after that, you can sign in with Example & Co, too.")
    guest.sees("Were you invited, have no password yet, or forgot it? Choose a password")
    guest.link("Sign in to connect").click()
    guest.field("Email address").fill(person)
    guest.field("Password").fill(PASSWORD)
    guest.button("Sign in").click()
    guest.sees(f"Connect Example & Co to your account {person}?")
    guest.button("Connect").click()
    guest.is_at("Security")
    guest.sees("You can now sign in that way.")
    assert "added" in provider_house.outbox.mail_to(person, number=3)["Subject"]


@EVERYBODY
def test_an_account_without_a_password_is_connected_after_a_sign_in_through_its_first_provider(guest, provider_house, way):
    person = provider_house.people[f"second-{way.script}"]
    provider_house.apple.tell(person={"sub": f"001234.second.{way.script}", "email": person})
    guest.visit("/signup")
    guest.link("Continue with Apple").click()
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.field(TERMS).check()
    guest.button("Create account").click()
    guest.is_at("Your account")
    guest.log_out()
    guest.is_at("Vestibule")
    guest.visit("/login")
    guest.link("Continue with Example & Co").click()
    come_from_example(guest, person)
    guest.link("Sign in to connect").click()
    guest.link("Continue with Apple").click()
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.sees(f"Connect Example & Co to your account {person}?")
    # What was proved a while ago is proved once more, at the first provider as well.
    guest.page.wait_for_load_state("networkidle")
    provider_house.let_proofs_grow_old()
    guest.button("Connect").click()
    guest.link("Sign in again with Apple").click()
    # Our page has such a button, too.
    guest.page.wait_for_url("**/auth/authorize?*")
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.sees("Thanks. You can continue now.")
    guest.button("Connect").click()
    guest.is_at("Security")
    guest.sees("You can now sign in that way.")


def go_without_a_password(guest, provider_house):
    """To the account page of somebody whose last proof is too old for changes."""
    place_named("account_without_a_password").go(guest)
    guest.page.wait_for_load_state("networkidle")
    provider_house.let_proofs_grow_old()


@EVERYBODY
def test_without_a_password_the_provider_is_the_only_way_on_from_the_question(guest, provider_house):
    go_without_a_password(guest, provider_house)
    guest.visit("/account/data")
    guest.button("Download your data").click()
    guest.is_at("Confirm it's you")
    expect(guest.page.get_by_role("main").get_by_role("button")).to_have_count(0)
    again = guest.link("Sign in again with Apple")
    expect(again).to_have_class(re.compile("button-strong"))
    again.click()
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.sees("Thanks. You can continue now.")


@EVERYBODY
def test_without_a_password_a_refused_deletion_says_so_at_the_top(guest, provider_house):
    go_without_a_password(guest, provider_house)
    guest.visit("/account/delete")
    word, place = guest.field("To confirm, type “delete”"), guest.page.locator("#current-password")
    link = place.get_by_role("link").last.bounding_box()
    label = guest.page.locator("label[for=delete-confirm]").bounding_box()
    assert label["y"] - link["y"] - link["height"] >= 16
    word.fill("delete")
    guest.button("Delete account for good").click()
    guest.is_told("Please sign in again first.")
    summary = guest.page.locator("#error-summary")
    expect(summary).to_be_focused()
    expect(place.get_by_text("Please sign in again first.")).to_have_count(1)
    summary.get_by_role("link").click()
    expect(place).to_be_focused()


def test_without_a_password_no_page_or_mail_says_that_one_is_asked_for(guest, provider_house):
    place_named("account_without_a_password").go(guest)
    main = guest.page.get_by_role("main")
    guest.sees("A code from your phone when you sign in.")
    expect(main).not_to_contain_text("after your password")
    guest.visit("/account/security/totp")
    expect(main).not_to_contain_text("after your password")
    guest.field("Code from the app").fill(pyotp.TOTP(guest.page.locator(".key").inner_text().replace(" ", "")).now())
    guest.button("Add the app").click()
    guest.sees("The app has been added.")
    guest.visit("/account/security/totp")
    guest.sees("We ask for a code from this app when you sign in.")
    guest.visit("/account")
    address = guest.page.locator("bdi[dir=ltr]").first.inner_text()
    mail = provider_house.outbox.mail_about(address, "An authenticator app was added")
    assert "We now ask for a code from it when you sign in." in text_of(mail)


def test_without_a_password_nobody_is_told_to_change_it(guest):
    place_named("account_without_a_password").go(guest)
    guest.visit("/account/activity")
    expect(guest.link("Change password")).to_have_count(0)
    guest.page.get_by_role("main").locator("section").get_by_role("link", name="Security").click()
    guest.is_at("Security")
    guest.page.get_by_role("main").get_by_role("link", name="Password", exact=True).click()
    guest.is_at("Choose a password")
    expect(guest.page.get_by_text("Remembered it?")).to_have_count(0)


@EVERYBODY
def test_a_member_adds_a_provider_and_removes_it(guest, provider_house, way):
    person, member = provider_house.people[f"added-{way.script}"], a_new_address()
    provider_house.make_account(member)
    guest.log_in(member)
    guest.link("Security").click()
    guest.link("Add Example & Co").click()
    come_from_example(guest, person)
    guest.sees("You can now sign in that way.")
    guest.remove("Remove")
    guest.sees("You can no longer sign in that way.")
    guest.link("Add Example & Co").wait_for()


@EVERYBODY
def test_adding_asks_for_the_password_once_and_goes_on(guest, provider_house, way):
    person, member = provider_house.people[f"asked-{way.script}"], a_new_address()
    provider_house.make_account(member)
    guest.log_in(member)
    guest.link("Security").click()
    expect(guest.page).to_have_title(re.compile("^Security"))
    # The server is away for a moment: what the page loads must have come before.
    guest.page.wait_for_load_state("networkidle")
    provider_house.let_proofs_grow_old()
    guest.link("Add Example & Co").click()
    guest.is_at("Confirm it's you")
    guest.field("Current password").fill(PASSWORD)
    guest.button("Continue").click()
    come_from_example(guest, person)
    guest.is_at("Security")
    guest.sees("You can now sign in that way.")


@EVERYBODY
def test_another_site_begins_nothing_by_itself(guest, provider_house, way):
    start = f"{provider_house.url}/auth/example"
    trap = f'<h1>Trap</h1><img src="{start}"><iframe src="{start}"></iframe><a href="{start}">Prize</a>'
    guest.context.route(
        "http://127.0.0.1:9/", lambda route: route.fulfill(body=trap, content_type="text/html"))
    # The browser says that image and frame were refused.
    guest.pardon(start)
    # It is loaded when picture and frame are.
    guest.visit("http://127.0.0.1:9/")
    guest.link("Prize").click()
    guest.is_at("Continue with Example & Co?")
    assert {cookie["name"] for cookie in guest.context.cookies()} == set()
    guest.log_in(provider_house.member)
    guest.is_at("Your account")
    guest.visit("http://127.0.0.1:9/")
    guest.link("Prize").click()
    guest.sees(f"You're signed in as {provider_house.member}.")
    guest.link("Continue with Example & Co").click()
    guest.page.wait_for_url(re.compile("^http://127.0.0.1:.*/oauth2/authorize"))


@EVERYBODY
def test_apple_answers_with_a_form_posted_from_another_site(guest, provider_house, way):
    relay = f"relay.{way.script}@privaterelay.appleid.com"
    provider_house.apple.tell(person={"sub": f"001234.{way.script}", "email": relay})
    guest.visit("/login")
    guest.link("Continue with Apple").click()
    guest.page.get_by_role("button", name="Cancel", exact=True).click()
    guest.is_at("Vestibule")
    guest.link("Continue with Apple").click()
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.is_at("Almost there")
    expect(guest.field("Name")).to_have_value("Ada Lovelace")
    guest.field(TERMS).check()
    guest.button("Create account").click()
    guest.is_at("Your account")
    guest.sees(relay)
    guest.log_out()
    guest.is_at("Vestibule")
    guest.visit("/login")
    guest.link("Continue with Apple").click()
    guest.page.get_by_role("button", name="Continue", exact=True).click()
    guest.is_at("Your account")
    guest.sees("Hello, Ada Lovelace.")


@EVERYBODY
def test_an_answer_to_nothing_gives_one_sentence(guest):
    guest.visit("/auth/example/callback?state=x&code=y")
    guest.is_at("Sign in")
    guest.sees("We couldn't complete that sign-in. Please try again.")


@pytest.mark.parametrize("scheme, background, words", [
    ("light", "rgb(0, 0, 0)", "rgb(255, 255, 255)"), ("dark", "rgb(255, 255, 255)", "rgb(0, 0, 0)"),
])
@pytest.mark.parametrize("path", ["/", "/login", "/signup"])
def test_apples_button_is_drawn_by_apples_rules(new_visitor, provider_house, path, scheme, background, words):
    visitor = new_visitor(provider_house, Way(screen="phone", scheme=scheme))
    visitor.visit(path)
    button = visitor.link("Continue with Apple")
    expect(button).to_have_css("background-color", background)
    expect(button).to_have_css("color", words)
    ours, other = button.bounding_box(), visitor.link("Continue with Example & Co").bounding_box()
    assert ours["height"] >= 44 and (ours["width"], ours["height"]) == (other["width"], other["height"])
    if path != "/":
        assert ours["y"] < visitor.field("Email address").bounding_box()["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_apples_button_is_black_where_light_dark_is_unknown(new_visitor, provider_house, scheme):
    visitor = new_visitor(provider_house, Way(scheme=scheme))
    sheet = provider_house.ask("GET", "/css/vestibule.css").text
    assert "light-dark(" in sheet
    unknown = {"body": sheet.replace("light-dark(", "unknown-function("), "content_type": "text/css"}
    visitor.page.route("**/vestibule.css*", lambda route: route.fulfill(**unknown))
    visitor.visit("/login")
    button = visitor.link("Continue with Apple")
    expect(button).to_have_css("background-color", "rgb(0, 0, 0)")
    expect(button).to_have_css("color", "rgb(255, 255, 255)")
    button.hover()
    expect(button).to_have_css("background-color", "rgb(34, 34, 34)")


@pytest.mark.parametrize("page, heading", [
    ("/signup", "Create your account"), ("/login", "Sign in"), ("/", "Vestibule"),
])
@EVERYBODY
def test_a_failure_is_told_where_one_came_from_and_the_wish_is_kept(guest, page, heading):
    guest.visit(f"{page}?return_to=/privacy")
    guest.link("Continue with Example & Co").click()
    guest.page.wait_for_url(re.compile("/oauth2/authorize"))
    asked = parse_qs(urlsplit(guest.page.url).query)
    # The provider says no, for a reason of its own.
    guest.visit(f"{asked['redirect_uri'][0]}?error=server_error&state={asked['state'][0]}")
    expect(guest.page).to_have_title(re.compile("^Error: "))
    expect(guest.page.get_by_role("alert")).to_have_text("We couldn't complete that sign-in. Please try again.")
    guest.is_at(heading)
    assert "return_to=/privacy" in guest.link("Continue with Example & Co").get_attribute("href")


def test_the_box_goes_along_to_the_provider(guest):
    guest.visit("/login")
    guest.field("Keep me signed in").uncheck()
    with guest.page.expect_request(re.compile("/auth/example")) as asked:
        guest.link("Continue with Example & Co").click()
    assert "remember=off" in asked.value.url

"""Everything by keyboard: where the focus goes, and that it can be seen."""

import re

import pytest
from house import PASSWORD
from keyboard import Keyboard
from places import at_every_place
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT, Way


@pytest.fixture
def keys(visitor):
    return Keyboard(visitor)


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_the_whole_way_can_be_walked_without_a_mouse(visitor, keys, outbox, address):
    visitor.visit("/")
    keys.tab_to("Create account")
    keys.press("Enter")
    visitor.is_at("Create your account")

    keys.fill("Name", "Ada Lovelace")
    keys.fill("Email address", "ada@example")
    keys.fill("Password", PASSWORD)
    keys.fill("Repeat password", PASSWORD)
    keys.press("Enter")
    expect(visitor.page).to_have_title(re.compile("^Error: "))
    if visitor.way.script:
        expect(visitor.page.locator("#error-summary")).to_be_focused()
    keys.tab_to("Enter an email address like name@example.com.")
    keys.press("Enter")
    expect(visitor.field("Email address")).to_be_focused()
    keys.press("Control+a")
    keys.type(address)
    if not visitor.way.script:
        keys.fill("Password", PASSWORD)
        keys.fill("Repeat password", PASSWORD)
    keys.tab_to("I accept the terms (opens in a new tab).")
    keys.press("Space")
    keys.tab_to("Create account")
    keys.press("Space")
    visitor.is_at("Check your email")

    keys.tab_to("Send again")
    keys.press("Enter")
    code = outbox.code_for(address, number=2)
    visitor.sees("The earlier one no longer works.")
    visitor.page.reload()
    expect(visitor.field("Code")).to_be_focused()
    keys.type(code)
    keys.press("Enter")

    visitor.is_at("Your account")
    # The notice, which has the focus, stands behind "Sign out", and is gone on reload.
    visitor.page.reload()
    keys.tab_to("Sign out")
    keys.press("Enter")
    visitor.is_at("Vestibule")
    keys.tab_to("Sign in")
    keys.press("Enter")
    visitor.is_at("Welcome back")
    keys.fill("Email address", address)
    keys.fill("Password", PASSWORD)
    keys.tab_to("Keep me signed in")
    keys.press("Space")
    keys.tab_to("Sign in")
    keys.press("Enter")
    visitor.is_at("Your account")


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_the_focus_goes_through_the_sign_up_in_reading_order(visitor, keys):
    visitor.visit("/signup")
    show, show_repeated = (["Show password"], ["Show repeated password"]) if visitor.way.script else ([], [])
    order = ["Skip to main content", "Vestibule", "Language: English", "Name", "Email address", "Password", *show]
    order += ["Repeat password", *show_repeated]
    order += ["I accept the terms (opens in a new tab).", "terms (opens in a new tab)", "Keep me signed in", "Create account"]
    order += ["Sign in", "Terms", "Privacy"]
    assert [keys.tab() for _ in order] == order


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_the_focus_goes_through_a_refused_page_of_the_account_in_reading_order(visitor, keys, member):
    visitor.is_signed_in(member)
    visitor.visit("/account/password")
    visitor.page.get_by_role("main").locator("[type=submit]").click()
    summary = visitor.page.locator("#error-summary")
    expect(summary).to_be_focused()
    seen = [visitor.page.get_by_role("main").locator(each).first for each in (".sections a", "#error-summary", "input[type=password]")]
    heights = [each.bounding_box()["y"] for each in seen]
    assert heights == sorted(heights)
    keys.press("Shift+Tab")
    expect(visitor.link("Your data")).to_be_focused()


@pytest.mark.parametrize("path", ("/", "/login", "/signup", "/terms"))
def test_the_skip_link_shows_itself_and_leads_past_the_header(visitor, keys, path):
    visitor.visit(path)
    skip = visitor.link("Skip to main content")
    expect(skip).not_to_be_in_viewport()
    keys.tab()
    expect(skip).to_be_in_viewport()
    keys.press("Enter")
    main = visitor.page.get_by_role("main")
    expect(main).to_be_focused()
    keys.tab()
    expect(main.locator(":focus") if path != "/terms" else visitor.link("Terms")).to_be_focused()


def test_a_focus_that_cannot_be_seen_would_be_noticed(visitor, keys):
    def spoil(route):
        answer = route.fetch()
        style = answer.text() + "* { outline: none !important; box-shadow: none !important; }"
        route.fulfill(response=answer, body=style)

    visitor.page.route("**/css/vestibule.css*", spoil)
    visitor.visit("/login")
    with pytest.raises(AssertionError, match="cannot be seen"):
        keys.tab()


@at_every_place(but=lambda place: place.needs_script)
def test_a_refusal_or_notice_takes_the_focus_without_script_and_nothing_else_asks_for_it(visitor_at, place):
    page = visitor_at(place, Way(script=False)).page
    said, asks = page.locator("#error-summary, #notice"), page.locator("[autofocus]")
    assert asks.count() <= 1
    # Where nothing can be typed, the sentence itself takes the focus.
    if "refused" in place.name:
        assert asks.count() == 1
    if said.count():
        assert asks.get_attribute("id") in ("error-summary", "notice")
        expect(asks).to_be_focused()

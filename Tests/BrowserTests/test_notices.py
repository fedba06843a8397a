"""What a page says of the step before: once, heard and seen, and nothing of it stays."""

import re
from datetime import datetime, timezone

import engines
import pytest
from caller import Caller
from house import PASSWORD
from playwright.sync_api import expect
from visitor import EVERY_PAIR, WITH_AND_WITHOUT_SCRIPT, Way

every_way = pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
SAVED = "Your name has been saved."
SECTIONS = {
    "Profile": "/account", "Security": "/account/security", "Devices": "/account/devices",
    "Activity": "/account/activity", "Your data": "/account/data",
}


def save_name(visitor, member: str) -> None:
    visitor.log_in(member)
    visitor.is_at("Your account")
    visitor.field("Name").fill("Ada Lovelace")
    visitor.button("Save").click()
    visitor.sees(SAVED)


def heard(visitor) -> str:
    """What a screen reader finds on the page, in its order."""
    return visitor.page.locator("body").aria_snapshot()


@pytest.mark.parametrize("way", EVERY_PAIR, ids=str)
def test_a_notice_takes_the_focus_and_is_gone_on_reload(visitor, member):
    save_name(visitor, member)
    expect(visitor.page).to_have_url(re.compile("/account$"))
    expect(visitor.page).to_have_title(re.compile("^Saved: Your account"))
    notice = visitor.page.get_by_role("region", name="Your account").get_by_role("status")
    expect(notice).to_have_text(SAVED)
    expect(notice).to_be_focused()
    expect(notice).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate("scrollY") == 0
    assert f"- status: {SAVED}" in heard(visitor)
    visitor.page.reload()
    expect(visitor.page).to_have_title(re.compile("^Your account"))
    expect(visitor.page.get_by_text(SAVED)).to_have_count(0)
    assert [cookie for cookie in visitor.context.cookies() if "flash" in cookie["name"]] == []


@every_way
def test_going_on_and_back_does_not_say_it_again(visitor, member):
    save_name(visitor, member)
    visitor.link("Devices").click()
    expect(visitor.page).to_have_title(re.compile("^Devices"))
    visitor.page.go_back()
    expect(visitor.page).to_have_title(re.compile("^Your account"))
    expect(visitor.page.get_by_text(SAVED)).to_have_count(0)


@every_way
def test_a_failure_is_heard_as_an_alert(visitor):
    visitor.visit(f"/account/email/undo?token={'A' * 43}")
    expect(visitor.page).to_have_title(re.compile("^Error: Sign in"))
    expect(visitor.page.locator("main").get_by_role("alert")).to_be_focused()
    assert re.search('- alert: "?That link has been used or is older than 7 days[.]', heard(visitor))


@every_way
def test_a_new_account_is_greeted_once_by_name(visitor, outbox, address):
    visitor.sign_up(address, name="Grace")
    visitor.type_code(outbox.code_for(address))
    visitor.is_at("Your account")
    visitor.sees(re.compile("^Welcome, Grace. Your account is ready."))
    visitor.page.reload()
    expect(visitor.page.get_by_text("Your account is ready")).to_have_count(0)


@every_way
def test_a_visitor_who_signs_out_is_told_so_once(visitor, member):
    visitor.log_in(member)
    visitor.is_at("Your account")
    visitor.log_out()
    visitor.is_at("Vestibule")
    expect(visitor.page.locator("main").get_by_role("status")).to_have_text("You're signed out.")
    expect(visitor.page).to_have_title(re.compile("^Done: Welcome"))
    visitor.page.reload()
    expect(visitor.page.locator("main").get_by_role("status")).to_have_count(0)


@every_way
def test_a_session_that_has_ended_is_said_and_led_back(visitor, house, address):
    house.make_account(address)
    visitor.log_in(address)
    visitor.is_at("Your account")
    Caller(house).log_in(address).post("/account/sessions/end-others")
    visitor.link("Devices").click()
    visitor.is_at("Welcome back")
    visitor.sees("You have been signed out. Please sign in again.")
    visitor.field("Email address").fill(address)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    expect(visitor.page).to_have_url(re.compile("/account/devices$"))


@every_way
def test_a_page_that_is_out_of_date_comes_back_filled(visitor, house, address):
    house.make_account(address)
    visitor.log_in(address)
    visitor.is_at("Your account")
    other = visitor.context.new_page()
    other.goto("/account")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Vestibule")
    other.goto("/login")
    other.get_by_label("Email address").fill(address)
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Your account")

    visitor.field("Name").fill("Ada King")
    visitor.button("Save").click()
    visitor.is_told("This page was out of date. Check and send again.")
    expect(visitor.field("Name")).to_have_value("Ada King")
    assert "This page was out of date. Check and send again." in heard(visitor)
    visitor.button("Save").click()
    visitor.sees(SAVED)
    visitor.sees("Hello, Ada King.")


@every_way
def test_a_sign_out_that_fails_says_so(new_visitor, open_house, way, address):
    house = open_house()
    house.make_account(address)
    visitor = new_visitor(house, way)
    visitor.log_in(address)
    visitor.is_at("Your account")
    visitor.pardon("503")
    with engines.without_writing(house.folder):
        visitor.log_out()
        visitor.sees("Something went wrong on our side, and you're still signed in. Please try again.")
    visitor.visit("/account")
    visitor.is_at("Your account")
    visitor.log_out()
    visitor.sees("You're signed out.")


@pytest.mark.parametrize("way", [Way(screen="phone"), Way(screen="phone", script=False)], ids=str)
def test_a_notice_keeps_clear_of_what_stands_below_it(visitor, house, address):
    house.make_account(address)
    Caller(house).log_in(address)
    visitor.log_in(address)
    visitor.is_at("Your account")
    visitor.visit("/account/devices")
    visitor.button("Sign out everywhere else").click()
    visitor.page.locator("#notice").wait_for()
    gap = visitor.page.locator("#notice").evaluate("""notice =>
        notice.nextElementSibling.getBoundingClientRect().top - notice.getBoundingClientRect().bottom""")
    assert gap >= 15.5


# The sections


@pytest.mark.parametrize("way", [Way(screen="phone"), Way(screen="phone", script=False)], ids=str)
def test_every_section_is_at_most_two_screens_of_a_phone(visitor, house, address):
    house.make_account(address)
    for number in range(8):
        Caller(house, user_agent=f"Mozilla/5.0 (X11; Linux x86_64) Firefox/14{number}.0").log_in(address)
    visitor.log_in(address)
    visitor.is_at("Your account")
    for name, path in SECTIONS.items():
        visitor.link(name).click()
        expect(visitor.page).to_have_url(re.compile(f"{path}$"))
        expect(visitor.link(name)).to_have_attribute("aria-current", "page")
        assert visitor.page.evaluate("document.documentElement.scrollHeight") <= 2 * 844


@every_way
def test_a_device_is_a_line_and_says_more_when_asked(visitor, house, address, way):
    house.make_account(address)
    visitor.log_in(address)
    visitor.is_at("Your account")
    visitor.visit("/account/devices")
    own = visitor.page.get_by_role("region", name="Where you're signed in").get_by_role("listitem").first
    expect(own.locator("summary")).to_have_text(re.compile(r"^Chrome on Linux, [\d.:]+\s+Active now ·\s[\d.:]+\s+This one$"))
    expect(own.get_by_text("IP address")).to_be_hidden()
    own.locator("summary").click()
    expect(own.get_by_text("IP address")).to_be_visible()


@pytest.mark.parametrize("language", ["en-US", "de-DE", "ar"])
def test_a_badge_in_a_row_of_its_own_begins_where_the_text_does(new_visitor, house, address, language):
    house.make_account(address)
    visitor = new_visitor(house, Way(size=(240, 640), language=language))
    sign_in(visitor, house, address)
    visitor.visit("/account/devices")
    badge = visitor.page.locator("summary .badge")
    sides = badge.evaluate("""badge => [badge, badge.closest(".what")].map(each => each.getBoundingClientRect())
        .map(({left, right, top}) => [left, right, top])""")
    own, row = sides
    assert own[2] > row[2] + 20
    assert abs(own[1] - row[1] if language == "ar" else own[0] - row[0]) < 1


# Times


@pytest.mark.parametrize("language, said", [("en-US", "just now"), ("de-DE", "gerade eben"), ("ar", "الآن")])
def test_what_is_less_than_a_minute_old_was_just_now(new_visitor, house, address, language, said):
    house.make_account(address)
    visitor = new_visitor(house, Way(language=language))
    sign_in(visitor, house, address)
    for path in ("/account/activity", "/account/data"):
        visitor.visit(path)
        expect(visitor.page.locator("main time").first).to_have_text(said)


@pytest.mark.parametrize("language, said", [("en-US", "2 hours ago"), ("de-DE", "vor 2 Stunden")])
def test_times_are_said_as_people_say_them(new_visitor, house, address, language, said):
    house.make_account(address)
    # Where it is eight in the morning, so that it is the same day two hours later.
    ahead = (8 - datetime.now(timezone.utc).hour + 12) % 24 - 12
    visitor = new_visitor(house, Way(language=language), timezone_id=f"Etc/GMT{-ahead:+d}")
    sign_in(visitor, house, address)
    visitor.page.clock.install()
    visitor.page.clock.fast_forward("02:10:00")
    visitor.visit("/account/activity")
    first = visitor.page.locator("main time").first
    expect(first).to_have_text(said)
    assert re.search(r"20\d\d", first.get_attribute("title"))


@pytest.mark.parametrize("language, said", [("en-US", "1 day ago"), ("de-DE", "vor 1 Tag")])
def test_a_day_is_no_word_of_the_calendar_where_hours_are_counted(new_visitor, house, address, language, said):
    house.make_account(address)
    visitor = new_visitor(house, Way(language=language))
    sign_in(visitor, house, address)
    visitor.page.clock.install()
    # One midnight lies between, or two.
    visitor.page.clock.fast_forward(45 * 3_600_000)
    visitor.visit("/account/data")
    expect(visitor.page.locator("main time").first).to_have_text(said)


@pytest.mark.parametrize("language, said", [
    ("en-GB", r"^\d{1,2} [A-Z]"), ("en-US", r"^[A-Z][a-z]+ \d"), ("ar-EG", r"^[0-9]{1,2} "),
])
def test_dates_are_written_as_the_country_of_the_browser_does(new_visitor, house, address, language, said):
    house.make_account(address)
    visitor = new_visitor(house, Way(language=language))
    sign_in(visitor, house, address)
    visitor.visit("/account/data")
    expect(visitor.page.locator("main time").first).to_have_attribute("title", re.compile(said))
    visitor.page.clock.install()
    visitor.page.clock.fast_forward(10 * 86_400_000)
    visitor.visit("/account/activity")
    expect(visitor.page.locator(".day").first).to_have_text(re.compile(said))


def test_a_language_of_the_browser_that_is_no_tag_is_passed_over(new_visitor, house, address):
    house.make_account(address)
    visitor = new_visitor(house, Way())
    visitor.page.add_init_script("Object.defineProperty(navigator, 'languages', {value: ['en-US@posix']})")
    sign_in(visitor, house, address)
    visitor.visit("/account/activity")
    expect(visitor.page.locator("main time").first).to_have_text("just now")


def test_without_script_times_are_dates_with_their_zone(new_visitor, house, address):
    house.make_account(address)
    for language, date in (("en-US", r"^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC$"),
                           ("de-DE", r"^\d{1,2}\. [A-Z][a-zä]+ \d{4}, \d\d:\d\d Uhr \(UTC\)$")):
        visitor = new_visitor(house, Way(script=False, language=language))
        sign_in(visitor, house, address)
        visitor.visit("/account/activity")
        expect(visitor.page.locator("main time").first).to_have_text(re.compile(date))


def sign_in(visitor, house, address: str) -> None:
    """In whatever language."""
    cookies = Caller(house).log_in(address).cookies
    for name, value in cookies.items():
        visitor.context.add_cookies([{"name": name, "value": value, "url": house.url}])

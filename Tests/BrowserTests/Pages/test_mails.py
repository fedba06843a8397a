"""Mails as a mailbox shows them: light and dark, nothing fetched from anywhere, one code at most."""

import re
from urllib.parse import urlsplit

import pytest
from axe import ABOUT_COLOURS, violations
from house import PASSWORD, House, codes_in, heading_of, text_of
from mails import at_every_kind, letter, links_in, new_sign_in
from playwright.sync_api import expect
from visitor import Visitor, Way

WITH_A_CODE = {"signup_code", "signup_taken", "password_reset", "email_change_code", "email_undo_code", "invitation", "reset_requested"}
# Where links lead, by kind; the foot of every mail names the house.
LINKS = {
    "signup_taken": {"/login", "/reset"}, "password_changed": {"/reset"}, "password_set": {"/reset"}, "password_replaced": {"/reset"},
    "email_changed": {"/account/email/undo"}, "email_restored": {"/login", "/reset"},
    "new_sign_in": {"/account/password", "/reset"}, "new_sign_ins": {"/account/security", "/reset"},
    "identity_added": {"/reset"}, "identity_removed": {"/reset"},
    "totp_added": {"/account/security/undo"}, "totp_removed": {"/reset"},
    "recovery_codes_made": {"/reset"},
    "passkey_added": {"/account/security/undo"}, "passkey_removed": {"/reset"},
    "passkey_second_step": {"/account/security/undo"}, "factor_taken_back": {"/reset"}, "second_step_refused": {"/account/password"},
    "recovery_code_used": {"/reset"}, "factor_removal_asked": {"/login"}, "factors_removed": {"/reset"},
    "invitation": {"/reset/continue"}, "reset_requested": {"/reset/continue"},
}


# What a visitor did to an account: its owner reads when, where and in which browser.
BY_SOMEBODY = {
    "password_changed", "password_set", "password_replaced", "email_changed", "email_restored", "new_sign_in", "identity_added",
    "identity_removed", "totp_added", "totp_removed", "recovery_codes_made", "recovery_code_used", "passkey_added",
    "passkey_removed", "passkey_second_step", "factor_taken_back", "second_step_refused",
    "account_deleted",
}


@pytest.fixture
def mail(sender, kind):
    return letter(sender, kind).mail


# For the session, as a worker goes from kind to kind, and from module to module with each.
@pytest.fixture(scope="session")
def readers(chromium, house):
    """By the way in which they came; each reads one mail after the other."""
    readers = {}
    yield readers
    for reader in readers.values():
        reader.context.close()


@pytest.fixture
def opened(mail, chromium, house, readers):
    """Opens the mail as a mailbox shows it."""
    used = []

    def show(way: Way = Way()) -> Visitor:
        if way not in readers:
            readers[way] = Visitor(chromium, house, way)
        if readers[way] not in used:
            readers[way].forget()
        used.append(readers[way])
        used[-1].page.set_content(mail.get_body(("html",)).get_content())
        return used[-1]

    yield show
    assert [complaint for reader in used for complaint in reader.unpardoned()] == []


@at_every_kind
def test_a_mail_is_plain_text_first_and_html_second(mail):
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    for header in ("From", "To", "Subject", "Date", "Message-ID"):
        assert len(mail.get_all(header)) == 1
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.defects == []


@at_every_kind
def test_the_lines_of_the_text_are_short_but_for_links(mail):
    lines = [line for line in text_of(mail).splitlines() if not line.strip().startswith("http")]
    assert max(map(len, lines)) < 79


@at_every_kind
def test_nothing_is_left_to_fill_in(mail):
    for text in (mail["Subject"], text_of(mail), mail.get_body(("html",)).get_content()):
        assert not re.search(r"\{\{|\}\}|\[\[|\]\]|\bmail\.\w", text)


@at_every_kind
def test_there_is_one_code_or_none(mail, kind):
    assert len(codes_in(text_of(mail))) == (1 if kind in WITH_A_CODE else 0)
    assert codes_in(mail["Subject"]) == codes_in(text_of(mail))


@at_every_kind
def test_a_code_comes_first_in_the_subject_and_in_the_preview(mail, kind, opened):
    """What a list of mails shows is the subject and the first words, hidden ones among them."""
    words = opened().page.evaluate("document.body.textContent").split()
    if kind not in WITH_A_CODE:
        assert codes_in(" ".join(words)) == []
        return
    code = codes_in(text_of(mail))[0]
    assert mail["Subject"].startswith(f"{code} is your Vestibule code")
    assert words[0] == code and text_of(mail).splitlines()[0] == f"Your code: {code}"


@at_every_kind
def test_a_mail_has_a_mark_a_heading_and_at_most_one_button(mail, kind, opened):
    reader = opened()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(heading_of(mail))
    assert reader.page.locator(".frame .door").count() == 1
    buttons = reader.page.locator("a.button")
    assert buttons.count() == (1 if kind in LINKS else 0)
    for button in buttons.all():
        assert button.bounding_box()["height"] >= 44
    # Links have words; the address of the house stands at the foot alone.
    named = [link.inner_text() for link in reader.page.locator("a").all()]
    assert [each for each in named if "://" in each] == [house_of(mail)] and all(named)


def house_of(mail) -> str:
    """The last line of the text."""
    return text_of(mail).rstrip().splitlines()[-1]


@at_every_kind
def test_a_link_has_its_words_in_the_text_and_fits_on_two_lines(mail):
    lines = [line.strip() for line in text_of(mail).splitlines()]
    for above, line in zip(lines, lines[1:]):
        if line.startswith("http") and line != house_of(mail):
            assert above.endswith(":") and len(line) < 2 * 79


@at_every_kind
def test_what_somebody_did_is_said_with_time_place_and_browser_first_in_the_preview(mail, kind, opened):
    words = opened().page.evaluate("document.body.textContent.trim()")
    told = re.search(r"Time: (.+)\n +IP address: (.+)\n +Browser: (.+)\n", text_of(mail).replace("\r\n", "\n"))
    assert bool(told) == (kind in BY_SOMEBODY)
    if told:
        assert words.startswith(f"{told[1]} · {told[2]} · {told[3]}")
        assert re.fullmatch(r"\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d UTC", told[1])
        assert told[2] == "127.0.0.1"


@at_every_kind
def test_the_heading_is_not_said_again_below_it(mail):
    heading, *rest = [line for line in text_of(mail).splitlines() if line and not line.startswith("Your code:")]
    assert not any(line.startswith(heading) for line in rest)


@at_every_kind
def test_the_html_says_the_same_and_fetches_nothing(mail, opened):
    assert not re.search(r"<(script|img|link|form|iframe)\b|url\(|@import", mail.get_body(("html",)).get_content())
    reader = opened(Way(size=(360, 700)))
    for scheme, checks in {"light": {"tags": ["wcag2a", "wcag2aa"]}, "dark": {"rules": ABOUT_COLOURS}}.items():
        reader.page.emulate_media(color_scheme=scheme)
        seen = reader.page.locator("body").inner_text()
        assert codes_in(seen) == codes_in(text_of(mail))
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360
        results = violations(reader.page, **checks)
        assert results.violations_count == 0, f"{scheme}: {results.generate_report()}"
    assert reader.requests == []


@at_every_kind
def test_links_in_a_mail_lead_to_the_house_and_nowhere_else(mail, kind, sender):
    links = links_in(mail)
    assert all(link == sender.url or link.startswith(f"{sender.url}/") for link in links)
    assert {urlsplit(link).path for link in links} - {"", "/"} == LINKS.get(kind, set())


def test_a_sign_in_from_a_new_browser_is_described(house):
    text = text_of(new_sign_in(house).mail)
    assert "caller" in text and "127.0.0.1" in text.split()
    assert re.search(r"\b\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d UTC\s", text)


def test_a_change_of_address_does_not_give_the_new_one_away(house):
    found = letter(house, "email_changed")
    for part in ("plain", "html"):
        assert found.address not in found.mail.get_body((part,)).get_content()
    assert f"{found.address[0]}•••@example.com" in text_of(found.mail)


def signed_up(house: House, address: str, **headers: str):
    form = {"display_name": "Ada", "email": address, "password": PASSWORD, "terms": "accepted"}
    house.ask("POST", "/signup", form | {"password_confirmation": PASSWORD}, **headers)
    return house.outbox.mail_to(address)


@pytest.mark.parametrize("language, direction, subject", [
    ("en", "ltr", "{} is your Vestibule code"), ("de", "ltr", "{} ist Ihr Code für Vestibule"),
    ("ar", "rtl", "{} هو رمزك لدى Vestibule"),
])
def test_a_mail_speaks_the_language_of_the_page(house, address, language, direction, subject):
    mail = signed_up(house, address, Accept_Language=language)
    assert f'<html lang="{language}" dir="{direction}">' in mail.get_body(("html",)).get_content()
    assert mail["Subject"] == subject.format(house.outbox.code_for(address))
    assert mail.defects == [] and all(part.defects == [] for part in mail.walk())


def test_a_long_brand_makes_no_mail_wider_than_a_phone(open_house, new_visitor, address):
    branded = open_house(VESTIBULE_BRAND_NAME="Donaudampfschifffahrtsgesellschaft" * 2)
    reader = new_visitor(branded, Way(size=(360, 700)))
    reader.page.set_content(signed_up(branded, address).get_body(("html",)).get_content())
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_hostile_brand_stays_within_the_subject(open_house, house, address):
    brand = 'Tür ♥ =?utf-8?q?=0D=0ABcc:_a@b?= <x@y.example>, "&co"; ' + "x" * 100
    branded = open_house(VESTIBULE_BRAND_NAME=brand)
    hostile = signed_up(branded, address)
    assert hostile["Subject"] == f"{codes_in(text_of(hostile))[0]} is your {brand} code"
    assert hostile.keys() == signed_up(house, address).keys()
    assert hostile.defects == []
    raw = next(branded.outbox.folder.glob("*.eml")).read_bytes()
    assert all(len(line) <= 78 and line.isascii() for line in raw.split(b"\r\n"))

"""Mails as a mailbox shows them: light and dark, nothing fetched from anywhere, one code at most."""

import re
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from house import PASSWORD, House, codes_in, text_of
from mails import KINDS, SENDERS, letter, links_in, new_sign_in
from visitor import Way

WITH_A_CODE = {"signup_code", "signup_taken", "password_reset", "email_change_code", "email_undo_code", "invitation", "reset_requested"}
# Where links lead, by kind; the foot of every mail names the house.
LINKS = {
    "signup_taken": {"/login", "/reset"}, "password_changed": {"/reset"}, "password_replaced": {"/reset"},
    "email_changed": {"/account/email/undo"}, "email_restored": {"/login", "/reset"},
    "new_sign_in": {"/account/password", "/reset"}, "new_sign_ins": {"/account/password", "/reset"},
    "identity_added": {"/account", "/reset"}, "identity_removed": {"/account", "/reset"},
    "invitation": {"/reset/continue"}, "reset_requested": {"/reset/continue"},
}


@pytest.fixture(params=KINDS)
def kind(request) -> str:
    return request.param


@pytest.fixture
def sender(request, kind) -> House:
    return request.getfixturevalue(SENDERS.get(kind, "house"))


@pytest.fixture
def mail(sender, kind):
    return letter(sender, kind).mail


def test_a_mail_is_plain_text_first_and_html_second(mail):
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    for header in ("From", "To", "Subject", "Date", "Message-ID"):
        assert len(mail.get_all(header)) == 1
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.defects == []


def test_the_lines_of_the_text_are_short_but_for_links(mail):
    lines = [line for line in text_of(mail).splitlines() if not line.strip().startswith("http")]
    assert max(map(len, lines)) < 79


def test_nothing_is_left_to_fill_in(mail):
    for text in (mail["Subject"], text_of(mail), mail.get_body(("html",)).get_content()):
        assert not re.search(r"\{\{|\}\}|\[\[|\]\]|\bmail\.\w", text)


def test_there_is_one_code_or_none(mail, kind):
    assert len(codes_in(text_of(mail))) == (1 if kind in WITH_A_CODE else 0)
    assert codes_in(mail["Subject"]) == []


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_the_html_says_the_same_and_fetches_nothing(mail, new_visitor, house, scheme):
    html = mail.get_body(("html",)).get_content()
    reader = new_visitor(house, Way(scheme=scheme, size=(360, 700)))
    requests = []
    reader.page.on("request", lambda request: requests.append(request.url))
    reader.page.set_content(html)
    seen = reader.page.locator("body").inner_text()
    assert codes_in(seen) == codes_in(text_of(mail))
    assert requests == []
    assert not re.search(r"<(script|img|link|form|iframe)\b|url\(|@import", html)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360
    results = Axe().run(reader.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert results.violations_count == 0, results.generate_report()


def test_links_in_a_mail_lead_to_the_house_and_nowhere_else(mail, kind, sender):
    links = links_in(mail)
    assert all(link == sender.url or link.startswith(f"{sender.url}/") for link in links)
    assert {urlsplit(link).path for link in links} - {"", "/"} == LINKS.get(kind, set())


def test_a_sign_in_from_a_new_browser_is_described(house):
    text = text_of(new_sign_in(house).mail)
    assert "caller" in text and "127.0.0.*" in text and "UTC" in text


def test_a_change_of_address_does_not_give_the_new_one_away(house):
    found = letter(house, "email_changed")
    for part in ("plain", "html"):
        assert found.address not in found.mail.get_body((part,)).get_content()
    assert f"{found.address[0]}•••@example.com" in text_of(found.mail)


def test_a_mail_speaks_the_language_of_the_page(house, address):
    form = {"display_name": "Ada", "email": address, "password": PASSWORD, "terms": "accepted"}
    form["password_confirmation"] = form["password"]
    house.ask("POST", "/signup", form, Accept_Language="de")
    mail = house.outbox.mail_to(address)
    assert '<html lang="de" dir="ltr">' in mail.get_body(("html",)).get_content()
    assert "Code" in mail["Subject"] and "code" not in mail["Subject"]

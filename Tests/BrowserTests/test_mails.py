"""Mails as a mailbox shows them: light and dark, nothing fetched from anywhere, one code."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from house import PASSWORD, House
from mails import new_mail, taken_mail
from visitor import Way

CODE = re.compile(r"(?<!\d)\d{6}(?!\d)")
KINDS = {"new": new_mail, "taken": taken_mail}


@pytest.fixture(params=KINDS)
def mail(request, house):
    return KINDS[request.param](house)


def text_of(mail) -> str:
    return mail.get_body(("plain",)).get_content()


def test_a_mail_is_plain_text_first_and_html_second(mail):
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    for header in ("From", "To", "Subject", "Date", "Message-ID"):
        assert len(mail.get_all(header)) == 1
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.defects == []


def test_the_lines_of_the_text_are_short(mail):
    assert max(len(line) for line in text_of(mail).splitlines()) < 79


def test_the_code_is_the_only_number_of_six_digits(mail):
    assert len(CODE.findall(text_of(mail))) == 1
    assert CODE.findall(mail["Subject"]) == []


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_the_html_says_the_same_and_fetches_nothing(mail, new_visitor, house, scheme):
    html = mail.get_body(("html",)).get_content()
    reader = new_visitor(house, Way(scheme=scheme, size=(360, 700)))
    requests = []
    reader.page.on("request", lambda request: requests.append(request.url))
    reader.page.set_content(html)
    seen = reader.page.locator("body").inner_text()
    assert CODE.findall(seen) == CODE.findall(text_of(mail))
    assert requests == []
    assert not re.search(r"<(script|img|link|form|iframe)\b|url\(|@import", html)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360
    results = Axe().run(reader.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert results.violations_count == 0, results.generate_report()


def test_links_in_a_mail_lead_to_the_house_and_do_nothing_by_themselves(mail, house: House):
    links = re.findall(r'href="([^"]+)"', mail.get_body(("html",)).get_content())
    assert set(links) <= {house.url, f"{house.url}/", f"{house.url}/login"}


def test_a_mail_speaks_the_language_of_the_page(house, address):
    form = {"display_name": "Ada", "email": address, "password": PASSWORD, "terms": "accepted"}
    form["password_confirmation"] = form["password"]
    house.ask("POST", "/signup", form, Accept_Language="de")
    mail = house.outbox.mail_to(address)
    assert '<html lang="de" dir="ltr">' in mail.get_body(("html",)).get_content()
    assert "Code" in mail["Subject"] and "code" not in mail["Subject"]

"""Programs that open every link of every mail, as some mailboxes do, change nothing by it."""

import re
from urllib.parse import urlsplit

import pytest
from caller import Caller
from house import House, codes_in, text_of
from mails import NEW_PASSWORD, at_every_kind, email_changed, letter, links_in, take_back, twice
from visitor import Visitor, Way

MOMENT = re.compile(r"<time .*?</time>")

SECTIONS = ["/account", "/account/security", "/account/devices", "/account/activity", "/account/data"]


# For the session, as a worker goes from kind to kind, and from module to module with each.
@pytest.fixture(scope="session")
def scan(chromium):
    """Asks for every link of a mail, then opens it in a browser and lets its scripts run."""
    scanners: dict[House, Visitor] = {}

    def scan(mail, house: House, cookies: dict[str, str] | None = None) -> None:
        if house not in scanners:
            scanners[house] = Visitor(chromium, house, Way())
            scanners[house].page.clock.install()
        visitor = scanners[house]
        visitor.forget()
        visitor.context.clear_cookies()
        for name, value in (cookies or {}).items():
            visitor.context.add_cookies([{"name": name, "value": value, "url": house.url}])
        for link in links_in(mail):
            address = urlsplit(link)
            for method in ("HEAD", "GET"):
                assert house.ask(method, f"{address.path or '/'}?{address.query}").status in (200, 303)
            visitor.visit(link)
            visitor.let_time_pass()
        # The login page asks what a passkey is to sign, which writes nothing.
        assert set(visitor.sent) <= {"/login/passkey/options"}
        assert visitor.unpardoned() == []

    yield scan
    for scanner in scanners.values():
        scanner.context.close()


@at_every_kind
def test_opening_every_link_of_a_mail_changes_nothing(sender, scan, kind):
    house, found = sender, letter(sender, kind)
    if found.address is None:
        return scan(found.mail, house)
    owner = Caller(house).log_in(found.address, found.password)
    before = [MOMENT.sub("(moment)", owner.get(section).text) for section in SECTIONS]
    scan(found.mail, house)
    scan(found.mail, house, cookies=owner.cookies)
    after = [owner.get(section) for section in SECTIONS]
    assert [page.status for page in after] == [200] * len(SECTIONS)
    assert [MOMENT.sub("(moment)", page.text) for page in after] == before
    assert f'<bdi dir="ltr">{found.address}</bdi>' in after[0].text
    Caller(house).log_in(found.address, found.password)


def test_a_way_back_to_a_former_address_still_works_after_a_scan(house, scan):
    found = email_changed(house)
    old = found.mail["To"].addresses[0].addr_spec
    # The other mail on its way to that address, of the sign-in before the change.
    house.outbox.mail_about(old, "New sign-in to your account")
    before = len(house.outbox.mails_to(old))
    scan(found.mail, house)
    assert len(house.outbox.mails_to(old)) == before
    take_back(house, old)
    Caller(house).log_in(old, NEW_PASSWORD)


def test_a_code_still_works_after_a_scan(house, scan, address):
    house.make_account(address)
    owner = Caller(house)
    owner.post("/reset", email=address)
    mail = house.outbox.mail_about(address, "Your code for a new password")
    scan(mail, house)
    owner.post("/reset/verify", code=codes_in(text_of(mail))[0], **twice(NEW_PASSWORD))
    Caller(house).log_in(address, NEW_PASSWORD)

"""The HTML of every page, refused form and mail, as sent, through the Nu checker."""

import pytest
from mails import at_every_kind, letter
from places import Place, at_every_place
from visitor import Way


# Outlook's own property, which gives the buttons of mails their room; no other program reads it.
OUTLOOK = " mso-padding-alt: 12px 24px;"


def cannot_be_read(place: Place) -> bool:
    """The page that leads on to a provider by itself is gone before it can be read."""
    return place.needs_script or place.name == "on_the_way_to_a_provider"


@at_every_place(but=cannot_be_read)
def test_the_checker_finds_nothing_in_a_page(visitor_at, nu_checker, place):
    assert nu_checker.complaints(visitor_at(place, Way(script=False)).document.text().replace(OUTLOOK, "")) == []


@at_every_kind
def test_the_checker_finds_nothing_in_a_mail(sender, nu_checker, kind):
    html = letter(sender, kind).mail.get_body(("html",)).get_content()
    assert nu_checker.complaints(html.replace(OUTLOOK, "")) == []


def test_the_checker_would_find_something(nu_checker):
    found = nu_checker.complaints("<!DOCTYPE html><html lang=en><title>Wrong</title><p id=a><p id=a>")
    assert any("Duplicate ID" in complaint for complaint in found)

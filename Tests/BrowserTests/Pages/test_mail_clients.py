"""Mails in what is left of their markup where they are read: no `<style>`, and few properties.

With `PICTURES_OF_MAILS=FOLDER` each is drawn there, to be looked at.
"""

import os
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from house import codes_in, heading_of, text_of
from mails import at_every_kind, letter
from playwright.sync_api import Page
from visitor import Visitor, Way

# What a client takes away of inline styles; all of them may take away `<style>` and comments.
DROPPED = {
    "gmail": "mso-[a-z-]+|overflow-wrap",
    "outlook": "max-width|max-height|border-radius|overflow|overflow-wrap|display: inline-block|letter-spacing",
    "apple": "mso-[a-z-]+",
}
STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)


def as_kept(html: str, client: str) -> str:
    kept = re.sub(r"<!--.*?-->", "", html if client == "apple" else STYLES.sub("", html), flags=re.DOTALL)
    if client == "outlook":
        # Word knows no padding of inline elements, and one of its own for cells.
        kept = re.sub(r"display: inline-block; padding: [^;]+;", "", kept).replace("mso-padding-alt", "padding")
    if client == "gmail":
        # It shows the body's content in a page of its own.
        kept = re.sub(r"</?(?:html|body)\b[^>]*>", "", kept)
    return re.sub(rf"(?<=[\" ])(?:{DROPPED[client]})[^;\"]*;", "", kept)


# For the session, as a worker goes from kind to kind, and from module to module with each.
@pytest.fixture(scope="session")
def reader(chromium, house):
    reader = Visitor(chromium, house, Way())
    yield reader
    reader.context.close()


@at_every_kind
@pytest.mark.parametrize("client", DROPPED)
def test_a_mail_holds_together_without_what_clients_drop(reader, kind, sender, client):
    mail = letter(sender, kind).mail
    reader.page.set_content(as_kept(mail.get_body(("html",)).get_content(), client))
    for width in (360, 700):
        reader.page.set_viewport_size({"width": width, "height": 800})
        holds_together(reader.page, mail, f"{kind}-{client}-{width}")


def holds_together(page: Page, mail: EmailMessage, name: str) -> None:
    width = page.viewport_size["width"]
    if folder := os.environ.get("PICTURES_OF_MAILS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    seen = page.locator("body").inner_text()
    assert heading_of(mail) in seen and codes_in(seen) == codes_in(text_of(mail))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The preview shows in the list of mails alone.
    assert not page.locator(".preview").is_visible()
    for button in page.locator("td.button").all():
        assert button.bounding_box()["height"] >= 44
        assert page.locator("a.button").evaluate("each => getComputedStyle(each).textDecorationLine") == "none"

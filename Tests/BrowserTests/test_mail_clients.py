"""Mails in what is left of their markup where they are read: no `<style>`, and few properties.

With `PICTURES_OF_MAILS=FOLDER` each is drawn there, to be looked at.
"""

import os
import re
from pathlib import Path

import pytest
from house import codes_in, heading_of, text_of
from mails import at_every_kind, letter
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
    return re.sub(rf"(?<=[\" ])(?:{DROPPED[client]})[^;\"]*;", "", kept)


@pytest.fixture(scope="module")
def readers(chromium, house):
    found = {width: Visitor(chromium, house, Way(size=(width, 800))) for width in (360, 700)}
    yield found
    for reader in found.values():
        reader.context.close()


@at_every_kind
@pytest.mark.parametrize("client", DROPPED)
@pytest.mark.parametrize("width", (360, 700))
def test_a_mail_holds_together_without_what_clients_drop(readers, kind, sender, client, width):
    mail = letter(sender, kind).mail
    page = readers[width].page
    page.set_content(as_kept(mail.get_body(("html",)).get_content(), client))
    if folder := os.environ.get("PICTURES_OF_MAILS"):
        page.screenshot(path=Path(folder) / f"{kind}-{client}-{width}.png", full_page=True)
    seen = page.locator("body").inner_text()
    assert heading_of(mail) in seen and codes_in(seen) == codes_in(text_of(mail))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The preview shows in the list of mails alone.
    assert not page.locator(".preview").is_visible()
    for button in page.locator("td.button").all():
        assert button.bounding_box()["height"] >= 44
        assert page.locator("a.button").evaluate("each => getComputedStyle(each).textDecorationLine") == "none"

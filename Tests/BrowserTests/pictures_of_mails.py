"""The mails as mailboxes show them, side by side in docs/pictures/mails: `make pictures` takes them anew."""

import re
from html import escape

import album
import pytest
from house import PASSWORD, a_new_address, codes_in, text_of
from mails import letter
from visitor import Way

KINDS = ("signup_code", "signup_taken", "password_changed", "email_changed", "new_sign_in", "invitation")
LANGUAGES = ("de", "ar")
# Width of a mail, and how many stand beside each other.
SCREENS = {"phone": (390, 4), "desktop": (800, 2)}
# Where a mail is wide, its shape is seen from a few.
FEW = ("signup_code", "new_sign_in", "invitation")
# Around the mails, by scheme.
GROUNDS = {"light": (0xC9, 0xCE, 0xD8), "dark": (0x33, 0x36, 0x3D)}
PAGE = """<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
body { margin: 0; padding: 16px; background: light-dark(#c9ced8, #33363d); font: 600 15px system-ui, sans-serif; }
main { display: grid; grid-template-columns: repeat(%(columns)d, %(width)dpx); gap: 16px; align-items: start; }
figure { margin: 0; } figcaption { padding: 0 0 6px; } iframe { display: block; width: 100%%; border: 0; }
</style><main>%(figures)s</main>"""
FIT = """() => Promise.all(Array.from(document.querySelectorAll("iframe"), frame => new Promise(done => {
    const fit = () => {
        frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`;
        done(frame.contentDocument.documentElement.scrollWidth);
    };
    frame.contentDocument.readyState === "complete" && frame.contentDocument.body.children.length ? fit() : frame.onload = fit;
})))"""


def in_language(house, language: str):
    address = a_new_address()
    form = {"display_name": "Ada", "email": address, "terms": "accepted", "password": PASSWORD}
    house.ask("POST", "/signup", form | {"password_confirmation": PASSWORD}, Accept_Language=language)
    return house.outbox.mail_to(address)


def frozen(mail, house) -> tuple[str, str]:
    """Subject and HTML with the same code, link and time in every picture."""
    html = mail.get_body(("html",)).get_content().replace(house.url, "https://login.example.com")
    html = re.sub(r"\bada\.\d+", "Ada", html)
    html = re.sub(r"(token|flow)=[\w-]+", r"\1=Zk2XyQ8rT4", html)
    html = re.sub(r"\d{1,2} [A-Z]\w+ 20\d\d, \d\d:\d\d", "21 November 2026, 09:41", html).replace("127.0.0.1", "203.0.113.77")
    subject = mail["Subject"]
    for code in codes_in(text_of(mail)):
        subject, html = subject.replace(code, "564430"), html.replace(code, "564430")
    return subject, html


@pytest.mark.parametrize("scheme", ("light", "dark"))
@pytest.mark.parametrize("screen", SCREENS)
def test_mails(new_visitor, house, screen, scheme):
    width, columns = SCREENS[screen]
    kinds, languages = (KINDS, LANGUAGES) if screen == "phone" else (FEW, LANGUAGES[-1:])
    mails = [letter(house, kind).mail for kind in kinds] + [in_language(house, each) for each in languages]
    figures = "".join(
        f'<figure><figcaption dir="auto">{escape(subject)}</figcaption><iframe srcdoc="{escape(html)}"></iframe></figure>'
        for subject, html in (frozen(mail, house) for mail in mails)
    )
    reader = new_visitor(house, Way(scheme=scheme, size=(columns * (width + 16) + 16, 800)))
    reader.page.set_content(PAGE % {"columns": columns, "width": width, "figures": figures})
    assert reader.page.evaluate(FIT) == [width] * len(mails)
    album.take(reader.page, f"mails/{screen}-{scheme}", GROUNDS[scheme], reader.page.locator("iframe").all())

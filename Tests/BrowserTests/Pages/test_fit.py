"""Fields a phone can fill, targets a thumb can hit, pages that fit small screens and large text."""

from itertools import product

import pytest
from house import PASSWORD
from mails import invitation, letter, new_sign_in, reset_requested, twice
from places import at_every_place, guest_of_the_operator, place_named
from playwright.sync_api import expect
from visitor import TERMS, Way

SIGN_UP = {
    "Name": {"type": "text", "autocomplete": "name", "autocapitalize": "words", "enterkeyhint": "next"},
    "Email address": {"type": "email", "inputmode": "email", "autocomplete": "email", "autocapitalize": "none"},
    "Password": {"type": "password", "autocomplete": "new-password", "autocapitalize": "none"},
    "Repeat password": {
        "type": "password", "autocomplete": "new-password", "autocapitalize": "none", "enterkeyhint": "go",
    },
}
LOGIN = {
    "Email address": {"type": "email", "inputmode": "email", "autocomplete": "username webauthn",
                      "autocapitalize": "none"},
    "Password": {"type": "password", "autocomplete": "current-password", "enterkeyhint": "go"},
}
VERIFY = {"Code": {"inputmode": "numeric", "autocomplete": "one-time-code", "enterkeyhint": "go"}}
# Links within a sentence are as high as their line; everything else is 44 px high and wide (WCAG 2.5.5).
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), summary, select")]
    .filter(each => each.checkVisibility() && !each.closest(".skip, .visually-hidden, .lead, .hint, .prose p"))
    .map(each => [each.textContent.trim() || each.name, each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
    .map(([name, box]) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.checkVisibility() && !each.closest(".visually-hidden, .skip"))
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1)
    .map(each => each.outerHTML.slice(0, 80))"""
CUT_OFF = """() => [...document.querySelectorAll("button, a, label, h1, h2, .badge")]
    .filter(each => each.checkVisibility() && !each.closest(".visually-hidden, .skip"))
    .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
    .map(each => each.outerHTML.slice(0, 80))"""

# Words, or parts of them between places to hyphenate, of which the last letter is not in the line of the first.
# Addresses and names of files are no words: they may be broken anywhere.
TORN = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const torn = [];
    const lineOf = (text, at) => {
        const letter = new Range();
        letter.setStart(text, at);
        letter.setEnd(text, at + 1);
        return Math.round([...letter.getClientRects()].at(-1).top);
    };
    while (walker.nextNode()) {
        const text = walker.currentNode, parent = text.parentElement;
        if (!parent.checkVisibility() || parent.closest(".visually-hidden, .skip, pre, code, bdi")) continue;
        for (const {0: part, index} of text.data.matchAll(/[^\\s\u00AD-]+/g)) {
            const isWhole = lineOf(text, index) === lineOf(text, index + part.length - 1);
            if (!isWhole && !part.includes("@")) torn.push(`${part} of ${text.data}`);
        }
    }
    return torn;
}"""
# Marks that reach into the room in which the text of their field stands.
COVERING = """() => [...document.querySelectorAll(".valid")].filter(each => each.checkVisibility()).filter(mark => {
    const input = mark.closest(".control").querySelector("input"), style = getComputedStyle(input);
    const [field, box] = [input.getBoundingClientRect(), mark.getBoundingClientRect()];
    return field.right - parseFloat(style.paddingRight) > box.left || box.right > field.right;
}).map(each => each.parentElement.querySelector("input").id)"""
# Where the full stop behind the link to the terms stands, where the link ends, and how many lines "E-Mail" takes.
ENDS_OF_LINES = """() => {
    const lines = node => {
        const letters = new Range();
        letters.selectNodeContents(node);
        return [...letters.getClientRects()].filter(({width}) => width > 1).map(({bottom}) => Math.round(bottom));
    };
    const label = document.querySelector("label[for=signup-terms]");
    const word = new Range(), text = document.querySelector(".lead").firstChild, at = text.data.search(/E.Mail/);
    word.setStart(text, at);
    word.setEnd(text, at + "E-Mail".length);
    return [
        lines(label.lastChild).at(-1), lines(label.querySelector("a").firstChild).at(-1),
        new Set([...word.getClientRects()].map(({top}) => top)).size,
    ];
}"""
# Of what can be seen.
EDGES = """fields => fields.filter(each => each.checkVisibility({visibilityProperty: true}))
    .map(each => each.getBoundingClientRect()).map(box => [box.left, box.right])"""
# Fields that can be typed into, form by form, with what the key of a touch screen says.
KEYS = """() => [...document.forms].map(form =>
    [...form.querySelectorAll("input:not([type=hidden], [type=checkbox], [readonly])")].map(input => input.enterKeyHint)
).filter(keys => keys.length)"""


def check_attributes(visitor, fields):
    for label, attributes in fields.items():
        for name, value in attributes.items():
            expect(visitor.field(label)).to_have_attribute(name, value)


def test_phones_show_the_right_keyboard_and_fill_the_right_thing(visitor, address):
    visitor.visit("/login")
    check_attributes(visitor, LOGIN)
    visitor.visit("/signup")
    check_attributes(visitor, SIGN_UP)
    visitor.sign_up(address)
    check_attributes(visitor, VERIFY)


def test_sign_up_and_login_share_no_id_of_a_field(visitor):
    ids = {}
    for path in ("/login", "/signup"):
        visitor.visit(path)
        inputs = visitor.page.locator("input:not([type=hidden])")
        ids[path] = set(inputs.evaluate_all("inputs => inputs.map(input => input.id)"))
        assert len(ids[path]) == inputs.count()
    assert ids["/login"] & ids["/signup"] == set()


@at_every_place()
def test_a_thumb_hits_every_target(visitor_at, place):
    visitor = visitor_at(place, Way(screen="phone"))
    assert visitor.page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("path", ["/terms", "/privacy", "/reset", "/account", "/account/terms"])
def test_long_words_of_german_headings_are_hyphenated(new_visitor, house, path):
    visitor = new_visitor(house, Way(size=(320, 640)))
    if path.startswith("/account"):
        visitor.log_in(house.member if path == "/account" else guest_of_the_operator(house))
        visitor.is_at("Your account" if path == "/account" else "Our terms")
    visitor.visit(f"{path}?lang=de")
    assert "\u00AD" not in visitor.page.title()
    for text, width in product((16, 32), (320, 360, 390)):
        visitor.set_text_size(text)
        visitor.page.set_viewport_size({"width": width, "height": 640})
        assert visitor.page.evaluate(TORN) == []


def what_does_not_fit(visitor) -> list[str]:
    page, width = visitor.page, visitor.page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    return page.evaluate(TOO_WIDE) + page.evaluate(CUT_OFF)


@at_every_place()
def test_fields_on_a_phone_are_wide_and_say_what_their_key_does(visitor_at, place):
    visitor = visitor_at(place, Way(screen="phone"))
    fields = visitor.page.locator(".control > input, .actions > .button")
    # As wide as the page, but for a name with its button beside it.
    assert all(left == 20 and right > 220 for left, right in fields.evaluate_all(EDGES))
    for keys in visitor.page.evaluate(KEYS):
        assert keys == ["next"] * (len(keys) - 1) + ["go"]


@at_every_place()
def test_nothing_is_too_wide_or_broken_on_small_screens_with_large_text_or_zoom(visitor_at, place):
    visitor = visitor_at(place, Way(screen="phone"), moves_on=True)
    visitor.page.set_viewport_size({"width": 640, "height": 400})
    assert what_does_not_fit(visitor) == []
    visitor.page.set_viewport_size({"width": 320, "height": 640})
    assert what_does_not_fit(visitor) == []
    visitor.set_text_size(32)
    assert visitor.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert what_does_not_fit(visitor) == []
    assert visitor.page.evaluate(TORN) == []
    for language in ("de", "ar"):
        other = visitor.page.locator(f".languages a[lang={language}]")
        if not other.count():
            continue
        visitor.page.goto(other.evaluate("link => link.href"))
        visitor.set_text_size(32)
        assert visitor.page.evaluate(TORN) == []


@pytest.mark.parametrize("size, text", [((390, 844), 16), ((320, 640), 32), ((1280, 800), 16)])
def test_a_mark_never_covers_its_field(new_visitor, house, size, text):
    visitor = new_visitor(house, Way(size=size))
    visitor.visit("/signup")
    visitor.set_text_size(text)
    visitor.fill_sign_up("a-very-long-address-that-fills-the-field@example.com")
    visitor.field(TERMS).focus()
    visitor.sees("Strong")
    expect(visitor.page.locator(".valid")).to_have_count(3)
    assert visitor.page.evaluate(COVERING) == []
    widths = visitor.page.locator(".control > input").evaluate_all("""inputs => inputs.map(input => {
        const style = getComputedStyle(input);
        return (input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / input.clientWidth;
    })""")
    assert min(widths) > 0.5


@pytest.mark.parametrize("language, forgot", [("en-US", "Forgot password?"), ("de-DE", "Passwort vergessen?")])
@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_the_way_to_a_new_password_stands_right_under_the_password(new_visitor, house, screen, language, forgot):
    visitor = new_visitor(house, Way(screen=screen, language=language))
    visitor.visit("/login")
    link, field = visitor.link(forgot).bounding_box(), visitor.page.locator("#current-password").bounding_box()
    assert abs(link["x"] + link["width"] - field["x"] - field["width"]) < 1
    assert link["height"] >= 44
    assert 0 <= link["y"] - field["y"] - field["height"] < 60
    box = visitor.page.locator("#login-remember").bounding_box()
    assert abs(link["y"] + link["height"] / 2 - box["y"] - box["height"] / 2) < 1


def test_where_the_line_is_too_short_the_way_to_a_new_password_stands_at_its_end(new_visitor, house):
    visitor = new_visitor(house, Way(size=(320, 640), language="de-DE"))
    visitor.visit("/login")
    link, row = visitor.link("Passwort vergessen?").bounding_box(), visitor.page.locator(".remember").bounding_box()
    assert link["y"] >= row["y"] + 44
    assert abs(link["x"] + link["width"] - row["x"] - row["width"]) < 1


@pytest.mark.parametrize("language", ["en-US", "ar-EG"])
@pytest.mark.parametrize("text", [16, 24, 32])
def test_the_menu_of_languages_stays_on_the_screen(new_visitor, house, text, language):
    visitor = new_visitor(house, Way(size=(360, 740), language=language))
    visitor.set_text_size(text)
    visitor.is_signed_in(house.member)
    visitor.visit("/account")
    visitor.page.locator(".languages summary").click()
    box = visitor.page.locator(".languages ul").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360


@pytest.mark.parametrize("width", [320, 390])
def test_the_name_of_the_house_is_whole_also_when_only_text_is_larger(new_visitor, house, width):
    visitor = new_visitor(house, Way(size=(width, 640)))
    visitor.visit("/")
    visitor.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert visitor.page.locator("h1").bounding_box()["width"] <= width - 40
    assert visitor.page.evaluate(TORN) == []


def test_the_full_stop_stays_with_its_link_and_a_word_with_a_hyphen_whole(new_visitor, house):
    visitor = new_visitor(house, Way(language="de-DE"))
    visitor.visit("/signup")
    for text, width in product((16, 20, 24), (320, 360, 390, 414, 1280)):
        visitor.set_text_size(text)
        visitor.page.set_viewport_size({"width": width, "height": 640})
        stop, link, lines = visitor.page.evaluate(ENDS_OF_LINES)
        assert stop == link, (text, width)
        assert lines == 1, (text, width)


@pytest.mark.xdist_group("account_security")
def test_a_way_to_sign_in_is_opened_by_its_whole_row(visitor_at):
    visitor = visitor_at(place_named("account_security"), Way(screen="phone"), moves_on=True)
    row = visitor.page.locator(".ways > li").last
    box = row.bounding_box()
    assert box["x"] == 20 and box["width"] == 350
    visitor.page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    visitor.is_at("Change password")


def test_entries_of_the_account_stay_where_they_are_from_page_to_page(new_visitor, house):
    visitor = new_visitor(house, Way(screen="phone"))
    visitor.log_in(house.member)
    visitor.is_at("Your account")
    entries = visitor.page.locator(".sections a")
    places = set()
    for path in entries.evaluate_all("links => links.map(({pathname}) => pathname)"):
        visitor.visit(path)
        places.add(tuple((each["x"], each["y"]) for each in [entry.bounding_box() for entry in entries.all()]))
    assert len(places) == 1


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_title_stands_at_one_height_in_one_card_on_every_step(new_visitor, house, address, size):
    visitor = new_visitor(house, Way(size=size))
    seen = set()

    def look():
        card, title = (visitor.page.locator(each).bounding_box() for each in ("main", "h1"))
        seen.add((card["x"], card["width"], title["x"], title["y"]))

    for path in ("/login", "/reset", "/terms", "/nowhere", "/signup"):
        visitor.visit(path)
        look()
    # What is wrong is said below the title.
    visitor.send_plainly("signup")
    look()
    visitor.sign_up(address)
    look()
    assert len(seen) == 1


def test_the_brand_stands_above_the_middle_of_the_card(new_visitor, house):
    visitor = new_visitor(house, Way(language="de-DE"))
    visitor.visit("/login")
    brand, card = (visitor.page.locator(each).bounding_box() for each in (".brand", ".card"))
    assert abs(brand["x"] + brand["width"] / 2 - card["x"] - card["width"] / 2) < 1
    assert brand["y"] + brand["height"] < card["y"]


@pytest.fixture(scope="module")
def long_house(open_house):
    return open_house(VESTIBULE_BRAND_NAME="Stadtwerke Fürstenfeldbruck Kundenportal")


@pytest.mark.xdist_group("long_brand")
@pytest.mark.parametrize("size, text", [((320, 640), 16), ((360, 740), 16), ((360, 740), 32), ((768, 400), 16)])
def test_a_long_brand_is_whole_beside_its_logo_and_what_is_at_the_end(new_visitor, long_house, size, text):
    visitor = new_visitor(long_house, Way(size=size))
    visitor.set_text_size(text)
    visitor.is_signed_in(long_house.member)
    for path in ("/", "/reset", "/account"):
        visitor.visit(path)
        assert what_does_not_fit(visitor) == []
        assert visitor.page.evaluate(TORN) == []
    brand, end = (visitor.page.locator(each).bounding_box() for each in (".brand", ".header-end"))
    assert brand["x"] + brand["width"] <= end["x"] or brand["y"] + brand["height"] <= end["y"]
    if text == 16:
        logo = visitor.page.locator(".brand .mark").bounding_box()
        assert logo["width"] == logo["height"] >= 28


@pytest.mark.xdist_group("long_brand")
def test_the_door_in_a_mail_is_whole_beside_a_long_brand(new_visitor, long_house):
    visitor = new_visitor(long_house, Way(size=(360, 640)))
    visitor.page.set_content(letter(long_house, "new_sign_in").mail.get_body(("html",)).get_content())
    arch, ground = (visitor.page.locator(f"{each}.frame").bounding_box() for each in ("div", "td"))
    assert ground["y"] + ground["height"] - arch["y"] - arch["height"] == pytest.approx(2, abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_the_second_button_can_be_seen_on_its_ground(new_visitor, house, screen, scheme):
    visitor = new_visitor(house, Way(screen=screen, scheme=scheme))
    visitor.visit("/")
    edge = visitor.link("Create account").evaluate("""each => {
        const ink = colour => {
            const canvas = new OffscreenCanvas(1, 1).getContext("2d");
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(byte => byte / 255)
                .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = getComputedStyle(document.body).backgroundColor;
        const lights = [getComputedStyle(each).borderTopColor, ground].map(ink);
        return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    }""")
    assert edge >= 3


@pytest.mark.xdist_group("development_mail")
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_frames_in_development_show_the_whole_mail(new_visitor, mail_house, address, language):
    mail_house.make_account(address)
    form = {"display_name": "Ada", "email": address, "terms": "accepted", **twice(PASSWORD)}
    mail_house.ask("POST", "/signup", form, Accept_Language=language)
    mail_house.outbox.mail_to(address, number=2)
    for send in (new_sign_in, reset_requested, invitation):
        send(mail_house)
    for width in (390, 1280):
        visitor = new_visitor(mail_house, Way(size=(width, 800)))
        visitor.visit("/dev/mail")
        newest = visitor.page.locator("iframe").evaluate_all("""frames => frames.slice(0, 9)
            .map(frame => [frame.getAttribute("src"), frame.clientWidth, frame.clientHeight])""")
        for source, inner, height in newest:
            visitor.page.set_viewport_size({"width": inner, "height": 200})
            visitor.visit(source)
            assert visitor.page.evaluate("document.documentElement.scrollHeight") <= height


def test_the_terms_open_beside_the_form_and_leave_it_filled(visitor):
    visitor.visit("/signup")
    visitor.field("Name").fill("Ada Lovelace")
    with visitor.context.expect_page() as opened:
        visitor.link("terms (opens in a new tab)").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Terms")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.field(TERMS)).not_to_be_checked()

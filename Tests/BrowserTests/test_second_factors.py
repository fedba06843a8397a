"""An authenticator app and recovery codes, from the first look to the lost phone."""

import re
import subprocess
import time

import pyotp
import pytest
from house import PASSWORD, a_new_address
from places import place_named
from playwright.sync_api import expect
from visitor import Way

WAYS = [
    Way(script=script, screen=screen, scheme=scheme)
    for script, screen, scheme in ((True, "desktop", "light"), (False, "phone", "light"), (True, "phone", "dark"))
]


@pytest.fixture
def member(house, visitor, address) -> str:
    house.make_account(address)
    visitor.is_signed_in(address)
    return address


def read_picture(visitor, file) -> str:
    """What a real decoder reads on a screen-shot of the page."""
    visitor.page.screenshot(path=file, full_page=True)
    return subprocess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file],
        check=True, capture_output=True, text=True, timeout=60,
    ).stdout.strip()


def shown_key(visitor) -> str:
    return visitor.page.locator(".key").inner_text().replace(" ", "")


def open_app(visitor):
    """On a phone it comes first, elsewhere last."""
    name = "Open my app" if visitor.way.screen == "phone" else "Or open the app on this device"
    link = visitor.link(name)
    picture = visitor.page.locator(".qr").bounding_box()
    assert (link.bounding_box()["y"] < picture["y"]) == (visitor.way.screen == "phone")
    return link


def next_code(key: str, used: str) -> str:
    """The code of the next step: each works once. A fast clock is one step ahead at most."""
    code = pyotp.TOTP(key).at(int(time.time()) + 30)
    return code if code != used else pyotp.TOTP(key).now()


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_from_the_first_look_to_the_lost_phone(visitor, member, tmp_path, way):
    visitor.visit("/account/security/totp")
    uri = read_picture(visitor, tmp_path / "page.png")
    assert uri == open_app(visitor).get_attribute("href")
    app = pyotp.parse_uri(uri)
    assert (app.secret, app.name, app.issuer) == (shown_key(visitor), member, "Vestibule")
    assert (app.digits, app.interval) == (6, 30)

    visitor.field("Code from the app").fill("000000")
    visitor.button("Add the app").click()
    visitor.is_told(
        "That code isn't right. Enter the one your app shows now, and check your phone's clock.", "Code from the app")
    assert shown_key(visitor) == app.secret
    first = app.now()
    visitor.field("Code from the app").fill(first)
    visitor.button("Add the app").click()
    visitor.sees("The app has been added.")

    visitor.button("Make recovery codes").click()
    visitor.is_at("Keep these safe")
    codes = visitor.page.locator(".codes li").all_inner_texts()
    assert len(set(codes)) == 10
    with visitor.page.expect_download() as download:
        visitor.button("Save").click()
    assert download.value.suggested_filename == "recovery-codes.txt"
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == f"Recovery codes of {member} for Vestibule" and lines[3:] == codes
    visitor.link("I've saved my codes").click()

    comes_back(visitor, member)
    enter(visitor, next_code(app.secret, first))
    comes_back(visitor, member)
    visitor.link("Use a recovery code").click()
    visitor.field("Recovery code").fill(codes[0].upper())
    visitor.button("Continue").click()
    visitor.is_at("Your account")
    visitor.visit("/account/security/recovery-codes")
    visitor.sees("You have 9 codes left.")


def comes_back(visitor, member: str) -> None:
    visitor.log_out()
    visitor.sees("You're signed out.")
    visitor.log_in(member)
    visitor.is_at("Confirm it's you")


def enter(visitor, code: str) -> None:
    visitor.page.locator("#second-code").fill(code)
    if not visitor.way.script:
        visitor.button("Continue").click()
    visitor.is_at("Your account")


def test_a_question_whether_to_remove_the_app_is_left_by_escape_and_cancel(visitor, member):
    visitor.visit("/account/security/totp")
    visitor.field("Code from the app").fill(pyotp.TOTP(shown_key(visitor)).now())
    visitor.button("Add the app").click()
    visitor.sees("The app has been added.")
    visitor.visit("/account/security/totp")
    ask = visitor.page.locator(".remove summary")
    expect(visitor.page.locator(".badge")).to_have_text("On")
    # Its script comes after the page's own.
    visitor.page.wait_for_load_state("networkidle")
    for leave in (lambda: visitor.page.keyboard.press("Escape"), lambda: visitor.link("Cancel").click()):
        ask.click()
        expect(visitor.button("Yes, remove it")).to_be_visible()
        leave()
        expect(visitor.button("Yes, remove it")).to_be_hidden()
        expect(ask).to_be_focused()


@pytest.mark.parametrize("way", [Way(script=True), Way(script=False)], ids=str)
def test_the_keyboard_is_enough(visitor, member, way):
    visitor.visit("/account/security/totp")
    key = shown_key(visitor)
    visitor.field("Code from the app").focus()
    visitor.page.keyboard.type(pyotp.TOTP(key).now())
    visitor.page.keyboard.press("Enter")
    visitor.sees("The app has been added.")
    visitor.button("Make recovery codes").focus()
    visitor.page.keyboard.press("Enter")
    visitor.is_at("Keep these safe")


def test_who_types_the_code_is_told_what_sends_it_and_to_trust_the_browser_before(visitor, member):
    visitor.visit("/account/security/totp")
    key = shown_key(visitor)
    first = pyotp.TOTP(key).now()
    visitor.field("Code from the app").fill(first)
    visitor.button("Add the app").click()
    visitor.sees("The app has been added.")
    comes_back(visitor, member)
    code = visitor.page.locator("#second-code")
    expect(code).to_have_accessible_description(
        "The sixth digit sends the code. To trust this browser, tick the box below first.")
    visitor.page.locator("#second-trust").check()
    code.press_sequentially(next_code(key, first))
    visitor.is_at("Your account")
    visitor.visit("/account/devices")
    visitor.sees("Trusted browsers")


def test_without_its_script_the_six_digits_have_one_plain_field(visitor, member):
    visitor.pardon("/js/vestibule.js")
    visitor.visit("/account/security/totp")
    code = visitor.field("Code from the app")
    height = code.bounding_box()["height"]
    expect(visitor.page.locator(".boxes")).to_be_visible()
    visitor.page.route("**/js/vestibule.js*", lambda route: route.abort())
    visitor.page.reload()
    expect(visitor.page.locator(".boxes")).to_be_hidden()
    code.focus()
    assert code.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    assert code.bounding_box()["height"] == height


def test_digits_stay_in_their_boxes_where_the_visitor_spaces_text(visitor, member):
    visitor.visit("/account/security/totp")
    spacing = "each => getComputedStyle(each).letterSpacing"
    usual = visitor.field("Code from the app").evaluate(spacing)
    visitor.page.evaluate("""() => {
        const own = new CSSStyleSheet();
        own.replaceSync("* { letter-spacing: 0.12em !important }");
        document.adoptedStyleSheets = [own];
    }""")
    assert visitor.field("Code from the app").evaluate(spacing) == usual


# Also those that the server takes for the same code.
@pytest.mark.parametrize(
    ("typed", "boxed"),
    [
        ("123456", "123456"), ("١٢٣٤٥٦", "123456"), ("۰۱۲۳۴۵", "012345"), ("７8９०१२", "789012"), ("𝟘𝟙𝟡𝟎𝟗𝟬", "019090"),
        ("12 34-5", "12345"), ("\u200e123\u200f", "123"), ("1234567", "123456"), ("١٢٣ ٤٥٦٧", "123456"),
    ],
)
@pytest.mark.parametrize("by", ("typed", "pasted"))
def test_six_boxes_show_what_is_sent(visitor, member, by, typed, boxed):
    visitor.visit("/account/security/totp")
    code = visitor.field("Code from the app")
    code.focus()
    if by == "typed":
        code.press_sequentially(typed)
    else:
        visitor.page.keyboard.insert_text(typed)
    expect(code).to_have_value(boxed)
    assert next_box(visitor) == [min(len(boxed), 5)]


def next_box(visitor) -> list[int]:
    return visitor.page.locator(".boxes i").evaluate_all(
        "boxes => boxes.flatMap((box, at) => 'next' in box.dataset ? [at] : [])")


def test_a_digit_goes_where_the_caret_is_and_the_caret_behind_it(visitor, member):
    visitor.visit("/account/security/totp")
    code = visitor.field("Code from the app")
    for typed, boxed, caret in (("٩", "129345", 3), (" ", "123456", 2), ("789", "127893", 5), ("-٠", "120345", 3)):
        code.fill("123456")
        code.evaluate("each => each.setSelectionRange(2, 2)")
        visitor.page.keyboard.insert_text(typed)
        expect(code).to_have_value(boxed)
        assert code.evaluate("each => [each.selectionStart, each.selectionEnd]") == [caret, caret]


def test_what_an_input_method_composes_is_left_alone_until_it_ends(visitor, member):
    visitor.visit("/account/security/totp")
    code = visitor.field("Code from the app")
    code.focus()
    for text in ("１", "１２"):
        visitor.cdp.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        expect(code).to_have_value(text)
    visitor.cdp.send("Input.insertText", {"text": "１２"})
    expect(code).to_have_value("12")
    visitor.page.keyboard.insert_text("3")
    expect(code).to_have_value("123")


def test_the_digits_of_an_arabic_keyboard_add_the_app_and_sign_in(visitor, member):
    arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    visitor.visit("/account/security/totp")
    key = shown_key(visitor)
    first = pyotp.TOTP(key).now()
    visitor.field("Code from the app").press_sequentially(f" {first.translate(arabic)}")
    visitor.button("Add the app").click()
    visitor.sees("The app has been added.")
    comes_back(visitor, member)
    code = next_code(key, first).translate(arabic)
    visitor.page.locator("#second-code").press_sequentially(f"{code[:3]} {code[3:]}")
    visitor.is_at("Your account")


def test_a_recovery_code_in_the_field_of_the_app_is_seen_as_it_is(visitor):
    place_named("second_step_by_app").go(visitor)
    code = visitor.page.locator("#second-code")
    for typed in ("a1b2c-3d4e", "9z9z9", "zzzzz zzzz"):
        code.fill("")
        assert next_box(visitor) == [0]
        code.press_sequentially(typed)
        expect(code).to_have_value(typed)
        assert next_box(visitor) == []
        expect(visitor.page.locator(".boxes")).to_be_hidden()
    assert "/login/second" not in visitor.sent


def test_a_recovery_code_of_digits_alone_in_the_field_of_the_app_is_not_cut(visitor, member):
    visitor.visit("/account/security/totp")
    code = visitor.field("Code from the app")
    code.focus()
    visitor.page.keyboard.insert_text("12345-67890")
    expect(code).to_have_value("12345-67890")
    assert next_box(visitor) == []


def test_six_digits_are_not_sent_while_an_input_method_composes_them(visitor):
    place_named("second_step_by_app").go(visitor)
    code = visitor.page.locator("#second-code")
    code.focus()
    for text in ("12345", "123456"):
        visitor.cdp.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        expect(code).to_have_value(text)
    expect(visitor.page.locator("[data-sending]")).to_have_count(0)
    assert "/login/second" not in visitor.sent
    visitor.cdp.send("Input.insertText", {"text": "123456"})
    visitor.sees("That code is wrong or has been used.")


@pytest.mark.parametrize("way", [Way(size=(320, 640)), Way(size=(360, 740))], ids=lambda way: str(way.size[0]))
def test_nothing_moves_when_the_button_that_copies_comes_late(visitor, member):
    key, code, button = visitor.page.locator(".key"), visitor.field("Code from the app"), visitor.button("Copy")
    before = []

    def hold(route) -> None:
        before.append((button.is_enabled(), key.bounding_box(), code.bounding_box()))
        route.continue_()

    visitor.page.route("**/js/account.js*", hold)
    visitor.visit("/account/security/totp")
    expect(button).to_be_enabled()
    assert before == [(False, key.bounding_box(), code.bounding_box())]


def test_where_copying_is_denied_the_codes_are_selected_and_it_is_said(visitor, member):
    visitor.visit("/account/security/totp")
    visitor.field("Code from the app").fill(pyotp.TOTP(shown_key(visitor)).now())
    visitor.button("Add the app").click()
    expect(visitor.page).to_have_title("Recovery codes · Vestibule")
    visitor.button("Make recovery codes").click()
    visitor.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    visitor.button("Copy").click()
    expect(visitor.page.locator("#progress")).to_have_text("Your browser doesn't allow copying. The text is selected.")
    first = visitor.page.locator(".codes li").first.inner_text()
    assert first in visitor.page.evaluate("getSelection().toString()")


def test_where_a_second_factor_is_required_no_tab_leads_back_to_the_same_page(new_visitor, open_house):
    house = open_house(VESTIBULE_SECOND_FACTOR="required")
    visitor = new_visitor(house, Way())
    visitor.log_in(house.member)
    visitor.is_at("Security")
    expect(visitor.link("Passkeys")).to_be_visible()
    expect(visitor.link("Your data")).to_have_count(0)


def test_a_page_on_paper_has_the_codes_and_no_buttons(visitor, member):
    visitor.visit("/account/security/totp")
    visitor.field("Code from the app").fill(pyotp.TOTP(shown_key(visitor)).now())
    visitor.button("Add the app").click()
    visitor.button("Make recovery codes").click()
    visitor.is_at("Keep these safe")
    visitor.page.emulate_media(media="print")
    expect(visitor.page.locator(".codes")).to_be_visible()
    expect(visitor.page.locator("#codes-file")).to_be_hidden()
    expect(visitor.page.locator(".site-footer")).to_be_hidden()


def libraries(house) -> str:
    with open(f"/proc/{house.process.pid}/maps") as maps:
        return maps.read()


def test_libqrencode_is_loaded_with_the_first_picture(open_house, new_visitor):
    house = open_house()
    address = a_new_address()
    house.make_account(address, password=PASSWORD)
    visitor = new_visitor(house, Way())
    visitor.is_signed_in(address)
    visitor.visit("/account/security/recovery-codes")
    assert "libqrencode" not in libraries(house)
    visitor.visit("/account/security/totp")
    expect(visitor.page.get_by_role("img", name="QR code of the key below")).to_be_visible()
    assert "libqrencode" in libraries(house)


def test_without_libqrencode_the_key_is_typed(open_house, new_visitor, tmp_path):
    house = open_house()
    house.kill()
    (tmp_path / "libqrencode.so.4").touch()
    house.start(LD_LIBRARY_PATH=str(tmp_path))
    address = a_new_address()
    house.make_account(address)
    visitor = new_visitor(house, Way())
    visitor.is_signed_in(address)
    visitor.visit("/account/security/totp")
    visitor.sees("Type this key into your app:")
    expect(visitor.page.locator(".qr")).to_have_count(0)
    visitor.field("Code from the app").fill(pyotp.TOTP(shown_key(visitor)).now())
    visitor.button("Add the app").click()
    visitor.sees("The app has been added.")


@pytest.mark.parametrize("way, date", [
    (Way(), r"[A-Z][a-z]+ \d{1,2}, 20\d\d at \d{1,2}:\d\d\s[AP]M"),
    (Way(script=False), r"\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d UTC"),
], ids=str)
def test_the_day_and_hour_at_which_factors_go_stand_in_their_sentence(visitor, member, house, way, date):
    visitor.visit("/account/security/totp")
    visitor.field("Code from the app").fill(pyotp.TOTP(shown_key(visitor)).now())
    visitor.button("Add the app").click()
    visitor.is_at("Recovery codes")
    house.command("users", "reset-factors", member)
    visitor.visit("/account/security")
    visitor.sees(re.compile(
        f"^The people who run this site will remove your second factors on {date}\\. Sign in with one to keep them\\.$"))

"""What JavaScript adds: judging when left, the meter, the spinner, and recovering."""

import json
import re
from html import unescape

import pyotp
import pytest
from house import PASSWORD, a_new_address
from playwright.sync_api import expect
from visitor import TERMS, Way

BAD_ADDRESS = "Enter an email address like name@example.com."
PASSWORDS = ["password", "lovelace", "12345678", "qwertyuiop", "abcabcabc", "hunter2hunter2", PASSWORD, "Tr0ub4dor&3"]


def error_of(visitor, label):
    return visitor.page.locator(f"#{visitor.field(label).get_attribute('id')}-error")


def mark_of(visitor, label):
    return visitor.page.locator(".control", has=visitor.field(label)).locator(".valid")


# Judging


def test_a_field_is_judged_when_left_and_not_while_typed(visitor):
    visitor.visit("/signup")
    email, error = visitor.field("Email address"), error_of(visitor, "Email address")
    email.press_sequentially("ada")
    expect(error).to_be_empty()
    email.press("Tab")
    expect(error).to_have_text(f"Error: {BAD_ADDRESS}")
    expect(email).to_have_attribute("aria-invalid", "true")


def test_an_error_disappears_as_soon_as_somebody_begins_to_mend_it(visitor):
    visitor.visit("/signup")
    email, error = visitor.field("Email address"), error_of(visitor, "Email address")
    email.fill("ada@example")
    email.press("Tab")
    expect(error).to_have_text(f"Error: {BAD_ADDRESS}")
    email.focus()
    email.press("End")
    email.press(".")
    expect(error).to_be_empty()
    expect(email).to_be_focused()
    expect(email).not_to_have_attribute("aria-invalid", "true")
    email.press("Tab")
    expect(error).to_have_text(f"Error: {BAD_ADDRESS}")


def test_what_the_server_has_refused_is_called_wrong_until_somebody_begins_to_mend_it(visitor):
    visitor.visit("/signup")
    visitor.send_plainly("signup")
    for label in ("Name", "Password"):
        expect(visitor.field(label)).to_have_attribute("aria-invalid", "true")
        visitor.field(label).press("x")
        expect(visitor.field(label)).not_to_have_attribute("aria-invalid", "true")
        expect(error_of(visitor, label)).to_be_empty()
    expect(visitor.field("Email address")).to_have_attribute("aria-invalid", "true")


def test_what_is_still_wrong_is_not_announced_again(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example")
    visitor.button("Sign in").click()
    visitor.is_told(BAD_ADDRESS, "Email address")
    visitor.page.evaluate("""() => {
        window.heard = [];
        new MutationObserver((changes) => {
            for (const { target, addedNodes } of changes) {
                const isLive = target.closest?.("[role=alert], [role=status]");
                if (isLive) heard.push(...[...addedNodes].map((each) => each.textContent));
            }
        }).observe(document.body, { childList: true, subtree: true });
    }""")
    visitor.field("Email address").press("e")
    expect(error_of(visitor, "Email address")).to_be_empty()
    visitor.field("Email address").press("Tab")
    expect(error_of(visitor, "Email address")).to_have_text(f"Error: {BAD_ADDRESS}")
    expect(links_of_summary(visitor)).to_have_text([BAD_ADDRESS, "Enter your password."])
    assert visitor.page.evaluate("heard") == []


def said(visitor):
    """What a screen reader says without being asked."""
    return visitor.page.locator("#progress")


def test_what_is_wrong_is_said_when_a_field_is_left(visitor):
    visitor.visit("/signup")
    visitor.field("Email address").fill("ada@example")
    visitor.field("Email address").press("Tab")
    expect(said(visitor)).to_have_text(f"Error: {BAD_ADDRESS}")
    visitor.field("Email address").press("x")
    expect(said(visitor)).to_be_empty()


def test_what_is_wrong_with_the_field_that_has_the_focus_is_said(visitor):
    visitor.visit("/reset")
    visitor.field("Email address").press("Enter")
    expect(said(visitor)).to_have_text("Error: Enter your email address.")


def test_what_the_focus_brings_along_is_not_said_twice(visitor):
    visitor.visit("/reset")
    visitor.field("Email address").fill("ada@example")
    visitor.button("Send code").click()
    expect(visitor.field("Email address")).to_be_focused()
    expect(error_of(visitor, "Email address")).to_have_text(f"Error: {BAD_ADDRESS}")
    expect(said(visitor)).to_be_empty()


def test_what_a_summary_says_is_not_said_twice(visitor):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    expect(visitor.page.locator("#error-summary")).to_be_focused()
    expect(said(visitor)).to_be_empty()


def test_a_field_that_is_right_gets_a_green_mark(visitor):
    visitor.visit("/signup")
    for label, value in {"Name": "Ada", "Email address": "ada@example.com"}.items():
        visitor.field(label).press_sequentially(value)
        expect(mark_of(visitor, label)).to_have_count(0)
        visitor.field(label).press("Tab")
        expect(mark_of(visitor, label)).to_be_visible()
    visitor.field("Email address").fill("ada@")
    expect(mark_of(visitor, "Email address")).to_have_count(0)


@pytest.mark.parametrize("email", [
    "ada@example.com,", "ada@example..com", "ada@example.com.", "<ada@example.com>", ".ada@example.com", "ada@b@example.com"])
def test_an_address_that_nobody_can_have_is_told_before_it_is_sent(visitor, email):
    visitor.visit("/signup")
    visitor.field("Email address").fill(email)
    visitor.field("Name").focus()
    expect(error_of(visitor, "Email address")).to_have_text(f"Error: {BAD_ADDRESS}")


@pytest.mark.parametrize("email", ("\u202aada@example.com\u202c", "\u200f ada@example.com \u200e"), ids=ascii)
def test_marks_of_direction_around_an_address_are_no_fault(visitor, email):
    visitor.visit("/reset")
    visitor.field("Email address").fill(email)
    visitor.field("Email address").press("Tab")
    expect(error_of(visitor, "Email address")).to_be_empty()
    expect(mark_of(visitor, "Email address")).to_be_visible()
    visitor.button("Send code").click()
    visitor.is_at("Check your email")


def test_a_name_that_is_too_long_gets_no_green_mark(visitor):
    visitor.visit("/signup")
    for length, marks in ((64, 1), (65, 0)):
        visitor.field("Name").fill("a" * length)
        visitor.field("Email address").focus()
        expect(mark_of(visitor, "Name")).to_have_count(marks)


def test_what_only_the_server_can_judge_gets_no_green_mark(visitor, member):
    visitor.is_signed_in(member)
    visitor.visit("/account/delete")
    word = visitor.page.locator("#delete-confirm")
    word.fill("no")
    word.press("Tab")
    expect(word).not_to_be_focused()
    expect(visitor.page.locator(".valid")).to_have_count(0)


def test_a_field_only_passed_through_is_not_judged(visitor):
    visitor.visit("/signup")
    visitor.field("Name").focus()
    for _ in range(8):
        visitor.page.keyboard.press("Tab")
    expect(visitor.page.locator("[aria-invalid=true]")).to_have_count(0)


def test_a_repeated_password_is_compared_again_when_the_first_one_changes(visitor):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example.com", repeated=f"{PASSWORD}!")
    visitor.field(TERMS).focus()
    expect(error_of(visitor, "Repeat password")).to_contain_text("The passwords don't match.")
    visitor.field("Password").fill(f"{PASSWORD}!")
    expect(error_of(visitor, "Repeat password")).to_be_empty()
    expect(mark_of(visitor, "Repeat password")).to_be_visible()


def test_the_summary_and_the_title_forget_a_problem_that_is_mended(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.button("Sign in").click()
    visitor.is_told("Enter your password.", "Password")
    visitor.field("Password").fill("something")
    visitor.field("Email address").focus()
    expect(visitor.page.locator("#error-summary")).to_have_count(0)
    expect(visitor.page).to_have_title("Sign in · Vestibule")
    assert visitor.posts == []


def links_of_summary(visitor):
    return visitor.page.locator("#error-summary").get_by_role("link")


def test_the_summary_takes_in_what_the_server_says_of_the_password_later(visitor):
    visitor.visit("/signup")
    held = hold(visitor.page, "/signup/strength")
    different, terms = "The passwords don't match.", re.compile("terms")
    with visitor.page.expect_request("**/signup/strength"):
        visitor.fill_sign_up("ada@example.com", password="password1", repeated="something else", terms=False)
        visitor.button("Create account").click()
        expect(links_of_summary(visitor)).to_have_text([different, terms])
    # In this order: `unroute` may let go of what is held, too.
    for each in list(held):
        each.continue_()
    visitor.page.unroute("**/signup/strength")
    expect(links_of_summary(visitor)).to_have_text([re.compile("easy to guess|common"), different, terms])
    expect(visitor.page.locator("#error-summary")).to_be_focused()
    links_of_summary(visitor).first.click()
    expect(visitor.field("Password")).to_be_focused()


def test_the_summary_says_what_the_field_says(visitor):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    expect(links_of_summary(visitor)).to_have_text(["Enter your email address.", "Enter your password."])
    visitor.field("Email address").fill("ada@example")
    visitor.field("Password").focus()
    expect(links_of_summary(visitor)).to_have_text([BAD_ADDRESS, "Enter your password."])
    visitor.field("Password").fill("something")
    visitor.field("Email address").focus()
    expect(links_of_summary(visitor)).to_have_text([BAD_ADDRESS])
    visitor.field("Password").fill("")
    visitor.field("Email address").focus()
    expect(links_of_summary(visitor)).to_have_text([BAD_ADDRESS, "Enter your password."])
    expect(visitor.field("Email address")).to_be_focused()


def places_of_fields(visitor):
    fields = visitor.page.locator("input:not([type=hidden]), [type=submit]")
    return fields.evaluate_all("each => each.map(one => one.getBoundingClientRect().top + scrollY)")


REFUSED_LOGIN = pytest.mark.parametrize("way", [Way(), Way(screen="phone")], ids=str)


@REFUSED_LOGIN
@pytest.mark.parametrize("label", ["Email address", "Password"])
def test_a_refused_login_is_called_wrong_until_somebody_begins_to_mend_it(visitor, member, label):
    visitor.log_in(member, password="not the password")
    visitor.is_told("Invalid email or password.")
    visitor.field(label).press("x")
    expect(visitor.page.locator("#error-summary, [aria-invalid=true]")).to_have_count(0)
    expect(visitor.page.get_by_text("Invalid email or password.")).to_have_count(0)
    expect(visitor.page).to_have_title("Sign in · Vestibule")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


@REFUSED_LOGIN
def test_nothing_moves_while_somebody_types_into_a_login_that_was_refused(visitor, member):
    visitor.log_in(member, password="not the password")
    visitor.is_told("Invalid email or password.")
    before = places_of_fields(visitor)
    visitor.field("Email address").press_sequentially(".invalid")
    assert places_of_fields(visitor) == before
    visitor.field("Email address").press("Tab")
    expect(visitor.field("Password")).to_be_focused()
    # The room of the summary is given up when nobody types.
    after = places_of_fields(visitor)
    assert after[-1] < before[-1]
    visitor.field("Password").press_sequentially(PASSWORD)
    assert places_of_fields(visitor) == after


def test_a_login_that_is_refused_again_says_so_again(visitor, member):
    for _ in range(2):
        visitor.log_in(member, password="not the password")
        visitor.is_told("Invalid email or password.")
        expect(visitor.page.locator("#error-summary")).to_be_focused()


@pytest.mark.parametrize("way", [Way(script=False)], ids=str)
def test_without_javascript_a_refused_login_stays_as_it_was_answered(visitor, way, member):
    visitor.log_in(member, password="not the password")
    visitor.field("Password").press_sequentially("x")
    visitor.is_told("Invalid email or password.")
    expect(visitor.page.locator("[aria-invalid=true]")).to_have_count(2)


def test_nothing_moves_while_somebody_types_what_was_missing(visitor):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    visitor.is_told("Enter your password.")
    email = visitor.field("Email address")
    before = email.bounding_box()
    email.press_sequentially("ada@example.com")
    assert email.bounding_box() == before
    expect(error_of(visitor, "Email address")).to_be_empty()
    email.press("Tab")
    expect(links_of_summary(visitor)).to_have_text(["Enter your password."])


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_an_empty_sign_up_says_nothing_of_passwords_that_differ(visitor, way):
    visitor.visit("/signup")
    visitor.button("Create account").click()
    visitor.is_told("Repeat your password.", "Repeat password")
    visitor.is_told("Enter a password.", "Password")
    expect(visitor.page.locator("main")).not_to_contain_text("The passwords don't match.")
    expect(links_of_summary(visitor)).to_have_count(5)
    visitor.field("Repeat password").fill(PASSWORD)
    visitor.button("Create account").click()
    visitor.is_told("Enter a password.", "Password")
    expect(visitor.page.locator("main")).not_to_contain_text("The passwords don't match.")


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_an_empty_change_of_the_password_asks_for_a_new_one(visitor, way, member):
    visitor.log_in(member)
    visitor.is_at("Your account")
    visitor.visit("/account/password")
    visitor.button("Change password").click()
    visitor.is_told("Enter a new password.", "New password")
    visitor.is_told("Repeat your password.", "Repeat password")
    visitor.field("New password").fill("seven bridges over a violet tram")
    visitor.field("Repeat password").fill("seven bridges over a violet tram")
    visitor.button("Change password").click()
    visitor.is_told("Enter your current password.", "Current password")


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_a_login_says_at_the_field_what_is_missing_or_no_address(visitor, way):
    visitor.visit("/login")
    visitor.button("Sign in").click()
    visitor.is_told("Enter your email address.", "Email address")
    visitor.is_told("Enter your password.", "Password")
    visitor.field("Email address").fill("ada@example")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told(BAD_ADDRESS, "Email address")
    expect(error_of(visitor, "Password")).to_be_empty()


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_what_is_wrong_with_one_field_is_said_once_and_there(visitor, way):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told(BAD_ADDRESS, "Email address")
    expect(visitor.page.locator("main").get_by_text(BAD_ADDRESS)).to_have_count(1)
    expect(visitor.page.locator("#error-summary")).to_have_count(0)


def test_the_title_forgets_the_error_of_one_field_that_is_mended(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@example")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told(BAD_ADDRESS, "Email address")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").focus()
    expect(visitor.page).to_have_title("Sign in · Vestibule")


def test_a_wrong_code_is_selected_so_that_typing_replaces_it(visitor, house, address):
    visitor.sign_up(address)
    right = house.outbox.code_for(address)
    visitor.type_code("111111" if right != "111111" else "222222")
    visitor.is_told("That code is wrong or has expired.", "Code")
    visitor.page.keyboard.type("12")
    expect(visitor.field("Code")).to_have_value("12")


def test_forced_colours_keep_strong_and_quiet_apart(visitor):
    visitor.page.emulate_media(forced_colors="active")
    visitor.visit("/")
    names = ("Sign in", "Create account")
    strong, quiet = (visitor.link(name).evaluate("each => getComputedStyle(each).backgroundColor") for name in names)
    assert strong != quiet


def test_forced_colours_tell_the_page_of_the_account_and_draw_six_boxes_alone(visitor, member):
    visitor.is_signed_in(member)
    visitor.page.emulate_media(forced_colors="active")
    visitor.visit("/account/security/totp")
    current = visitor.page.locator(".sections [aria-current]")
    assert current.evaluate("each => getComputedStyle(each).borderBlockEndWidth") == "1px"
    assert visitor.page.locator(".digits").evaluate("each => getComputedStyle(each).borderTopWidth") == "0px"


def test_the_meter_fills_by_strength_in_forced_colours(visitor):
    visitor.page.emulate_media(forced_colors="active")
    visitor.visit("/signup")
    filled = """(meter, score) => {
        meter.hidden = false;
        meter.dataset.score = score;
        const grounds = [...meter.querySelectorAll("i")].map((each) => getComputedStyle(each).backgroundColor);
        return grounds.filter((each) => each !== getComputedStyle(document.body).backgroundColor).length;
    }"""
    meter = visitor.page.locator(".strength")
    assert [meter.evaluate(filled, score) for score in range(5)] == [1, 1, 2, 3, 4]


# Passwords


@pytest.mark.parametrize("path, label, show", [
    ("/login", "Password", "Show password"),
    ("/signup", "Password", "Show password"),
    ("/signup", "Repeat password", "Show repeated password"),
])
def test_a_password_can_be_shown_and_hidden(visitor, path, label, show):
    visitor.visit(path)
    password, button = visitor.field(label), visitor.button(show)
    password.fill(PASSWORD)
    expect(button).to_have_text("Show")
    button.click()
    expect(password).to_have_attribute("type", "text")
    expect(password).to_have_value(PASSWORD)
    hide = visitor.button(show.replace("Show", "Hide"))
    expect(hide).to_have_text("Hide")
    expect(hide).to_be_focused()
    hide.click()
    expect(button).to_have_text("Show")
    expect(password).to_have_attribute("type", "password")
    # The meter may have asked.
    assert visitor.posts == [] or path == "/signup" and visitor.posts == [("/signup/strength", 200)]


def test_without_javascript_there_is_no_button_that_does_nothing(new_visitor, house):
    visitor = new_visitor(house, Way(script=False))
    visitor.visit("/signup")
    expect(visitor.page.get_by_role("button")).to_have_text(["Create account", "Sign in"])
    expect(visitor.page.locator("[data-strength]")).to_be_hidden()


def test_a_caps_lock_that_is_on_is_hinted_at(visitor):
    visitor.visit("/login")
    password = visitor.field("Password")
    password.focus()
    press = """(input, on) => input.dispatchEvent(
        new KeyboardEvent("keydown", {key: "A", bubbles: true, modifierCapsLock: on})
    )"""
    password.evaluate(press, True)
    expect(visitor.page.get_by_role("status").get_by_text("Caps Lock is on.")).to_be_visible()
    password.evaluate(press, False)
    expect(visitor.page.get_by_text("Caps Lock is on.")).to_have_count(0)


def test_the_meter_does_not_repeat_why_a_password_was_refused(visitor, address):
    visitor.visit("/signup")
    visitor.fill_sign_up(address, password="password")
    words = visitor.page.locator(".strength-words")
    expect(words).to_have_text("Very weak")
    visitor.button("Create account").click()
    meter = visitor.page.locator("[data-strength]")
    meter.evaluate("meter => delete meter.dataset.score")
    visitor.field("Name").fill("Grace Hopper")
    visitor.button("Create account").click()
    # The page sets it when it has taken the server's answer.
    expect(meter).to_have_attribute("data-score", re.compile("."))
    expect(words).to_have_text("Very weak")


@pytest.mark.parametrize("password", PASSWORDS)
def test_the_meter_says_what_the_server_thinks(visitor, house, address, password):
    form = {"password": password, "email": address, "display_name": "Ada Lovelace"}
    estimate = json.loads(house.ask("POST", "/signup/strength", form).text)
    visitor.visit("/signup")
    visitor.fill_sign_up(address, password=password)
    words = visitor.page.locator(".strength-words")
    expect(words).to_be_visible()
    expect(words).to_contain_text(estimate["label"])

    answer = house.ask("POST", "/signup", form | {"password_confirmation": password, "terms": "accepted"})
    assert answer.status == (303 if estimate["acceptable"] else 422)
    if estimate["acceptable"]:
        expect(error_of(visitor, "Password")).to_be_empty()
    else:
        expect(error_of(visitor, "Password")).to_contain_text(estimate["hint"])
        assert estimate["hint"] in unescape(answer.text)
        visitor.button("Create account").click()
        visitor.is_told(estimate["hint"], "Password")


def test_the_meter_asks_when_typing_rests_and_not_at_every_key(visitor):
    visitor.visit("/signup")
    visitor.field("Password").press_sequentially(PASSWORD)
    expect(visitor.page.locator(".strength-words")).to_contain_text("Strong")
    assert visitor.sent.count("/signup/strength") <= 2
    visitor.field("Password").fill("")
    expect(visitor.page.locator("[data-strength]")).to_be_hidden()


def test_the_meter_does_not_move_a_button_that_is_being_pressed(visitor):
    visitor.visit("/signup")
    held = hold(visitor.page, "/signup/strength")
    with visitor.page.expect_request("**/signup/strength"):
        visitor.fill_sign_up("ada@example.com", terms=False)
    button = visitor.button("Create account")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    visitor.page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    visitor.page.mouse.down()
    with visitor.page.expect_response("**/signup/strength") as answer:
        held[-1].continue_()
    answer.value.finished()
    # What the page does with the answer, it has done by the second frame.
    visitor.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert button.bounding_box() == before
    visitor.page.mouse.up()
    visitor.is_told("Accept the terms to continue.", TERMS)
    visitor.sees("Strong")


def test_the_meter_shows_after_a_touch_that_became_a_scroll(visitor):
    visitor.visit("/signup")
    visitor.page.evaluate("dispatchEvent(new PointerEvent('pointerdown'))")
    with visitor.page.expect_response("**/signup/strength") as answer:
        visitor.field("Password").fill(PASSWORD)
    answer.value.finished()
    expect(visitor.page.locator("[data-strength]")).to_be_hidden()
    visitor.page.evaluate("dispatchEvent(new PointerEvent('pointercancel'))")
    visitor.sees("Strong")


def test_the_meter_is_silent_until_a_password_is_long_enough(visitor):
    visitor.page.clock.install()
    visitor.visit("/signup")
    meter = visitor.page.locator("[data-strength]")
    visitor.field("Password").fill("🪜🔑🐎abcd")
    visitor.field("Name").fill("Ada")
    visitor.let_time_pass()
    expect(meter).to_be_hidden()
    assert visitor.sent == []
    visitor.field("Password").fill("🪜🔑🐎abcde")
    expect(meter).to_be_visible()
    visitor.field("Password").fill("🪜🔑🐎abcd")
    expect(meter).to_be_hidden()


@pytest.mark.parametrize("password", ["short", "password"])
def test_no_green_mark_stands_beside_a_password_that_is_refused(visitor, password):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example.com", password=password)
    visitor.field(TERMS).focus()
    expect(error_of(visitor, "Password")).not_to_be_empty()
    expect(mark_of(visitor, "Repeat password")).to_have_count(0)
    visitor.field("Repeat password").fill(PASSWORD)
    visitor.field("Password").fill(PASSWORD)
    visitor.field("Password").press("Tab")
    expect(mark_of(visitor, "Repeat password")).to_be_visible()
    visitor.field("Password").fill(password)
    visitor.field("Password").press("Tab")
    visitor.field("Repeat password").fill(password)
    visitor.field(TERMS).focus()
    expect(error_of(visitor, "Password")).not_to_be_empty()
    expect(mark_of(visitor, "Repeat password")).to_have_count(0)


# A script that comes late


def comes_late(visitor):
    """The script, kept waiting until the test lets it go on."""
    held = []
    visitor.page.route("**/js/vestibule.js*", lambda route: held.append(route))
    return held


def comes(visitor, held) -> None:
    held[0].continue_()
    expect(visitor.page.locator(".show").first).to_be_visible()
    visitor.page.wait_for_load_state()
    # `pageshow` comes after `load`: let its handlers run.
    visitor.page.evaluate("() => new Promise((done) => setTimeout(done))")


def test_a_script_that_comes_late_takes_the_focus_from_nobody(visitor):
    visitor.visit("/login")
    visitor.field("Email address").fill("ada@-example.com")
    visitor.field("Password").fill("something")
    held = comes_late(visitor)
    with visitor.page.expect_navigation(wait_until="commit"):
        visitor.page.evaluate("document.getElementById('login').submit()")
    email = visitor.field("Email address")
    expect(email).to_have_attribute("aria-invalid", "true")
    email.fill("ada@example.com")
    visitor.field("Password").press_sequentially("some")
    comes(visitor, held)
    visitor.page.keyboard.type("thing")
    expect(visitor.field("Password")).to_have_value("something")
    expect(email).to_have_value("ada@example.com")


def test_a_script_that_comes_late_wipes_nothing_that_was_typed_after_the_way_back(visitor):
    visitor.visit("/signup")
    visitor.visit("/terms")
    held = comes_late(visitor)
    visitor.page.go_back(wait_until="commit")
    visitor.field("Name").press_sequentially("Ada Lovelace")
    comes(visitor, held)
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")


# Sending


def hold(page, path):
    """Requests to the path, kept waiting until the test lets them go on."""
    held = []
    page.route(f"**{path}", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    return held


def test_signing_in_is_announced_and_sent_once(visitor, member):
    visitor.visit("/login")
    held = hold(visitor.page, "/login")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    button = visitor.button("Sign in")
    button.dblclick()
    expect(visitor.page.get_by_role("status").get_by_text("Signing in…")).to_be_attached()
    expect(button).to_have_attribute("aria-disabled", "true")
    spinner = "button => getComputedStyle(button, '::before').animationName"
    assert button.evaluate(spinner) == "turn"
    visitor.field("Password").press("Enter")
    button.click(force=True)
    assert len(held) == 1
    held[0].continue_()
    visitor.is_at("Your account")
    assert visitor.posts == [("/login", 200)]


def test_fields_are_held_while_a_form_is_sent_and_given_back(visitor):
    visitor.visit("/login")
    visitor.pardon("net::ERR_FAILED")
    held = hold(visitor.page, "/login")
    email, password, remember = (visitor.field(each) for each in ("Email address", "Password", "Keep me signed in"))
    email.fill("ada@example.com")
    password.fill("something")
    password.press("Enter")
    expect(visitor.button("Sign in")).to_have_attribute("aria-disabled", "true")
    for field in (email, password):
        expect(field).not_to_be_editable()
        field.press_sequentially("more")
    expect(email).to_have_value("ada@example.com")
    expect(password).to_have_value("something")
    for target in (remember, visitor.page.locator("label", has_text="Keep me signed in")):
        target.click(force=True)
        expect(remember).to_be_checked()
    visitor.button("Show password").click()
    expect(password).to_have_attribute("type", "password")
    held[0].abort()
    visitor.is_told("No connection. Check your network and try again.")
    for field in (email, password):
        expect(field).to_be_editable()
    remember.uncheck()


def test_fields_are_given_back_by_the_way_back(visitor):
    visitor.visit("/login")
    held = hold(visitor.page, "/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    expect(visitor.field("Email address")).not_to_be_editable()
    visitor.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    visitor.nothing_is_typed()
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Keep me signed in").uncheck()
    held[0].continue_()


def test_after_the_next_page_was_stopped_another_click_sends_the_form_again(visitor, member):
    visitor.visit("/login")
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.page.route("**/account*", lambda route: None)
    with visitor.page.expect_request("**/account*"):
        visitor.button("Sign in").click(no_wait_after=True)
    visitor.cdp.send("Page.stopLoading")
    expect(visitor.button("Sign in")).not_to_have_attribute("aria-disabled", "true")
    visitor.page.unroute("**/account*")
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


def test_an_error_of_the_network_goes_when_somebody_types(visitor):
    visitor.visit("/login")
    visitor.pardon("net::ERR_")
    visitor.page.route("**/login", lambda route: route.abort("internetdisconnected"))
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told("No connection. Check your network and try again.")
    visitor.field("Password").press("x")
    expect(visitor.page.locator("#error-summary")).to_have_count(0)
    expect(visitor.page).to_have_title("Sign in · Vestibule")
    expect(visitor.field("Password")).to_be_focused()


def test_an_error_of_the_network_leaves_what_a_page_says_of_the_account(new_visitor, open_house):
    house = open_house(VESTIBULE_SECOND_FACTOR="required")
    visitor = new_visitor(house, Way())
    visitor.log_in(house.member)
    visitor.is_at("Security")
    visitor.pardon("net::ERR_")
    visitor.page.route("**/logout", lambda route: route.abort("internetdisconnected"))
    visitor.button("Sign out").first.click()
    visitor.is_told("No connection. Check your network and try again.")
    expect(visitor.page.locator(".notice")).to_be_visible()


def test_without_a_network_a_mail_can_still_be_begun(new_visitor, owned_house):
    visitor = new_visitor(owned_house, Way())
    visitor.visit("/no-such-page")
    visitor.context.set_offline(True)
    mail = visitor.page.locator("main a[href^='mailto:']")
    # The browser would open another program.
    mail.evaluate("""() => addEventListener("click", (event) => {
        window.isRefused = event.defaultPrevented;
        event.preventDefault();
    })""")
    mail.click()
    assert visitor.page.evaluate("window.isRefused") is False


@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_enter_on_a_phone_goes_on_to_the_next_field_and_sends_from_the_last(visitor):
    visitor.visit("/signup")
    for label, after in (("Name", "Email address"), ("Email address", "Password"), ("Password", "Repeat password")):
        visitor.field(label).press("Enter")
        expect(visitor.field(after)).to_be_focused()
    expect(visitor.page.locator("#error-summary")).to_have_count(0)
    visitor.field("Repeat password").press("Enter")
    visitor.is_told("Enter your name.")


def test_enter_on_a_keyboard_sends_from_every_field(visitor):
    for label in ("Email address", "Password"):
        visitor.visit("/login")
        visitor.field(label).press("Enter")
        visitor.is_told("Enter your email address.")


def test_a_spinner_is_seen_to_turn_in_forced_colours(visitor):
    visitor.page.emulate_media(forced_colors="active")
    visitor.visit("/login")
    held = hold(visitor.page, "/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("x")
    visitor.button("Sign in").click()
    expect(visitor.button("Sign in")).to_have_attribute("aria-disabled", "true")
    sides = """button => {
        const {borderInlineStartColor, borderInlineEndColor, animationName} = getComputedStyle(button, "::before");
        return [borderInlineStartColor, borderInlineEndColor, animationName];
    }"""
    ring, gap, turns = visitor.button("Sign in").evaluate(sides)
    assert ring != gap and turns == "turn"
    held[0].continue_()
    visitor.is_told("Invalid email or password.")


def test_a_spinner_keeps_still_for_those_who_asked_for_less_motion(visitor):
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.visit("/login")
    held = hold(visitor.page, "/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("x")
    visitor.button("Sign in").click()
    button = visitor.button("Sign in")
    expect(button).to_have_attribute("aria-disabled", "true")
    assert button.evaluate("button => parseFloat(getComputedStyle(button, '::before').animationDuration)") >= 2
    held[0].abort()
    visitor.pardon("net::ERR_FAILED")


def test_a_network_that_fails_is_told_and_survived(visitor, member):
    visitor.visit("/login")
    visitor.pardon("net::ERR_")
    visitor.page.route("**/login", lambda route: route.abort("internetdisconnected"))
    visitor.field("Email address").fill(member)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_told("No connection. Check your network and try again.")
    expect(visitor.page.locator("#error-summary")).to_be_focused()
    expect(visitor.field("Password")).to_have_value(PASSWORD)
    expect(visitor.button("Sign in")).not_to_have_attribute("aria-disabled", "true")
    expect(visitor.page.locator("#progress")).to_be_empty()
    visitor.page.unroute("**/login")
    visitor.button("Sign in").click()
    visitor.is_at("Your account")


@pytest.mark.parametrize("status, body", [
    (502, "Bad Gateway"), (503, "<!DOCTYPE html><title>503</title><main id=main><p class=lead>No server</p></main>"),
    (403, "<h1>Blocked</h1>"),
])
def test_the_page_of_a_proxy_is_no_fault_of_the_network_and_loses_nothing_typed(visitor, status, body):
    visitor.visit("/login")
    visitor.pardon(str(status))
    visitor.page.route("**/login", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told("Something went wrong on our side. Please try again.")
    expect(visitor.page.locator("#error-summary")).to_be_focused()
    expect(visitor.field("Email address")).to_have_value("ada@example.com")
    expect(visitor.field("Password")).to_have_value("something")
    expect(visitor.button("Sign in")).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_the_first_tap_after_an_error_hits_what_it_was_aimed_at(visitor):
    visitor.log_in("ada@example.com", password="wrong")
    visitor.is_told("Invalid email or password.")
    visitor.field("Password").tap()
    visitor.page.keyboard.type("wrong again")
    posts = len(visitor.posts)
    visitor.button("Sign in").tap()
    visitor.is_told("Invalid email or password.")
    assert len(visitor.posts) == posts + 1
    visitor.visit("/signup")
    visitor.button("Create account").tap()
    visitor.is_told("Enter your name.", "Name")
    visitor.fill_sign_up("ada@example.com", terms=False)
    visitor.field("Repeat password").tap()
    visitor.field(TERMS).tap()
    expect(visitor.field(TERMS)).to_be_checked()


@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_the_menu_of_languages_closes_by_a_tap_beside_it_and_by_escape(visitor):
    visitor.visit("/login")
    menu = visitor.page.locator(".languages details")
    for close in (lambda: visitor.page.get_by_role("heading", level=1).tap(), lambda: visitor.page.keyboard.press("Escape")):
        visitor.page.locator(".languages summary").tap()
        expect(menu).to_have_attribute("open", "")
        close()
        expect(menu).not_to_have_attribute("open", "")
    expect(visitor.page.locator(".languages summary")).to_be_focused()


def test_the_menu_of_languages_closes_when_the_focus_leaves_it(visitor):
    visitor.visit("/login")
    menu = visitor.page.locator(".languages details")
    visitor.page.locator(".languages summary").press("Enter")
    for _ in range(2):
        visitor.page.keyboard.press("Tab")
        expect(menu).to_have_attribute("open", "")
    visitor.page.keyboard.press("Tab")
    expect(visitor.field("Email address")).to_be_focused()
    expect(menu).not_to_have_attribute("open", "")


def test_a_house_with_trouble_says_so_and_loses_nothing_typed(visitor, house):
    visitor.visit("/login")
    visitor.pardon("503")
    trouble = house.ask("GET", "/no-such-page").text.replace("The page may have moved, or the link has a typo.", "Please try again.")
    answer = {"status": 503, "body": trouble, "content_type": "text/html; charset=utf-8"}
    visitor.page.route("**/login", lambda route: route.fulfill(**answer))
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("something")
    visitor.button("Sign in").click()
    visitor.is_told("Please try again.")
    expect(visitor.field("Password")).to_have_value("something")


def test_a_refusal_of_something_else_leaves_the_passwords(visitor, member):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@-example.com")
    visitor.button("Create account").click()
    visitor.is_told(BAD_ADDRESS, "Email address")
    for label in ("Password", "Repeat password"):
        expect(visitor.field(label)).to_have_value(PASSWORD)
    expect(mark_of(visitor, "Repeat password")).to_be_visible()
    visitor.is_signed_in(member)
    visitor.visit("/account/password")
    for label, value in {"Current password": "wrong", "New password": "an other tram", "Repeat password": "an other tram"}.items():
        visitor.field(label).fill(value)
    visitor.page.get_by_role("main").locator("[type=submit]").click()
    visitor.is_told("That's not your current password.", "Current password")
    expect(visitor.field("Current password")).to_have_value("")
    for label in ("New password", "Repeat password"):
        expect(visitor.field(label)).to_have_value("an other tram")


def test_a_shown_password_is_hidden_again_when_sent(visitor):
    visitor.visit("/login")
    held = hold(visitor.page, "/login")
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill("something")
    visitor.button("Show password").click()
    visitor.button("Sign in").click()
    expect(visitor.field("Password")).to_have_attribute("type", "password")
    held[0].continue_()
    visitor.is_told("Invalid email or password.")


def test_a_file_leaves_neither_a_spinner_nor_the_password(new_visitor, aging_house):
    visitor = new_visitor(aging_house, Way())
    visitor.log_in(aging_house.member)
    visitor.is_at("Your account")
    aging_house.let_proofs_grow_old()
    visitor.visit("/account/data")
    visitor.button("Download your data").click()
    visitor.is_at("Confirm it's you")
    visitor.button("Continue").click()
    visitor.is_told("Enter your current password.", "Current password")
    assert visitor.posts[-1] == ("/account/export", 303)
    visitor.field("Current password").fill(PASSWORD)
    with visitor.page.expect_download():
        visitor.button("Continue").click()
    visitor.is_at("Here is your data")
    visitor.link("Back to your account").click()
    visitor.is_at("Your data")
    with visitor.page.expect_download():
        visitor.button("Download your data").click()
    expect(visitor.button("Download your data")).not_to_have_attribute("aria-disabled", "true")
    expect(visitor.page.locator("#progress")).to_be_empty()
    expect(visitor.page.locator("input[type=password]")).to_have_count(0)


@pytest.mark.parametrize("way", [Way(), Way(script=False)], ids=str)
def test_the_download_begins_after_the_second_factor(new_visitor, aging_house, way):
    visitor = new_visitor(aging_house, way)
    address = a_new_address()
    aging_house.make_account(address)
    visitor.is_signed_in(address)
    visitor.visit("/account/security/totp")
    visitor.field("Code from the app").fill(pyotp.TOTP(visitor.page.locator(".key").inner_text().replace(" ", "")).now())
    visitor.button("Add the app").click()
    visitor.button("Make recovery codes").click()
    expect(visitor.page.locator(".codes li")).to_have_count(10)
    codes = visitor.page.locator(".codes li").all_inner_texts()
    aging_house.let_proofs_grow_old()
    visitor.visit("/account/data")
    visitor.button("Download your data").click()
    visitor.is_at("Confirm it's you")
    visitor.button("Use a recovery code").click()
    expect(visitor.field("Recovery code")).to_be_focused()
    visitor.field("Recovery code").fill(codes[0])
    with visitor.page.expect_download():
        visitor.button("Continue").click()
    visitor.is_at("Here is your data")


# Going back


@pytest.mark.parametrize("page, heading", [("Sign in", "Sign in"), ("Create account", "Create your account")])
def test_going_back_to_the_welcome_page_leaves_nothing_typed_behind(visitor, page, heading):
    visitor.visit("/")
    visitor.link(page).click()
    visitor.is_at(heading)
    visitor.field("Email address").fill("ada@example.com")
    visitor.field("Password").fill(PASSWORD)
    visitor.page.go_back()
    visitor.is_at("Vestibule")
    visitor.page.go_forward()
    visitor.is_at(heading)
    visitor.nothing_is_typed()
    visitor.field("Email address").fill("ada@example.com")
    visitor.link("Vestibule").click()
    visitor.is_at("Vestibule")
    visitor.link(page).click()
    visitor.is_at(heading)
    visitor.nothing_is_typed()


def test_a_page_kept_whole_in_memory_leaves_nothing_typed_behind_either(visitor):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example", password="password")
    visitor.button("Create account").click()
    visitor.is_told(BAD_ADDRESS)
    visitor.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    visitor.nothing_is_typed()
    expect(visitor.page.locator("[aria-invalid=true], #error-summary, .valid")).to_have_count(0)
    expect(visitor.page).not_to_have_title(re.compile("^Error"))


def looks_at_privacy_and_comes_back(visitor):
    visitor.visit("/signup")
    visitor.fill_sign_up("ada@example.com")
    # When the meter shows, the links below it move, and a click at that moment would miss.
    visitor.sees("Strong")
    visitor.link("Privacy").click()
    visitor.is_at("Privacy")
    visitor.link("Terms").click()
    visitor.is_at("Terms")
    visitor.page.go_back()
    visitor.is_at("Privacy")
    visitor.page.go_back()
    visitor.is_at("Create your account")
    expect(visitor.field("Email address")).to_have_value("ada@example.com")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    for label in ("Password", "Repeat password"):
        expect(visitor.field(label)).to_have_value("")
    expect(visitor.page.locator("[data-strength]")).to_be_hidden()


def test_a_look_at_the_privacy_page_costs_only_the_passwords(visitor):
    looks_at_privacy_and_comes_back(visitor)


def test_nothing_typed_comes_back_once_the_welcome_page_was_shown(visitor):
    looks_at_privacy_and_comes_back(visitor)
    visitor.page.go_forward()
    visitor.is_at("Privacy")
    visitor.link("Vestibule").click()
    visitor.is_at("Vestibule")
    visitor.page.go_back()
    visitor.is_at("Privacy")
    visitor.page.go_back()
    visitor.is_at("Create your account")
    visitor.nothing_is_typed()


def test_nothing_typed_comes_back_once_the_form_was_taken(visitor, address):
    looks_at_privacy_and_comes_back(visitor)
    visitor.fill_sign_up(address)
    visitor.button("Create account").click()
    visitor.is_at("Check your email")
    visitor.page.go_back()
    visitor.is_at("Create your account")
    visitor.nothing_is_typed()


def test_what_was_typed_comes_back_by_the_way_back_from_another_form(visitor):
    looks_at_privacy_and_comes_back(visitor)
    visitor.change_form("Sign in")
    visitor.is_at("Sign in")
    visitor.page.go_back()
    visitor.is_at("Create your account")
    expect(visitor.field("Email address")).to_have_value("ada@example.com")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.field("Password")).to_have_value("")


def test_going_back_to_the_account_page_leaves_the_stored_name(visitor, member):
    visitor.log_in(member)
    visitor.is_at("Your account")
    visitor.field("Name").fill("Somebody Else")
    visitor.link("Security").click()
    visitor.page.wait_for_url("**/account/security")
    visitor.page.go_back()
    visitor.page.wait_for_url("**/account")
    expect(visitor.field("Name")).to_have_value("Ada Lovelace")
    expect(visitor.page.locator(".valid")).to_have_count(0)

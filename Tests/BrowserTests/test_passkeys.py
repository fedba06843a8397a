"""Passkeys as people see them: Chromium's virtual authenticators, the real server."""

import json
import re

import engines
import pytest
from authenticators import PASSKEYS, Authenticator, add_passkey
from caller import Caller
from house import PASSWORD, a_new_address
from keyboard import Keyboard
from places import place_named, send_nonsense
from playwright.sync_api import expect
from visitor import Way

NEW_PASSWORD = "staple horse battery correct"
REFUSED = "That passkey didn't work here. Try again, or use another way."
FAILED = "That didn't work. Try again, or use another way."
NOT_MADE = "No passkey was made. Try again, or use another device."
NEEDS_SCRIPT = "A passkey needs JavaScript, which is off in this browser."
TRUST = "Trust this browser for 30 days"
# What pages tell the browser about passkeys, and how they ask for one.
LISTEN = """() => {
    window.told = [];
    for (const name of ["signalUnknownCredential", "signalAllAcceptedCredentials", "signalCurrentUserDetails"]) {
        PublicKeyCredential[name] = async (value) => void told.push([name, value]);
    }
    window.asked = [];
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
        asked.push(options.mediation ?? "button");
        return get(options);
    };
}"""
NO_AUTOFILL = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
IMPATIENT = """(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
        options.publicKey.timeout = 100;
        return get(options);
    };
})()"""


@pytest.fixture
def member(house, address) -> str:
    house.make_account(address)
    return address


@pytest.fixture
def owner(visitor, member) -> Authenticator:
    """The visitor has added a passkey, and has left; nobody touches the authenticator."""
    visitor.is_signed_in(member)
    authenticator = Authenticator(visitor)
    add(visitor)
    authenticator.be_touched(False)
    leave(visitor)
    return authenticator


def add(visitor) -> None:
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    visitor.sees("Passkey added. Now make recovery codes, for the day you lose it.")


def leave(visitor) -> None:
    visitor.visit("/account")
    visitor.log_out()
    visitor.sees("You're signed out.")


def visit_prepared(visitor, path: str, button: str = "Sign in with a passkey") -> None:
    """The page and its script for passkeys, which comes after it and shows the button."""
    visitor.visit(path)
    expect(visitor.button(button)).to_be_visible()


def by_button(visitor, authenticator: Authenticator) -> None:
    visitor.page.add_init_script(NO_AUTOFILL)
    visitor.visit("/login")
    authenticator.be_touched()
    visitor.button("Sign in with a passkey").click()


def trust_this_browser(visitor, owner, member):
    """Signs in with the passkey as second step, asks to be trusted, and signs in again without it."""
    is_second_asked(visitor, member)
    visitor.field(TRUST).check()
    use_passkey(visitor, owner)
    visitor.is_at("Your account")
    owner.be_touched(False)
    leave(visitor)
    visitor.log_in(member)
    visitor.is_at("Your account")


def is_second_asked(visitor, member: str) -> None:
    visitor.log_in(member)
    visitor.is_at("Confirm it's you")


def use_passkey(visitor, authenticator: Authenticator) -> None:
    authenticator.be_touched()
    visitor.button("Use a passkey").click()


def opens_own_passkeys(visitor, owner: Authenticator, member: str) -> None:
    is_second_asked(visitor, member)
    use_passkey(visitor, owner)
    visitor.is_at("Your account")
    visitor.visit(PASSKEYS)


def passkey_form_says(visitor, sentence: str) -> None:
    expect(visitor.page.locator("form[data-passkey]").get_by_role("alert")).to_have_text(sentence)


def test_a_person_adds_a_passkey_and_signs_in_without_typing(visitor, outbox, address):
    visitor.sign_up(address)
    visitor.type_code(outbox.code_for(address))
    visitor.is_at("Your account")
    visitor.visit("/account/security")
    authenticator = Authenticator(visitor)
    visitor.link("Add a passkey").click()
    visitor.is_at("Passkeys")
    visitor.button("Add a passkey").click()
    visitor.sees("Passkey added. Now make recovery codes, for the day you lose it.")
    assert visitor.page.url.endswith("/account/security/recovery-codes")
    assert [each["rpId"] for each in authenticator.passkeys] == ["localhost"]
    outbox.mail_about(address, "A passkey was added to your account")
    visitor.visit(PASSKEYS)
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Passkey"])

    authenticator.be_touched(False)
    leave(visitor)
    by_button(visitor, authenticator)
    visitor.is_at("Your account")
    visitor.visit("/account/activity")
    visitor.sees("Passkey added")


def test_nothing_moves_when_the_script_comes_late(visitor):
    card, button = visitor.page.locator("main.card"), visitor.button("Sign in with a passkey")
    before = []

    def hold(route) -> None:
        before.append((button.is_visible(), card.bounding_box()))
        route.continue_()

    visitor.page.route("**/js/passkeys.js", hold)
    visitor.visit("/login")
    expect(button).to_be_visible()
    assert before == [(False, card.bounding_box())]


def test_no_room_is_left_when_the_script_does_not_come(visitor):
    visitor.pardon("/js/passkeys.js")
    visitor.page.route("**/js/passkeys.js", lambda route: route.abort())
    visitor.visit("/login")
    expect(visitor.page.locator("#passkey")).to_have_count(0)


@pytest.mark.parametrize("way", [Way(script=False)], ids=str)
def test_without_script_no_room_is_kept(visitor):
    visitor.visit("/login")
    assert visitor.page.locator("#passkey").bounding_box() is None


def test_autofill_begins_with_the_first_event_on_the_page(visitor, owner, address):
    visit_prepared(visitor, "/login")
    visitor.page.wait_for_load_state("networkidle")
    assert "/login/passkey/options" not in visitor.sent
    owner.be_touched()
    visitor.page.mouse.move(10, 10)
    visitor.is_at("Your account")
    visitor.sees(address)


def test_a_button_ends_the_autofill_also_when_it_is_what_begins_it(visitor, owner):
    visitor.page.add_init_script(f"({LISTEN})()")
    visitor.page.add_init_script(
        "PublicKeyCredential.isConditionalMediationAvailable = () => new Promise((done) => (window.allow = done))")
    visitor.visit("/login")
    visitor.button("Sign in with a passkey").click()
    visitor.page.wait_for_function("() => asked.length")
    visitor.page.evaluate("allow(true)")
    # A request is heard of after those before it.
    visitor.page.evaluate("fetch('healthz').then((answer) => answer.text())")
    assert visitor.sent.count("/login/passkey/options") == 1
    assert visitor.page.evaluate("asked") == ["button"]
    owner.be_touched()
    visitor.button("Sign in with a passkey").click()
    visitor.is_at("Your account")


def test_the_autofill_gets_a_new_challenge_before_the_old_one_ends(visitor, owner):
    visitor.page.clock.install()
    visit_prepared(visitor, "/login")
    with visitor.page.expect_request("**/login/passkey/options"):
        visitor.page.mouse.move(10, 10)
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.clock.run_for(241_000)
    owner.be_touched()
    visitor.page.mouse.move(20, 20)
    visitor.is_at("Your account")


def test_keep_me_signed_in_and_the_way_back_go_along(visitor, owner):
    visitor.page.add_init_script(NO_AUTOFILL)
    visitor.visit("/login?return_to=/account/devices")
    visitor.field("Keep me signed in").uncheck()
    owner.be_touched()
    visitor.button("Sign in with a passkey").click()
    visitor.sees("This one")
    session = next(each for each in visitor.context.cookies() if each["name"] == "vestibule")
    assert session["expires"] == -1


@pytest.mark.parametrize("way", [Way(), Way(screen="phone", scheme="dark")], ids=str)
def test_after_the_password_a_passkey_is_asked_for_and_a_trusted_browser_is_asked_no_more(visitor, owner, member):
    trust_this_browser(visitor, owner, member)


@pytest.mark.parametrize("spoil", ("cancelled", "timed out"))
def test_a_ceremony_that_fails_says_so_and_loses_nothing(visitor, owner, member, spoil):
    is_second_asked(visitor, member)
    if spoil == "timed out":
        visitor.page.add_init_script(IMPATIENT)
        visitor.page.reload()
    visitor.field(TRUST).check()
    if spoil == "cancelled":
        owner.verify(False)
        owner.be_touched()
    visitor.button("Use a passkey").click()
    passkey_form_says(visitor, FAILED)
    expect(visitor.field(TRUST)).to_be_checked()
    owner.verify(True)
    use_passkey(visitor, owner)
    visitor.is_at("Your account")


@pytest.mark.parametrize("spoil", ("cancelled", "timed out"))
def test_a_sign_in_that_fails_says_so_and_keeps_what_was_typed(visitor, owner, member, spoil):
    if spoil == "timed out":
        visitor.page.add_init_script(IMPATIENT)
    visitor.visit("/login")
    visitor.field("Email address").fill(member)
    if spoil == "cancelled":
        owner.verify(False)
        owner.be_touched()
    visitor.button("Sign in with a passkey").click()
    passkey_form_says(visitor, FAILED)
    expect(visitor.field("Email address")).to_have_value(member)
    owner.be_touched(False)
    owner.verify(True)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in").click()
    visitor.is_at("Confirm it's you")


@pytest.mark.parametrize("answer, sentence", [
    (None, "No connection. Check your network and try again."),
    (503, "Something went wrong on our side. Please try again."),
])
def test_a_challenge_that_does_not_come_is_no_fault_of_the_passkey(visitor, answer, sentence):
    visitor.pardon("/login/passkey/options")
    visitor.page.add_init_script(NO_AUTOFILL)
    visitor.page.route(
        "**/options", lambda route: route.fulfill(status=answer) if answer else route.abort("internetdisconnected"))
    visitor.visit("/login")
    visitor.button("Sign in with a passkey").click()
    passkey_form_says(visitor, sentence)


def test_the_button_is_busy_until_the_browser_asks_for_the_passkey(visitor, owner):
    visitor.page.add_init_script(NO_AUTOFILL)
    held = []
    visitor.page.route("**/login/passkey/options", lambda route: held.append(route))
    visitor.visit("/login")
    button = visitor.button("Sign in with a passkey")
    button.dblclick()
    expect(visitor.page.locator("#progress")).to_have_text("Signing in…")
    expect(button).to_have_attribute("aria-disabled", "true")
    held[0].continue_()
    expect(visitor.page.locator("#progress")).to_be_empty()
    expect(button).not_to_have_attribute("aria-disabled", "true")
    assert visitor.sent.count("/login/passkey/options") == 1
    visitor.page.unroute("**/login/passkey/options")
    owner.be_touched()
    button.click()
    visitor.is_at("Your account")


def test_a_removed_passkey_is_refused_and_the_browser_is_told(visitor, owner, house, member):
    visitor.page.add_init_script(f"({LISTEN})()")
    engines.execute(house.folder, "DELETE FROM passkeys WHERE account_id = (SELECT id FROM accounts WHERE email = ?)", member)
    removed = owner.passkeys[0]["credentialId"].rstrip("=").replace("+", "-").replace("/", "_")
    by_button(visitor, owner)
    visitor.is_told(REFUSED)
    assert ["signalUnknownCredential", {"rpId": "localhost", "credentialId": removed}] in visitor.page.evaluate("told")


def test_a_wrong_signature_has_the_same_sentence_at_every_door(visitor, owner, member):
    visitor.visit("/login")
    send_nonsense(visitor, "passkey")
    visitor.is_told(REFUSED)
    is_second_asked(visitor, member)
    send_nonsense(visitor, "second-passkey")
    visitor.is_told(REFUSED)
    visitor.is_at("Confirm it's you")


def test_the_browser_is_told_which_passkeys_count_and_whose_they_are(visitor, owner, house, member):
    visitor.page.add_init_script(f"({LISTEN})()")
    by_button(visitor, owner)
    visitor.is_at("Your account")
    visitor.visit(PASSKEYS)
    visitor.page.wait_for_function("() => told.length === 2")
    told = dict(visitor.page.evaluate("told"))
    assert len(told["signalAllAcceptedCredentials"]["allAcceptedCredentialIds"]) == 1
    assert told["signalCurrentUserDetails"]["name"] == member
    assert told["signalCurrentUserDetails"]["displayName"] == "Ada Lovelace"
    visitor.remove("Remove")
    visitor.sees("Passkey removed.")
    visitor.page.wait_for_function("() => told.length === 2")
    assert dict(visitor.page.evaluate("told"))["signalAllAcceptedCredentials"]["allAcceptedCredentialIds"] == []
    house.outbox.mail_about(member, "A passkey was removed from your account")


def test_of_two_accounts_on_one_authenticator_the_second_step_asks_for_the_right_one(visitor, owner, house, member):
    other = a_new_address()
    house.make_account(other)
    visitor.is_signed_in(other)
    owner.be_touched()
    add(visitor)
    owner.be_touched(False)
    leave(visitor)
    assert len({each["userHandle"] for each in owner.passkeys}) == 2
    for address in (member, other):
        is_second_asked(visitor, address)
        use_passkey(visitor, owner)
        visitor.is_at("Your account")
        visitor.sees(address)
        owner.be_touched(False)
        leave(visitor)


@pytest.mark.parametrize("options", (
    {"transport": "usb", "hasUserVerification": False, "isUserVerified": False},
    {"transport": "usb", "hasResidentKey": False}, {"protocol": "u2f", "transport": "usb", "hasResidentKey": False,
    "hasUserVerification": False, "isUserVerified": False},
), ids=("without user verification", "without room", "old"))
def test_an_authenticator_that_can_do_too_little_makes_no_passkey(visitor, member, options):
    visitor.is_signed_in(member)
    authenticator = Authenticator(visitor, **options)
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    passkey_form_says(visitor, NOT_MADE)
    assert PASSKEYS not in visitor.sent
    authenticator.unplug()


def test_a_usb_key_with_user_verification_is_a_passkey(visitor, member):
    visitor.is_signed_in(member)
    authenticator = Authenticator(visitor, transport="usb")
    add(visitor)
    authenticator.be_touched(False)
    leave(visitor)
    is_second_asked(visitor, member)
    use_passkey(visitor, authenticator)
    visitor.is_at("Your account")


def test_an_authenticator_makes_no_second_passkey_for_an_account(visitor, owner, member):
    opens_own_passkeys(visitor, owner, member)
    visitor.button("Add a passkey").click()
    passkey_form_says(visitor, "This device already has a passkey for your account.")
    assert len(owner.passkeys) == 1


def test_one_that_the_browser_made_by_itself_is_not_replaced_by_another(visitor, member):
    visitor.is_signed_in(member)
    authenticator = Authenticator(visitor)
    visit_prepared(visitor, PASSKEYS, "Add a passkey")
    visitor.page.evaluate("""() => document.querySelector("#passkey-add").insertAdjacentHTML(
        "beforeend", '<input type="hidden" name="by_itself" value="on">')""")
    visitor.button("Add a passkey").click()
    visitor.sees("Passkey added.")
    made = authenticator.passkeys
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    passkey_form_says(
        visitor, "This device already has a passkey for your account. If you aren't asked for it when you sign in, "
        "choose “Also use it as a second step” above.")
    assert len(made) == 1 and [each["credentialId"] for each in authenticator.passkeys] == [made[0]["credentialId"]]
    expect(visitor.page.get_by_role("heading", level=2)).to_have_count(1)


def test_a_second_step_that_has_ended_is_said_by_the_button(visitor, owner, house, member):
    is_second_asked(visitor, member)
    engines.execute(
        house.folder, "DELETE FROM pending_logins WHERE account_id = (SELECT id FROM accounts WHERE email = ?)", member)
    use_passkey(visitor, owner)
    visitor.is_at("Welcome back")
    visitor.sees("That took too long or is already finished. Please start again.")


def test_a_session_that_has_ended_is_said_by_the_button(visitor, house, member):
    visitor.is_signed_in(member)
    Authenticator(visitor)
    visit_prepared(visitor, PASSKEYS, "Add a passkey")
    Caller(house).log_in(member).post("/account/sessions/end-others")
    visitor.button("Add a passkey").click()
    visitor.is_at("Welcome back")
    visitor.sees("You have been signed out. Please sign in again.")


def test_who_has_twenty_passkeys_is_told_before_a_device_makes_another(visitor, house, member):
    caller = Caller(house, visitor.user_agent).log_in(member)
    for _ in range(20):
        add_passkey(caller)
    visitor.takes_over(caller)
    authenticator = Authenticator(visitor)
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    visitor.is_told("You have 20 passkeys, the most there can be. Remove one first.")
    assert not authenticator.passkeys


def test_a_passkey_is_renamed_and_removed(visitor, owner, member):
    opens_own_passkeys(visitor, owner, member)
    visitor.page.locator(".rename summary").click()
    name = visitor.field("Name").first
    expect(name).to_have_value("Passkey")
    name.fill("")
    visitor.button("Save").click()
    visitor.is_told("Enter a name of at most 64 characters, without a web or email address.")
    expect(name).to_be_visible()
    name.evaluate("each => each.value = 'x'.repeat(65)")
    visitor.button("Save").click()
    expect(visitor.page.locator("details[open] [aria-invalid=true]")).to_have_value("x" * 65)
    visitor.is_told("Enter a name of at most 64 characters, without a web or email address.")
    visitor.field("Name").first.fill("Old phone")
    visitor.button("Save").click()
    visitor.sees("Name saved.")
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Old phone"])
    visitor.page.locator("summary").get_by_text("Remove", exact=True).click()
    visitor.link("Cancel").click()
    expect(visitor.page.get_by_role("button", name="Yes, remove it")).to_be_hidden()
    expect(visitor.page.locator("summary").get_by_text("Remove", exact=True)).to_be_focused()
    visitor.remove("Remove")
    visitor.sees("Passkey removed.")
    expect(visitor.page.get_by_role("heading", level=2)).to_have_count(0)
    owner.be_touched(False)
    leave(visitor)
    visitor.log_in(member)
    visitor.is_at("Your account")


def test_a_new_name_is_left_by_cancel(visitor, owner, member):
    opens_own_passkeys(visitor, owner, member)
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.locator(".rename summary").click()
    visitor.field("Name").first.fill("Old phone")
    visitor.link("Cancel").click()
    expect(visitor.page.locator(".rename summary")).to_be_focused()
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Passkey"])


@pytest.mark.parametrize("refused", ("", "x" * 65), ids=("missing", "too long"))
@pytest.mark.parametrize("way_out", ("Escape", "Cancel"))
def test_a_name_that_was_refused_is_left_as_it_was_before(visitor, owner, member, way_out, refused):
    opens_own_passkeys(visitor, owner, member)
    visitor.page.wait_for_load_state("networkidle")
    title, pen, name = visitor.page.title(), visitor.page.locator(".rename summary"), visitor.field("Name").first
    pen.click()
    name.evaluate("(each, value) => each.value = value", refused)
    visitor.button("Save").click()
    visitor.is_told("Enter a name of at most 64 characters, without a web or email address.")
    if way_out == "Escape":
        name.press("Escape")
    else:
        visitor.link("Cancel").click()
    expect(pen).to_be_focused()
    expect(visitor.page).to_have_title(title)
    pen.click()
    expect(name).to_have_value("Passkey")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(visitor.page.locator(".rename .error")).to_be_empty()


def test_cancel_needs_no_network(visitor, owner, member):
    opens_own_passkeys(visitor, owner, member)
    visitor.page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)
    visitor.page.locator("summary").get_by_text("Remove", exact=True).click()
    visitor.link("Cancel").click()
    expect(visitor.button("Yes, remove it")).to_be_hidden()
    expect(visitor.page.locator("summary").get_by_text("Remove", exact=True)).to_be_focused()
    # What would be said of the network comes before the answer to this.
    visitor.pardon("net::ERR_")
    visitor.page.evaluate("fetch('/healthz').catch(() => {})")
    expect(visitor.page.locator("#error-summary")).to_have_count(0)


@pytest.mark.parametrize("way", [Way(script=False, screen="phone")], ids=str)
def test_without_script_a_name_is_left_by_cancel(visitor, house, member):
    caller = Caller(house).log_in(member)
    add_passkey(caller)
    visitor.takes_over(caller)
    visitor.visit(PASSKEYS)
    visitor.page.locator(".rename summary").click()
    visitor.link("Cancel").click()
    expect(visitor.page.locator(".rename summary")).to_be_visible()


def test_the_last_way_in_stays(visitor, owner, house, member):
    engines.execute(house.folder, "UPDATE accounts SET password_hash = NULL WHERE email = ?", member)
    by_button(visitor, owner)
    visitor.is_at("Your account")
    visitor.visit(PASSKEYS)
    visitor.remove("Remove")
    visitor.sees("This is your only way to sign in. Set a password or add another way first.")
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Passkey"])


def test_an_old_session_proves_itself_before_a_passkey_is_made(new_visitor, aging_house):
    address = a_new_address()
    aging_house.make_account(address)
    visitor = new_visitor(aging_house, Way())
    visitor.is_signed_in(address)
    aging_house.let_proofs_grow_old()
    authenticator = Authenticator(visitor)
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    visitor.is_at("Confirm it's you")
    assert authenticator.passkeys == []
    visitor.field("Current password").fill("wrong")
    visitor.button("Continue").click()
    visitor.is_told("That's not your current password.")
    visitor.field("Current password").fill(PASSWORD)
    visitor.button("Continue").click()
    visitor.sees("You can carry on where you left off.")
    visitor.button("Add a passkey").click()
    visitor.sees("Passkey added. Now make recovery codes, for the day you lose it.")
    visitor.visit(PASSKEYS)
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Passkey"])


def change_password(visitor):
    visitor.field("Current password").fill(PASSWORD)
    visitor.field("New password").fill(NEW_PASSWORD)
    visitor.field("Repeat password").fill(NEW_PASSWORD)
    visitor.button("Change password").click()


def test_in_a_trusted_browser_the_passkey_comes_before_the_form(visitor, owner, member):
    trust_this_browser(visitor, owner, member)
    visitor.visit("/account/password")
    visitor.is_at("Confirm it's you")
    owner.verify(False)
    use_passkey(visitor, owner)
    passkey_form_says(visitor, FAILED)
    owner.verify(True)
    visitor.button("Use a passkey").click()
    change_password(visitor)
    visitor.sees("Your password has been changed, and every other browser has been signed out.")


@pytest.mark.parametrize("way", [Way(), Way(script=False, screen="phone")], ids=str)
def test_before_a_change_the_passkey_comes_first_and_codes_are_another_way(visitor, way):
    place_named("second_proof_with_everything").go(visitor)
    code = visitor.page.locator("#second-code")
    expect(code).to_have_count(0)
    expect(visitor.button("Use a passkey")).to_have_count(1 if way.script else 0)
    visitor.button("Use your authenticator app").click()
    expect(visitor.field("Code from your authenticator app")).to_be_visible()
    # Past what sends it by itself.
    code.evaluate("each => each.value = '000000'")
    visitor.button("Continue").click()
    expect(code).to_have_attribute("aria-invalid", "true")
    visitor.button("Use a recovery code").click()
    expect(visitor.field("Recovery code")).to_be_visible()
    visitor.button("Use a passkey").click()
    expect(code).to_have_count(0)


@pytest.mark.parametrize("way", [Way(), Way(script=False, screen="phone")], ids=str)
def test_the_second_step_shows_one_way_at_a_time_and_trust_at_each(visitor, way):
    place_named("second_step_with_everything").go(visitor)
    code = visitor.page.locator("#second-code")
    expect(code).to_have_count(0)
    expect(visitor.field(TRUST)).to_be_visible(visible=way.script)
    if way.script:
        visitor.field(TRUST).check()
    visitor.link("Use your authenticator app").click()
    if way.script:
        expect(visitor.field(TRUST)).to_be_checked()
    expect(code).to_have_attribute("inputmode", "numeric")
    expect(code).to_have_attribute("pattern", "[0-9]*")
    expect(code).to_have_attribute("autocomplete", "one-time-code")
    box, button = visitor.field(TRUST).bounding_box(), visitor.button("Continue").bounding_box()
    assert code.bounding_box()["y"] < box["y"] < button["y"]
    visitor.link("Use a recovery code").click()
    expect(visitor.field("Recovery code")).to_be_focused()
    expect(code).not_to_have_attribute("inputmode", "numeric")
    expect(visitor.field(TRUST)).to_be_visible()
    code.fill("aaaaa-aaaaa")
    visitor.button("Continue").click()
    visitor.is_told("That code is wrong or has been used. Enter another one.", "Recovery code")
    visitor.link("Use a passkey").click()
    expect(code).to_have_count(0)


@pytest.mark.parametrize("by", ("typed", "pasted"))
def test_six_digits_are_sent_when_they_are_complete_but_not_after_a_refusal(visitor, by):
    place_named("second_step_by_app").go(visitor)
    code = visitor.page.locator("#second-code")
    if by == "typed":
        code.press_sequentially("00000")
        assert "/login/second" not in visitor.sent
        code.press("0")
    else:
        code.fill("000 000")
    visitor.is_told("That code is wrong or has been used. Enter another one.", "Code from your authenticator app")
    code.fill("")
    code.press_sequentially("111111")
    expect(visitor.button("Continue")).to_be_enabled()
    assert visitor.sent.count("/login/second") == 1


def test_a_passkey_is_added_to_an_account_with_one_in_a_trusted_browser(visitor, owner, member):
    """Two ceremonies, each with a challenge of its own: the proof, then the new passkey."""
    trust_this_browser(visitor, owner, member)
    visitor.visit(PASSKEYS)
    visitor.button("Add a passkey").click()
    visitor.is_at("Confirm it's you")
    use_passkey(visitor, owner)
    visitor.sees("You can carry on where you left off.")
    owner.be_touched(False)
    key = Authenticator(visitor, transport="usb")
    visitor.button("Add a passkey").click()
    visitor.sees("Passkey added.")
    visitor.visit(PASSKEYS)
    expect(visitor.page.get_by_role("heading", level=2)).to_have_text(["Passkey", "Passkey 2"])
    key.be_touched(False)
    leave(visitor)
    # Every change of factors ends the trust.
    is_second_asked(visitor, member)


@pytest.mark.parametrize("way", [Way(script=False)], ids=str)
def test_without_script_passkeys_are_not_offered_and_their_pages_say_why(visitor, house, member):
    caller = Caller(house).log_in(member)
    add_passkey(caller)
    visitor.visit("/login")
    expect(visitor.button("Sign in with a passkey")).to_have_count(0)
    is_second_asked(visitor, member)
    expect(visitor.button("Use a passkey")).to_have_count(0)
    expect(visitor.page.locator("noscript p")).to_have_text(NEEDS_SCRIPT)
    expect(visitor.page.locator("noscript p")).to_be_visible()
    visitor.takes_over(caller)
    visitor.visit(PASSKEYS)
    expect(visitor.button("Add a passkey")).to_have_count(0)
    expect(visitor.page.locator("noscript p")).to_have_text(f"{NEEDS_SCRIPT} Set up an authenticator app")
    expect(visitor.link("Set up an authenticator app")).to_be_visible()
    visitor.page.locator(".rename summary").click()
    visitor.field("Name").first.fill("Old phone")
    visitor.button("Save").click()
    visitor.sees("Name saved.")
    visitor.remove("Remove")
    visitor.sees("Passkey removed.")


def test_a_browser_without_passkeys_is_told_so(visitor, house, member):
    add_passkey(Caller(house).log_in(member))
    visitor.page.add_init_script("delete window.PublicKeyCredential")
    visitor.visit("/login")
    # Not even its room, and nothing is fetched for it.
    expect(visitor.page.locator("#passkey")).to_have_count(0)
    assert not [each for each in visitor.requests if "passkeys.js" in each]
    is_second_asked(visitor, member)
    visitor.sees("This browser can't use passkeys.")


def test_the_whole_way_of_a_passkey_by_keyboard(visitor, member):
    keys = Keyboard(visitor)
    visitor.is_signed_in(member)
    authenticator = Authenticator(visitor)
    visit_prepared(visitor, PASSKEYS, "Add a passkey")
    keys.tab_to("Add a passkey")
    keys.press("Enter")
    visitor.sees("Passkey added. Now make recovery codes, for the day you lose it.")
    visitor.visit(PASSKEYS)
    visitor.page.reload()
    keys.tab_to("Rename")
    keys.press("Enter")
    expect(visitor.field("Name")).to_be_focused()
    keys.press("Escape")
    expect(visitor.page.locator(".rename summary")).to_be_focused()
    keys.press("Enter")
    expect(visitor.field("Name")).to_be_focused()
    keys.type("Old phone")
    keys.press("Enter")
    visitor.sees("Name saved.")
    authenticator.be_touched(False)
    leave(visitor)
    visit_prepared(visitor, "/login")
    keys.tab_to("Sign in with a passkey")
    authenticator.be_touched()
    keys.press("Enter")
    visitor.is_at("Your account")


def test_password_managers_find_the_page_of_passkeys(house):
    found = house.ask("GET", "/.well-known/passkey-endpoints")
    page = f"{house.url}{PASSKEYS}"
    assert (found.status, json.loads(found.text)) == (200, {"enroll": page, "manage": page})
    assert found.headers["Content-Type"].startswith("application/json")
    assert house.ask("GET", "/.well-known/apple-app-site-association").status == 404


def test_apps_of_the_site_are_named_to_apple(open_house, tmp_path):
    from providers import Apple

    apple = Apple(tmp_path)
    settings = apple.settings() | {"VESTIBULE_APPLE_APP_IDS": "com.example.app"}
    found = open_house(**settings).ask("GET", "/.well-known/apple-app-site-association")
    apple.stop()
    apps = json.loads(found.text)["webcredentials"]["apps"]
    assert found.status == 200 and apps and all(app.endswith(".com.example.app") for app in apps)


def test_switched_off_nothing_is_left_of_passkeys(open_house, new_visitor):
    house = open_house(VESTIBULE_PASSKEYS="off")
    visitor = new_visitor(house, Way())
    scripts = []
    visitor.page.on("request", lambda request: scripts.append(request.url))
    visitor.visit("/login")
    visitor.page.wait_for_load_state("networkidle")
    expect(visitor.button("Sign in with a passkey")).to_have_count(0)
    assert not [each for each in scripts if "passkeys.js" in each]
    visitor.is_signed_in(house.member)
    visitor.visit(PASSKEYS)
    visitor.is_at("Page not found")
    assert house.ask("GET", "/.well-known/passkey-endpoints").status == 404

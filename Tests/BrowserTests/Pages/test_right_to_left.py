"""Arabic: pages from right to left, with what is written from left to right among it."""

import re

import pytest
from axe import violations
from house import PASSWORD, REPOSITORY
from playwright.sync_api import expect
from test_fit import CUT_OFF, TOO_WIDE
from test_mail_clients import as_kept
from visitor import Way

ARABIC = "ar-EG"
# The small screen with all that scripts add, and the large one without: every value of both, in two ways.
WAYS = [Way(screen="phone", language=ARABIC), Way(script=False, language=ARABIC)]
every_way = pytest.mark.parametrize("way", WAYS, ids=str)
# What takes the direction of the sentence: numbers, dates, and words of ours.
OURS = {
    "browser", "code", "count", "date", "day", "left", "minimum", "month", "system", "time", "version", "word", "year", "zone",
}
# Marks that reach into the room in which the text of their field stands, on either side.
COVERING = """() => [...document.querySelectorAll(".valid")].filter(mark => {
    const input = mark.closest(".control").querySelector("input"), style = getComputedStyle(input);
    const [field, box] = [input.getBoundingClientRect(), mark.getBoundingClientRect()];
    const [left, right] = [field.left + parseFloat(style.paddingLeft), field.right - parseFloat(style.paddingRight)];
    return box.left < right && box.right > left;
}).map(each => each.parentElement.querySelector("input").id)"""


def fits(visitor) -> None:
    page = visitor.page
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(TOO_WIDE) == [] and page.evaluate(CUT_OFF) == []
    if visitor.way.script:
        assert violations(page).violations_count == 0


def style(locator, name: str) -> str:
    return locator.evaluate(f"each => getComputedStyle(each)[{name!r}]")


def test_names_and_addresses_do_not_turn_the_sentence_around_them():
    sentences = (REPOSITORY / "Templates/locales/ar.json").read_text()
    bare = re.findall(r"(?<![\u2066\u2068])\{\{(\w+)\}\}|\{\{(\w+)\}\}(?!\u2069)", sentences)
    assert {name for pair in bare for name in pair if name} <= OURS


@every_way
@pytest.mark.parametrize("path", ("/", "/login", "/signup", "/reset", "/terms", "/privacy", "/nowhere"))
def test_a_page_runs_from_right_to_left(visitor, path):
    visitor.visit(path)
    fits(visitor)
    brand = visitor.page.locator(".brand")
    if brand.count():
        assert brand.bounding_box()["x"] > visitor.page.locator(".languages").bounding_box()["x"]
    for box in visitor.page.locator(".check").all():
        square, label = box.locator("input").bounding_box(), box.locator("label").bounding_box()
        assert square["x"] >= label["x"] + label["width"] - 1


@every_way
def test_an_arabic_visitor_signs_up_and_leaves(visitor, house, address):
    page = visitor.page
    visitor.visit("/signup")
    visitor.is_at("إنشاء حسابك")
    visitor.field("الاسم").fill("غريس هوبر")
    visitor.field("عنوان البريد الإلكتروني").fill(address)
    visitor.field("كلمة المرور").fill(PASSWORD)
    visitor.field("تكرار كلمة المرور").fill(PASSWORD)
    page.locator("[name=terms]").check()
    email, name = page.locator("[name=email]"), page.locator("[name=display_name]")
    assert style(email, "direction") == "ltr" and style(name, "direction") == "rtl"
    if visitor.way.script:
        expect(page.locator(".valid").first).to_be_visible()
        assert page.evaluate(COVERING) == []
        name.fill("Grace Hopper")
        assert style(name, "direction") == "ltr"
        expect(page.locator(".has-mark [name=display_name]")).to_have_count(1)
        assert page.evaluate(COVERING) == []
        name.fill("غريس هوبر")
    fits(visitor)
    visitor.button("إنشاء حساب").click()
    visitor.is_at("تفقّد بريدك الإلكتروني")
    fits(visitor)
    mail = house.outbox.mail_to(address)
    code = house.outbox.code_for(address)
    assert mail["Subject"] == f"{code} هو رمزك لدى Vestibule"
    html = mail.get_body(("html",)).get_content()
    assert '<html lang="ar" dir="rtl">' in html
    # Gmail drops that element.
    other = visitor.context.new_page()
    other.set_content(as_kept(html, "gmail"))
    assert style(other.locator("h1"), "direction") == "rtl"
    field = visitor.field("الرمز")
    assert style(field, "direction") == "ltr"
    # With script the whole code is sent by itself.
    field.fill(code)
    if not visitor.way.script:
        visitor.button("تأكيد").click()
    visitor.is_at("حسابك")
    fits(visitor)
    visitor.visit("/account/delete")
    visitor.is_at("حذف الحساب")
    visitor.field("كلمة المرور الحالية").fill(PASSWORD)
    visitor.field("للتأكيد، اكتب «حذف»").fill("حذف")
    fits(visitor)
    visitor.button("حذف الحساب نهائيًا").click()
    visitor.sees("تم حذف حسابك.")


@pytest.mark.parametrize("way, side, password", [
    (Way(language=ARABIC), "right", "Tram(7 Bridges)!"), (Way(), "left", "\u0643\u0644\u0645\u0629(\u0633\u0631)!"),
], ids=str)
def test_a_shown_password_stands_in_the_order_in_which_it_was_typed(visitor, side, password):
    visitor.visit("/login")
    field = visitor.page.locator("input[name=password]")
    visitor.page.locator(".show").click()
    pictures = []
    # An isolate has the direction of its first letter, whatever is around it.
    for typed in (password, f"\u2068{password}\u2069"):
        field.fill(typed)
        visitor.page.locator(".show").focus()
        pictures.append(field.screenshot())
    assert pictures[0] == pictures[1]
    assert style(field, "textAlign") == side


@pytest.mark.parametrize("way", [Way()], ids=str)
def test_an_arabic_name_in_an_english_form_stays_clear_of_its_mark(visitor):
    visitor.visit("/signup")
    visitor.field("Name").fill("غريس هوبر")
    visitor.field("Email address").fill("grace@example.com")
    expect(visitor.page.locator(".valid")).to_have_count(1)
    visitor.field("Password").first.focus()
    assert visitor.page.evaluate(COVERING) == []


@pytest.mark.parametrize("way", [Way(language="de-DE"), Way(language="de-DE", script=False)], ids=str)
def test_the_german_word_deletes(visitor, house, address):
    house.make_account(address)
    visitor.visit("/login?return_to=/account/delete")
    visitor.field("E-Mail-Adresse").fill(address)
    visitor.field("Passwort").fill(PASSWORD)
    visitor.button("Anmelden").click()
    visitor.is_at("Konto löschen")
    visitor.field("Aktuelles Passwort").fill(PASSWORD)
    visitor.field("Geben Sie zur Bestätigung „löschen“ ein").fill("Löschen")
    visitor.button("Konto endgültig löschen").click()
    visitor.sees("Ihr Konto ist gelöscht.")

"""A person with a browser, and what their browser complains of."""

import os
import re
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from caller import Caller
from house import PASSWORD, PATIENCE, House
from playwright.sync_api import Browser, Error, Locator, Response, expect

# Chromium without the windows around its pages is the same engine at half the work; the main flow has the other.
WITH_WINDOWS = "/usr/bin/chromium"
CHROMIUM = os.environ.get("BROWSER_TESTS_CHROMIUM", "/usr/bin/chromium-headless-shell")
SCREENS = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36"
TERMS = re.compile("^I accept the terms")
# Chromium reports every answer of 400 and above, and a refused form is one.
REFUSAL = re.compile(r"^Failed to load resource: the server responded with a status of 4\d\d")
# What these do to a browser lasts: it is nobody else's afterwards.
LASTING = {
    "page": ("add_init_script", "add_locator_handler", "close", "expose_function", "on", "once", "set_default_timeout"),
    "context": (
        "add_init_script", "close", "expose_function", "grant_permissions", "new_cdp_session", "new_page", "on", "route",
        "set_default_timeout", "set_extra_http_headers", "set_geolocation", "set_offline",
    ),
    "clock": ("install", "pause_at", "set_fixed_time", "set_system_time"),
}


@dataclass(frozen=True)
class Way:
    """How somebody comes: with or without JavaScript, on which screen, in which colours and language."""

    script: bool = True
    screen: str = "desktop"
    scheme: str = "light"
    language: str = "en-US"
    size: tuple[int, int] | None = None
    # Whether pages fade into each other, as for most people. To draw that takes a fifth of the time of all browser tests;
    # the pages are the same without.
    motion: bool = False

    def __str__(self) -> str:
        return f"{'script' if self.script else 'no_script'}-{self.screen}-{self.scheme}{'-motion' * self.motion}"

    def context_options(self) -> dict:
        viewport = {"width": self.size[0], "height": self.size[1]} if self.size else SCREENS[self.screen]
        is_phone = self.screen == "phone" and not self.size
        return {
            "java_script_enabled": self.script, "viewport": viewport, "color_scheme": self.scheme,
            "locale": self.language, "is_mobile": is_phone, "has_touch": is_phone,
            "reduced_motion": "no-preference" if self.motion else "reduce",
        }


# Of script, screen and colours each with each of the others: four ways have every pair that the eight have.
EVERY_PAIR = [
    Way(True, "phone", "light"), Way(True, "desktop", "dark"), Way(False, "phone", "dark"), Way(False, "desktop", "light"),
]
# The same, and pages fade with script and without.
EVERY_PAIR_AND_MOTION = [replace(way, motion=way.screen == "phone") for way in EVERY_PAIR]
WITH_AND_WITHOUT_SCRIPT = [Way(script=True), Way(script=False)]


class Visitor:
    def __init__(self, browser: Browser, house: House, way: Way, **options):
        self.house, self.way = house, way
        self.who, self.is_usual = (browser, house, way), not options
        # Origins that its pages may lead to, besides the house.
        self.others = [f"{origin}/" for origin in options.pop("others", ())]
        # As Chromium with windows calls itself.
        self.user_agent = options.pop("user_agent", USER_AGENT.format(browser.version.split(".")[0]))
        self.context = browser.new_context(
            base_url=house.url, user_agent=self.user_agent, **way.context_options(), **options)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.has_text_size = False
        self.forget()
        self.context.on("console", self._hear)
        self.context.on("weberror", self._catch)
        self.context.on("request", self._watch)
        self.context.on("response", self._note)
        self.page = self.context.new_page()
        self.cdp = self.context.new_cdp_session(self.page)
        self.is_changed = False
        for part, calls in LASTING.items():
            for call in calls:
                self._notice({"page": self.page, "context": self.context, "clock": self.page.clock}[part], call)

    def _catch(self, error) -> None:
        # Chromium's own word on a fade from page to page that it gave up: nobody can catch it, nothing else happens.
        if "Transition was aborted because of invalid state" not in str(error.error):
            self.complaints.append(f"uncaught: {error.error}")

    def _notice(self, part, name: str) -> None:
        call = getattr(part, name)

        def noticed(*arguments, **options):
            self.is_changed = True
            return call(*arguments, **options)

        setattr(part, name, noticed)

    def forget(self) -> None:
        """As if nothing had been heard of the browser yet."""
        self.complaints: list[str] = []
        self.pardoned: list[str] = []
        self.requests: list[str] = []
        self.posts: list[tuple[str, int]] = []
        self.sent: list[str] = []
        self.document: Response | None = None

    def comes_anew(self) -> bool:
        """Whether the next visit is like the first one in a new browser; false if the last one has left its marks."""
        if self.is_changed or not self.page.url.startswith(f"{self.house.url}/"):
            return False
        self.page.evaluate("sessionStorage.clear(), localStorage.clear()")
        self.page.unroute_all()
        usual = self.way.context_options()
        self.page.set_viewport_size(usual["viewport"])
        self.page.emulate_media(
            media="null", forced_colors="null", contrast="null", reduced_motion=usual["reduced_motion"],
            color_scheme=self.way.scheme)
        if self.has_text_size:
            self.set_text_size(16, fixed=13)
            self.has_text_size = False
        self.context.clear_cookies()
        self.cdp.send("Page.resetNavigationHistory")
        self.forget()
        return True

    def goes(self) -> bool:
        """Whether somebody else may come in the same browser; if so, nothing runs in it until then."""
        if self.is_changed or len(self.context.pages) != 1:
            return False
        try:
            self.page.goto(self.house.at("/healthz"))
            return True
        except Error:
            # The server or the page has been closed.
            return False

    # What the browser says

    def _hear(self, message) -> None:
        address = message.location.get("url", "")
        is_page = not re.search(r"/(css|js)/|\.svg", address)
        if message.type in ("error", "warning") and not (is_page and REFUSAL.match(message.text)):
            self.complaints.append(f"console {message.type}: {message.text} ({address})")

    def _watch(self, request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.house.url + "/", *self.others, "data:", "about:", "blob:")):
            self.complaints.append(f"request to another host: {request.url}")
        if request.method == "POST":
            self.sent.append(self._page_of(request.url))

    def _note(self, response: Response) -> None:
        # The login page asks for a challenge at the first event; no visitor sends that.
        if response.request.method == "POST" and not response.url.endswith("/login/passkey/options"):
            self.posts.append((self._page_of(response.url), response.status))
        is_file = response.headers.get("content-disposition", "").startswith("attachment")
        if response.request.is_navigation_request() and not 300 <= response.status < 400 and not is_file:
            self.document = response

    def _page_of(self, url: str) -> str:
        return urlsplit(url).path.removeprefix(self.house.mount)

    def pardon(self, words: str) -> None:
        """A complaint with these words is what the test provokes."""
        self.pardoned.append(words)

    def unpardoned(self) -> list[str]:
        return [each for each in self.complaints if not any(words in each for words in self.pardoned)]

    def let_time_pass(self) -> None:
        """Every timer of the next minute goes off; afterwards `sent` has each POST that came of it.

        Needs a clock installed before the page was loaded.
        """
        self.page.clock.run_for(60_000)
        # Requests are heard of in their order: with this one, those before it.
        self.page.evaluate("path => fetch(path).then(answer => answer.text())", self.house.at("/healthz"))

    # What a person does

    def set_text_size(self, pixels: int, fixed: int | None = None) -> None:
        """In the browser's settings, not in the page. `fixed`: of code, if not the same."""
        self.cdp.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": fixed or pixels}})
        self.has_text_size = True

    def visit(self, path: str) -> None:
        self.page.goto(self.house.at(path))

    def field(self, label: str | re.Pattern) -> Locator:
        return self.page.get_by_label(label, exact=isinstance(label, str))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str | re.Pattern) -> Locator:
        return self.page.get_by_role("link", name=name, exact=isinstance(name, str))

    def fill_sign_up(
        self, email: str, name: str = "Ada Lovelace", password: str = PASSWORD, repeated: str | None = None,
        terms: bool = True,
    ) -> None:
        self.field("Name").fill(name)
        self.field("Email address").fill(email)
        self.field("Password").fill(password)
        self.field("Repeat password").fill(password if repeated is None else repeated)
        self.field(TERMS).set_checked(terms)

    def sign_up(self, email: str, **rest) -> None:
        """Fills the form and sends it, up to the page that asks for the code."""
        self.visit("/signup")
        self.fill_sign_up(email, **rest)
        self.button("Create account").click()
        self.is_at("Check your email")

    def enter_code(self, code: str) -> None:
        """By hand: a code that comes in whole is sent by itself."""
        self.field("Code").fill("")
        self.field("Code").press_sequentially(code)

    def type_code(self, code: str) -> None:
        self.enter_code(code)
        self.button("Confirm").click()

    def change_form(self, name: str) -> None:
        """From one form of a stranger to another: a link, without script a button."""
        kind = "link" if self.way.script else "button"
        self.page.get_by_role("main").get_by_role(kind, name=name, exact=True).click()

    def choose_language(self, name: str) -> None:
        """In the menu of the header a link; on a form of a stranger and without script it is a button."""
        at = self.page.get_by_role("banner")
        at.locator("summary").click()
        at.get_by_role("link", name=name).or_(at.get_by_role("button", name=name)).click()

    def log_in(self, email: str, password: str = PASSWORD) -> None:
        self.visit("/login")
        self.field("Email address").fill(email)
        self.field("Password").fill(password)
        self.button("Sign in").click()

    def is_signed_in(self, email: str, password: str = PASSWORD) -> None:
        """Has signed in before the test begins, in the browser's name."""
        self.takes_over(Caller(self.house, user_agent=self.user_agent).log_in(email, password))

    def takes_over(self, caller: Caller) -> None:
        """Goes on in the browser with what a caller has begun."""
        cookies = caller.cookies
        self.context.add_cookies([{"name": name, "value": value, "url": self.house.url} for name, value in cookies.items()])

    def remove(self, name: str) -> None:
        """Says twice that something is to go: nothing is lost by one click."""
        self.page.locator("summary").get_by_text(name, exact=True).first.click()
        self.button("Yes, remove it").first.click()

    def log_out(self) -> None:
        self.button("Sign out").click()

    def send_plainly(self, form: str) -> None:
        """Sends the form as it is, past the script, so that the server's own document comes back."""
        with self.page.expect_navigation():
            self.page.evaluate("id => document.getElementById(id).submit()", form)

    # What a person sees

    def is_at(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_have_text(heading)

    def sees(self, text: str | re.Pattern) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

    def is_told(self, sentence: str | re.Pattern, label: str | re.Pattern | None = None) -> None:
        """The form was refused with this sentence: in the title, and at the field if it has one.

        One that stands at its field alone has the focus there; otherwise a summary says all of them.
        """
        expect(self.page).to_have_title(re.compile("^Error: "))
        summary, alone = self.page.locator("#error-summary"), self.page.locator(".field:has(:focus) .error")
        expect(summary.or_(alone).first).to_contain_text(sentence)
        if label:
            field = self.field(label)
            if summary.count():
                summary.get_by_role("link", name=sentence).click()
            else:
                expect(self.page.locator("[aria-invalid=true]")).to_have_count(1)
            expect(field).to_be_focused()
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(field).to_have_accessible_description(re.compile(f"Error: {re.escape(sentence)}"))

    def was_answered(self, path: str, status: int) -> None:
        """Only meaningful without JavaScript, where every refusal comes from the server."""
        assert [given for asked, given in self.posts if asked == path][-1:] == [status]

    def nothing_is_typed(self) -> None:
        fields = self.page.locator("input:not([type=hidden]):not([type=checkbox])").all()
        assert fields
        for field in fields:
            expect(field).to_have_value("")
        expect(self.page.locator("input:checked:not([name=remember])")).to_have_count(0)

"""Applications behind the sign-in as people see them: the examples, through a real Caddy."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from house import PASSWORD, REPOSITORY, a_new_address
from playwright.sync_api import expect
from visitor import WITH_AND_WITHOUT_SCRIPT

sys.path.append(str(Path(__file__).resolve().parents[1] / "OperatingTests"))
from example_apps import Notes  # noqa: E402
from town import Town  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("applications")]
SITE = REPOSITORY / "docs/examples/static-site"


class Examples(Town):
    """The notes in Python and in JavaScript, and the static site, whose API is the notes in Swift."""

    def __init__(self, folder: Path):
        self.started: list[Notes] = []
        super().__init__(folder, "caddy", self.start, VESTIBULE_APP_SITE_ORIGINS="http://site.localhost:{port}")
        self.house.url = self.public

    def start(self, _) -> dict[str, str]:
        keys = f"http://127.0.0.1:{self.house.port}/.well-known/jwks.json"
        for language, host in (("python", "notes"), ("node", "wiki"), ("swift", "site")):
            self.started.append(Notes(language, f"http://{self.hosts[host]}", self.public, keys))
        notes, wiki, _ = self.started
        site = shutil.copytree(SITE, self.folder / "site")
        (site / "plan.html").write_text(
            '<title>Plan</title><h1>The plan</h1><form method="post" action="/.vestibule/logout"><button>Sign out</button></form>')
        (site / "plan.txt").write_text("The plan")
        (site / "worker.js").write_text("addEventListener('fetch', event => event.respondWith(fetch(event.request)))")
        return {"notes": f"127.0.0.1:{notes.port}", "wiki": f"127.0.0.1:{wiki.port}", "site": str(site)}

    def config(self) -> str:
        """With what the static site's README says to add."""
        before, site = super().config().split(f"http://{self.hosts['site']} {{", 1)
        mine = "handle /.vestibule/* {"
        added = re.search(r"(    handle /api/.*?\n    }\n)", (SITE / "README.md").read_text(), re.DOTALL)[1]
        added = added.replace("127.0.0.1:3000", f"127.0.0.1:{self.started[2].port}")
        return f"{before}http://{self.hosts['site']} {{{site.replace(mine, added + mine, 1)}"

    def stop(self) -> None:
        super().stop()
        for application in self.started:
            application.stop()


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    town = Examples(tmp_path_factory.mktemp("examples"))
    yield town
    town.stop()


@pytest.fixture
def guest(new_visitor, examples, way):
    return new_visitor(examples.house, way, others=[f"http://{host}" for host in examples.hosts.values()])


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_from_the_sign_up_into_two_applications_and_out_of_all(guest, examples):
    address = a_new_address()
    guest.visit(examples.url("notes", "/?from=the+bookmark"))
    guest.is_at("Sign in")
    guest.change_form("Create an account")
    guest.fill_sign_up(address)
    guest.button("Create account").click()
    guest.is_at("Check your email")
    guest.type_code(examples.house.outbox.code_for(address))
    guest.is_at("Hello, Ada Lovelace.")
    assert guest.page.url == examples.url("notes", "/?from=the+bookmark")
    guest.field("Note").fill("violets & <b>tea</b>")
    guest.button("Add").click()
    guest.sees("violets & <b>tea</b>")

    guest.visit(examples.url("wiki"))
    guest.is_at("Hello, Ada Lovelace.")
    expect(guest.page.get_by_role("listitem")).to_have_count(0)
    guest.button("Sign out").click()
    guest.is_at("Sign in")
    guest.visit(examples.url("notes"))
    guest.is_at("Sign in")
    guest.visit("/account")
    guest.is_at("Welcome back")

    guest.log_in(address)
    guest.is_at("Your account")
    guest.visit(examples.url("notes"))
    guest.sees("violets & <b>tea</b>")


def test_a_static_site_greets_its_visitor_and_calls_its_api(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.visit(examples.url("site"))
    guest.is_at("Sign in")
    guest.field("Email address").fill(address)
    guest.field("Password").fill(PASSWORD)
    guest.button("Sign in").click()
    guest.is_at("Hello, Ada Lovelace.")
    guest.sees("You have no notes.")
    assert guest.page.url == examples.url("site")
    guest.button("Sign out").click()
    guest.is_at("Sign in")


def test_the_way_back_shows_nothing_after_signing_out(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    for file in ("plan.txt", "plan.html"):
        guest.visit(examples.url("site", f"/{file}"))
        guest.sees("The plan")
    guest.button("Sign out").click()
    guest.is_at("Sign in")
    for _ in range(2):
        guest.page.go_back()
        guest.is_at("Sign in")


def test_tabs_that_open_at_once_all_get_in(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    context = guest.page.context
    for targets in (["/"] * 6, [f"/?tab={number}" for number in range(8)]):
        context.clear_cookies(domain=examples.hosts["notes"].split(":")[0])
        urls = [examples.url("notes", target) for target in targets]
        with context.expect_page(lambda _, wanted=len(urls): len(context.pages) > wanted):
            guest.page.evaluate("urls => { for (const url of urls) open(url) }", urls)
        for tab in context.pages[1:]:
            expect(tab.get_by_role("heading", name="Hello, Ada Lovelace.")).to_be_visible()
            tab.close()


def test_a_service_worker_that_passes_visits_on_locks_nobody_out(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    guest.visit(examples.url("site"))
    guest.is_at("Hello, Ada Lovelace.")
    guest.page.evaluate(
        "async () => { await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready }")
    guest.page.reload()
    guest.is_at("Hello, Ada Lovelace.")
    assert guest.page.evaluate("navigator.serviceWorker.controller !== null")
    guest.button("Sign out").click()
    guest.is_at("Sign in")
    guest.visit(examples.url("site"))
    guest.is_at("Sign in")


def test_a_script_whose_session_has_ended_is_told_so_and_the_page_leads_to_the_sign_in(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    guest.visit(examples.url("site"))
    guest.is_at("Hello, Ada Lovelace.")
    examples.house.command("sessions", "end", address, "--all")
    assert guest.page.evaluate("() => fetch('/.vestibule/session').then(answer => answer.status)") == 401
    assert guest.page.evaluate("() => fetch('/site.js', { cache: 'no-store' }).then(answer => answer.status)") == 401
    guest.pardon("401")
    guest.page.reload()
    guest.is_at("Sign in")


def test_a_script_for_somebody_who_may_not_enter_any_more_says_so(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    guest.page.route("**/.vestibule/session", lambda route: route.fulfill(status=403))
    guest.visit(examples.url("site"))
    guest.sees("You may no longer open this site. Reload the page to see why.")
    guest.pardon("403")


def test_a_script_whose_api_fails_says_so(guest, examples):
    address = a_new_address()
    examples.make_account(address)
    guest.is_signed_in(address)
    guest.page.route("**/api/notes", lambda route: route.fulfill(status=503))
    guest.visit(examples.url("site"))
    guest.is_at("Hello, Ada Lovelace.")
    guest.sees("Something went wrong. Reload the page to try again.")
    guest.pardon("503")


def test_the_page_that_asks_to_sign_out_has_two_buttons_of_one_width(guest, examples):
    guest.visit(examples.url("notes", "/.vestibule/logout"))
    guest.is_at("Sign out?")
    buttons = guest.page.locator("main .button")
    expect(buttons).to_have_count(2)
    out, back = (buttons.nth(each).bounding_box()["width"] for each in range(2))
    assert out == back


def test_the_page_that_asks_to_sign_out_leads_to_the_sign_in(guest, examples):
    guest.visit(examples.url("notes", "/.vestibule/logout"))
    guest.page.get_by_role("button", name="Sign out").click()
    guest.page.wait_for_url("**/login?return_to=**")

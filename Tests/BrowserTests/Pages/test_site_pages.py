"""The documents as a site, opened from its folder without a server."""

from pathlib import Path

import pytest
from axe import violations
from documents import built
from playwright.sync_api import expect
from test_accessibility import ABOUT_COLOURS, BEST_PRACTICES_TOO
from test_fit import SMALL_TARGETS
from visitor import Way


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("site")
    assert built(out).returncode == 0
    return out


@pytest.fixture
def reader(chromium, way):
    """A page of a browser that complains of nothing."""
    context = chromium.new_context(**way.context_options())
    complaints = []
    context.on("console", lambda message: complaints.append(message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert complaints == []


def everywhere(site: Path, problems) -> dict[str, list]:
    """What is wrong, page by page."""
    found = {str(file.relative_to(site)): problems(file) for file in sorted(site.rglob("*.html"))}
    assert len(found) > 30
    return {page: problems for page, problems in found.items() if problems}


def test_the_checker_finds_nothing_in_a_page_of_the_site(site, nu_checker):
    assert everywhere(site, lambda file: nu_checker.complaints(file.read_text())) == {}


def names(results) -> list[str]:
    return [each["id"] for each in results.response["violations"]]


@pytest.mark.long
@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_axe_finds_nothing_in_the_site(site, reader):
    def problems(file: Path) -> list[str]:
        reader.emulate_media(color_scheme="light")
        reader.goto(file.as_uri())
        found = names(violations(reader, BEST_PRACTICES_TOO))
        reader.emulate_media(color_scheme="dark")
        return found + (names(violations(reader, rules=ABOUT_COLOURS)) if file.name == "index.html" else [])

    assert everywhere(site, problems) == {}


@pytest.mark.parametrize("way", [Way(size=(320, 640))], ids=str)
def test_the_site_fits_a_small_phone(site, reader):
    def problems(file: Path) -> list[str]:
        reader.goto(file.as_uri())
        width = reader.evaluate("document.documentElement.scrollWidth")
        return [f"{width} wide"] * (width > 320)

    assert everywhere(site, problems) == {}


def test_somebody_searches_and_reads_on(site, reader):
    reader.goto((site / "docs/operating/mail.html").as_uri())
    reader.get_by_label("Search").fill("Client ADDRESSES")
    reader.get_by_role("button", name="Search").click()
    found = reader.get_by_role("main").get_by_role("listitem")
    expect(found.first).to_contain_text("Behind a proxy: Client addresses")
    expect(reader.get_by_role("status")).to_have_text(f"{found.count()} found")
    reader.get_by_label("Search").fill("client zebra")
    expect(reader.get_by_role("status")).to_have_text("0 found")
    reader.get_by_label("Search").fill("client addresses")
    found.first.get_by_role("link").click()
    expect(reader).to_have_url((site / "docs/operating/proxies.html").as_uri() + "#client-addresses")
    expect(reader.get_by_role("heading", name="Client addresses")).to_be_in_viewport()


@pytest.mark.parametrize("way", [Way(script=False, screen="phone")], ids=str)
def test_without_script_the_search_leads_to_all_contents(site, reader):
    reader.goto((site / "index.html").as_uri())
    reader.get_by_label("Search").fill("retries")
    reader.get_by_role("button", name="Search").click()
    reader.get_by_role("main").get_by_role("link", name="Retries").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Mail")


@pytest.mark.parametrize("way", [Way(screen="phone")], ids=str)
def test_the_menu_of_a_phone_is_below_the_text(site, reader):
    reader.goto((site / "docs/security.html").as_uri())
    reader.get_by_role("link", name="Menu").click()
    expect(reader.get_by_role("navigation").get_by_role("link", name="Vestibule", exact=True)).to_be_in_viewport()
    assert reader.evaluate(SMALL_TARGETS.replace(".lead", "main")) == []

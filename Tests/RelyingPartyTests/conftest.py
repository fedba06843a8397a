"""What the tests with real relying parties share. `vestibule` must have been built; `scripts/setup clients` brings the rest."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "BrowserTests"))

from house import PATIENCE  # noqa: E402
from neighbourhood import Neighbourhood  # noqa: E402
from person import Person  # noqa: E402
from visitor import WITH_WINDOWS, Way  # noqa: E402

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WITH_WINDOWS, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def neighbourhood(tmp_path_factory):
    made = Neighbourhood(tmp_path_factory.mktemp("neighbourhood"))
    yield made
    made.stop()


@pytest.fixture
def parties(neighbourhood):
    """Starts applications; they end with the test."""
    yield neighbourhood
    neighbourhood.stop_parties()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and (person := item.funcargs.get("person")):
        report.sections.append(("Where the person was", f"{person.page.url}\n{person.page.locator('body').inner_text()}"))
    return report


@pytest.fixture
def way() -> Way:
    """How the person comes; tests override it with parametrize."""
    return Way()


@pytest.fixture
def person(chromium, neighbourhood, way):
    somebody = Person(chromium, neighbourhood, way)
    yield somebody
    complaints = somebody.complaints_of_ours()
    somebody.context.close()
    assert complaints == []

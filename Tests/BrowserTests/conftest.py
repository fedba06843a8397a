"""What the browser tests share. `vestibule` must have been built; Chromium is Debian's."""

import pytest
from browsers import Browsers
from house import PATIENCE, QUICK_HASHES, House, a_new_address
from mails import SENDERS
from mounted import MountedHouse
from nu_checker import NuChecker
from order import pytest_collection_modifyitems, pytest_configure  # noqa: F401
from playwright.sync_api import Browser, expect, sync_playwright
from providers import Apple, Mock
from tour import Tour
from visitor import CHROMIUM, Visitor, Way

# Whether the test itself has passed, for what follows it.
PASSED = pytest.StashKey[bool]()
# A busy machine is slow; what comes at once costs no wait.
expect.set_options(timeout=PATIENCE * 1000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture(scope="session")
def session_chromium() -> Browser:
    with sync_playwright() as playwright:
        # Without a GPU process of its own these tests take 6 % less processor time.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--in-process-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium(session_chromium) -> Browser:
    """Modules may have another."""
    return session_chromium


@pytest.fixture(scope="session")
def open_house(tmp_path_factory):
    """Starts a server with the settings given, limits off; all are stopped in the end."""
    houses = []

    def start(**settings: str) -> House:
        houses.append(House(tmp_path_factory.mktemp("house"), **QUICK_HASHES, **settings))
        return houses[-1]

    yield start
    for house in houses:
        house.stop()


@pytest.fixture(scope="session")
def house(open_house) -> House:
    """The server most tests share; they never share addresses."""
    return open_house()


@pytest.fixture(scope="session")
def mounted_house(tmp_path_factory) -> MountedHouse:
    """A server under a path of a host that has an application at its other paths, through a real proxy."""
    house = MountedHouse(tmp_path_factory.mktemp("mounted"), **QUICK_HASHES)
    yield house
    house.close()


@pytest.fixture(scope="session")
def raised_house(open_house) -> House:
    """A server whose terms have changed since its members accepted them; `agreeable` ones may accept them again."""
    house = open_house()
    house.agreeable = [a_new_address(), a_new_address()]
    assert house.member
    for address in house.agreeable:
        house.make_account(address)
    house.stop()
    house.start(VESTIBULE_TERMS_VERSION="2")
    return house


@pytest.fixture(scope="session")
def aging_house(open_house) -> House:
    """A server that is stopped now and then, and finds that time has passed."""
    return open_house()


@pytest.fixture(scope="session")
def mail_house(open_house) -> House:
    """A server that sends few mails, since its visitors look at all of them."""
    return open_house()


@pytest.fixture(scope="session")
def owned_house(open_house) -> House:
    """A server with an application behind it, which is a client, too, another client, which is open to a group only, an
    owner, and an address for questions."""
    notes = "http://notes.localhost:3999"
    return open_house(
        VESTIBULE_APP_NOTES_ORIGINS=notes, VESTIBULE_RETURN_TO_ORIGINS=notes, VESTIBULE_OWNER="Fir & Birch Ltd",
        VESTIBULE_APP_NOTES_REDIRECTS="http://localhost/in", VESTIBULE_APP_NOTES_PKCE="optional",
        VESTIBULE_APP_NOTES_OFFLINE="on", VESTIBULE_APP_WIKI_REDIRECTS="http://localhost/in",
        VESTIBULE_APP_WIKI_PKCE="optional", VESTIBULE_APP_WIKI_GROUPS="staff",
        VESTIBULE_SUPPORT_EMAIL="help@example.com")


@pytest.fixture(scope="session")
def provider_house(open_house, tmp_path_factory) -> House:
    """A server with Apple and another provider; that one knows the `people`, by what they are there for."""
    tales = [f"{tale}-{script}" for tale in ("new", "taken", "added", "asked", "second") for script in (True, False)]
    people = {tale: a_new_address() for tale in tales}
    mock = Mock(*({"sub": each, "email": each, "email_verified": True} for each in people.values()))
    apple = Apple(tmp_path_factory.mktemp("apple"))
    house = open_house(**mock.settings(), **apple.settings())
    house.people, house.apple = people, apple
    yield house
    mock.stop()
    apple.stop()


@pytest.fixture
def outbox(house):
    return house.outbox


@pytest.fixture
def address() -> str:
    return a_new_address()


@pytest.fixture
def way() -> Way:
    """How the visitor comes; tests override it with parametrize."""
    return Way()


@pytest.fixture(scope="session")
def browsers(session_chromium) -> Browsers:
    """Closed before what has made them."""
    browsers = Browsers()
    yield browsers
    browsers.close()


@pytest.fixture
def new_visitor(request, chromium, browsers):
    """People with browsers of their own. None of these may complain or call another host."""
    visitors = []

    def arrive(house: House, way: Way, **options) -> Visitor:
        visitors.append(browsers.visitor(chromium, house, way, **options))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        if request.node.stash.get(PASSED, False):
            browsers.keep(visitor)
        else:
            visitor.context.close()
    # Last, as a page may have been told something in the meantime.
    assert [complaint for visitor in visitors for complaint in visitor.unpardoned()] == []


@pytest.fixture
def sender(request, kind) -> House:
    """The server that sends this kind of mail."""
    return request.getfixturevalue(SENDERS.get(kind, "house"))


@pytest.fixture
def visitor(new_visitor, house, way) -> Visitor:
    return new_visitor(house, way)


@pytest.fixture
def member(house) -> str:
    """The address of somebody who has an account."""
    return house.member


@pytest.fixture(scope="session")
def tour(chromium) -> Tour:
    tour = Tour(chromium)
    yield tour
    tour.leave()


@pytest.fixture
def visitor_at(request, tour):
    """A visitor who has gone to that place; tests that only look come in the same way and share the visit."""
    visitors = []

    def go(place, way: Way, moves_on: bool = False) -> Visitor:
        visitors.append(tour.visitor_at(place, request.getfixturevalue(place.house_for(way)), way, moves_on))
        return visitors[-1]

    yield go
    assert [complaint for visitor in visitors for complaint in visitor.unpardoned()] == []


@pytest.fixture(scope="session")
def nu_checker(tmp_path_factory, request) -> NuChecker:
    own = tmp_path_factory.getbasetemp()
    checker = NuChecker(own.parent if hasattr(request.config, "workerinput") else own)
    yield checker
    checker.stop()

"""A database that takes two seconds for each answer: people wait for a while and are told to come back, and what needs no
database goes on."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import engines
import pytest
from caller import Caller
from house import PASSWORD, QUICK_HASHES, Answer, House, a_new_address, eventually

# More than are served at once, and more than wait for that.
PEOPLE = 150
# Bytes that the server may keep of a flood: what a connection and a page take, not what a flood takes.
GROWTH = 24 << 20


class Relay:
    """Between a server and its PostgreSQL; holds each answer back for `delay` seconds."""

    def __init__(self, socket: str):
        self.socket, self.delay = socket, 0.0
        self.connections = 0
        self.loop = asyncio.new_event_loop()
        self.listener = self.loop.run_until_complete(asyncio.start_server(self.take, "127.0.0.1", 0))
        self.port = self.listener.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    async def take(self, client, to_client) -> None:
        server, to_server = await asyncio.open_unix_connection(self.socket)
        self.connections += 1
        ways = [asyncio.ensure_future(way) for way in (
            self.carry(client, to_server, lambda: 0), self.carry(server, to_client, lambda: self.delay))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        to_server.close()
        to_client.close()

    @staticmethod
    async def carry(source, target, delay) -> None:
        try:
            while piece := await source.read(65536):
                await asyncio.sleep(delay())
                target.write(piece)
                await target.drain()
        except OSError:
            pass

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


@pytest.fixture
def relay():
    place = engines.postgres().place
    relay = Relay(f"{place['socket']}/.s.PGSQL.{place['port']}")
    yield relay
    relay.stop()


@pytest.fixture
def house(relay, tmp_path):
    name = engines.name(engines.postgres().make_database())
    url = f"postgres://vestibule@127.0.0.1:{relay.port}/{name}?sslmode=disable"
    house = House(tmp_path, **QUICK_HASHES, **{engines.SETTING: url})
    yield house
    house.kill()


def memory(house: House) -> int:
    """Bytes that only this process has."""
    with open(f"/proc/{house.process.pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Private_"))


def flood(house: House, addresses: list[str]) -> list[Answer]:
    """As many as come at once, who all sign in."""
    with ThreadPoolExecutor(PEOPLE) as people:
        return list(people.map(
            lambda number: house.ask("POST", "/login", {"email": addresses[number % len(addresses)], "password": PASSWORD}),
            range(PEOPLE)))


class Probe(threading.Thread):
    """Asks for a page until it is stopped; keeps each status."""

    def __init__(self, house: House, path: str):
        super().__init__()
        self.house, self.path = house, path
        self.statuses: list[int] = []
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(0.05):
            self.statuses.append(self.house.ask("GET", self.path).status)

    def stop(self) -> None:
        self.ends.set()
        self.join()


def test_it_is_survived(house, relay):
    # A person has at most so many sessions.
    addresses = [a_new_address() for _ in range(10)]
    for address in addresses:
        house.make_account(address)
    member = Caller(house).log_in(addresses[0])
    flood(house, addresses)
    before = memory(house)
    relay.delay = 2
    probes = [Probe(house, path) for path in ("/login", "/signup", "/healthz", "/css/vestibule.css")]
    for probe in probes:
        probe.start()
    answers = flood(house, addresses)
    for probe in probes:
        probe.stop()
    relay.delay = 0
    assert all(set(probe.statuses) == {200} for probe in probes)
    refused = [answer for answer in answers if answer.status == 503]
    assert refused and {answer.status for answer in answers} <= {303, 503}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
    # What was kept waiting is over at once, and so is what was remembered of the outage.
    eventually(lambda: member.get("/account").status == 200, "an account page")
    eventually(lambda: house.ask("GET", "/readyz").status == 200, "readiness")
    for address in addresses:
        Caller(house).log_in(address)
    assert memory(house) - before < GROWTH


def test_somebody_who_signs_in_is_answered(house, relay):
    """However many questions that takes, whose waits would add up to more than the connection is kept for."""
    address = a_new_address()
    house.make_account(address)
    house.stop()
    del house.settings["VESTIBULE_LIMIT_LOGIN"]
    house.start()
    # So there is a connection, which took its time as well.
    assert house.ask("GET", "/readyz").status == 200
    relay.delay = 4
    answer = house.ask("POST", "/login", {"email": address, "password": PASSWORD})
    relay.delay = 0
    assert answer.status == 503 and int(answer.headers["Retry-After"]) > 0
    eventually(lambda: house.ask("GET", "/readyz").status == 200, "readiness")
    Caller(house).log_in(address)

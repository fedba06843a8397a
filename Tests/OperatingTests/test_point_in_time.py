"""A base backup and an archived log of PostgreSQL, and the way back to one moment."""

import re
import shutil
import subprocess
import sys
import textwrap

import engines
import pytest
from house import QUICK_HASHES, REPOSITORY, House, eventually, free_port
from operator_desk import can_sign_in, documented

sys.path.insert(0, str(REPOSITORY / "Tests/TestSupport"))

import postgres_server  # noqa: E402

pytestmark = pytest.mark.long


def commands(number: int, disk) -> str:
    """As documented, but for the place."""
    return textwrap.dedent(documented("Backup", number, page="cluster")).replace("/srv", str(disk))


def as_postgres(text: str, server: dict) -> str:
    prefix, _, _ = postgres_server.as_somebody()
    return subprocess.run(
        [*prefix, "sh", "-euc", text], cwd="/", env={"PATH": f"{server['bin']}:/usr/bin:/bin"}, check=True,
        stdout=subprocess.PIPE, text=True).stdout.strip()


@pytest.fixture
def disk():
    """That PostgreSQL's user reaches."""
    disk = postgres_server.own_folder()
    for name in ("backup", "backup/log"):
        (disk / name).mkdir()
        shutil.chown(disk / name, disk.owner())
    yield disk
    shutil.rmtree(disk)


@pytest.fixture
def server(disk):
    archiving = dict(re.findall(r"(archive_\w+) = '?(.*?)'?$", commands(3, disk), re.MULTILINE))
    assert len(archiving) == 3
    with postgres_server.running(archiving | {"wal_level": "replica", "max_wal_senders": "4"}) as server:
        yield server


def url(server: dict) -> str:
    return f"postgres://vestibule@/postgres?host={server['socket']}&port={server['port']}"


def ask(server: dict, statement: str) -> str:
    return as_postgres(f"psql -XqAt '{url(server)}' -c '{statement}'", server)


def test_it_has_what_was_there_at_that_moment_and_nothing_since(server, disk, tmp_path):
    house = House(tmp_path, **QUICK_HASHES, **{engines.SETTING: url(server)})
    house.make_account("early@example.com")
    where = f"--host {server['socket']} --username vestibule"
    as_postgres(commands(4, disk).replace("--host 127.0.0.1 --username replicator", where), server)
    house.make_account("before@example.com")
    moment = ask(server, "SELECT now()")
    house.make_account("since@example.com")
    house.stop()
    last = ask(server, "SELECT pg_walfile_name(pg_switch_wal())")
    eventually(lambda: (disk / "backup/log" / last).exists(), "the archive of the log")

    there = server | {"port": free_port()}
    # The first server had its settings on its command line.
    own = f"-p {there['port']} -k {there['socket']} -c max_connections=500"
    taken, = (disk / "backup").glob("base-*")
    restore = commands(5, disk).replace("2026-11-23 08:00:00 UTC", moment).replace("base-2026-11-23", taken.name)
    assert moment in restore
    try:
        as_postgres(restore.replace("--wait", f"--wait --options '{own}'"), server)
        eventually(lambda: ask(there, "SELECT pg_is_in_recovery()") == "f", "the moment")
        house.start(**{engines.SETTING: url(there)})
        assert can_sign_in(house, "early@example.com") and can_sign_in(house, "before@example.com")
        assert not can_sign_in(house, "since@example.com")
        house.make_account("later@example.com")
    finally:
        house.kill()
        as_postgres(f"pg_ctl --pgdata {disk}/restored --mode immediate stop", server)

"""The database of a house: SQLite, or PostgreSQL with VESTIBULE_TEST_ENGINE=postgres."""

import atexit
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SERVER = Path(__file__).resolve().parents[1] / "TestSupport/postgres_server.py"
IS_POSTGRES = os.environ.get("VESTIBULE_TEST_ENGINE") == "postgres"
SETTING = "VESTIBULE_DATABASE_URL"
numbers = count(1)


class Postgres:
    """A server of this process; it ends when its standard input closes, which this process's end does as well."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.place = json.loads(self.process.stdout.readline())
        atexit.register(self.stop)

    def make_database(self) -> str:
        """The address of a new one."""
        name = f"house{next(numbers)}"
        self.process.stdin.write(f"database {name}\n")
        self.process.stdin.flush()
        fault = json.loads(self.process.stdout.readline())["fault"]
        assert not fault, fault
        place = self.place
        return f"postgres://{place['user']}@/{name}?host={place['socket']}&port={place['port']}"

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait()


postgres = cache(Postgres)


def on_postgres() -> dict[str, str]:
    """The setting of a server with a new database there."""
    return {SETTING: postgres().make_database()}


def prepare(folder: Path) -> None:
    """Says in the folder's settings which database is served, unless they say so or it is the default."""
    file = folder / ".env"
    settings = file.read_text() if file.exists() else ""
    if IS_POSTGRES and SETTING not in settings:
        file.write_text(f"{settings}{SETTING}={postgres().make_database()}\n")


def url(folder: Path) -> str | None:
    """Of the database on PostgreSQL, if there is one."""
    file = folder / ".env"
    found = re.search(rf"^{SETTING}=(postgres:.*)$", file.read_text(), re.MULTILINE) if file.exists() else None
    return found[1] if found else None


def execute(folder: Path, statement: str, *values: str) -> None:
    """Changes the database of a server, which may run; each `?` is a text."""
    if address := url(folder):
        texts = iter("'" + value.replace("'", "''") + "'" for value in values)
        subprocess.run(psql(address, "-c", re.sub(r"\?", lambda _: next(texts), statement)), check=True)
        return
    database = sqlite3.connect(folder / "data/vestibule.sqlite", timeout=30)
    with database:
        database.execute(statement, values)
    database.close()


@contextmanager
def without_writing(folder: Path):
    """Somebody else keeps the server from writing; it may read."""
    if address := url(folder):
        client = subprocess.Popen(psql(address), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        client.stdin.write("BEGIN; LOCK TABLE sessions IN EXCLUSIVE MODE;\n\\echo locked\n")
        client.stdin.flush()
        assert client.stdout.readline() == "locked\n"
        yield
        client.stdin.close()
        client.wait()
        return
    database = sqlite3.connect(folder / "data/vestibule.sqlite", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    yield
    database.execute("ROLLBACK")
    database.close()


def name(address: str) -> str:
    """Of a database, by its address."""
    return urlsplit(address).path.lstrip("/")


def psql(address: str, *more: str) -> list[str]:
    parts = urlsplit(address)
    where = parse_qs(parts.query)
    return [f"{postgres().place['bin']}/psql", "-h", where["host"][0], "-p", where["port"][0], "-U", parts.username,
            "-d", name(address), "-XqAt", "-v", "ON_ERROR_STOP=1", *more]

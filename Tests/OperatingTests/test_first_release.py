"""Installations of former releases (Tests/Fixtures), met by this version: nothing is lost, and everybody gets in."""

import base64
import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import engines
import pyotp
import pytest
from authenticators import SoftwarePasskey, options_of
from caller import Caller
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from fido2.utils import websafe_decode
from house import BINARY, PATIENCE, REPOSITORY, House
from operator_desk import SURROUNDINGS

RELEASES = sorted(file.parent for file in (REPOSITORY / "Tests/Fixtures").glob("*/people.json"))


@dataclass
class Installation:
    """A folder as an operator of that release had it."""

    release: Path
    folder: Path
    database: dict[str, str]

    @property
    def people(self) -> dict[str, dict]:
        return json.loads((self.release / "people.json").read_text())

    def run(self, *arguments: str) -> str:
        ran = subprocess.run(
            [BINARY, *arguments], cwd=self.folder, env=SURROUNDINGS | self.database, capture_output=True, text=True,
            timeout=2 * PATIENCE)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def tried(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess:
        """The same where it may be refused."""
        return subprocess.run(
            [BINARY, *arguments], cwd=self.folder, env=SURROUNDINGS | self.database | settings, capture_output=True, text=True,
            timeout=2 * PATIENCE)

    def ask(self, statement: str) -> list[str]:
        """Each row as one line of text."""
        address = self.database[engines.SETTING]
        if address.startswith("postgres:"):
            command = engines.psql(address, "-c", statement)
            return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.splitlines()
        with closing(sqlite3.connect(self.folder / address.removeprefix("sqlite:"))) as database:
            return [json.dumps([str(value) for value in row]) for row in database.execute(statement)]

    def tables(self) -> dict[str, list[str]]:
        """All that the schema says, columns by table."""
        listed = "SELECT m.name || ' ' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        if self.database[engines.SETTING].startswith("postgres:"):
            listed = "SELECT table_name || ' ' || column_name FROM information_schema.columns WHERE table_schema = 'public'"
        tables: dict[str, list[str]] = {}
        for line in self.ask(listed):
            table, column = re.findall(r"\w+", line)
            tables.setdefault(table, []).append(column)
        return tables

    def rows(self, tables: dict[str, list[str]]) -> dict[str, list[str]]:
        return {table: sorted(self.ask(f'SELECT {", ".join(columns)} FROM {table}')) for table, columns in tables.items()}


@pytest.fixture(params=RELEASES, ids=lambda release: release.name)
def release(request) -> Path:
    return request.param


@pytest.fixture(params=["sqlite", "postgres"])
def installation(request, release, tmp_path) -> Installation:
    folder = tmp_path / "installation"
    (folder / "data").mkdir(parents=True)
    shutil.copy(release / "vestibule.env", folder / ".env")
    (folder / ".env").chmod(0o600)
    shutil.copytree(release / "Templates", folder / "Templates")
    if request.param == "postgres":
        database = engines.on_postgres()
        restore = engines.psql(database[engines.SETTING], "-f", str(release / "postgres.sql"))
        subprocess.run(restore, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    else:
        database = {engines.SETTING: "sqlite:data/vestibule.sqlite"}
        shutil.copy(release / "vestibule.sqlite", folder / "data/vestibule.sqlite")
        (folder / "data/vestibule.sqlite").chmod(0o600)
    return Installation(release, folder, database)


@pytest.fixture
def house(installation, open_house) -> House:
    return open_house(installation.folder, **installation.database)


def second_step(house: House, person: dict) -> Caller:
    caller = Caller(house)
    caller.post("/login", email=person["email"], password=person["password"])
    return caller


def is_in(caller: Caller, person: dict) -> bool:
    page = caller.get("/account")
    return page.status == 200 and person["email"] in page.text and person["display_name"] in page.text


def test_it_fits(installation):
    said = installation.run("upgrade-check").splitlines()
    assert said[0].startswith("ok   settings (") and "ok   templates of your own (login)" in said
    assert any(line.startswith("ok   store (") for line in said)
    # All that is said is how much of a language of the operator's own is missing, and of PostgreSQL that nothing is copied.
    others = [line for line in said if not line.startswith(("ok   ", "warn language fr: ", "warn store: PostgreSQL"))]
    assert others == []


def test_before_the_migration_doctor_says_what_another_secret_key_does_not_open(installation):
    assert "sealed factors" not in installation.tried("doctor").stdout
    told = installation.tried("doctor", VESTIBULE_SECRET_KEY=base64.b64encode(bytes(32)).decode())
    assert told.returncode == 1 and "FAIL sealed factors: " in told.stdout


def test_without_the_former_secret_key_nothing_is_migrated(installation):
    tables, settings = installation.tables(), installation.folder / ".env"
    settings.write_text(re.sub("VESTIBULE_SECRET_KEY=.*\n", "", settings.read_text()))
    sentence = "there is no data/secret.key, and the database holds what the former one has sealed"
    told = installation.tried("doctor")
    assert told.returncode == 1 and f"FAIL secret key: {sentence}. " in told.stdout
    refused = installation.tried("serve", "--port", "0")
    assert refused.returncode == 78 and sentence in refused.stderr
    assert installation.tables() == tables
    assert not list(installation.folder.glob("data/*-before-*"))


def test_nothing_is_lost(installation):
    tables = installation.tables()
    # What the versions themselves count is theirs.
    tables = {name: columns for name, columns in tables.items() if name not in ("grdb_migrations", "schema_migrations")}
    before = installation.rows(tables)
    assert len(before["accounts"]) == 3 and len(before["sessions"]) >= 3 and before["passkeys"] and before["factor_keys"]
    installation.run("migrate")
    assert installation.rows(tables) == before


def test_the_schema_becomes_that_of_a_new_database(installation, tmp_path):
    """A migration that was released is never changed."""
    new = Installation(installation.release, tmp_path / "new", dict(installation.database))
    new.folder.mkdir()
    shutil.copy(installation.folder / ".env", new.folder)
    if installation.database[engines.SETTING].startswith("postgres:"):
        new.database = engines.on_postgres()
    installation.run("migrate")
    new.run("migrate")
    assert schema(installation) == schema(new)


def schema(installation: Installation) -> list[str]:
    address = installation.database[engines.SETTING]
    if not address.startswith("postgres:"):
        return sorted(installation.ask("SELECT type, name, tbl_name, sql FROM sqlite_schema"))
    psql, *where = engines.psql(address)
    command = [psql.replace("psql", "pg_dump"), *where[:where.index("-XqAt")], "--schema-only", "--no-owner"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    # Its key is another one in each dump.
    return [line for line in text.splitlines() if not line.startswith(("--", "\\restrict", "\\unrestrict"))]


def test_sessions_go_on(installation, house):
    for person in installation.people.values():
        caller = Caller(house)
        caller.cookies["vestibule"] = person["session"]
        assert is_in(caller, person)


def test_a_password_opens_the_account_and_its_group_stays(installation, house):
    ada = installation.people["ada"]
    assert is_in(second_step(house, ada), ada)
    assert "staff" in installation.run("users", "show", ada["email"])
    # A page of the operator's own, in words of the operator's own.
    assert "The village library." in house.ask("GET", "/login").text
    assert "Se connecter" in house.ask("GET", "/login?lang=fr").text


def test_an_app_and_a_recovery_code_are_second_steps(installation, house):
    bob = installation.people["bob"]
    for code in (pyotp.TOTP(bob["app_key"]).now(), bob["recovery_codes"][0]):
        caller = second_step(house, bob)
        assert not is_in(caller, bob)
        caller.post("/login/second", code=code)
        assert is_in(caller, bob)


def test_a_passkey_is_a_second_step(installation, house):
    eve = installation.people["eve"]
    kept = eve["passkey"]
    passkey = SoftwarePasskey(
        house.origin, load_pem_private_key(kept["key"].encode(), None), websafe_decode(kept["id"]),
        websafe_decode(kept["handle"]), kept["counter"])
    caller = second_step(house, eve)
    caller.post("/login/second", credential=passkey.sign(options_of(caller, "/login/second/options")))
    assert is_in(caller, eve)

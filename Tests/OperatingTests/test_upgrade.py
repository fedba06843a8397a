"""A new version meets an installation of an older one: what it keeps, what it refuses."""

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from house import BINARY, ON_SQLITE, PATIENCE
from operator_desk import SURROUNDINGS, can_sign_in

VERSION = subprocess.run([BINARY, "--version"], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
DATABASE = "data/vestibule.sqlite"
ADA = "ada@example.com"
# What the last migration did, undone.
UNDONE = ["ALTER TABLE trusted_browsers DROP COLUMN user_agent"]


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, *arguments], cwd=folder, env=SURROUNDINGS | ON_SQLITE | settings, capture_output=True, text=True,
        timeout=2 * PATIENCE)


def execute(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        for statement in statements:
            database.execute(statement)


def rows(file: Path, statement: str) -> list[tuple]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return database.execute(statement).fetchall()


def forget_last_migration(folder: Path) -> None:
    execute(folder, "DELETE FROM grdb_migrations WHERE identifier = '002 trusted browsers'")


def copies(folder: Path) -> list[Path]:
    return sorted((folder / "data").glob("vestibule-before-*"))


def files(folder: Path) -> set[str]:
    return {path.name for path in (folder / "data").iterdir()}


@pytest.fixture
def older(open_house):
    """A house with an account that has stopped, its database one migration behind."""
    house = open_house(**ON_SQLITE)
    house.make_account(ADA)
    house.stop()
    execute(house.folder, *UNDONE)
    forget_last_migration(house.folder)
    return house


# The copy before a migration


def test_a_copy_is_kept_before_the_first_migration_of_a_version(older):
    former = older.folder / "data/vestibule-before-0.0.9-20250101T000000Z.sqlite"
    former.write_bytes(b"")
    older.start()
    assert can_sign_in(older, ADA)
    kept, = copies(older.folder)
    assert kept.name.startswith(f"vestibule-before-{VERSION}-") and kept.stat().st_mode & 0o777 == 0o600
    assert rows(kept, "SELECT email FROM accounts") == [(ADA,)]
    assert "user_agent" not in [row[1] for row in rows(kept, "PRAGMA table_info(trusted_browsers)")]
    assert kept.name in (older.folder / "server.log").read_text()


def test_migrate_keeps_a_copy_too_and_only_when_it_migrates(older):
    assert run(older.folder, "migrate").stdout == "1 migration applied\n"
    assert len(copies(older.folder)) == 1
    assert run(older.folder, "migrate").stdout == "up to date\n"
    assert len(copies(older.folder)) == 1


def test_no_copy_keeps_none(older):
    assert run(older.folder, "migrate", "--no-copy").returncode == 0
    assert copies(older.folder) == []


def test_a_new_database_is_not_copied(tmp_path):
    assert run(tmp_path, "migrate").returncode == 0
    assert copies(tmp_path) == []


def test_a_migration_that_fails_leaves_no_copy(older):
    # The column that it adds is there.
    execute(older.folder, "ALTER TABLE trusted_browsers ADD COLUMN user_agent TEXT")
    before = files(older.folder)
    for command in ("migrate", "serve"):
        refused = run(older.folder, command)
        assert refused.returncode == 1 and "the database cannot be migrated" in refused.stderr, refused.stderr
    assert files(older.folder) == before


def test_without_room_for_the_copy_nothing_is_migrated(older):
    """In a file system of its own that has room for the database, but not for it three times."""
    size = (older.folder / DATABASE).stat().st_size
    script = f"""
        mount -t tmpfs -o size={2 * size} none small && cp -a data small && cd small
        "$0" migrate; echo "exit $?"; ls data; "$0" migrate --no-copy"""
    (older.folder / "small").mkdir()
    ran = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script, BINARY], cwd=older.folder,
        env=SURROUNDINGS | ON_SQLITE, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert "vestibule: error: there is no room for the copy of the database" in ran.stderr, ran.stderr
    assert "start with --no-copy" in ran.stderr and "exit 1" in ran.stdout
    assert "vestibule-before" not in ran.stdout
    assert ran.stdout.endswith("1 migration applied\n")


# The way back


def test_an_older_version_refuses_and_names_the_copy(older):
    assert run(older.folder, "migrate").returncode == 0
    kept, = copies(older.folder)
    execute(older.folder, "INSERT INTO grdb_migrations (identifier) VALUES ('999 the future')")
    for command in ("serve", "migrate"):
        refused = run(older.folder, command)
        assert refused.returncode == 1 and "written by a newer version" in refused.stderr
        assert f"restore data/{kept.name}, the copy made before it" in refused.stderr
    # As docs/operating/backup.md says; this version migrates it again.
    for file in (older.folder / "data").glob("vestibule.sqlite*"):
        file.unlink()
    shutil.copy(kept, older.folder / DATABASE)
    older.start()
    assert can_sign_in(older, ADA)

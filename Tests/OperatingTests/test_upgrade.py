"""A new version meets an installation of an older one: what it says before it is started, what it keeps, what it refuses."""

import json
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import engines
import pytest
from house import BINARY, ON_SQLITE, PATIENCE, REPOSITORY, eventually
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
    own = older.folder / "data/vestibule-before-the-move.sqlite"
    own.write_bytes(b"the operator's")
    older.start()
    assert can_sign_in(older, ADA)
    assert own.exists() and not former.exists()
    own.unlink()
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


def test_the_copies_of_another_database_in_the_folder_are_left_alone(older):
    other = older.folder / "data/vestibule-before-0.0.9-20250101T000000Z.sqlite"
    other.write_bytes(b"")
    (older.folder / DATABASE).rename(older.folder / "data/vestibule.db")
    moved = run(older.folder, "migrate", "--new-database", VESTIBULE_DATABASE_URL="sqlite:data/vestibule.db")
    assert moved.returncode == 0, moved.stderr
    kept = set(copies(older.folder)) - {other}
    assert other.exists() and [file.suffix for file in kept] == [".db"]


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_a_migration_can_be_interrupted_after_the_copy(older, number):
    execute(
        older.folder, "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        "CREATE TRIGGER slow BEFORE INSERT ON grdb_migrations BEGIN SELECT count(*) FROM endless; END")
    migrating = subprocess.Popen(
        [BINARY, "migrate"], cwd=older.folder, env=SURROUNDINGS | ON_SQLITE, stderr=subprocess.PIPE, text=True)
    try:
        eventually(lambda: copies(older.folder), "the copy")
        # A signal that comes while the copy is made ends only that.
        eventually(lambda: migrating.send_signal(number) or migrating.poll(), "the end", within=10)
        assert migrating.returncode == -number, migrating.stderr.read()
    finally:
        migrating.kill()


def test_a_server_that_has_migrated_ends_in_order(older):
    older.start()
    assert copies(older.folder)
    older.stop()
    assert older.process.returncode == 0


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


def test_a_migration_that_fails_after_another_one_ran_leaves_the_copy(older):
    # The table that it makes anew is not there.
    execute(older.folder, "DELETE FROM grdb_migrations WHERE identifier = '006 pending logins by passkey'",
            "DROP TABLE pending_logins")
    refused = run(older.folder, "migrate")
    assert refused.returncode == 1 and "the database cannot be migrated" in refused.stderr, refused.stderr
    assert "user_agent" in [row[1] for row in rows(older.folder / DATABASE, "PRAGMA table_info(trusted_browsers)")]
    kept, = copies(older.folder)
    assert "user_agent" not in [row[1] for row in rows(kept, "PRAGMA table_info(trusted_browsers)")]


@pytest.mark.parametrize("place", ["true", "mv data/vestibule.sqlite data/other && ln -s other data/vestibule.sqlite"],
                         ids=["file", "link"])
def test_without_room_for_the_copy_nothing_is_migrated(older, place):
    """In a file system of its own that has room for the database, but not for it three times."""
    size = (older.folder / DATABASE).stat().st_size
    script = f"""
        mount -t tmpfs -o size={2 * size} none small && cp -a data small && cd small && {place}
        "$0" migrate; echo "exit $?"; ls data; "$0" upgrade-check; "$0" migrate --no-copy"""
    (older.folder / "small").mkdir()
    ran = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script, BINARY], cwd=older.folder,
        env=SURROUNDINGS | ON_SQLITE, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert "vestibule: error: there is no room for the copy of the database" in ran.stderr, ran.stderr
    assert "start with --no-copy" in ran.stderr and "exit 1" in ran.stdout
    assert "vestibule-before" not in ran.stdout
    assert "FAIL store: there is no room for the copy" in ran.stdout
    assert ran.stdout.endswith("1 migration applied\n")


# What is said before the start


def test_it_fits(open_house):
    house = open_house(**ON_SQLITE)
    checked = run(house.folder, "upgrade-check")
    assert checked.returncode == 0 and not checked.stderr
    lines = checked.stdout.splitlines()
    assert lines[-1] == "ok   store (no migration to run)" and all(line.startswith("ok   ") for line in lines), lines


def test_migrations_to_come_are_tried_on_a_copy_and_timed(older):
    before = files(older.folder)
    for command in ("upgrade-check", "doctor"):
        checked = run(older.folder, command)
        assert checked.returncode == 0, checked.stdout
        assert "ok   store (1 migration to run: trusted browsers; tried on a copy of " in checked.stdout
        assert " s, copying included)" in checked.stdout
    assert files(older.folder) == before
    assert run(older.folder, "migrate").stdout == "1 migration applied\n"


def test_a_migration_that_would_fail_is_known_before(older):
    execute(older.folder, "ALTER TABLE trusted_browsers ADD COLUMN user_agent TEXT")
    before = files(older.folder)
    checked = run(older.folder, "upgrade-check")
    assert checked.returncode == 1 and "FAIL store: " in checked.stdout and "user_agent" in checked.stdout
    assert "does not fit version" in checked.stderr and "hint: " in checked.stderr
    assert files(older.folder) == before


def test_a_setting_that_has_gone_names_what_replaces_it(tmp_path):
    for command in ("upgrade-check", "serve"):
        refused = run(tmp_path, command, VESTIBULE_FORMER_EXAMPLE="debug")
        assert refused.returncode == 78
        assert "VESTIBULE_FORMER_EXAMPLE is not a setting any more" in refused.stderr
        assert "hint: VESTIBULE_LOG_LEVEL replaces it" in refused.stderr


@pytest.fixture
def folder(tmp_path):
    """Of a server, which its settings show."""
    (tmp_path / ".env").touch()
    return tmp_path


def own_template(folder: Path, name: str, old: str, new: str) -> None:
    text = (REPOSITORY / "Templates" / name).read_text()
    assert old in text
    (folder / "Templates" / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / "Templates" / name).write_text(text.replace(old, new))


@pytest.mark.parametrize("name, old, new, line", [
    ("login.mustache", "{{$field_name}}email", "{{$field_name}}mail",
     'FAIL templates: Templates/login.mustache: the form to /login lacks the field "email"'),
    ("signup.mustache", "{{$field_name}}display_name", "{{$field_name}}name",
     'FAIL templates: Templates/signup.mustache: the form to /signup lacks the field "display_name"'),
    ("account/password.mustache", "{{> partials/csrf}}", "",
     'FAIL templates: Templates/account/password.mustache: the form to /account/password lacks the field "csrf"'),
    ("partials/csrf.mustache", 'name="csrf"', 'name="token"',
     'FAIL templates: Templates/partials/csrf.mustache: the form to /account/password lacks the field "csrf"'),
    ("login.mustache", "[[login.submit]]", "[[login.go]]",
     "FAIL templates: Templates/login.mustache has [[login.go]], and there is no such sentence"),
    ("login.mustache", "{{> partials/problems}}", "{{> partials/faults}}",
     "FAIL templates: Templates/login.mustache includes partials/faults, which there is not"),
    # The block around its first field, with its closing tag.
    ("login.mustache", "{{$field_label}}[[field.email]]{{/field_label}}", "{{$label}}[[field.email]]{{/label}}",
     "FAIL templates: Templates/login.mustache: nothing shows what {{$label}} is filled with"),
    ("mail/signup-code.txt.mustache", "{{{code}}}", "",
     "FAIL templates: Templates/mail/signup-code.txt.mustache: the mail lacks {{code}}"),
    ("login.mustache", "[[site.base]]/login/passkey", "[[site.bsae]]/login/passkey",
     "FAIL templates: Templates/login.mustache has [[site.bsae]], and there is no such constant, did you mean [[site.base]]?"),
    ("terms.mustache", "{{<layout}}", "[[#site.wordmark]][[site.wordmark.path]] [[site.light.good_soft]][[/site.wordmark]]{{<layout}}",
     None),
    ("terms.mustache", "{{$main}}", "{{$main}}{{{email}}}",
     "warn templates: Templates/terms.mustache has {{{email}}}: its value is not escaped, so what a visitor typed becomes HTML: "
     "write {{email}}"),
    ("terms.mustache", "{{$main}}", "{{$main}}{{{site.owner}}}",
     "FAIL templates: Templates/terms.mustache has site.owner as a value, which shows nothing: write [[site.owner]]"),
    ("mail/signup-code.txt.mustache", "{{{code}}}", "{{{code}}} {{{site.url}}}",
     "FAIL templates: Templates/mail/signup-code.txt.mustache has site.url as a value, which shows nothing: write [[&site.url]]"),
    # No template shows this value, only a sentence does.
    ("mail/identity-added.txt.mustache", "[[&mail.identity-added.intro]]", "[[&mail.identity-added.intro]] {{{provider}}}",
     None),
    ("terms.mustache", "{{$main}}", "{{$main}}{{brand_name}}",
     "warn templates: Templates/terms.mustache has brand_name as a value, which shows nothing, and no page or mail has such "
     "a value"),
    ("login.mustache", "{{> partials/return-to}}", "",
     'warn templates: Templates/login.mustache: the form to /login lacks the optional field "return_to"'),
    ("login.mustache", 'action="[[site.base]]/login/passkey"', 'action="[[site.base]]/passkey"',
     "warn templates: Templates/login.mustache: there is no form to /login/passkey"),
    ("login.mustache", 'action="[[site.base]]/login"', 'action="[[site.base]]/log-in"',
     "FAIL templates: Templates/login.mustache: there is no form to /login"),
    ("login/second.mustache", "{{$step_action}}/login/second", "{{$step_action}}/login/next",
     "FAIL templates: Templates/login/second.mustache: there is no form to /login/second"),
    ("signup/verify.mustache", "[[site.base]]/signup/verify", "[[site.base]]/signup/code",
     "FAIL templates: Templates/signup/verify.mustache: there is no form to /signup/verify"),
    ("signup/verify.mustache", "{{$resend_path}}/signup/resend", "{{$resend_path}}/signup/again",
     "warn templates: Templates/signup/verify.mustache: there is no form to /signup/resend"),
    ("account/email/verify.mustache", "[[site.base]]/account/email/verify", "[[site.base]]/account/email/code",
     "FAIL templates: Templates/account/email/verify.mustache: there is no form to /account/email/verify"),
    ("login.mustache", "{{#known}}[[login.title]]{{/known}}", "",
     None),
])
def test_a_template_that_lacks_what_this_version_needs(folder, name, old, new, line):
    own_template(folder, name, old, new)
    checked = run(folder, "upgrade-check")
    found = [each for each in checked.stdout.splitlines() if " templates: " in each]
    if line is None:
        assert checked.returncode == 0 and not found, checked.stdout
    else:
        assert line in found, checked.stdout
        assert checked.returncode == (1 if line.startswith("FAIL") else 0)


def test_a_copy_that_says_the_same_in_its_own_way_fits(folder):
    """Fields written out where the shipped page includes a part."""
    fields = '<input name="email" type="email"><input name="password" type="password">'
    (folder / "Templates").mkdir()
    (folder / "Templates/login.mustache").write_text(
        "{{<layout}}\n{{$main}}\n{{> partials/problems}}<form action=\"[[site.base]]/login\" method=\"post\">"
        "{{> partials/return-to}}" + fields + "</form>\n{{/main}}\n{{/layout}}\n")
    checked = run(folder, "upgrade-check")
    assert checked.returncode == 0 and "ok   templates of your own (login)" in checked.stdout, checked.stdout
    assert 'lacks the optional field "remember"' in checked.stdout


def test_a_template_that_no_page_uses_any_more_is_named(folder):
    (folder / "Templates").mkdir()
    (folder / "Templates/goodbye.mustache").write_text("Bye\n")
    checked = run(folder, "upgrade-check")
    assert checked.returncode == 0
    assert "warn templates: Templates/goodbye.mustache is used by no page of this version" in checked.stdout


def test_a_whole_folder_of_an_older_version_is_compared_too(folder):
    """It stands in the place of everything that is installed."""
    shutil.copytree(REPOSITORY / "Templates", folder / "Templates")
    shutil.copytree(REPOSITORY / "Public", folder / "Public")
    english = folder / "Templates/locales/en.json"
    sentences = json.loads(english.read_text())
    del sentences["refusal"]["login"]
    english.write_text(json.dumps(sentences))
    own_template(folder, "reset.mustache", "{{$field_name}}email", "{{$field_name}}mail")
    checked = run(folder, "upgrade-check")
    assert checked.returncode == 1
    assert "FAIL templates: 1 sentence is missing in locales/en.json: refusal.login first" in checked.stdout
    assert 'Templates/reset.mustache: the form to /reset lacks the field "email"' in checked.stdout


@pytest.mark.parametrize("sentence, line, status", [
    ("In {{time}}", "ok   languages (en, ar, de, fr)", 0),
    ("Later", "refusal.limited lacks {{time}}, which the English sentence has", 0),
    ("In {{minutes}}", "{{minutes}} is no placeholder of refusal.limited", 1),
])
def test_a_language_of_ones_own_is_compared_with_the_new_sentences(folder, sentence, line, status):
    (folder / "Templates/locales").mkdir(parents=True)
    (folder / "Templates/locales/fr.json").write_text(json.dumps({"language": "Français", "refusal": {"limited": sentence}}))
    checked = run(folder, "upgrade-check")
    assert checked.returncode == status and line in checked.stdout, checked.stdout
    assert status or "sentences are missing and shown in English" in checked.stdout


# The way back


def test_an_older_version_refuses_and_names_the_copy(older):
    assert run(older.folder, "migrate").returncode == 0
    kept, = copies(older.folder)
    execute(older.folder, "INSERT INTO grdb_migrations (identifier) VALUES ('999 the future')")
    for command in ("serve", "migrate"):
        refused = run(older.folder, command)
        assert refused.returncode == 1 and "written by a newer version" in refused.stderr
        assert f"restore data/{kept.name}, the copy made before it" in refused.stderr
    assert "FAIL store: it was written by a newer version" in run(older.folder, "upgrade-check").stdout
    # As docs/operating/backup.md says; this version migrates it again.
    for file in (older.folder / "data").glob("vestibule.sqlite*"):
        file.unlink()
    shutil.copy(kept, older.folder / DATABASE)
    older.start()
    assert can_sign_in(older, ADA)


# On PostgreSQL, where two neighbouring versions serve side by side


@pytest.fixture
def on_postgres() -> dict[str, str]:
    return engines.on_postgres() | {"VESTIBULE_SECRET_KEY": "b25seSBmb3IgdGVzdHMsIGFzIGFsbCBjYW4gcmVhZCE="}


def psql(settings: dict[str, str], *statements: str) -> None:
    for statement in statements:
        subprocess.run(engines.psql(settings[engines.SETTING], "-c", statement), check=True, timeout=PATIENCE)


def plant(settings: dict[str, str], only_adds: str) -> None:
    """What a newer version does to the database."""
    psql(settings, "ALTER TABLE accounts ADD COLUMN kite text", "INSERT INTO schema_migrations (number, name, applied_at, only_adds) "
         f"VALUES (999, 'kites', 0, {only_adds})")


def test_a_version_serves_beside_the_next_one_that_only_added(open_house, on_postgres):
    house = open_house(**on_postgres)
    house.make_account(ADA)
    plant(on_postgres, "true")
    # What is prepared already, and what is prepared anew.
    assert can_sign_in(house, ADA)
    house.make_account("bob@example.com")
    house.stop()
    house.start()
    assert can_sign_in(house, ADA) and can_sign_in(house, "bob@example.com")


def test_a_version_refuses_what_the_next_one_has_changed(open_house, on_postgres):
    house = open_house(**on_postgres)
    house.stop()
    plant(on_postgres, "false")
    for command in ("serve", "migrate"):
        refused = run(house.folder, command, **on_postgres)
        assert refused.returncode == 1 and "written by a newer version" in refused.stderr, refused.stderr
        assert "hint: Nothing was changed. Use that version, or restore the backup" in refused.stderr


def test_migrations_of_postgres_are_estimated_and_nothing_is_copied(open_house, on_postgres):
    house = open_house(**on_postgres)
    house.make_account(ADA)
    house.stop()
    psql(on_postgres, *UNDONE, "DELETE FROM schema_migrations WHERE number = 2")
    checked = run(house.folder, "upgrade-check", **on_postgres)
    assert checked.returncode == 0
    assert "ok   store (1 migration to run: trusted browsers; at most about 0.0 s, by 0 rows" in checked.stdout
    assert "warn store: PostgreSQL is not copied before a migration: pg_dump first" in checked.stdout
    migrated = run(house.folder, "migrate", **on_postgres)
    assert migrated.stdout == "1 migration applied\n" and "database_not_copied" in migrated.stderr
    house.start()
    assert can_sign_in(house, ADA)


def test_a_migration_that_fails_says_that_those_before_it_stay(tmp_path, on_postgres):
    psql(on_postgres, "CREATE TABLE client_codes (number integer)")
    failed = run(tmp_path, "migrate", **on_postgres)
    assert failed.returncode == 1 and "hint: Mend a full disk" in failed.stderr, failed.stderr
    assert "run it again: finished migrations stay" in failed.stderr and "Nothing was changed" not in failed.stderr
    psql(on_postgres, "DROP TABLE client_codes")
    assert run(tmp_path, "migrate", **on_postgres).stdout == "3 migrations applied\n"

"""Addresses of PostgreSQL that do not fit the server, and servers that cannot work: one line that names the cause, one with a
hint, and no password."""

import contextlib
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from house import BINARY, PATIENCE, REPOSITORY, eventually, free_port
from operator_desk import SURROUNDINGS

sys.path.insert(0, str(REPOSITORY / "Tests/TestSupport"))

import postgres_server  # noqa: E402

ACCESS = """local all all trust
host all vestibule 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
"""
PASSWORD = "geheim-geheim"


def certificates(folder: Path) -> dict[str, str]:
    """Two authorities, and what the first one says of a server that is called localhost."""
    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    for name in ("ours", "another"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=CA:FALSE",
            "-CA", "ours.crt", "-CAkey", "ours.key", "-keyout", "server.key", "-out", "server.crt")
    return {name: (folder / name).read_text() for name in ("server.crt", "server.key")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Of the operator, with the authorities in it."""
    return tmp_path_factory.mktemp("operator")


@pytest.fixture(scope="module")
def port(folder) -> int:
    """Of a server with TLS, a user `ada` who has a password, and one who may make no tables."""
    port = free_port()
    files = {"pg_hba.conf": ACCESS} | certificates(folder)
    with postgres_server.running({"listen_addresses": "127.0.0.1", "ssl": "on"}, files, port) as server:
        subprocess.run(
            [f"{server['bin']}/psql", "-h", server["socket"], "-p", str(port), "-U", "vestibule", "-d", "postgres",
             "-XqAt", "-c", f"CREATE USER ada PASSWORD '{PASSWORD}'", "-c", "CREATE DATABASE door OWNER ada",
             "-c", "CREATE DATABASE closed", "-c", "CREATE DATABASE newer OWNER ada",
             *(word for name in ("bare", "theirs", "filled") for word in ("-c", f"CREATE DATABASE {name} OWNER ada"))], check=True)
        yield port


@pytest.fixture(scope="module")
def plain_port(folder) -> int:
    """Of a server without TLS."""
    port = free_port()
    with postgres_server.running({"listen_addresses": "127.0.0.1"}, port=port):
        yield port


def psql(port: int, database: str, *more: str) -> list[str]:
    """What runs statements as the superuser."""
    return ["psql", f"postgres://vestibule@127.0.0.1:{port}/{database}", "-XqAt", "-v", "ON_ERROR_STOP=1", *more]


def run(folder: Path, url: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, *arguments], cwd=folder, env=SURROUNDINGS | {"VESTIBULE_DATABASE_URL": url}, capture_output=True,
        text=True, timeout=PATIENCE)


def check_refusal(ran: subprocess.CompletedProcess, status: int, *words: str) -> None:
    lines = ran.stderr.splitlines()
    assert ran.returncode == status and len(lines) == 2, ran.stderr
    assert all(word in lines[0] for word in words), ran.stderr
    assert lines[1].strip() and PASSWORD not in ran.stderr


@pytest.mark.parametrize("command", ["serve", "migrate"])
@pytest.mark.parametrize(("host", "options", "words"), [
    ("localhost", "sslmode=verify-full&sslrootcert=another.crt", "certificate verify failed"),
    ("localhost", "sslmode=verify-ca&sslrootcert=another.crt", "certificate verify failed"),
    ("127.0.0.1", "sslmode=verify-full&sslrootcert=ours.crt", 'does not match host name "127.0.0.1"'),
    ("localhost", "sslmode=verify-full&sslrootcert=missing.crt", "missing.crt"),
], ids=["another authority", "another authority, any host", "another host", "no certificate"])
def test_a_server_that_cannot_prove_who_it_is(folder, port, command, host, options, words):
    ran = run(folder, f"postgres://ada:{PASSWORD}@{host}:{port}/door?{options}", command)
    check_refusal(ran, 1, f"{host}:{port}", words)
    assert "sslrootcert" in ran.stderr.splitlines()[1]


def test_the_doctor_says_so_too(folder, port):
    ran = run(folder, f"postgres://ada:{PASSWORD}@127.0.0.1:{port}/door?sslmode=verify-full&sslrootcert=ours.crt", "doctor")
    assert ran.returncode == 1 and 'does not match host name "127.0.0.1"' in ran.stdout
    assert PASSWORD not in ran.stdout + ran.stderr


def test_one_that_can_is_used(folder, port):
    ran = run(folder, f"postgres://ada:{PASSWORD}@localhost:{port}/door?sslmode=verify-full&sslrootcert=ours.crt", "migrate")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("mode", ["require", "verify-full&sslrootcert=ours.crt"])
def test_a_server_without_tls(folder, plain_port, mode):
    url = f"postgres://vestibule@localhost:{plain_port}/postgres?sslmode={mode}"
    check_refusal(run(folder, url, "migrate"), 1, "does not support SSL")


def test_a_mode_that_libpq_does_not_know(folder, port):
    check_refusal(run(folder, f"postgres://ada:{PASSWORD}@localhost:{port}/door?sslmode=perhaps", "migrate"), 1, "sslmode")


def test_a_wrong_password(folder, port):
    url = f"postgres://ada:{PASSWORD}x@localhost:{port}/door"
    check_refusal(run(folder, url, "migrate"), 1, "password authentication failed")


def test_a_user_who_may_have_no_more_connections(folder, port):
    subprocess.run(psql(port, "postgres", "-c", f"CREATE USER guest PASSWORD '{PASSWORD}' CONNECTION LIMIT 0"), check=True)
    url = f"postgres://guest:{PASSWORD}@localhost:{port}/door"
    for command in ("serve", "migrate"):
        ran = run(folder, url, command)
        check_refusal(ran, 1, "too many connections for role")
        assert "10 connections for each node" in ran.stderr.splitlines()[1]


@contextlib.contextmanager
def pooler(server: int, mode: str):
    """PgBouncer before that server. Gives its port."""
    place, port = postgres_server.own_folder(), free_port()
    (place / "users").write_text(f'"ada" "{PASSWORD}"\n')
    (place / "settings").write_text(f"""[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {place}/users
pool_mode = {mode}
""")
    prefix, _, _ = postgres_server.as_somebody()
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
    with subprocess.Popen([*prefix, program, place / "settings"], stderr=subprocess.DEVNULL) as running:
        def is_there() -> bool:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return True
            return False

        try:
            eventually(is_there, "PgBouncer")
            yield port
        finally:
            running.kill()
    shutil.rmtree(place)


@pytest.mark.parametrize(("mode", "words"), [
    ("session", "ok   store"), ("transaction", "a connection pooler in transaction mode stands before the database. Set it to")])
def test_a_pooler_in_transaction_mode_is_named(folder, port, mode, words):
    run(folder, f"postgres://ada:{PASSWORD}@localhost:{port}/door", "migrate").check_returncode()
    with pooler(port, mode) as before:
        said = run(folder, f"postgres://ada@127.0.0.1:{before}/door", "doctor").stdout
    assert words in said, said


def test_a_user_who_may_make_no_tables(folder, port):
    url = f"postgres://ada:{PASSWORD}@localhost:{port}/closed"
    check_refusal(run(folder, url, "migrate"), 1, "permission denied for schema public")


@pytest.mark.parametrize("url", [
    "postgres://ada:{password}@localhost:{port}/door", "postgresql://ada@localhost:{port}/door?password={password}",
    "postgres://ada@localhost:{port}/door?%70assword={password}", "postgres://ada@localhost:{port}/door?sslpassword={password}",
])
def test_a_password_on_the_command_line_is_refused(folder, port, url):
    url = url.format(password=PASSWORD, port=port)
    for command in (["copy", url, "sqlite:copy.sqlite"], ["copy", "sqlite:copy.sqlite", url]):
        check_refusal(run(folder, "sqlite:none.sqlite", *command), 64, "shows its password")


@pytest.mark.parametrize("way", ["PGPASSWORD", "passfile", ".pgpass"])
def test_a_copy_gets_its_password_elsewhere(folder, port, tmp_path, way):
    url = f"postgres://ada@localhost:{port}/door"
    run(folder, f"postgres://ada:{PASSWORD}@localhost:{port}/door", "migrate").check_returncode()
    (tmp_path / ".pgpass").write_text(f"localhost:{port}:door:ada:{PASSWORD}\n")
    (tmp_path / ".pgpass").chmod(0o600)
    environment = {"PGPASSWORD": {"PGPASSWORD": PASSWORD}, ".pgpass": {"HOME": str(tmp_path)}}.get(way, {})
    if way == "passfile":
        url += f"?passfile={tmp_path}/.pgpass"
    ran = subprocess.run(
        [BINARY, "copy", url, f"sqlite:{tmp_path}/copy.sqlite"], cwd=folder, env=SURROUNDINGS | environment,
        capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0 and "accounts" in ran.stdout, ran.stderr


def test_a_database_of_a_newer_version(folder, port):
    url = f"postgres://ada:{PASSWORD}@localhost:{port}/newer"
    run(folder, url, "migrate").check_returncode()
    subprocess.run(
        ["psql", url, "-Xqc", "INSERT INTO schema_migrations (number, name, applied_at) VALUES (999, 'x', 0)"], check=True)
    for command in (["serve"], ["migrate"], ["users", "list"]):
        check_refusal(run(folder, url, *command), 1, "newer")


def test_of_several_servers_each_has_its_message(folder):
    closed = free_port()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        ran = run(folder, f"postgres://ada:{PASSWORD}@127.0.0.1:{port},127.0.0.1:{closed}/door", "migrate")
    check_refusal(
        ran, 1, f"127.0.0.1:{port}: the database server did not answer in time; ", f"port {closed} failed: Connection refused")
    assert "Does the database server run" in ran.stderr.splitlines()[1]


@pytest.mark.parametrize("place", ["[::1/door", "127.0.0.1/door?sslmode=perhaps"])
def test_the_doctor_calls_an_address_that_cannot_be_read_a_fault_of_the_store(folder, place):
    ran = run(folder, f"postgres://ada:{PASSWORD}@{place}", "doctor")
    assert ran.returncode == 1 and "FAIL store: " in ran.stdout, ran.stdout
    assert PASSWORD not in ran.stdout + ran.stderr


@pytest.mark.parametrize("command", ["doctor", "upgrade-check"])
@pytest.mark.parametrize("database, statement", [("closed", "SELECT 1"), ("bare", "DROP SCHEMA IF EXISTS public")])
def test_a_user_who_may_make_no_tables_is_told_before_a_migration(folder, port, database, statement, command):
    subprocess.run(psql(port, database, "-c", statement), check=True)
    ran = run(folder, f"postgres://ada:{PASSWORD}@localhost:{port}/{database}", command)
    line = "FAIL store: this user may not create tables in the schema public, or that schema is missing"
    assert ran.returncode == 1 and line in ran.stdout, ran.stdout


def test_a_table_of_another_user_is_found_before_a_migration(folder, port):
    url = f"postgres://ada:{PASSWORD}@localhost:{port}/theirs"
    run(folder, url, "migrate").check_returncode()
    subprocess.run(
        psql(port, "theirs", "-c", "DELETE FROM schema_migrations WHERE number = 6",
             "-c", "ALTER TABLE accounts OWNER TO vestibule", "-c", "GRANT ALL ON accounts TO ada"), check=True)
    for command in ("doctor", "upgrade-check"):
        # The migration to come does not change that table.
        run(folder, url, command).check_returncode()
    subprocess.run(psql(port, "theirs", "-c", "ALTER TABLE pending_logins OWNER TO vestibule"), check=True)
    for command in ("doctor", "upgrade-check"):
        ran = run(folder, url, command)
        line = "FAIL store: only its owner can migrate a table: pending_logins belongs to vestibule"
        assert ran.returncode == 1 and line in ran.stdout, ran.stdout


def test_a_table_that_somebody_keeps_locked_is_told_from_a_slow_statement(folder, port):
    url = f"postgres://ada:{PASSWORD}@localhost:{port}/door"
    run(folder, url, "migrate").check_returncode()
    with subprocess.Popen(psql(port, "door"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        holder.stdin.write("BEGIN; LOCK TABLE heartbeat;\n\\echo locked\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "locked\n"
        said = run(folder, url, "doctor").stdout
        holder.stdin.close()
    assert "FAIL store: 55P03 canceling statement due to lock timeout. Another program holds a lock in the database" in said, said


def test_a_full_disk_of_the_server_has_its_hint(folder, port):
    url = f"postgres://ada:{PASSWORD}@localhost:{port}/filled"
    run(folder, url, "migrate").check_returncode()
    full = """
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file';
        END $$;
        CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON heartbeat FOR EACH ROW EXECUTE FUNCTION full_disk()
        """
    subprocess.run(psql(port, "filled", "-c", full), check=True)
    said = run(folder, url, "doctor").stdout
    assert "FAIL store: 53100 could not extend file. Make room on the disk of the database" in said, said

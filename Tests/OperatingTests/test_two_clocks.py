"""A database server whose clock differs from this machine's, and machines whose clock is years behind or coarse."""

import json
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest
from house import BINARY, PATIENCE, REPOSITORY
from operator_desk import SURROUNDINGS

sys.path.insert(0, str(REPOSITORY / "Tests/TestSupport"))

import postgres_server  # noqa: E402


@pytest.mark.parametrize(("seconds", "says"), [(0, None), (5, "5.0 s ahead"), (-5, "5.0 s behind")])
def test_the_doctor_says_so(tmp_path, seconds, says):
    with postgres_server.running() as server:
        url = f"postgres://vestibule@/postgres?host={server['socket']}&port={server['port']}"

        def vestibule(command: str) -> str:
            return subprocess.run(
                [BINARY, command], cwd=tmp_path, env=SURROUNDINGS | {"VESTIBULE_DATABASE_URL": url},
                stdout=subprocess.PIPE, text=True, timeout=PATIENCE).stdout

        vestibule("migrate")
        # In the place of PostgreSQL's own.
        subprocess.run(
            [f"{server['bin']}/psql", "-h", server["socket"], "-p", str(server["port"]), "-U", "vestibule",
             "-d", "postgres", "-XqAt", "-c", "SET allow_system_table_mods = on",
             "-c", f"""CREATE OR REPLACE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                 AS $$SELECT timeofday()::timestamptz + interval '{seconds} seconds'$$"""], check=True)
        clock = [line for line in vestibule("doctor").splitlines() if line.startswith("warn clock")]
        assert (says in clock[0]) if says else not clock


def other_clock(folder, **macros: int) -> dict[str, str]:
    """What a program is started with for such a clock."""
    (library, source) = (folder / "clock.so", REPOSITORY / "Tests/StandIns/clock.c")
    defined = [f"-D{name}={value}" for name, value in macros.items()]
    subprocess.run(["cc", "-shared", "-fPIC", *defined, "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def test_the_doctor_says_how_to_set_a_clock_that_is_years_behind(tmp_path):
    ahead = datetime(2020, 6, 1, tzinfo=UTC).timestamp() - time.time()
    clock = other_clock(tmp_path, AHEAD=int(ahead))
    said = subprocess.run(
        [BINARY, "doctor"], cwd=tmp_path, env=SURROUNDINGS | clock, stdout=subprocess.PIPE,
        text=True, timeout=PATIENCE).stdout
    assert "FAIL clock: says the year is 2020: set it, such as with timedatectl\n" in said


TENTH = 100_000_000


def test_a_clock_that_does_not_tick_during_a_hash_ends_no_server(open_house, tmp_path):
    house = open_house(**other_clock(tmp_path, TICK=TENTH))
    # A bcrypt hash, which is filled up to the time of one of ours.
    imported = {"address": "eve@example.com", "verified": True,
                "hash": "$2b$10$R9nOuqwCU5lbfJTz7a9KH.9LxuSgnfnElKie1h3gi06TaHRt9SvpC"}
    (house.folder / "people").write_text(json.dumps(imported))
    house.command("users", "import", "people")
    for address in (house.member, "eve@example.com"):
        answer = house.ask("POST", "/login", {"email": address, "password": "wrong"})
        assert answer.status == 422, answer.text
    assert house.is_well()


def test_settings_are_proposed_where_a_clock_does_not_tick_during_a_hash(tmp_path):
    said = subprocess.run(
        [BINARY, "doctor", "--tune", "50ms"], cwd=tmp_path, env=SURROUNDINGS | other_clock(tmp_path, TICK=TENTH),
        capture_output=True, text=True, timeout=PATIENCE)
    proposed = dict(line.split("=") for line in said.stdout.splitlines())
    # Not the most that there is: half a second on the slowest machine.
    assert 19456 <= int(proposed["VESTIBULE_ARGON2_MEMORY_KIB"]) < 1 << 20, said

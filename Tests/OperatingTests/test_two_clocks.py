"""A database server whose clock differs from this machine's, and a machine whose clock is years behind."""

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


def test_the_doctor_says_how_to_set_a_clock_that_is_years_behind(tmp_path):
    (library, ahead) = (tmp_path / "clock.so", datetime(2020, 6, 1, tzinfo=UTC).timestamp() - time.time())
    source = REPOSITORY / "Tests/StandIns/clock.c"
    subprocess.run(["cc", "-shared", "-fPIC", f"-DAHEAD={int(ahead)}", "-o", library, source], check=True)
    said = subprocess.run(
        [BINARY, "doctor"], cwd=tmp_path, env=SURROUNDINGS | {"LD_PRELOAD": str(library)}, stdout=subprocess.PIPE,
        text=True, timeout=PATIENCE).stdout
    assert "FAIL clock: says the year is 2020: set it, such as with timedatectl\n" in said

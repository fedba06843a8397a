#!/usr/bin/env python3
"""`make bench ENGINE=postgres`: what PostgreSQL costs beside SQLite, both measured in the same run and in turns."""

import argparse
import contextlib
import statistics
import subprocess
import sys

import bench
import crowd
import hashing
import house
import verdicts
from house import spread

sys.path.insert(0, str(house.ROOT / "Tests/TestSupport"))

import postgres_server  # noqa: E402

# As an operator runs it: every commit is on the disk when it is acknowledged.
DURABLE = {"fsync": "on", "full_page_writes": "on", "shared_buffers": "256MB", "idle_session_timeout": "0",
           "listen_addresses": "127.0.0.1"}
FEW = 1_000


class Cluster:
    """A PostgreSQL server and its databases."""

    def __init__(self, server):
        self.server = server

    def make(self, name):
        self.sql("postgres", f'CREATE DATABASE "{name}"')
        return f"postgres://{self.server['user']}@/{name}?host={self.server['socket']}&port={self.server['port']}"

    def sql(self, database, text):
        return subprocess.run(
            [*self.client("psql"), "-d", database, "-XqAtc", text], check=True, capture_output=True, text=True).stdout

    def client(self, program):
        return [f"{self.server['bin']}/{program}", "-h", self.server["socket"], "-p", str(self.server["port"]),
                "-U", self.server["user"]]


def crowds(cluster, binary, folder):
    """The same accounts and sessions in both engines."""
    path = crowd.fill(binary, folder / "sqlite", verdicts.SESSIONS)
    crowd.enter(path, verdicts.ORIGIN, verdicts.SESSIONS)
    url = cluster.make("crowd")
    subprocess.run([binary, "copy", f"sqlite:{path}", url], cwd=folder, check=True, capture_output=True)
    cluster.sql("crowd", "VACUUM ANALYZE")
    return url


@contextlib.contextmanager
def both(binary, folder, url):
    """A server of each engine."""
    other = folder / "postgres"
    other.mkdir()
    with house.vestibule(binary, folder / "sqlite", **verdicts.SETTINGS) as sqlite, \
            house.vestibule(binary, other, DATABASE_URL=url, **verdicts.SETTINGS) as postgres:
        yield sqlite, postgres


def requests(table, options, sqlite, postgres, folder):
    visitors = verdicts._visitors(folder / "visitors", verdicts.SESSIONS, verdicts.COOKIE)
    rows = [
        ("verdicts", verdicts.PATH, visitors, verdicts.QUESTION),
        ("account pages", "/account", reading_cookies(folder), ()),
    ]
    for figure, path, cookies, headers in rows:
        ratios, rates, others = [], [], []
        for server in (sqlite, postgres):
            verdicts.reading.read(server, path, cookies, 5, headers)
        for round in range(options.rounds):
            bench.say(f"{figure}, {round + 1} of {options.rounds}")
            others.append(verdicts.reading.read(sqlite, path, cookies, options.seconds, headers)[0])
            rates.append(verdicts.reading.read(postgres, path, cookies, options.seconds, headers)[0])
            ratios.append(rates[-1] / others[-1])
        table.ratio(f"{figure}, PostgreSQL ÷ SQLite", ratios, 0.5,
                    f"{statistics.median(rates):,.0f} ÷ {statistics.median(others):,.0f} /s")


def reading_cookies(folder):
    file = folder / "sessions"
    file.write_text("".join(f"Cookie: vestibule={crowd.token(number)}\n" for number in range(100)))
    return file


def logins(table, options, binary, folder, url):
    """Whole logins by what the hashes alone would allow."""
    folder = folder / "logins"
    folder.mkdir()
    with bench.serve(binary, folder, DATABASE_URL=url) as server:
        idle = bench.settled_memory(server)["RssAnon"]
        house.sign_up(server, "visitor@example.com")
        forms = bench.write_forms(folder / "right", [house.login_form("visitor@example.com", house.PASSWORD)])
        code = "kernel" if hashing.instruction_set() else "libargon2"
        bench.wrk(server.port, "/login", 8, 2, (forms, 303))
        rates, alone = [], []
        for round in range(options.rounds):
            bench.say(f"logins, and hashes alone, {round + 1} of {options.rounds}")
            alone.append(hashing.alone(code, options.seconds)[0])
            rates.append(bench.wrk(server.port, "/login", 8, options.seconds, (forms, 303))["rate"])
        table.ratio("logins ÷ hashes alone", [a / b for a, b in zip(rates, alone)], 0.95,
                    f"{statistics.median(rates):.0f} ÷ {statistics.median(alone):.0f} /s; the database is on the same cores")
    other = folder / "small"
    other.mkdir()
    with bench.serve(binary, other) as server:
        before = bench.settled_memory(server)["RssAnon"]
    table.amount("memory idle, more than with SQLite, MiB", [idle - before], 3, "without files")


def inserts(table, options, cluster, url):
    """New sessions by what pgbench inserts of the same bytes."""
    cluster.sql("crowd", "CREATE TABLE bare_sessions (LIKE sessions INCLUDING ALL)")
    script = insert_script()
    ratios, rates, bare = [], [], []
    for round in range(options.rounds):
        bench.say(f"new sessions, and pgbench, {round + 1} of {options.rounds}")
        said = subprocess.run(
            [*cluster.client("pgbench"), "-n", "-c8", "-j2", "-M", "prepared", "-T", str(options.seconds), "-f", script,
             "crowd"], check=True, capture_output=True, text=True).stdout
        bare.append(float(next(line for line in said.splitlines() if line.startswith("tps")).split()[2]))
        done = subprocess.run(
            [bench.LOOKUPS, url, str(verdicts.SESSIONS), str(options.seconds), "8"], check=True, capture_output=True,
            text=True)
        rates.append(float(done.stdout))
        ratios.append(rates[-1] / bare[-1])
    table.ratio("new sessions ÷ pgbench's insert", ratios, 0.7,
                f"{statistics.median(rates):,.0f} ÷ {statistics.median(bare):,.0f} /s on 8 connections; with the event of the login")


def insert_script():
    """The bytes of a session as the server writes them."""
    script = house.ROOT / ".build/insert.sql"
    script.write_text(
        "INSERT INTO bare_sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, "
        "proved_at, proved_by, awaits_terms, awaits_factor, user_agent, address) VALUES (left(md5(random()::text), 22), "
        "sha256(random()::text::bytea), 'abcdefghijklmnopqrstuv', 1, 1, 1, 1, false, 1, 'password', false, false, 'bench', "
        "'192.0.2.1');\n")
    return script


def growth(table, options, cluster, url):
    """What a login looks up, by how many accounts there are."""
    fill(cluster, "few", url, FEW)
    fill(cluster, "many", url, options.accounts)
    times = {"few": [], "many": []}
    for round in range(options.rounds):
        for name, count in (("few", FEW), ("many", options.accounts)):
            bench.say(f"look-ups among {count:,} accounts, {round + 1} of {options.rounds}")
            where = url.replace("/crowd?", f"/{name}?")
            done = subprocess.run([bench.LOOKUPS, where, str(count), str(options.seconds)], check=True,
                                  capture_output=True, text=True)
            times[name].append(float(done.stdout.split()[0]))
    ratios = [many / few for many, few in zip(times["many"], times["few"])]
    table.at_most(f"login without hashing, {options.accounts:,} ÷ {FEW:,} accounts", ratios, 1.2,
                  f"{statistics.median(times['many']):.0f} ÷ {statistics.median(times['few']):.0f} µs")
    size = cluster.sql("many", "SELECT pg_database_size('many')").strip()
    table.control("bytes of the database an account", [int(size) / options.accounts], "account, session, indexes",
                  form="{:.0f}")


def fill(cluster, name, url, count):
    """Copies of the first account and its session, as crowd.py names them."""
    bench.say(f"{count:,} accounts")
    cluster.sql("postgres", f"CREATE DATABASE {name} TEMPLATE crowd")
    cluster.sql(name, "TRUNCATE accounts CASCADE; TRUNCATE rate_limits, login_failures, cache_changes")
    cluster.sql(name, "ALTER TABLE sessions DISABLE TRIGGER ALL; ALTER TABLE accounts DISABLE TRIGGER ALL")
    columns = "id, email, email_key, display_name, password_hash, locale, terms_version, created_at, verified_at"
    cluster.sql(
        name,
        f"INSERT INTO accounts ({columns}) SELECT left(md5('account ' || n), 22), 'visitor' || n || '@example.com', "
        "'visitor' || n || '@example.com', 'Model', repeat('x', 97), 'en', '1', 1700000000000, 1700000000000 "
        f"FROM generate_series(0, {count - 1}) AS n")
    cluster.sql(
        name,
        "INSERT INTO sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, "
        "proved_at, proved_by, awaits_terms, awaits_factor, user_agent, address) SELECT left(md5('session ' || n), 22), "
        "sha256((lpad(n::text, 42, '0') || 'A')::bytea), left(md5('account ' || n), 22), 1700000000000, 1700000000000, "
        "8640000000000, 4000000000000, false, 1700000000000, 'password', false, false, 'bench', '192.0.2.1' "
        f"FROM generate_series(0, {count - 1}) AS n")
    cluster.sql(name, "ALTER TABLE sessions ENABLE TRIGGER ALL; ALTER TABLE accounts ENABLE TRIGGER ALL")
    cluster.sql(name, "VACUUM ANALYZE")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--accounts", type=int, default=10_000_000)
    parser.add_argument("--binary")
    options = parser.parse_args()
    house.end_on_signals()
    binary = house.server_binary(options.binary)
    table = bench.Table()
    # PostgreSQL must reach its folder, and the path of a socket is short.
    with house.temporary_folder() as folder, postgres_server.running(DURABLE) as server:
        cluster = Cluster(server)
        url = crowds(cluster, binary, folder)
        with both(binary, folder, url) as (sqlite, postgres):
            requests(table, options, sqlite, postgres, folder)
        logins(table, options, binary, folder, cluster.make("logins"))
        inserts(table, options, cluster, url)
        growth(table, options, cluster, url)
    print(f"\n{hashing.processor()}, {house.CORES} cores, PostgreSQL and servers on the same machine")
    table.print()


if __name__ == "__main__":
    try:
        main()
    except house.Trouble as trouble:
        sys.exit(f"bench: {trouble}")

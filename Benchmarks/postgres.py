#!/usr/bin/env python3
"""`make bench ENGINE=postgres`: what PostgreSQL costs beside SQLite, both measured in the same run and in turns."""

import argparse
import contextlib
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import bench
import crowd
import hashing
import house
import verdicts
from house import spread

sys.path.insert(0, str(house.ROOT / "Tests/TestSupport"))

import postgres_server  # noqa: E402

# As an operator runs it: every commit is on the disk when it is acknowledged.
DURABLE = {"fsync": "on", "full_page_writes": "on", "shared_buffers": "256MB", "idle_session_timeout": "0"}
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

    def processor_seconds(self):
        """Of the server and of every connection so far, of those that have ended too."""
        fields = [path.read_text().rpartition(")")[2].split() for path in self._processes()]
        own = sum(int(field) for part in fields for field in part[11:13])
        main = (pathlib.Path(f"/proc/{self.server['pid']}/stat").read_text()).rpartition(")")[2].split()
        return (own + sum(map(int, main[13:15]))) / os.sysconf("SC_CLK_TCK")

    def _processes(self):
        """The files that tell of its processes; one that ends meanwhile is missed."""
        number = self.server["pid"]
        children = pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()
        paths = [pathlib.Path(f"/proc/{child}/stat") for child in [str(number), *children]]
        return [path for path in paths if path.exists()]

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


def logins(table, options, binary, folder, cluster):
    """Whole logins by what the hashes alone would allow, and who spends the time. Limits are off."""
    servers = {}
    with contextlib.ExitStack() as stack:
        for name, settings in (("SQLite", {}), ("PostgreSQL", {"DATABASE_URL": cluster.make("logins")})):
            home = folder / f"logins-{name}"
            home.mkdir()
            servers[name] = stack.enter_context(
                bench.serve(binary, home, TRUSTED_PROXIES="127.0.0.1", **settings))
        idle = {name: bench.settled_memory(server)["RssAnon"] for name, server in servers.items()}
        # So many that none of them comes to the most sessions an account may have.
        emails = [f"visitor{number}@example.com" for number in range(100)]
        for server in servers.values():
            for email in emails:
                house.sign_up(server, email)
        right = bench.write_forms(folder / "right", [house.login_form(email, house.PASSWORD) for email in emails])
        whole_logins(table, options, cluster, servers, right)
        signups(table, options, servers, folder)
    table.amount("memory idle, more than with SQLite, MiB", [idle["PostgreSQL"] - idle["SQLite"]], 3, "without files")


def whole_logins(table, options, cluster, servers, forms):
    code = "kernel" if hashing.instruction_set() else "libargon2"
    rates = {"SQLite": [], "PostgreSQL": [], "hashes": []}
    own, database, hashes = {"SQLite": [], "PostgreSQL": []}, [], []
    for server in servers.values():
        bench.wrk(server.port, "/login", 8, 5, (forms, 303))
    cluster.sql("logins", "ANALYZE")
    for round in range(options.rounds):
        bench.say(f"logins, and hashes alone, {round + 1} of {options.rounds}")
        rate, cost = hashing.alone(code, options.seconds)
        rates["hashes"].append(rate)
        hashes.append(cost / 1000)
        for name, server in servers.items():
            before, spent = server.processor_seconds(), cluster.processor_seconds()
            result = bench.wrk(server.port, "/login", 8, options.seconds, (forms, 303))
            rates[name].append(result["rate"])
            own[name].append((server.processor_seconds() - before) * 1000 / result["requests"])
            if name == "PostgreSQL":
                database.append((cluster.processor_seconds() - spent) * 1000 / result["requests"])
    for name, goal in (("PostgreSQL", 0.95), ("SQLite", 0.9)):
        table.ratio(
            f"logins ÷ hashes alone, {name}", [a / b for a, b in zip(rates[name], rates["hashes"])], goal,
            f"{statistics.median(rates[name]):.0f} ÷ {statistics.median(rates['hashes']):.0f} /s; "
            "the database is on the same cores")
    table.control("processor time a login, ms", own["PostgreSQL"],
                  f"SQLite {spread(own['SQLite'])}, a hash alone {spread(hashes)}", form="{:.2f}")
    table.control("PostgreSQL's own, ms", database, "beside that", form="{:.2f}")
    shares = [alone / (a + b) for alone, a, b in zip(hashes, own["PostgreSQL"], database)]
    other = [alone / a for alone, a in zip(hashes, own["SQLite"])]
    table.control("the hash's share of all processor time", shares,
                  f"SQLite {spread(other)}; hardly depends on what else the machine does", form="{:.2f}")


def signups(table, options, servers, folder):
    """Sign-ups without verification, each of a new address and from a client of its own."""
    rates = {"SQLite": [], "PostgreSQL": []}
    for round in range(options.rounds):
        bench.say(f"sign-ups, {round + 1} of {options.rounds}")
        for name, server in servers.items():
            forms = bench.write_forms(
                folder / "new", [house.signup_form(f"new{round}-{number}@example.com") for number in range(20_000)])
            rates[name].append(bench.wrk(server.port, "/signup", 8, options.seconds, (forms, 303, "spread"))["rate"])
    table.control(
        "sign-ups, PostgreSQL ÷ SQLite", [a / b for a, b in zip(rates["PostgreSQL"], rates["SQLite"])],
        f"{statistics.median(rates['PostgreSQL']):.0f} ÷ {statistics.median(rates['SQLite']):.0f} /s", form="{:.2f}")


def inserts(table, options, cluster, url):
    """New sessions by what pgbench inserts of the same rows: a session and the event of its login."""
    for name in ("sessions", "security_events"):
        cluster.sql("crowd", f"CREATE TABLE bare_{name} (LIKE {name} INCLUDING ALL)")
        cluster.sql("crowd", f"ALTER TABLE bare_{name} ADD FOREIGN KEY (account_id) REFERENCES accounts (id) "
                             "ON DELETE CASCADE")
    rates, costs = {"login": [], "both": [], "session": []}, {"login": [], "both": [], "session": []}
    pgbench = [*cluster.client("pgbench"), "-n", "-c8", "-j2", "-M", "prepared", "-T", str(options.seconds), "-f"]
    commands = {
        "both": [*pgbench, insert_script("both", SESSION + EVENT), "crowd"],
        "login": [bench.LOOKUPS, url, str(verdicts.SESSIONS), str(options.seconds), "8"],
        "session": [*pgbench, insert_script("session", SESSION), "crowd"],
    }
    for round in range(options.rounds):
        bench.say(f"new sessions, and pgbench, {round + 1} of {options.rounds}")
        for name, command in commands.items():
            rate, cost = inserted(cluster, command, options.seconds)
            rates[name].append(rate)
            costs[name].append(cost)
    table.ratio("new sessions ÷ pgbench's insert", [a / b for a, b in zip(rates["login"], rates["both"])], 0.7,
                f"{statistics.median(rates['login']):,.0f} ÷ {statistics.median(rates['both']):,.0f} /s on 8 connections; "
                "session and event, in one transaction and one round trip")
    table.control("pgbench's processor time ÷ theirs", [b / a for a, b in zip(costs["login"], costs["both"])],
                  f"{statistics.median(costs['both']):.0f} ÷ {statistics.median(costs['login']):.0f} µs, PostgreSQL's among it; "
                  "hardly depends on what else the machine does", form="{:.2f}")
    table.control("÷ pgbench's insert of the session alone", [a / b for a, b in zip(rates["login"], rates["session"])],
                  f"÷ {statistics.median(rates['session']):,.0f} /s, without the event", form="{:.2f}")


def inserted(cluster, command, seconds):
    """How many a second, and processor microseconds for each, of the client and of PostgreSQL."""
    own, database = resource.getrusage(resource.RUSAGE_CHILDREN), cluster.processor_seconds()
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Connections end a moment later.
    time.sleep(0.3)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = spent.ru_utime + spent.ru_stime - own.ru_utime - own.ru_stime + cluster.processor_seconds() - database
    lines = [line.split() for line in said.splitlines()]
    rate = float(next((words[2] for words in lines if words[0] == "tps"), None) or lines[-1][0])
    return rate, busy * 1e6 / (rate * seconds)


# The bytes of a session and of its event as the server writes them.
SESSION = (
    "INSERT INTO bare_sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, "
    "proved_at, proved_by, awaits_terms, awaits_factor, user_agent, address) VALUES (left(md5(:number::text), 22), "
    "sha256(:number::text::bytea), left(md5('account ' || :account), 22), :at, :at, 3600000, :until, false, :at, "
    "'password', false, false, 'bench', '192.0.2.1');\n")
EVENT = (
    "INSERT INTO bare_security_events (id, kind, account_id, at, address, user_agent) VALUES (gen_random_uuid()::text, "
    "'login', left(md5('account ' || :account), 22), :at, '192.0.2.1', 'bench');\n")


def insert_script(name, inserts):
    script = house.ROOT / f".build/insert-{name}.sql"
    whole = inserts if inserts == SESSION else f"\\startpipeline\nBEGIN;\n{inserts}COMMIT;\n\\endpipeline\n"
    script.write_text(
        f"\\set account random(0, {verdicts.SESSIONS - 1})\n\\set number random(0, 9000000000000000000)\n"
        f"\\set at 1700000000000 + random(0, 1000000000)\n\\set until :at + 86400000\n{whole}")
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
    """Copies of the first account and its session, as crowd.py names them. Nothing is logged, and the indexes are made
    at the end: ten million take minutes, not hours."""
    bench.say(f"{count:,} accounts")
    cluster.sql("postgres", f"CREATE DATABASE {name} TEMPLATE crowd")
    tables = "('accounts'::regclass, 'sessions'::regclass)"
    columns = "id, email, email_key, display_name, password_hash, locale, terms_version, created_at, verified_at"
    cluster.sql(
        name,
        "SET session_replication_role = replica; TRUNCATE accounts, rate_limits, login_failures, cache_changes CASCADE; "
        f"UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid IN {tables}; "
        f"INSERT INTO accounts ({columns}) SELECT left(md5('account ' || n), 22), 'visitor' || n || '@example.com', "
        "'visitor' || n || '@example.com', 'Model', repeat('x', 97), 'en', '1', 1700000000000, 1700000000000 "
        f"FROM generate_series(0, {count - 1}) AS n; "
        "INSERT INTO sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, "
        "proved_at, proved_by, awaits_terms, awaits_factor, user_agent, address) SELECT left(md5('session ' || n), 22), "
        "sha256((lpad(n::text, 42, '0') || 'A')::bytea), left(md5('account ' || n), 22), 1700000000000, 1700000000000, "
        "8640000000000, 4000000000000, false, 1700000000000, 'password', false, false, 'bench', '192.0.2.1' "
        f"FROM generate_series(0, {count - 1}) AS n")
    cluster.sql(name, "SET maintenance_work_mem = '512MB'; REINDEX TABLE accounts; REINDEX TABLE sessions")
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
        logins(table, options, binary, folder, cluster)
        inserts(table, options, cluster, url)
        growth(table, options, cluster, url)
    print(f"\n{hashing.processor()}, {house.CORES} cores, PostgreSQL and servers on the same machine")
    table.print()


if __name__ == "__main__":
    try:
        main()
    except house.Trouble as trouble:
        sys.exit(f"bench: {trouble}")

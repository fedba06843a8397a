"""`make endure`: processes killed under load and hostile requests, for as long as wanted; and what came of it."""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

for name in ("BrowserTests", "TestSupport"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / name))

import postgres_server  # noqa: E402
from crowd import Crowd, check_mails  # noqa: E402
from findings import KINDS, Findings  # noqa: E402
from house import BINARY, NO_LIMITS, QUICK_HASHES, REPOSITORY  # noqa: E402
from kills import LEASE, Killer, Mailbox, Node, Site, lines_of_log  # noqa: E402
from siege import FILES, MEMORY, Siege  # noqa: E402

CORES = len(os.sched_getaffinity(0))
PLANTS = ("older", "mail")


class Progress:
    """A bar on a terminal, else a line every half minute."""

    def __init__(self, seconds: float):
        self.seconds, self.begun, self.told = seconds, time.monotonic(), 0.0

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.begun

    def show(self, text: str) -> None:
        part = min(1, self.elapsed / self.seconds)
        clock = f"{int(self.elapsed) // 60}:{int(self.elapsed) % 60:02}"
        if sys.stdout.isatty():
            bar = "#" * int(part * 20)
            print(f"\r[{bar:<20}] {clock}  {text}\x1b[K", end="", flush=True)
        elif time.monotonic() - self.told > 30:
            self.told = time.monotonic()
            print(f"{clock}  {text}", flush=True)

    def finish(self, text: str) -> None:
        print(f"\n{text}" if sys.stdout.isatty() else text, flush=True)


class Run:
    def __init__(self, options: argparse.Namespace, folder: Path, stack: ExitStack):
        self.options, self.folder, self.findings = options, folder, Findings()
        is_postgres = options.engine == "postgres"
        database = Database(stack) if is_postgres else None
        mails = {"VESTIBULE_MAIL_URL": f"outbox:{folder}/mails"}
        names = ["node-0", "node-1"] if database else ["node-0"]
        nodes = [self.node(stack, name, database, "killed", **mails) for name in names]
        self.besieged = self.node(stack, "besieged", database, "besieged", VESTIBULE_LIMIT_MAIL="5/h/address",
                                  VESTIBULE_DEV_EXPOSE="on")
        mailbox = Mailbox(folder / "mails", self.findings, LEASE[len(nodes)], options.plant == "mail")
        wait = {"wait_for_end_of": database.wait_for_end_of} if database else {}
        self.site = Site(nodes, mailbox, self.findings, options.seed, **wait)
        self.is_postgres = is_postgres

    def node(self, stack: ExitStack, name: str, database: "Database | None", of: str, **settings: str) -> Node:
        url = database.url(of, name) if database else "sqlite:data/vestibule.sqlite"
        node = Node(self.folder / name, **NO_LIMITS | QUICK_HASHES | settings | {"VESTIBULE_DATABASE_URL": url})
        stack.callback(node.house.kill)
        return node

    def go(self) -> None:
        seed, site = self.options.seed, self.site
        self.siege = Siege(self.besieged, self.folder, seed, self.options.hostile, self.findings)
        site.mailbox.start()
        crowd = Crowd(site, 32 if self.is_postgres else 12, seed)
        killer = Killer(site, self.options.plant == "older")
        killer.start()
        progress = Progress(60 * self.options.minutes)
        while (progress.elapsed < progress.seconds or killer.is_yet_to_lose) and killer.is_alive():
            time.sleep(1)
            self.siege.look()
            progress.show(self.line())
        self.seconds = progress.elapsed
        progress.finish("Looking everything up once more.")
        self.siege.stop()
        crowd.ends.set()
        killer.ends.set()
        killer.join()
        crowd.stop()
        crowd.look_everything_up()
        check_mails(site)
        site.mailbox.ends.set()
        for node in (*site.nodes, self.besieged):
            for line in lines_of_log(node):
                self.findings.add("500", f"in the log: {line[:1000]}")

    def line(self) -> str:
        bad = ", ".join(f"{count} {kind}" for kind, count in self.findings.counts.items()) or "nothing lost"
        acts, requests = sum(self.site.acts.values()), sum(self.siege.counts.values())
        return f"{self.site.kills} kills, {acts} acts, {requests} hostile requests, {bad}"

    def report(self) -> int:
        """Exit code."""
        site, siege = self.site, self.siege
        memory, files = siege.growth
        rows = {
            "kills": f"{site.kills}, of {len(site.nodes)} nodes",
            "acts": f"{sum(site.acts.values())} acknowledged ({counted(site.acts)})",
            "cut off": f"{site.cuts} without an answer, each found done or not done, whole",
            "looked up": f"{site.looked_up} times all that one person was promised",
            "mails": f"{sum(site.mails.values())} promised; {site.mailbox.again} sent again after a kill",
            "busy": f"{site.busy} times 503",
            "hostile requests": f"{sum(siege.counts.values())} ({counted(siege.counts)})",
            "answers to them": counted(siege.statuses),
            "memory": f"{memory / 2**20:+.1f} MiB (at most {MEMORY >> 20}), {max(siege.memory) >> 20} at its highest",
            "open files": f"{files:+} (at most {FILES})",
            **{kind: str(self.findings.counts[kind]) for kind in KINDS},
        }
        options = self.options
        print(f"\n{options.engine}, {self.seconds / 60:.1f} minutes, {CORES} cores, seed {options.seed}, {BINARY}")
        for name, text in rows.items():
            print(f"  {name:17} {text}")
        for text in self.findings.texts:
            print(f"- {text}")
        if not site.kills or not site.acts or self.options.hostile and not siege.counts:
            print("- nothing was tried")
            return 1
        return 1 if self.findings else 0


def counted(counts: dict) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))


class Database:
    """A PostgreSQL of our own; only servers of ours are killed, so it may be quick about its disk."""

    def __init__(self, stack: ExitStack):
        self.server = stack.enter_context(postgres_server.running({"idle_session_timeout": "0"}))
        databases = postgres_server.Databases(self.server)
        faults = [fault for fault in map(databases.make, ("killed", "besieged")) if fault]
        assert not faults, faults
        self.psql = databases.psql

    def url(self, database: str, node: str) -> str:
        place = "host={socket}&port={port}".format(**self.server)
        return f"postgres://{self.server['user']}@/{database}?{place}&application_name={node}"

    def wait_for_end_of(self, node: Node) -> None:
        """What a node has sent goes on without it for a moment."""
        name = node.house.folder.name
        while True:
            self.psql.stdin.write(f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{name}';\n")
            self.psql.stdin.flush()
            if self.psql.stdout.readline() == "0\n":
                return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of kills, lives and requests")
    parser.add_argument("--hostile", type=int, default=CORES, help="processes that send hostile requests")
    parser.add_argument("--plant", choices=PLANTS, help="what must be found: an older database, a lost mail")
    options = parser.parse_args()
    # As an exception does, so that what was started is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(f"seed {options.seed}", flush=True)
    # On a disk: a commit must cost what it costs there.
    (REPOSITORY / ".build").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="endure-", dir=REPOSITORY / ".build"))
    with ExitStack() as stack:
        run = Run(options, folder, stack)
        run.go()
        code = run.report()
    if code == 0:
        shutil.rmtree(folder)
    else:
        print(f"What was found is in {folder}.")
    return code


if __name__ == "__main__":
    sys.exit(main())

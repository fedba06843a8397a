"""The servers that are killed, and the mails they write."""

import random
import re
import shutil
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from findings import Findings
from house import House
from wire import PATIENCE, Answer, Cut, Wire

# Seconds between a start and the next kill.
LIFE = (0.1, 0.9)
# The kill at whose start an older database comes back, from half as many kills before, where that fault is planted.
LOST_AT = 6
# How often both nodes of two are killed together.
BOTH = 0.2
# Seconds within which the clock of files may differ from ours.
GRAIN = 0.05
# Seconds for a mail, by how many nodes there are: where another one serves, what a killed node had taken waits for the
# end of its lease, 70 seconds.
LEASE = {1: 20, 2: 150}
ORIGIN, NAME = "http://localhost:8080", "notes.localhost:8080"
HOST = f"Host: {NAME}"
# What a proxy in front of the application asks with.
ASKS = ("X-Forwarded-Method: GET", "X-Forwarded-Proto: http", f"X-Forwarded-Host: {NAME}", "X-Forwarded-Uri: /",
        "X-Forwarded-For: 127.0.0.1")
SETTINGS = {
    "VESTIBULE_PUBLIC_URL": ORIGIN, "VESTIBULE_LOG_LEVEL": "error", "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1",
    "VESTIBULE_APP_NOTES_ORIGINS": f"http://{NAME}",
    "VESTIBULE_SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
}


class Mailbox(threading.Thread):
    """Takes each mail out of the folder as it comes, so that one that is sent again is seen."""

    SUBJECT = re.compile(rb"^Subject: (.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
    TO = re.compile(rb"^To: <?([^>\r\n]+)", re.MULTILINE)
    CODE = re.compile(r"(\d{6,10}) is your Vestibule (.*)")

    def __init__(self, folder: Path, findings: Findings, patience: int = 0, hides: int = 0):
        super().__init__(daemon=True)
        self.folder, self.findings, self.patience, self.hides = folder, findings, patience, hides
        self.came: Counter[tuple[str, str]] = Counter()
        self.codes: dict[str, list[str]] = defaultdict(list)
        # Of each mail, when it was written last.
        self.written: dict[str, float] = {}
        self.kills: list[float] = []
        self.again = 0
        self.news = threading.Condition()
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(0.01):
            self.read()

    def read(self) -> None:
        for file in self.folder.glob("*.eml") if self.folder.exists() else ():
            written, mail = file.stat().st_mtime, file.read_bytes()
            file.unlink()
            with self.news:
                self.take(file.name, written, mail)
                self.news.notify_all()

    def take(self, name: str, written: float, mail: bytes) -> None:
        address = self.TO.search(mail)[1].decode()
        subject = re.sub(r"\s+", " ", self.SUBJECT.search(mail)[1].decode()).strip()
        before = self.written.get(name)
        self.written[name] = written
        if before is not None:
            self.again += 1
            if not any(before - GRAIN <= kill <= written + GRAIN for kill in self.kills[-50:]):
                self.findings.add("doubled", f"mail {subject!r} to {address} twice without a kill between")
            return
        if self.hides == len(self.written):
            return
        code = self.CODE.fullmatch(subject)
        if code:
            self.codes[address].append(code[1])
        self.came[address, code[2] if code else subject] += 1

    def codes_to(self, address: str, known: int) -> list[str]:
        """Those after the first `known` ones, as soon as there is one; none when none comes."""
        with self.news:
            self.news.wait_for(lambda: len(self.codes[address]) > known, self.patience)
            return self.codes[address][known:]


class Node:
    """A server that dies and comes back."""

    def __init__(self, folder: Path, **settings: str):
        folder.mkdir()
        self.is_up = threading.Event()
        self.house = House(folder, **SETTINGS, **settings)
        self.starts = 1
        self.is_up.set()

    def kill(self) -> None:
        self.is_up.clear()
        assert self.house.process.poll() is None, f"ended by itself with {self.house.process.returncode}"
        self.house.kill()

    def start(self) -> None:
        self.house.start()
        self.starts += 1
        self.is_up.set()


class Site:
    """All nodes of one database, and what people ask of them."""

    def __init__(self, nodes: list[Node], mailbox: Mailbox, findings: Findings, seed: int,
                 wait_for_end_of: Callable[[Node], None] = lambda _: None):
        self.nodes, self.mailbox, self.findings = nodes, mailbox, findings
        # Until nothing is at work any more that the node has asked for.
        self.wait_for_end_of = wait_for_end_of
        self.random = random.Random(seed)
        self.acts: Counter[str] = Counter()
        self.mails: Counter[tuple[str, str]] = Counter()
        self.perhaps: Counter[tuple[str, str]] = Counter()
        self.kills = self.cuts = self.busy = self.looked_up = 0
        self.lock = threading.Lock()
        self.wires = threading.local()

    def ask(
        self, method: str, path: str, token: str = "", body: bytes = b"", lines: tuple[str, ...] = ()
    ) -> Answer:
        """Of any node. Throws `Cut` when the answer was lost."""
        node = random.choice(self.nodes)
        wire = self._wire(node)
        head = [f"{method} {path} HTTP/1.1", *lines]
        if not any(line.startswith("Host:") for line in lines):
            head.append("Host: localhost:8080")
        if not any(line.startswith("X-Forwarded-For:") for line in lines):
            # One address may have a hundred new passwords a minute judged.
            head.append(f"X-Forwarded-For: 10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}")
        if token:
            head.append(f"Authorization: Bearer {token}")
        if body:
            head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        try:
            wire.send("\r\n".join(head).encode() + b"\r\n\r\n" + body)
            answer = wire.answer()
        except (Cut, OSError):
            self._drop(node)
            raise Cut from None
        if answer.closes:
            self._drop(node)
        if answer.is_fault:
            self.findings.add("500", f"{answer.status} for {method} {path}")
        self.busy += answer.status == 503
        return answer

    def wait_for_all(self) -> None:
        """Until the nodes that were killed are there again."""
        for node in self.nodes:
            assert node.is_up.wait(PATIENCE), "a server that starts"

    def note(self, act: str, mail: tuple[str, str] | None = None, perhaps: tuple[str, str] | None = None) -> None:
        """What was done, and the mail that comes of it: address and subject."""
        with self.lock:
            if act:
                self.acts[act] += 1
            if mail:
                self.mails[mail] += 1
            if perhaps:
                self.perhaps[perhaps] += 1

    def expect_less(self, mails: list[tuple[str, str]]) -> None:
        """Of those, what has not come by now may not come at all."""
        with self.lock, self.mailbox.news:
            waiting = Counter({mail: count - self.mailbox.came[mail] for mail, count in Counter(mails).items()})
            self.mails -= +waiting
            self.perhaps += +waiting

    def _wire(self, node: Node) -> Wire:
        while True:
            assert node.is_up.wait(PATIENCE), "a server that starts"
            kept = getattr(self.wires, "kept", None)
            if kept is None:
                kept = self.wires.kept = {}
            if node in kept and kept[node][0] == node.starts:
                return kept[node][1]
            self._drop(node)
            try:
                kept[node] = node.starts, Wire(node.house.port)
            except OSError:
                # Between its kill and our knowledge of it.
                time.sleep(0.005)

    def _drop(self, node: Node) -> None:
        kept = self.wires.kept.pop(node, None)
        if kept:
            kept[1].close()


class Killer(threading.Thread):
    """Kills and starts until it is told to stop."""

    def __init__(self, site: Site, loses: bool = False):
        super().__init__(daemon=True)
        self.site, self.loses = site, loses
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(self.site.random.uniform(*LIFE)):
            try:
                self.strike()
            except AssertionError as error:
                self.site.findings.add("crash", f"a server does not start or has ended: {str(error)[-2000:]}")
                break

    def strike(self) -> None:
        nodes = self.site.nodes
        victims = nodes if self.site.random.random() < BOTH else [self.site.random.choice(nodes)]
        for node in victims:
            node.kill()
            self.site.mailbox.kills.append(time.time())
            self.site.kills += 1
        if self.loses:
            self.lose(victims[0].house.folder / "data")
        for node in victims:
            self.site.wait_for_end_of(node)
            node.start()

    @property
    def is_yet_to_lose(self) -> bool:
        return self.loses and self.site.kills < LOST_AT

    def lose(self, data: Path) -> None:
        """The fault that the self-test plants: an older database comes back."""
        if self.site.kills == LOST_AT // 2:
            shutil.copytree(data, data.with_name("older"))
        if self.site.kills == LOST_AT:
            for file in data.glob("vestibule.sqlite*"):
                file.unlink()
            for file in data.with_name("older").glob("vestibule.sqlite*"):
                shutil.copy(file, data)


def lines_of_log(node: Node) -> list[str]:
    """What it wrote, which is at level error or the runtime's last words."""
    log = (node.house.folder / "server.log").read_text(errors="replace")
    return [line for line in log.splitlines() if line.strip()]

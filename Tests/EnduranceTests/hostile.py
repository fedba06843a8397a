"""What no honest client sends, thousands of times a second, and whether each is answered as it should be."""

import pickle
import queue
import time
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from mutations import MARKS, Template, choice, scrambled
from wire import Answer, Cut, Garbled, Wire

WIRES, BATCH, HEADS = 8, 8, 24
WEIGHTS = {"requests": 3, "forms": 2, "JSON": 6, "CBOR": 4, "cookies": 2, "sealed values": 2}
FIRST = [
    b"GET", b"POST", b"get", b"G\0T", b"", b"PRI", b"CONNECT", b"TRACE", b"OPTIONS", b"DELETE", b"X" * 200, b"GE T",
]
TARGETS = [
    b"/login", b"", b"*", b"//", b"http://localhost:8080/login", b"http://evil.example/", b"http://",
    b"localhost:8080", b"/\0", b"/ /", b"/%", b"/" + b"a" * 20000,
    b"/\xff", b"/" + b"%cc%81" * 300, b"/..", b"/?" + b"a&" * 3000, b"/#x", b"\\", b"/login?lang=" + b"x" * 5000,
]
VERSIONS = [
    b"HTTP/1.1", b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/1.10", b"HTTP/1", b"http/1.1", b"HTTP/1.1 ", b"",
    b"HTTP/9999999999.1",
]
FIELDS = [
    b"Host: localhost:8080", b"Host: ", b"Host: a b", b"Host: evil.example", b"Host:localhost", b"Host : localhost",
    b": x", b"x", b" folded: x", b"X: a\r\n b", b"X: \0",
    b"X: \x01", b"\0: x", b"X\xff: y", b"X: " + b"y" * 17000, b"Cookie: " + b"a=b; " * 2000, b"Content-Length: 0",
    b"Content-Length: 5", b"Content-Length: +5",
    b"Content-Length: -1", b"Content-Length: 5, 5", b"Content-Length: 0x5", b"Content-Length: 99999999999999999999",
    b"Content-Length: ", b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding:\x0bchunked", b"Transfer-Encoding: identity",
    b"TE: trailers", b"Expect: 100-continue", b"Expect: x", b"Connection: close", b"Connection: keep-alive",
    b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c",
    b"HTTP2-Settings: AAMAAABkAAQAAP__", b"Upgrade: websocket", b"Forwarded: for=unknown",
    b'Forwarded: for="[::1]:x";host=', b"X-Forwarded-For: 1.2.3.4, x, ::1", b"X-Forwarded-Proto: gopher",
    b"X-Forwarded-Host: a, b", b"Range: bytes=0-", b"If-None-Match: *", b"If-None-Match: " + b'"a",' * 3000,
    b"Accept-Language: " + b"de;q=0.1," * 1000, b"Accept-Encoding: *;q=0",
    b"Content-Type: application/json", b"Content-Type: application/x-www-form-urlencoded",
    b"Content-Type: multipart/form-data; boundary=", b"Content-Type: " + b";" * 3000,
    b"Sec-Fetch-Site: none", b"Sec-Fetch-Site: cross-site", b"Origin: null", b"Origin: http://localhost:8080",
    b"Vestibule-Token: x", b"Authorization: Bearer", b"Authorization: Basic Og==",
]
BODIES = [
    b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", b"0\r\n\r\n", b"5\r\nhello", b"zz\r\nhello\r\n0\r\n\r\n",
    b"-1\r\n\r\n", b"ffffffffffffffffff\r\nx", b"5;" + b"a" * 5000 + b"\r\nhello\r\n0\r\n\r\n",
    b"5\nhello\n0\n\n", b"0\r\nX: y\r\n" * 200 + b"\r\n", b"00000000000000000005\r\nhello\r\n0\r\n\r\n",
    b"GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\r\n\r\n", b"\0" * 3000,
]
ENDS = [b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r", b"\r\n\r\n"]


def head(random: Random) -> bytes:
    """A request whose head or framing is wrong, or nearly so."""
    usual = lambda many, count: choice(random, many[:count] if random.random() < 0.7 else many)
    lines = [b" ".join((usual(FIRST, 2), usual(TARGETS, 1), usual(VERSIONS, 1)))]
    lines += [FIELDS[0]] * (random.random() < 0.8)
    lines += [choice(random, FIELDS) for _ in range(int(random.random() * 6))]
    if random.random() < 0.02:
        lines += [b"A%d: b" % number for number in range(150)]
    end = choice(random, ENDS) if random.random() < 0.2 else b"\r\n"
    text = end.join(lines) + end * 2 + choice(random, BODIES)
    return scrambled(text, random, [*MARKS, *ENDS]) if random.random() < 0.4 else text


class Siege:
    """One process of those that send."""

    def __init__(self, port: int, templates: Path, seed: int, number: int):
        self.port, self.file, self.name = port, templates, f"{seed}/{number}"
        self.random = Random(self.name)
        self.counts: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.findings: list[tuple[str, str, bytes, str]] = []
        self.wires: list[Wire] = []
        # What each was asked before: an answer that is too long shows in the next one.
        self.last: dict[Wire, tuple[bytes, Template]] = {}
        self.read_at = 0.0

    def read(self) -> None:
        """What honest visitors have sent lately."""
        changed = self.file.stat().st_mtime
        if changed == self.read_at:
            return
        self.read_at = changed
        self.places = defaultdict(list)
        for template in pickle.loads(self.file.read_bytes()):
            for place in template.places:
                self.places[place.family].append((template, place))
        self.families = [family for family, weight in WEIGHTS.items() for _ in range(weight) if self.places[family]]

    def round(self) -> None:
        if self.random.random() < 0.25:
            return self.send_heads()
        while len(self.wires) < WIRES:
            self.wires.append(Wire(self.port))
        batches = [self.batch() for _ in self.wires]
        sent = []
        for wire, batch in zip(self.wires, batches):
            try:
                wire.send(b"".join(request for *_, request in batch))
            except OSError:
                # It closed the connection while we sent; what it said before is read.
                pass
            sent.append((wire, batch))
        self.wires = [wire for wire, batch in sent if self.hear(wire, batch)]

    def batch(self) -> list[tuple]:
        made = []
        while len(made) < BATCH:
            family = choice(self.random, self.families)
            template, place = choice(self.random, self.places[family])
            request = template.changed(place, self.random)
            made.append((family, template, place, request))
        return made

    def hear(self, wire: Wire, batch: list[tuple]) -> bool:
        """Reads the answers; returns whether the connection lives on."""
        for family, template, place, request in batch:
            before, last = self.last.get(wire, (b"", None))
            self.last[wire] = request, template
            try:
                answer = wire.answer(not template.is_head)
            except Garbled as error:
                self.find("garbled", f"{family}: {str(error)[:80]}", before + request, last)
                return self.drop(wire)
            except (Cut, OSError) as error:
                self.find("unanswered", f"{family}: {error!r}", before + request, template)
                return self.drop(wire)
            self.note(family, answer, request, template)
            is_let_in = place.is_key and template.needs_session and answer.status == 200
            if is_let_in and not template.keeps(place, request):
                self.find("let in", f"{answer.head[:200]}", request, template)
            if answer.closes:
                # Those behind it were not read, and do not count.
                return self.drop(wire)
        return True

    def drop(self, wire: Wire) -> bool:
        self.last.pop(wire, None)
        wire.close()
        return False

    def send_heads(self) -> None:
        """Each on a connection of its own, which ends with it: whatever is missing never comes."""
        sent = []
        for _ in range(HEADS):
            request, wire = head(self.random), Wire(self.port)
            try:
                wire.send(request)
                wire.end()
            except OSError:
                pass
            sent.append((wire, request))
        for wire, request in sent:
            try:
                for answer in wire.answers_to_the_end():
                    self.note("", answer, request)
            except Garbled as error:
                self.find("garbled", str(error)[:80], request)
            except TimeoutError:
                self.find("unanswered", "neither answered nor closed", request)
            except OSError:
                # Closed while bytes of ours were on their way.
                pass
            self.counts["heads"] += 1
            wire.close()

    def note(self, family: str, answer: Answer, request: bytes, template: Template | None = None) -> None:
        self.statuses[answer.status] += 1
        if family:
            self.counts[family] += 1
        if answer.is_fault:
            self.find("500", f"{answer.status}", request, template)

    def find(self, kind: str, text: str, request: bytes, template: Template | None = None) -> None:
        place = template.head.partition(b" HTTP")[0].partition(b"?")[0].decode() if template else "heads"
        self.findings.append((kind, f"{place}: {text} (seed {self.name})", request, place))


def besiege(port: int, templates: Path, seed: int, number: int, out, ends) -> None:
    """Sends until `ends` is set; tells once a second what was sent and found. Waits for a server that is gone."""
    siege = Siege(port, templates, seed, number)
    told = time.monotonic()
    while not ends.is_set():
        siege.read()
        try:
            for _ in range(5):
                siege.round()
        except ConnectionError:
            time.sleep(0.2)
        if time.monotonic() - told > 1 or ends.is_set():
            told = time.monotonic()
            out.put((siege.counts, siege.statuses, siege.findings))
            siege.counts, siege.statuses, siege.findings = Counter(), Counter(), []
    for wire in siege.wires:
        wire.close()
    out.put((siege.counts, siege.statuses, siege.findings))


def drain(out) -> list[tuple]:
    """What the processes have told so far."""
    told = []
    while True:
        try:
            told.append(out.get_nowait())
        except queue.Empty:
            return told

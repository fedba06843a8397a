"""HTTP/1.1 by hand: bytes go out, answers come in, over connections that are kept."""

import json
import re
import socket
from dataclasses import dataclass

# Seconds for an answer, on a machine that is busy with other things.
PATIENCE = 60
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d) ?[^\r\n]*\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+) *\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked *\r\n", re.IGNORECASE)
CLOSES = re.compile(rb"\r\nconnection: *close *\r\n", re.IGNORECASE)


class Cut(Exception):
    """The connection ended before the answer: what was asked for may have been done or not."""


class Garbled(Exception):
    """What came is no HTTP."""


@dataclass(slots=True)
class Answer:
    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        """The last one of that name; empty if there is none."""
        found = re.findall(rf"\r\n{name}: *([^\r\n]*)".encode(), self.head, re.IGNORECASE)
        return found[-1].decode() if found else ""

    def cookie(self, name: str) -> str:
        found = re.search(rf"\r\nset-cookie: *{name}=([^;\r\n]*)".encode(), self.head, re.IGNORECASE)
        return found[1].decode() if found else ""

    @property
    def json(self) -> dict:
        return json.loads(self.body) if self.body else {}

    @property
    def closes(self) -> bool:
        return CLOSES.search(self.head) is not None

    @property
    def is_fault(self) -> bool:
        """A 503 that says when to come back is documented; every other 5xx is a fault."""
        return self.status >= 500 and not (self.status == 503 and self.header("Retry-After").isdigit())


class Wire:
    """One connection, and what came over it and has not been read."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def end(self) -> None:
        """Says that nothing more is sent."""
        self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.socket.close()

    def _more(self) -> bool:
        piece = self.socket.recv(1 << 18)
        self.rest += piece
        return bool(piece)

    def answer(self, has_body: bool = True) -> Answer:
        """The next one; throws `Cut` where the connection ends before it, and `Garbled`."""
        while (end := self.rest.find(b"\r\n\r\n")) < 0:
            if not self._more():
                if self.rest:
                    raise Garbled(self.rest[:500])
                raise Cut
        head = self.rest[:end + 4]
        status = STATUS.match(head)
        if not status:
            raise Garbled(head[:500])
        self.rest = self.rest[end + 4:]
        number = int(status[1])
        if number < 200:
            return self.answer(has_body)
        return Answer(number, head, self._body(head) if has_body and number not in (204, 304) else b"")

    def _body(self, head: bytes) -> bytes:
        if CHUNKED.search(head):
            return self._chunks()
        length = LENGTH.search(head)
        if not length:
            raise Garbled(b"without a length: " + head[:500])
        return self._take(int(length[1]))

    def _chunks(self) -> bytes:
        body = b""
        while True:
            while b"\r\n" not in self.rest:
                self._need()
            size, _, self.rest = self.rest.partition(b"\r\n")
            piece = self._take(int(size, 16) + 2)[:-2]
            if not piece:
                return body
            body += piece

    def _take(self, count: int) -> bytes:
        while len(self.rest) < count:
            self._need()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def _need(self) -> None:
        if not self._more():
            raise Cut

    def answers_to_the_end(self) -> list[Answer]:
        """All that come until the server closes the connection."""
        found = []
        while True:
            try:
                found.append(self.answer())
            except Cut:
                return found

"""Real requests, with something in them changed by a seed."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from urllib.parse import quote_from_bytes, unquote_to_bytes

BASE64 = re.compile(rb"[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*")
NEEDS_SESSION = re.compile(rb"GET /(account|api/auth/(session|user|factors)|authz/|\.vestibule/session)")
JSON_VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|[{\[]')
# What parsers stumble over. Bytes that end a line stand only where they are encoded.
MARKS = [
    b"\0", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xae", b"\xf3\xa0\x81\x81",
    b"e" + b"\xcc\x81" * 40,
    b"\r\nSet-Cookie: a=b\r\n", b"\n", b"../", b"//", b"\\", b"%00", b"%", b"%%", b"%zz", b"%2e%2e%2f", b"'", b'"',
    b"<!--", b"]]>", b"{{x}}",
    b"[[site.base]]", b"${x}", b"a@b", b"=?utf-8?q?x?=", b"xn--a", b"\xef\xbc\xa0", b"&", b"=", b";", b",", b"+",
    b"on", b"accepted", b"null", b"NaN",
    b"-1", b"0", b"1e999", b"18446744073709551616", b"-9223372036854775809", b"9" * 400, b"A" * 3000,
    b"\xf0\x9f\x9a\xaa" * 200, b" ", b"\t", b"",
]
JSON_MARKS = [
    b"null", b"true", b"0", b"-1", b"1e999", b"-0", b"1.5", b"9" * 400, b'""', b'"\\ud800"', b'"\\u0000"',
    b'"\\udc00\\ud800"', b"[]", b"{}", b"[" * 600,
    b"[" * 600 + b"]" * 600, b'{"a":' * 400 + b"1" + b"}" * 400, b'{"":{"":[null,{}]}}', b'{"a":1,"a":2}', b"'x'",
    b"nul", b'"' + b"\xff\xfe" + b'"', b'"\\x"',
    b'"' + b"a" * 5000 + b'"', b"NaN", b"/**/1", b"[1,]", b"01", b"\xef\xbb\xbf1",
]
CBOR_MARKS = [
    b"\xf6", b"\xf7", b"\xf5", b"\x00", b"\x20", b"\x1b" + b"\xff" * 8, b"\x3b" + b"\xff" * 8, b"\x40",
    b"\x5b" + b"\xff" * 8, b"\x5a\x7f\xff\xff\xff",
    b"\x7a\xff\xff\xff\xff", b"\x80", b"\x9b" + b"\xff" * 8, b"\xbb" + b"\xff" * 8, b"\xa0", b"\x9f\xff",
    b"\xbf\xff", b"\x5f\x41\x00\xff", b"\x9f" * 500,
    b"\x81" * 500 + b"\x00", b"\xa1\x00" * 500 + b"\x00", b"\xc1\x00", b"\xd9\xd9\xf7\x00", b"\xf9\x7e\x00",
    b"\xfb\x7f\xf0" + bytes(6), b"\x1c", b"\x5c", b"\xff",
    b"\x62\xc3\x28", b"\x1f", b"\xf8\x18", b"\x18\x00",
]


def choice(random: Random, many):
    return many[int(random.random() * len(many))]


def scrambled(data: bytes, random: Random, marks=MARKS) -> bytes:
    """With one change."""
    at, way = int(random.random() * (len(data) + 1)), int(random.random() * 8)
    if way == 0 and data:
        at = min(at, len(data) - 1)
        return data[:at] + bytes((data[at] ^ (1 << int(random.random() * 8)),)) + data[at + 1:]
    if way == 1:
        return data[:at] + choice(random, marks) + data[at:]
    if way == 2:
        return data[:at]
    if way == 3:
        return data[:at] + data[at + 1 + int(random.random() * 8):]
    if way == 4:
        return data[:at] + data[at:] * 2
    if way == 5:
        return data[:at] + random.randbytes(1 + int(random.random() * 16)) + data[at:]
    if way == 6:
        return data[:at] + random.randbytes(4) + data[at + 4:]
    return choice(random, marks)


@lru_cache(4096)
def items(data: bytes) -> list[tuple[int, int]]:
    """Where the items of CBOR begin and end, down to the smallest; empty for what is none."""
    found: list[tuple[int, int]] = []

    def item(at: int) -> int:
        start, kind, more = at, data[at] >> 5, data[at] & 31
        size = {24: 1, 25: 2, 26: 4, 27: 8}.get(more, 0)
        count = int.from_bytes(data[at + 1:at + 1 + size]) if size else more
        at += 1 + size
        if kind in (2, 3):
            at += count
        for _ in range({4: count, 5: 2 * count, 6: 1}.get(kind, 0)):
            at = item(at)
        found.append((start, at))
        return at

    try:
        return found if item(0) <= len(data) else []
    except IndexError:
        return []


def cbor(data: bytes, random: Random) -> bytes:
    places = items(data)
    if not places or random.random() < 0.4:
        return scrambled(data, random, CBOR_MARKS)
    start, end = choice(random, places)
    new = choice(random, CBOR_MARKS) if random.random() < 0.5 else scrambled(data[start:end], random, CBOR_MARKS)
    return data[:start] + new + data[end:]


@lru_cache(4096)
def json_places(text: bytes) -> list[tuple[int, int]]:
    """Where values begin and end; of objects and arrays only the bracket that opens them, and the end of the text."""
    return [match.span() for match in JSON_VALUE.finditer(text) if text[match.end():match.end() + 1] != b":"]


def json_text(text: bytes, random: Random) -> bytes:
    places = json_places(text)
    if not places or random.random() < 0.25:
        return scrambled(text, random, JSON_MARKS)
    start, end = choice(random, places)
    old = text[start:end]
    if old in (b"{", b"[") and random.random() < 0.7:
        return text[:start] + choice(random, JSON_MARKS)
    if old[:1] != b'"' or random.random() < 0.4:
        return text[:start] + choice(random, JSON_MARKS) + text[end:]
    new = value(old[1:-1], random).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return text[:start] + b'"' + new + b'"' + text[end:]


@lru_cache(4096)
def decoded(text: bytes) -> bytes | None:
    try:
        return urlsafe_b64decode(text + b"=" * (-len(text) % 4))
    except ValueError:
        return None


def value(text: bytes, random: Random) -> bytes:
    """A change inside what it is made of: JSON, base64url of JSON, of CBOR or of sealed bytes, or plain text."""
    if text[:1] == b"{":
        return json_text(text, random)
    if BASE64.fullmatch(text) and random.random() < 0.8:
        before, dot, last = text.rpartition(b".")
        inner = decoded(last)
        if inner:
            change = json_text if inner[:2] == b'{"' else cbor if items(inner) else scrambled
            return before + dot + urlsafe_b64encode(change(inner, random)).rstrip(b"=")
    return scrambled(text, random)


@dataclass(frozen=True)
class Place:
    """Something in a request that can be changed: `family` names what it is, `is_body` and a slice say where."""

    family: str
    is_body: bool
    start: int
    end: int
    # Whether it opens the account: nothing may come of a change.
    is_key: bool = False


@dataclass
class Template:
    """A request as it was sent; its head without the length, and without the empty line."""

    head: bytes
    body: bytes = b""

    def __post_init__(self):
        self.is_head = self.head.startswith(b"HEAD ")
        # Whether nobody else is answered with 200 there.
        self.needs_session = NEEDS_SESSION.match(self.head) is not None
        self.places = list(self._places())

    def _places(self):
        line = self.head.index(b"\r\n")
        path, _, query = self.head[:line].split(b" ")[1].partition(b"?")
        at = self.head.index(b" ") + 1
        for part in re.finditer(rb"[^/]+", path):
            yield Place("requests", False, at + part.start(), at + part.end())
        for part in re.finditer(rb"=([^&]+)", query):
            yield self._place(part[1], "requests", False, at + len(path) + 1 + part.start(1))
        for header in re.finditer(rb"\r\n([^:]+): ([^\r\n]*)", self.head):
            if header[1] == b"Cookie":
                for pair in re.finditer(rb"([^ =;]+)=([^;]+)", header[2]):
                    is_key, at = pair[1] in (b"vestibule", b"vestibule-app"), header.start(2)
                    yield Place("cookies", False, at + pair.start(), at + pair.end(), is_key)
                    yield self._place(pair[2], "cookies", False, at + pair.start(2), is_key)
            elif header[1] != b"Content-Type":
                text = header[2].removeprefix(b"Bearer ")
                yield self._place(text, "requests", False, header.end(2) - len(text), text != header[2])
        if self.body[:1] == b"{":
            yield Place("CBOR" if b"clientDataJSON" in self.body else "JSON", True, 0, len(self.body))
        elif self.body:
            for part in re.finditer(rb"=([^&]*)", self.body):
                yield self._place(part[1], "forms", True, part.start(1))

    def _place(self, text: bytes, family: str, is_body: bool, start: int, is_key: bool = False) -> Place:
        if b"clientDataJSON" in text:
            family = "CBOR"
        elif BASE64.fullmatch(text):
            family = "sealed values"
        return Place(family, is_body, start, start + len(text), is_key)

    def keeps(self, place: Place, request: bytes) -> bool:
        """Whether what opens the account is whole in the request: a change beside it takes nothing away."""
        key = self.head[self.head.rindex(b" ", 0, place.end) + 1:place.end]
        return re.search(rb"[ \t:;]" + re.escape(key) + rb"[ \t]*(?:;|\r\n)", request) is not None

    def changed(self, place: Place, random: Random) -> bytes:
        """The request with that place changed."""
        head, body = self.head, self.body
        if place.is_body:
            old = body[place.start:place.end]
            if body[:1] == b"{":
                body = json_text(old, random)
            else:
                new = value(unquote_to_bytes(old.replace(b"+", b" ")), random)
                new = quote_from_bytes(new).encode() if random.random() < 0.9 else new
                body = body[:place.start] + new + body[place.end:]
        else:
            new = value(head[place.start:place.end], random)
            # What would end the line is for the heads, which come alone.
            is_plain = place.family == "cookies" and random.random() < 0.5
            new = CONTROLS.sub(b"", new) if is_plain else quote_from_bytes(new, "/?=&;,:@+()*").encode()
            head = head[:place.start] + new[:4000] + head[place.end:]
        if not body:
            return head + b"\r\n\r\n"
        return b"%b\r\nContent-Length: %d\r\n\r\n%b" % (head, len(body), body)


CONTROLS = re.compile(rb"[\x00-\x20\x7f-\xff]")

"""Hostile text through every field, header and user agent: pages, mails, logs and listings keep their structure."""

import http.client
import json
import re
import subprocess
import urllib.parse
from email import message_from_string, policy
from email.message import EmailMessage

import pytest
from caller import Caller
from hostile_text import BEFORE, BEHIND, ELEMENTS, HARMLESS, HOSTILE, INVISIBLE, MEANING, is_shown, texts, tree, values
from house import BINARY, ON_SQLITE, PASSWORD, PATIENCE, House, eventually

pytestmark = pytest.mark.long
# What a name may hold of it.
MARKS = "".join(mark for mark in BEHIND if mark not in INVISIBLE)
NAMES = [texts(half, MARKS, "").replace("zqx ", "") for half in ("<>&\"',;:", "=%\\/[]{}")]
# What a brand may: no braces, and it ends as it is shown.
BRAND = texts("<>&\"',;:=%\\/]", "\u0301\u20E3", "").replace("zqx", "")
# What an address may hold of it.
ADDRESS = "a&\u0301'\u0301=\u20E3%\u0903/{\u0301}\u0301@example.com"
ADA, EVE = "ada@example.com", "eve@example.com"

# Forms: where, whose, and the fields; `proved` sends the right password beside the one that is tried.
FORMS = [
    ("/login", False, ["email", "password", "remember", "return_to"], {}),
    ("/signup", False, ["display_name", "email", "password", "password_confirmation", "terms", "return_to"], {}),
    ("/signup/verify", False, ["code"], {}),
    ("/reset", False, ["email"], {}),
    ("/reset/verify", False, ["code", "password", "password_confirmation"], {}),
    ("/account/profile", True, ["display_name", "csrf"], {}),
    ("/account/language", True, ["csrf"], {}),
    ("/account/password", True, ["current_password", "password", "password_confirmation"], {}),
    ("/account/email", True, ["email"], {"current_password": PASSWORD}),
    ("/account/delete", True, ["confirm"], {"current_password": PASSWORD}),
    ("/account/terms", True, ["terms", "return_to"], {}),
    ("/account/email/undo", False, ["token", "password"], {}),
]
QUERIES = ["return_to", "lang", "notice", "token", "flow", "mark", "zqx"]
HEADERS = [
    "User-Agent", "Accept-Language", "Referer", "Origin", "X-Forwarded-For", "Forwarded", "If-None-Match",
    "Content-Type", "Authorization", "Sec-Fetch-Site", "Vestibule-Fetch", "Cookie",
]


@pytest.fixture
def houses(open_house, tmp_path):
    """One with harmless words and a log in JSON, one with hostile words and a log in text; both say all they know."""
    return [
        open_with(open_house, tmp_path / "plain", "Fir", "json"),
        open_with(open_house, tmp_path / "hostile", BRAND, "text"),
    ]


def open_with(open_house, folder, words: str, log: str) -> House:
    folder.mkdir()
    lines = {
        "BRAND_NAME": words, "BRAND_TAGLINE": words, "LOG_FORMAT": log, "LOG_LEVEL": "debug",
        "MAIL_FROM": '"{}" <door@example.com>'.format(re.sub(r'(["\\])', r"\\\1", words)),
        "TRUSTED_PROXIES": "127.0.0.1", "OIDC_ONE_ISSUER": "http://127.0.0.1:1", "OIDC_ONE_CLIENT_ID": "a",
        "OIDC_ONE_CLIENT_SECRET": "b", "OIDC_ONE_LABEL": words,
        "ARGON2_MEMORY_KIB": "64", "ARGON2_ITERATIONS": "1",
    }
    (folder / ".env").write_text("".join(f"VESTIBULE_{name}={value}\n" for name, value in lines.items()))
    house = open_house(folder)
    for address in (ADA, EVE):
        house.make_account(address)
    return house


def ask(house: House, method: str, path: str, form: dict | None = None, headers: dict | None = None):
    """A request with headers as bytes. Returns the status and the page."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE)
    fields = {"Content-Type": "application/x-www-form-urlencoded"} if form is not None else {}
    fields |= {name: value.encode() if isinstance(value, str) else value for name, value in (headers or {}).items()}
    body = urllib.parse.urlencode(form).encode() if form is not None else None
    connection.request(method, path, body=body, headers=fields)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def cookies(caller: Caller) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in caller.cookies.items())}


def people(house: House) -> dict[bool, Caller]:
    """Somebody who is signed in, and somebody who waits for codes."""
    member, stranger = Caller(house).log_in(ADA), Caller(house)
    stranger.post("/signup", display_name="Bob", email="bob@example.com", password=PASSWORD,
                  password_confirmation=PASSWORD, terms="accepted")
    stranger.post("/reset", email=EVE)
    return {True: member, False: stranger}


def same(harmless: tuple[int, str], hostile: tuple[int, str], what: str) -> None:
    assert harmless[0] in (200, 303, 304, 400, 403, 404, 415, 422), what
    assert hostile[0] == harmless[0], f"{what}: {harmless[0]} became {hostile[0]}"
    if harmless[1].startswith("<!DOCTYPE"):
        assert tree(hostile[1]) == tree(harmless[1]), what


def every_field(house: House) -> None:
    who = people(house)
    for path, is_member, fields, beside in FORMS:
        caller = who[is_member]
        own = beside | ({"csrf": caller.csrf} if caller.csrf else {})
        for field in fields:
            # Names that are good and passwords that are bad would be answered otherwise.
            tried, end = (PASSWORD[:-1] if "password" in field else HARMLESS), ("\u0600" if "name" in field else "")
            harmless = ask(house, "POST", path, own | {field: tried + end}, cookies(caller))
            for text in HOSTILE:
                # Passwords are never shown, and longer ones are refused as too long.
                text = text[:200] if "password" in field else text
                hostile = ask(house, "POST", path, own | {field: text + end}, cookies(caller))
                same(harmless, hostile, f"{path} {field} {text[:40]!r}")
                if tried + end in values(harmless[1]):
                    shown = [each.replace("\r", "\n") for each in values(hostile[1])]
                    assert (text + end).replace("\r", "\n") in shown, f"{path} {field}"


def every_query(house: House) -> None:
    for path in ("/login", "/account/email/undo", "/reset/continue", "/auth/one"):
        for name in QUERIES:
            harmless = ask(house, "GET", f"{path}?{name}=zqx")
            for text in HOSTILE:
                hostile = ask(house, "GET", f"{path}?{name}={urllib.parse.quote(text)}")
                same(harmless, hostile, f"{path}?{name}=")
    harmless = ask(house, "GET", "/zqx")
    for text in HOSTILE:
        same(harmless, ask(house, "GET", f"/{urllib.parse.quote(text, safe='')}"), "path")


def every_header(house: House) -> None:
    """CR and LF would end the line: they come escaped, as the names of apps may be."""
    member = people(house)[True]
    flow = "vestibule-flow=s"
    for path, method, form in (("/", "GET", None), ("/account", "GET", None), ("/login", "POST", {"email": "zqx"})):
        for name in HEADERS:
            own = cookies(member) if name != "Cookie" else {}
            harmless = ask(house, method, path, form, own | {name: "zqx"})
            for text in HOSTILE:
                plain = text.replace("\r", "").replace("\n", "")
                cookie = "; ".join([plain, *(f"vestibule{kind}={plain}" for kind in ("", "-device", "-language", "-auth")),
                                    flow + plain])
                value = cookie if name == "Cookie" else plain
                hostile = ask(house, method, path, form, own | {name: value})
                same(harmless, hostile, f"{method} {path} {name}: {value[:60]!r}")


def every_user_agent(house: House) -> None:
    """Strangers fail, and the owner signs in, with programs that call themselves so."""
    ends = [f"{urllib.parse.quote(text)}/1" for text in [*ELEMENTS, *(texts(each) for each in MEANING)]]
    ends += [f"{text}/1" for text in ELEMENTS] + ["A\x9b31mB/1", "A\u202EB/1"]
    for end in ends:
        ask(house, "POST", "/login", {"email": ADA, "password": "wrong"}, {"User-Agent": end, "X-Forwarded-For": "203.0.113.9"})
        ask(house, "POST", "/login", {"email": EVE, "password": PASSWORD}, {"User-Agent": end, "X-Forwarded-For": "203.0.113.9"})


def shape(mail: EmailMessage) -> tuple:
    """Headers' names, parts, the tree of the HTML and the lines of the text."""
    html = mail.get_body(("html",)).get_content()
    text = mail.get_body(("plain",)).get_content()
    parts = [(part.get_content_type(), tuple(part.keys())) for part in mail.walk()]
    assert not mail.defects and all(not part.defects for part in mail.walk())
    assert len(mail["To"].addresses) == 1 and len(mail["From"].addresses) == 1
    assert mail["From"].addresses[0].addr_spec == "door@example.com"
    return tuple(mail.keys()), parts, tree(html), text.count("\n")


def log_lines(house: House) -> list[str]:
    return (house.folder / "server.log").read_bytes().decode().split("\n")[:-1]


def run(house: House, *arguments: str, typed: str | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, *arguments], cwd=house.folder, env=house.surroundings(), input=typed, capture_output=True, text=True,
        timeout=2 * PATIENCE,
    )


def test_pages_keep_their_structure(houses):
    plain, hostile = houses
    for path in ("/", "/login", "/signup", "/reset", "/terms", "/privacy"):
        same(ask(plain, "GET", path), ask(hostile, "GET", path), f"{path} with the brand")
    for house in houses:
        every_field(house)
        every_query(house)
        every_header(house)
    for line in log_lines(plain):
        assert isinstance(json.loads(line), dict) and is_shown(line), line
    for line in log_lines(hostile):
        assert re.match(r"\S+ (trace|debug|info|notice|warning|error|critical) vestibule: ", line), line
        assert is_shown(line), line


def test_what_is_kept_is_shown_as_text(houses):
    plain, hostile = houses
    for house in houses:
        every_user_agent(house)
        Caller(house).log_in(EVE)
    for section in ("", "/devices", "/activity"):
        path = f"/account{section}"
        same(account(plain, ADA, path), account(hostile, ADA, path), f"{path} after strangers")
    hostile.make_account("kit@example.com")
    member = Caller(hostile).log_in("kit@example.com")
    # From the second time on a change is counted in the line of the one before.
    for name in ("Bea", "Bob"):
        member.post("/account/profile", display_name=name)
    before = tree(member.get("/account").text)
    for name in NAMES:
        member.post("/account/profile", display_name=name)
        page = member.get("/account").text
        assert tree(page) == before and name in values(page)
    export = ask(hostile, "POST", "/account/export", {"csrf": member.csrf}, cookies(member))
    assert json.loads(export[1])["account"]["display_name"] == NAMES[-1]
    mails_are_alike(plain, hostile)
    listings_are_plain(hostile, member)
    assert kinds(hostile) == kinds(plain)


def account(house: House, address: str, path: str) -> tuple[int, str]:
    member = Caller(house).log_in(address)
    return ask(house, "GET", path, headers=cookies(member))


def mails_are_alike(plain: House, hostile: House) -> None:
    """The mails to two people: of the same kinds, in the same order."""
    for house, address, name in ((plain, "bob@example.com", "Bob"), (hostile, ADDRESS, NAMES[0])):
        house.command("users", "create", address, "--name", name)
    assert shape(invitation(hostile, ADDRESS)) == shape(invitation(plain, "bob@example.com"))
    pairs = [(plain.outbox.mail_to(EVE, number), hostile.outbox.mail_to(EVE, number)) for number in (1, 2, 3)]
    for harmless, other in pairs:
        assert shape(other) == shape(harmless)
    said = [mail["Subject"] for _, mail in pairs]
    assert all(is_shown(subject) for subject in said) and "New sign-in to your account" in said


def invitation(house: House, address: str) -> EmailMessage:
    """Read as UTF-8, which addresses may hold (RFC 6532)."""

    def found() -> list[EmailMessage]:
        texts = [file.read_bytes().decode() for file in (house.folder / "data/mail").glob("*.eml")]
        return [message_from_string(text, policy=policy.default) for text in texts if f"\r\nTo: {address}\r\n" in text]

    return eventually(found, f"an invitation to {address}")[0]


def kinds(house: House) -> set[tuple]:
    """The elements of the page of mails."""
    return set(flat(tree(ask(house, "GET", "/dev/mail")[1])))


def flat(node: tuple):
    name, attributes, children = node
    yield name, attributes
    for child in children:
        yield from flat(child)


def listings_are_plain(house: House, member: Caller) -> None:
    """A line for each, which steers no terminal; JSON that any parser reads."""
    member.get("/account")
    for listing in (["users", "list"], ["users", "show", ADA], ["users", "show", ADDRESS], ["sessions", "list", EVE],
                    ["audit", "tail", "--limit", "1000"], ["mail", "list"]):
        told = run(house, *listing)
        assert told.returncode == 0, told.stderr
        assert all(is_shown(line) for line in told.stdout.split("\n")), listing
        objects = run(house, *listing, "--json").stdout.split("\n")[:-1]
        assert all(isinstance(json.loads(line), dict) and is_shown(line) for line in objects), listing
        if listing[1] != "show":
            assert len(told.stdout.splitlines()) == len(objects) + 1 == told.stdout.count("\n"), listing
    # Names come out of the JSON as they went in.
    listed = [json.loads(line) for line in run(house, "users", "list", "--json").stdout.splitlines()]
    assert {row["email"]: row["display_name"] for row in listed}[ADDRESS] == NAMES[0]


# What is refused wherever words are shown.
REFUSED = [texts(), ELEMENTS[0], ELEMENTS[1], ELEMENTS[3]]


def test_settings_and_lines_of_an_import_are_refused_in_one_line(open_house, tmp_path):
    # The settings of its folder are written anew, the database among them.
    house = open_house(tmp_path, **ON_SQLITE)
    for text in [*(each.replace("\r", "").replace("\n", "") for each in REFUSED), "}}" + BEFORE, "\u0301a"]:
        for line in (f"VESTIBULE_BRAND_NAME={text}", f"VESTIBULE_{text.replace('=', '')}=1"):
            (tmp_path / ".env").write_text(f"{line}\n")
            told = run(house, "migrate")
            lines = told.stderr.split("\n")
            assert told.returncode == 78 and len(lines) == 3 and all(is_shown(each) for each in lines), told
    (tmp_path / ".env").unlink()
    objects = [{"address": text} for text in HOSTILE] + [{text: "x"} for text in HOSTILE]
    objects += [{"address": "x@example.com", "name": text} for text in REFUSED]
    objects += [{"address": "x@example.com", "hash": text} for text in HOSTILE]
    told = run(house, "users", "import", "-", typed="".join(f"{json.dumps(each)}\n" for each in objects))
    lines = told.stderr.split("\n")
    refused = [int(line.split()[1].rstrip(":")) for line in lines if line.startswith("line ")]
    assert told.returncode == 1 and all(is_shown(line) for line in lines)
    assert refused == list(range(1, len(objects) + 1)) and len(lines) == len(objects) + 3

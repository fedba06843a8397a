"""Each example believes good assertions and no others, and goes on when something fails."""

import socket
import subprocess
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from example_apps import Notes
from house import PATIENCE, REPOSITORY, free_port
from signer import AUDIENCE, ISSUER, Key, KeySetServer, forgeries, signed

LANGUAGES = [pytest.param(name, marks=pytest.mark.xdist_group(f"notes-{name}")) for name in ("python", "node", "swift")]
pytestmark = pytest.mark.long
in_each = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def key_set():
    server = KeySetServer()
    yield server
    server.stop()


@pytest.fixture
def notes(language, key_set):
    application = Notes(language, AUDIENCE, ISSUER, key_set.url)
    yield application
    application.stop()


@in_each
def test_it_keeps_the_notes_of_each_person_apart(notes, key_set):
    ada, bob = (signed(key_set.keys[0], sub=sub, name=name) for sub, name in (("a", "Ada & <b>"), ("b", "Bob")))
    assert notes.ask("POST", "/", "note=%3Cb%3Etea", Vestibule_Assertion=ada)[0] == 303
    status, page = notes.ask("GET", "/", Vestibule_Assertion=ada)
    assert status == 200 and "<b>" not in page and page.count("<li>") == 1
    assert notes.notes_of(ada) == {"name": "Ada & <b>", "notes": ["<b>tea"]}
    assert notes.notes_of(bob) == {"name": "Bob", "notes": []}


@in_each
def test_it_believes_no_forgery(notes, key_set):
    for what, token in forgeries(key_set.keys[0]).items():
        for header in ({"Vestibule_Assertion": token}, {"Authorization": f"Bearer {token}"}):
            assert notes.ask("GET", "/", **header)[0] == 401, what
            assert notes.ask("POST", "/", "note=tea", **header)[0] == 401, what
    assert notes.notes_of(signed(key_set.keys[0], sub="eve"))["notes"] == []


@in_each
def test_it_takes_no_form_of_another_site(notes, key_set):
    ada = signed(key_set.keys[0])
    for site in ("cross-site", "same-site"):
        assert notes.ask("POST", "/", "note=tea", Vestibule_Assertion=ada, Sec_Fetch_Site=site)[0] == 403
    assert notes.notes_of(ada)["notes"] == []


@in_each
def test_it_lets_a_form_lead_to_itself_and_to_the_page_that_signs_out(notes, key_set):
    policy = notes.answer("GET", "/", Vestibule_Assertion=signed(key_set.keys[0]))[0].headers["Content-Security-Policy"]
    assert policy.endswith(f"form-action 'self' {ISSUER}")


@in_each
def test_it_goes_on_after_requests_that_were_broken_off(notes, key_set):
    ada = signed(key_set.keys[0])
    for assertion in (ada, "none"):
        head = f"POST / HTTP/1.1\r\nHost: notes\r\nVestibule-Assertion: {assertion}\r\nContent-Length: 9\r\n\r\n"
        with socket.create_connection(("127.0.0.1", notes.port)) as connection:
            connection.sendall(f"{head}note".encode())
    for _ in range(2):
        assert notes.notes_of(ada)["notes"] == []


def sent_over_one_connection(port: int, requests: str) -> None:
    """Until the application has answered and hung up; one may do so before it has read everything."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection, suppress(ConnectionError):
        connection.sendall(requests.encode())
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


@in_each
def test_it_takes_no_body_for_the_next_request(notes, key_set):
    """A proxy sends the requests of many visitors over one connection."""
    ada, eve = (f"Vestibule-Assertion: {signed(key_set.keys[0], sub=sub)}\r\n" for sub in ("ada", "eve"))
    of_ada = f"GET / HTTP/1.1\r\nHost: notes\r\nConnection: close\r\n{ada}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    body = f"POST / HTTP/1.1\r\nHost: notes\r\n{eve}{form}{len(of_ada) + 5}\r\n\r\nnote="
    for method in ("GET", "POST"):
        for path in ("/", "/elsewhere"):
            for assertion in ("", eve):
                head = f"{method} {path} HTTP/1.1\r\nHost: notes\r\n{assertion}{form}{len(body)}\r\n\r\n"
                sent_over_one_connection(notes.port, f"{head}{body}{of_ada}")
    assert notes.notes_of(signed(key_set.keys[0], sub="eve"))["notes"] == []


@pytest.mark.parametrize("language", [LANGUAGES[1]])
def test_javascript_keeps_no_endless_note(notes, key_set):
    ada = signed(key_set.keys[0])
    with pytest.raises(ConnectionError):
        notes.ask("POST", "/", f"note={'x' * 10_000_000}", Vestibule_Assertion=ada)
    assert notes.notes_of(ada)["notes"] == []


@in_each
def test_it_reads_the_keys_seldom_and_not_for_every_unknown_one(notes, key_set):
    for _ in range(5):
        notes.notes_of(signed(key_set.keys[0]))
    assert key_set.reads == 1
    # Once more, should this take longer than ten seconds.
    for number in range(20):
        assert notes.ask("GET", "/", Vestibule_Assertion=signed(Key(f"unknown {number}")))[0] == 401
    assert key_set.reads <= 2


RUBY = """
    require ARGV[0]
    $stdout.sync = true
    verifier = Verifier.new(ARGV[1], issuer: ARGV[2], audience: ARGV[3])
    $stdin.each_line { |line| puts(verifier.visitor(line.chomp)&.fetch("name").inspect) }
"""


def ruby_names(keys: str, tokens: list[str], within: float = PATIENCE) -> list[str]:
    """Whom the Ruby example takes the senders of these assertions for."""
    file = REPOSITORY / "docs/examples/verify-ruby/assertion.rb"
    ran = subprocess.run(
        ["ruby", "-e", RUBY, file, keys, ISSUER, AUDIENCE], input="\n".join(tokens) + "\n", capture_output=True,
        text=True, errors="surrogateescape", check=True, timeout=within)
    return ran.stdout.splitlines()


def test_ruby_believes_good_ones_only(key_set):
    key = key_set.keys[0]
    unknown = [signed(Key(f"unknown {number}")) for number in range(20)]
    # Parts that are a list, null, and bytes that are no text.
    odd = ["W10.W10.x", "bnVsbA.bnVsbA.x", "\udcff.\udcff.x"]
    tokens = [signed(key), *forgeries(key).values(), *odd, *unknown, signed(key)]
    ada = '"Ada <Lovelace>"'
    assert ruby_names(key_set.url, tokens) == [ada, *["nil"] * (len(tokens) - 2), ada]
    assert key_set.reads <= 2


class Trouble(BaseHTTPRequestHandler):
    """What a proxy answers while Vestibule is away, or nothing at all."""

    def do_GET(self) -> None:
        if self.path == "/page":
            self.send_error(503)
        elif self.path == "/problem":
            self.send_response(503)
            self.end_headers()
            self.wfile.write(b'{"type": "about:blank", "status": 503}')
        else:
            self.server.is_over.wait(PATIENCE)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def trouble():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Trouble)
    server.is_over = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.is_over.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/page", "/problem", "/silence", None])
def test_ruby_believes_nobody_while_the_keys_cannot_be_read(trouble, path):
    url = f"{trouble}{path}" if path else f"http://127.0.0.1:{free_port()}/jwks.json"
    assert ruby_names(url, [signed(Key("one"))] * 2, within=20) == ["nil", "nil"]

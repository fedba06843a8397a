"""What `make endure` reports is true: a planted fault is found, and without one nothing is."""

import pickle
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import hostile
import pytest
from crowd import check_mails
from findings import Findings
from kills import Mailbox, Site
from mutations import Template
from promises import Person, State
from wire import Answer


def run(*options: str) -> tuple[int, dict[str, int], str]:
    """Exit code, what was counted, and all that was said."""
    program = Path(__file__).with_name("endure.py")
    command = [sys.executable, program, "--minutes", "0.1", "--seed", "7", "--hostile", "0", *options]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    counts = dict(re.findall(r"^  ([a-z 0-9]+?) +(\d+)", ran.stdout, re.MULTILINE))
    return ran.returncode, {name: int(count) for name, count in counts.items()}, ran.stdout + ran.stderr


def test_a_sound_server_loses_nothing():
    code, counts, told = run()
    assert code == 0, told
    assert min(counts[what] for what in ("kills", "acts", "mails", "looked up")) > 0


def test_an_older_database_that_comes_back_is_found():
    code, counts, told = run("--plant", "older")
    assert code == 1 and counts["lost"] > 0, told
    assert "sign-up is refused" in told or "instead of" in told


def test_a_mail_that_is_lost_is_found():
    code, counts, told = run("--plant", "mail")
    assert code == 1 and counts["lost"] >= 1 and re.search("lost: 1 mail '", told), told


@pytest.mark.parametrize("kills, found", [([], 1), ([1000.5], 0)], ids=["without a kill", "around a kill"])
def test_a_mail_that_comes_twice(tmp_path, kills, found):
    findings = Findings()
    mailbox = Mailbox(tmp_path, findings)
    mailbox.kills = kills
    for written in (1000, 1001):
        mailbox.take("one.eml", written, b"To: ada@example.com\r\nSubject: Your password was\r\n changed\r\n\r\n")
    assert (mailbox.came["ada@example.com", "Your password was changed"], findings.counts["doubled"]) == (1, found)


def test_mails_that_go_on_coming_are_waited_for(tmp_path):
    findings = Findings()
    mailbox = Mailbox(tmp_path, findings, patience=1)
    site = Site([], mailbox, findings, 1)
    promised = [f"ada.{number}@example.com" for number in range(5)]
    for address in promised:
        site.note("", (address, "Your password was changed"))

    def send() -> None:
        for address in promised[:-1]:
            time.sleep(0.5)
            mailbox.came[address, "Your password was changed"] += 1

    sender = threading.Thread(target=send)
    sender.start()
    check_mails(site)
    sender.join()
    assert findings.texts == [f"lost: 1 mail 'Your password was changed' to {promised[-1]}"]


def test_a_server_that_is_too_busy_to_answer_is_asked_again(tmp_path):
    findings = Findings()
    site = Site([], Mailbox(tmp_path, findings), findings, 1)
    answers = [Answer(status, b"", body) for status, body in [(503, b""), (200, b'{"user": {"name": "Ada"}}')]]
    site.ask = lambda *_, **__: answers.pop(0)
    before, after = State(True, tokens=("one",)), State(True)
    person = Person(site, site.random, before, tokens=["one"])
    assert person.look_up([before, after]) is before and not findings.texts


class Faulty(BaseHTTPRequestHandler):
    """Answers by its path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.startswith("/silent"):
            self.close_connection = True
        elif self.path.startswith("/garbled"):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n<html>")
        else:
            status = next((int(word) for word in ("500", "503") if self.path.startswith(f"/{word}")), 200)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_) -> None:
        pass


@pytest.mark.parametrize("path, kind", {
    "/500/x": "500", "/503/x": "500", "/silent/x": "unanswered", "/garbled/x": "garbled", "/account": "let in",
    "/login": None,
}.items())
def test_a_server_that_answers_hostile_requests_wrongly_is_found(tmp_path, path, kind):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    template = Template(f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: vestibule={'A' * 43}".encode())
    template.places = [place for place in template.places if place.is_key]
    (tmp_path / "templates").write_bytes(pickle.dumps([template]))
    siege = hostile.Siege(server.server_port, tmp_path / "templates", 1, 0)
    siege.read()
    while not siege.counts["cookies"] and not siege.findings:
        siege.round()
    server.shutdown()
    assert {found for found, *_ in siege.findings} == ({kind} if kind else set())


@pytest.mark.parametrize("line, keeps", {
    "Cookie: a=b; vestibule=KEY; c=d": True, "Cookie: ;vestibule=KEY": True, "Cookie: vestibule=KEY ;x": True,
    "Cookie: vestibule=KEYx": False, "Cookie: vestibule=xKEY": False, "Cookie: vestibule=KEY%00": False,
    "Cookie: vestibule=KE": False, "Authorization: Bearer KEY": True, "Authorization: Bearer KEY,": False,
}.items())
def test_a_change_beside_a_key_takes_nothing_away(line, keeps):
    key = "A" * 43
    sent = "Cookie: a=b; vestibule=KEY; c=d" if line.startswith("Cookie") else "Authorization: Bearer KEY"
    head = "GET /account HTTP/1.1\r\nHost: x\r\n"
    template = Template((head + sent.replace("KEY", key)).encode())
    keys = [place for place in template.places if place.is_key]
    request = (head + line.replace("KEY", key) + "\r\n\r\n").encode()
    assert {template.keeps(place, request) for place in keys} == {keeps}

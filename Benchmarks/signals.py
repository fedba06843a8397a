"""What signals cost a login: a webhook that is told of it, and the triggers that nobody is told by."""

import contextlib
import http.server
import shutil
import sqlite3
import subprocess
import threading
import time

import crowd
import house
from house import Client, Trouble, spread

LOOKUPS = house.ROOT / ".build/release/lookups"
PEOPLE = 1_000
LOGINS = 200
EVENTS = "session.started, session.ended"


class Receiver:
    """Answers each webhook with 204, and counts them."""

    def __enter__(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()
                receiver.count += 1

            def log_message(self, *_):
                pass

        self.count = 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def wait(self, count):
        """Until so many have come."""
        end = time.monotonic() + 60
        while self.count < count:
            if time.monotonic() > end:
                raise Trouble(f"{self.count} of {count} signals have come")
            time.sleep(0.01)


def _logins(server, first, receiver=None):
    """Processor nanoseconds of a login, and of telling of it."""
    told = receiver.count if receiver else 0
    before = server.processor_nanoseconds()
    with Client(server.port) as client:
        for number in range(first, first + LOGINS):
            answer = client.post("/login", house.login_form(f"visitor{number % PEOPLE}@example.com", house.PASSWORD))
            if answer.status != 303:
                raise Trouble(f"a login was refused: {answer.status}")
    if receiver:
        receiver.wait(told + LOGINS)
    return (server.processor_nanoseconds() - before) / LOGINS


def _webhook_row(table, options, binary, folder, say):
    crowd.fill(binary, folder, PEOPLE)
    shutil.copytree(folder, folder.with_name("told"))
    with Receiver() as receiver, contextlib.ExitStack() as servers:
        webhook = {"WEBHOOK_PORTAL_URL": receiver.url, "WEBHOOK_PORTAL_EVENTS": EVENTS}
        alone = servers.enter_context(house.vestibule(binary, folder, VERIFICATION="off"))
        told = servers.enter_context(house.vestibule(binary, folder.with_name("told"), VERIFICATION="off", **webhook))
        # Subscribed, and warm.
        time.sleep(2)
        pairs = []
        for round in range(options.rounds + 1):
            say(f"logins that a webhook is told of, {round} of {options.rounds}")
            first = round * LOGINS
            pairs.append((_logins(told, first, receiver), _logins(alone, first)))
    ratios = [told / alone for told, alone in pairs[1:]]
    table.at_most(
        "login that a webhook is told of ÷ without", ratios, 1.2,
        f"processor time of {LOGINS} logins each, told and noted; "
        f"{spread([(told - alone) / 1e6 for told, alone in pairs[1:]], '{:.1f}')} ms more")


def _plain_copy(path, folder):
    """The same database without what OpenID and signals have added."""
    folder.mkdir()
    copy = shutil.copy(path, folder / "plain.sqlite")
    with contextlib.closing(sqlite3.connect(copy)) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'signal_%'")
        for name, in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        for name in ("client_codes", "client_sessions", "access_tokens", "application_consents"):
            database.execute(f"DROP TABLE {name}")
    return copy


def _trigger_row(table, options, binary, folder, say):
    present = crowd.fill(binary, folder, PEOPLE)
    absent = _plain_copy(present, folder.with_name("plain"))
    times = {present: [], absent: []}
    for round in range(options.rounds):
        say(f"logins without hashing, with triggers and without, {round + 1} of {options.rounds}")
        for path, measured in times.items():
            done = subprocess.run([LOOKUPS, path, str(PEOPLE), "2"], capture_output=True, text=True, check=True)
            measured.append(float(done.stdout.split()[0]))
    ratios = [a / b for a, b in zip(*times.values())]
    with_all, without = (spread(each, "{:.0f}") for each in times.values())
    table.at_most(
        "login without hashing ÷ without triggers of signals and tables of OpenID", ratios, 1.1,
        f"{with_all} ÷ {without} µs, nobody is told")


def figures(table, options, binary, folder, say):
    folder.mkdir()
    _webhook_row(table, options, binary, folder / "alone", say)
    _trigger_row(table, options, binary, folder / "triggers", say)

"""A Vestibule of one's own: started on a free port in a folder of its own, with an outbox to read."""

import http.client
import os
import random
import re
import signal
import socket
import subprocess
import time
import urllib.parse
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from itertools import count
from pathlib import Path

import engines

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("PROGRAM_UNDER_TEST", REPOSITORY / ".build/debug/vestibule"))
NO_LIMITS = {f"VESTIBULE_LIMIT_{name}": "off" for name in ("LOGIN", "SIGNUP", "RESET", "VERIFY", "MAIL")}
# The least that the product allows: few tests are about hashing, and all of them sign in.
QUICK_HASHES = {"VESTIBULE_ARGON2_MEMORY_KIB": "64", "VESTIBULE_ARGON2_ITERATIONS": "1"}
# For a server whose test is about SQLite itself.
ON_SQLITE = {engines.SETTING: "sqlite:data/vestibule.sqlite"}
PASSWORD = "violet tram under seven bridges"
# Seconds after which something will not happen any more, on a machine that is busy with other things.
PATIENCE = 60
numbers = count(1)


def a_new_address() -> str:
    """An address nobody has used yet."""
    return f"ada.{next(numbers)}@example.com"


def eventually(probe, what: str, within: float = PATIENCE):
    """What the probe returns as soon as it is something; fails loudly after the deadline."""
    deadline = time.monotonic() + within
    while not (found := probe()):
        assert time.monotonic() < deadline, f"{what} did not happen within {within} s"
        # Files and other processes do not tell when they change.
        time.sleep(0.02)
    return found


def text_of(mail: EmailMessage) -> str:
    return mail.get_body(("plain",)).get_content()


def codes_in(text: str) -> list[str]:
    """Six digits that stand alone, ten where codes are sprayed; a link may hold some by chance."""
    return re.findall(r"(?<!\d)(?:\d{6}|\d{10})(?!\d)", re.sub(r"https?://\S+", "", text))


def heading_of(mail: EmailMessage) -> str:
    """The second paragraph of a text that begins with a code, else the first."""
    first, second, *_ = text_of(mail).replace("\r\n", "\n").split("\n\n")
    return second if codes_in(first) else first


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str


class Outbox:
    """The mails that would have been sent."""

    def __init__(self, folder: Path):
        self.folder = folder
        # Each file is read once: tests that wait for a mail ask many times a second.
        self.files: set[Path] = set()
        self.mails: dict[str, list[tuple[int, EmailMessage]]] = {}

    def mails_to(self, address: str) -> list[EmailMessage]:
        """Those that have come by now, oldest first."""
        for file in set(self.folder.glob("*.eml")) - self.files:
            mail = message_from_bytes(file.read_bytes(), policy=policy.default)
            recipient = mail["To"].addresses[0].addr_spec
            self.mails.setdefault(recipient, []).append((file.stat().st_mtime_ns, mail))
            self.files.add(file)
        return [mail for _, mail in sorted(self.mails.get(address, []), key=lambda each: each[0])]

    def mail_to(self, address: str, number: int = 1) -> EmailMessage:
        """The mail of that number to the address, as soon as it is there."""
        wanted = lambda: self.mails_to(address)[number - 1 : number]
        return eventually(wanted, f"mail {number} to {address}")[0]

    def mail_about(self, address: str, subject: str) -> EmailMessage:
        """The newest mail to the address with that subject, or that heading where the subject holds a code."""
        wanted = lambda: [mail for mail in self.mails_to(address) if subject in (mail["Subject"], heading_of(mail))][-1:]
        return eventually(wanted, f"mail about {subject!r} to {address}")[0]

    def codes_for(self, address: str) -> list[str]:
        """In every mail to the address that has one, oldest first."""
        return [code for mail in self.mails_to(address) for code in codes_in(text_of(mail))]

    def code_for(self, address: str, number: int = 1) -> str:
        """The code of that number, as soon as it is there."""
        wanted = lambda: self.codes_for(address)[number - 1 : number]
        return eventually(wanted, f"code {number} to {address}")[0]


class House:
    """A running server and its folder."""

    # The path of the public URL.
    mount = ""

    def __init__(self, folder: Path, **settings: str):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.outbox = Outbox(folder / "data/mail")
        self.settings = NO_LIMITS | settings
        if engines.SETTING not in settings:
            engines.prepare(folder)
        self.start()

    def start(self, **settings: str) -> None:
        """Starts it, if need be with other settings, and waits until it is well."""
        self.settings |= settings
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", str(self.port)],
            cwd=self.folder, env=self.surroundings(), stdout=self.log, stderr=subprocess.STDOUT,
        )
        eventually(self.is_well, f"a healthy server ({self.folder}/server.log)")

    @property
    def origin(self) -> str:
        """What browsers call the site that passkeys belong to."""
        return self.url.removesuffix(self.mount)

    def surroundings(self) -> dict[str, str]:
        """The environment of its commands."""
        others = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
        return others | self.settings

    def command(self, *arguments: str) -> None:
        """What its operator types, while it serves."""
        subprocess.run([BINARY, *arguments], cwd=self.folder, env=self.surroundings(), check=True, timeout=2 * PATIENCE)

    def is_well(self) -> bool:
        assert self.process.poll() is None, (self.folder / "server.log").read_text()
        try:
            return self.ask("GET", "/healthz").status == 200
        except (ConnectionRefusedError, ConnectionResetError):
            # The second comes from the one that was killed, while it goes.
            return False

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.log.close()

    def let_proofs_grow_old(self) -> None:
        """As if everybody had given the password more than ten minutes ago."""
        self._set_back("UPDATE sessions SET proved_at = proved_at - 601000")

    def let_a_day_pass_for_summaries(self) -> None:
        self._set_back("UPDATE sign_in_summaries SET due_at = since")

    def _set_back(self, statement: str) -> None:
        self.stop()
        engines.execute(self.folder, statement)
        self.start()

    def kill(self) -> None:
        """What a power cut does to it; nothing when it has stopped already."""
        self.process.kill()
        self.process.wait()
        self.log.close()

    def ask(self, method: str, path: str, form: dict | bytes | None = None, **headers: str) -> Answer:
        """One request that is not from a browser, redirects not followed. `Header_Name=` becomes `Header-Name:`."""
        path = self.at(path)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(form, dict):
            form = urllib.parse.urlencode(form).encode()
        if form is not None:
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection.request(method, path, body=form, headers=fields)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        return answer

    def at(self, path: str) -> str:
        """Where a page is for browsers; what has the mount or a whole address already stays."""
        return path if path.startswith((f"{self.mount}/", "http://")) else self.mount + path

    def make_account(self, email: str, name: str = "Ada Lovelace", password: str = PASSWORD) -> None:
        """The whole sign-up without a browser, for tests that are about something else."""
        form = {"display_name": name, "email": email, "password": password, "password_confirmation": password}
        answer = self.ask("POST", "/signup", form | {"terms": "accepted"})
        assert answer.status == 303, answer.text
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        answer = self.ask("POST", "/signup/verify", {"code": self.outbox.code_for(email)}, Cookie=cookie)
        assert answer.status == 303, answer.text

    @cached_property
    def member(self) -> str:
        """The address of somebody with an account; the password is `PASSWORD`."""
        address = a_new_address()
        self.make_account(address)
        return address


# A server that is stopped for a while comes back to its port.
GIVEN_PORTS: set[int] = set()


def free_port() -> int:
    """One below those that the system gives to connections: they come between two starts of a server. None is given
    twice, and no other worker has it."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    while True:
        port = random.randrange(10_000 + worker, 32_000, workers)
        if port in GIVEN_PORTS:
            continue
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            GIVEN_PORTS.add(port)
            return port

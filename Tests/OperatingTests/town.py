"""A Vestibule, a real proxy before it and applications behind it, on hosts that only this machine knows."""

import re
import subprocess
from collections.abc import Callable
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

from house import BINARY, PASSWORD, PATIENCE, QUICK_HASHES, Answer, House, free_port
from proxies import Caddy, EchoApplication, Headers, Nginx, raw

PROXIES = {"caddy": Caddy, "nginx": Nginx}
# As a browser asks for a page.
PAGE = ["Accept: text/html,application/xhtml+xml", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]


class Town:
    def __init__(self, folder: Path, kind: str, targets: Callable[["Town"], dict] | None = None, **settings: str):
        self.folder, self.kind, self.port = folder, kind, free_port()
        self.notes, self.wiki = EchoApplication(), EchoApplication()
        self.public = settings.pop("VESTIBULE_PUBLIC_URL", "http://login.localhost:{port}").format(port=self.port)
        self.hosts = {name: f"{name}.localhost:{self.port}" for name in ("notes", "wiki", "staff", "site")}
        own = {
            "VESTIBULE_PUBLIC_URL": self.public, "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1",
            "VESTIBULE_APP_NOTES_ORIGINS": f"http://{self.hosts['notes']}",
            "VESTIBULE_APP_WIKI_ORIGINS": f"http://{self.hosts['wiki']}", "VESTIBULE_APP_WIKI_HEADERS": "plain",
            "VESTIBULE_APP_STAFF_ORIGINS": f"http://{self.hosts['staff']}", "VESTIBULE_APP_STAFF_GROUPS": "staff",
        }
        own |= {name: value.format(port=self.port) for name, value in settings.items()}
        self.house = House(folder, **QUICK_HASHES, **own)
        ports = {"notes": self.notes.port, "wiki": self.wiki.port, "staff": self.notes.port}
        self.targets = {name: f"127.0.0.1:{port}" for name, port in ports.items()} | (targets(self) if targets else {})
        self.proxy = PROXIES[kind](folder, self.port, self.config())

    def config(self) -> str:
        targets = " ".join(f"--to {name}={target}" for name, target in self.targets.items())
        return self.run(f"proxy-config {self.kind} {targets}")

    def make_account(self, email: str) -> None:
        """The whole sign-up, by the forms."""
        form = {"display_name": "Ada Lovelace", "email": email, "password": PASSWORD, "password_confirmation": PASSWORD}
        walker = Walker(self)
        walker.visit(f"{self.public}/signup", form | {"terms": "accepted"})
        walker.visit(f"{self.public}/signup/verify", {"code": self.house.outbox.code_for(email)})

    def run(self, command: str) -> str:
        """What the operator types."""
        return subprocess.run(
            [BINARY, *command.split(), "--port", str(self.house.port)], cwd=self.folder, env=self.house.surroundings(),
            check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{self.hosts[host]}{path}"

    def ask(self, host: str, target: str = "/", lines: list[str] = (), **rest) -> tuple[int, Headers, bytes]:
        """Through the proxy, byte by byte."""
        return raw(self.port, target, self.hosts.get(host, host), list(lines), **rest)

    def reached(self) -> list:
        """What came to any application since the last time."""
        return self.notes.take() + self.wiki.take()

    def token(self, application: str) -> str:
        """Of a machine."""
        return re.search(r"vestibule_[A-Za-z0-9_-]+", self.run(f"tokens create --app {application} --label tests"))[0]

    def stop(self) -> None:
        self.proxy.stop()
        self.house.kill()
        self.notes.stop()
        self.wiki.stop()


class Walker:
    """Somebody with a browser that runs no script: follows redirects from host to host, each with its own cookies."""

    def __init__(self, town: Town | None):
        self.town = town
        self.jars: dict[str, dict[str, str]] = {}
        self.way: list[str] = []
        self.at = ""

    def visit(self, url: str, form: dict | None = None, follow: bool = True) -> Answer:
        self.way = []
        for _ in range(20):
            self.way.append(url)
            answer = self.ask(url, form)
            if not follow or answer.status not in (301, 302, 303, 307, 308):
                self.at = url
                return answer
            url, form = urljoin(url, answer.headers["location"]), None
        raise AssertionError(f"no end: {self.way}")

    def ask(self, url: str, form: dict | None = None, lines: list[str] = ()) -> Answer:
        parts = urlsplit(url)
        jar = self.jars.setdefault(parts.hostname, {})
        lines = [*PAGE, *lines]
        if jar:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in jar.items()))
        body = b""
        if form is not None:
            body = urlencode(form).encode()
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Origin: {parts.scheme}://{parts.netloc}"]
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        status, headers, text = raw(
            parts.port, target or "/", parts.netloc, lines, method="GET" if form is None else "POST", body=body)
        for line in headers.get_all("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                assert not morsel["domain"], line
                if morsel["max-age"] == "0":
                    jar.pop(name, None)
                else:
                    jar[name] = morsel.value
        return Answer(status, headers, text.decode())

    def log_in(self, page: Answer, email: str, password: str = PASSWORD) -> Answer:
        """Fills in the form that the way to an application led to."""
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        fields = {name: value.replace("&amp;", "&") for name, value in fields.items()}
        action = re.search(r'<form id="login" action="([^"]+)"', page.text)[1]
        return self.visit(urljoin(self.at, action), fields | {"email": email, "password": password})

    def enter(self, url: str, email: str) -> Answer:
        """From a stranger's visit to the page that was wanted."""
        page = self.visit(url)
        return self.log_in(page, email)

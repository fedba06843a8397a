"""Vestibule and the applications beside it, each at a host of its own with TLS by Caddy."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import urllib.request
from functools import cache
from pathlib import Path

from handbook import ISSUER, Section, section, settings, tested
from house import BINARY, PATIENCE, QUICK_HASHES, REPOSITORY, House, eventually, free_port

CADDY = REPOSITORY / ".venv/bin/caddy"
ENVIRONMENTS = REPOSITORY / ".build/clients"
SITE = "https://{host}:{port} {{\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:{upstream}\n}}\n"
# Chromium leads every name below localhost here; Python finds localhost itself.
OPTIONS = "{\n\tadmin off\n\tpersist_config off\n\tskip_install_trust\n\tlocal_certs\n\tauto_https disable_redirects\n}\n"


class Program:
    """A process in a group of its own, with its log."""

    def __init__(self, name: str, folder: Path, command: list, port: int, **environment: str):
        self.log = folder / f"{name}.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=log, stderr=log, start_new_session=True,
                env={"PATH": f"{os.environ['PATH']}:/usr/sbin", "HOME": str(folder), "LANG": "C.UTF-8"} | environment)
        try:
            eventually(lambda: self.listens(port), f"{name} ({self.log})", within=3 * PATIENCE)
        except BaseException:
            self.stop()
            raise

    def listens(self, port: int) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", port)) == 0

    def stop(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(PATIENCE / 6)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        finally:
            # Also what the program has started itself.
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()


class Neighbourhood(House):
    """A server with every application of the handbook that a test runs, set as the handbook says."""

    def __init__(self, folder: Path):
        self.door = free_port()
        self.sections = {title: section(title) for title in tested()}
        self.ports = {each.host: free_port() for each in self.sections.values() if each.host}
        ours = "".join(self.here(self.told_past_the_proxy(each.ours)) for each in self.sections.values())
        issuer = f"https://localhost:{self.door}"
        super().__init__(
            folder, VESTIBULE_PUBLIC_URL=issuer, VESTIBULE_DEV_EXPOSE="on", VESTIBULE_TRUSTED_PROXIES="127.0.0.1",
            **QUICK_HASHES, **settings(ours))
        self.url = issuer
        sites = {"localhost": self.port} | {f"{host}.localhost": port for host, port in self.ports.items()}
        (folder / "Caddyfile").write_text(OPTIONS + "".join(
            SITE.format(host=host, port=self.door, upstream=upstream) for host, upstream in sites.items()))
        self.caddy = Program("caddy", folder, [CADDY, "run", "--config", "Caddyfile"], self.door)
        self.root = folder / ".local/share/caddy/pki/authorities/local/root.crt"
        eventually(self.is_proxied, f"an answer of Caddy ({folder}/caddy.log)")
        self.running: list[Program] = []

    def is_proxied(self) -> bool:
        try:
            context = ssl.create_default_context(cafile=self.root)
            return urllib.request.urlopen(f"{self.url}/healthz", context=context).status == 200
        except OSError:
            return False

    def here(self, text: str) -> str:
        """What the handbook says, with the hosts and the port of this machine."""
        text = text.replace(ISSUER, f"https://localhost:{self.door}")
        return re.sub(r"([a-z0-9-]+)\.example\.com", rf"\1.localhost:{self.door}", text)

    def told_past_the_proxy(self, ours: str) -> str:
        """With logout addresses on this machine, which have to be named as such: names are of the Internet."""
        return re.sub(r"(_LOGOUT_URL=)https://([a-z0-9-]+)\.example\.com",
                      lambda found: f"{found[1]}http://127.0.0.1:{self.ports[found[2]]}", ours)

    def origin_of(self, title: str) -> str:
        return f"https://{self.sections[title].host}.localhost:{self.door}"

    def port_of(self, title: str) -> int:
        return self.ports[self.sections[title].host]

    def theirs(self, title: str) -> list[str]:
        """The application's own settings, block by block, with its secret."""
        blocks = [self.here(block) for block in self.sections[title].theirs]
        if any("SECRET" in block for block in blocks):
            secret = self.make_secret(self.sections[title])
            blocks = [re.sub(r"\bSECRET\b", secret, block) for block in blocks]
        return blocks

    @cache
    def make_secret(self, application: Section) -> str:
        """Once, as an application has two at most."""
        return subprocess.run(
            [BINARY, "apps", "secret", application.name.lower()], cwd=self.folder, env=self.surroundings(), check=True,
            capture_output=True, text=True, timeout=PATIENCE).stdout.strip()

    def folder_of(self, title: str) -> Path:
        folder = self.folder / self.sections[title].host
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def run(self, title: str, folder: Path, command: list, **environment: str) -> Program:
        """Starts the application; what it asks by TLS it trusts as this machine's."""
        trust = {"SSL_CERT_FILE": str(self.root), "REQUESTS_CA_BUNDLE": str(self.root)}
        self.running.append(
            Program(self.sections[title].host, folder, command, self.port_of(title), **trust, **environment))
        return self.running[-1]

    def stop_parties(self) -> None:
        while self.running:
            self.running.pop().stop()

    def stop(self) -> None:
        self.stop_parties()
        self.caddy.stop()
        super().stop()


def python_of(name: str) -> Path:
    """Of the environment that `scripts/setup clients` has made."""
    return ENVIRONMENTS / name / "bin/python"

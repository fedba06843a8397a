"""People who go on using the site, through a real Caddy, while something is done to the server."""

import http.client
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

from house import PATIENCE, REPOSITORY, eventually, free_port
from machine import PASSWORD


class Caddy:
    """In front of the machine's server, as docs/operating/proxies.md says, but without TLS."""

    def __init__(self, folder: Path, server_port: int, host: str):
        self.port, self.host = free_port(), host
        (folder / "Caddyfile").write_text(
            "{\n\tadmin off\n\tpersist_config off\n\tauto_https off\n}\n"
            f"http://{host}:{self.port} {{\n{documented_proxy(server_port)}\n}}\n")
        self.process = subprocess.Popen(
            [REPOSITORY / ".venv/bin/caddy", "run", "--config", "Caddyfile"], cwd=folder,
            stdout=subprocess.DEVNULL, stderr=open(folder / "caddy.log", "w"), env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
        eventually(lambda: self.ask("GET", "/login")[0] == 200, f"Caddy ({folder}/caddy.log)")

    def ask(self, method: str, path: str, form: dict | None = None, cookie: str = "") -> tuple[int, str]:
        """Status and cookies; 0 where there is no Caddy."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = urllib.parse.urlencode(form) if form else None
        headers = {"Host": f"{self.host}:{self.port}", "Cookie": cookie}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            answer.read()
        except ConnectionRefusedError:
            return 0, ""
        finally:
            connection.close()
        return answer.status, "; ".join(line.split(";")[0] for line in answer.headers.get_all("Set-Cookie", []))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


def documented_proxy(server_port: int) -> str:
    """The block `reverse_proxy` of the Caddyfile in the documentation, with another port."""
    page = (REPOSITORY / "docs/operating/proxies.md").read_text().split("## Caddy\n")[1]
    block = page[page.index("        reverse_proxy "):page.index("\n    }\n")]
    return block.replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")


class Traffic:
    """People who open pages, and people who sign in and look at their account, until they are told to stop."""

    PEOPLE = 6

    def __init__(self, caddy: Caddy, address: str):
        self.caddy, self.address = caddy, address
        self.stopped = threading.Event()
        self.waits: list[float] = []
        self.failed: list[tuple[str, int]] = []
        self.people = [threading.Thread(target=self.use, args=(number % 2 == 0,)) for number in range(self.PEOPLE)]
        for person in self.people:
            person.start()
        eventually(lambda: len(self.waits) > 50, "people who use the site")

    def use(self, signs_in: bool) -> None:
        form = {"email": self.address, "password": PASSWORD}
        while not self.stopped.is_set():
            if signs_in:
                cookie = self.expect(303, "POST", "/login", form)
                self.expect(200, "GET", "/account", cookie=cookie)
            else:
                self.expect(200, "GET", "/login")

    def expect(self, expected: int, method: str, path: str, form: dict | None = None, cookie: str = "") -> str:
        begun = time.monotonic()
        status, cookies = self.caddy.ask(method, path, form, cookie)
        self.waits.append(time.monotonic() - begun)
        if status != expected:
            self.failed.append((f"{method} {path}", status))
        return cookies

    def stop(self) -> None:
        self.stopped.set()
        for person in self.people:
            person.join(PATIENCE)

"""A bare Debian in a folder, entered by chroot or booted with systemd, and a mail server beside it."""

import http.client
import json
import os
import queue
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

from house import PATIENCE, REPOSITORY, codes_in, eventually, free_port

BOOT = REPOSITORY / "Tests/PackageTests/boot"
BASE = REPOSITORY / os.environ["BARE_DEBIAN"]
PASSWORD = "violet tram under seven bridges"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Machine:
    def __init__(self, root: Path):
        self.root = root
        # The name in which it is asked: another one than its settings have gets 421.
        self.host = "localhost"
        root.mkdir()
        subprocess.run(["tar", "-xf", BASE, "-C", root], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        self.enter = ["/usr/sbin/chroot", root]
        # Nothing starts by itself in there before `boot`: there is no systemd.
        self.init = self.server = None
        self.sh("apt-get -qq update")

    def sh(self, commands: str, status: int = 0, user: str = "root") -> str:
        """What they print, all of it; they must end with that status."""
        done = subprocess.run(
            [*self.enter, "runuser", "-u", user, "--", "sh", "-euc", commands],
            env={"PATH": PATH, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=10 * PATIENCE,
        )
        assert done.returncode == status, f"{commands}\n{done.stdout}"
        return done.stdout

    def boot(self) -> None:
        """Starts systemd, which must be installed, in namespaces of its own. The network stays that of the host."""
        log = open(self.root / "boot.log", "a")
        self.init = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--cgroup", "--ipc", "--uts", "--kill-child", BOOT, self.root],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        children = Path(f"/proc/{self.init.pid}/task/{self.init.pid}/children")
        first = eventually(lambda: children.read_text().split(), "a first process")[0]
        eventually(lambda: Path(f"/proc/{first}/comm").read_text() == "systemd\n", f"systemd ({self.root}/boot.log)")
        self.enter = ["nsenter", "--target", first, "--mount", "--pid", "--cgroup", "--ipc", "--uts"]
        # What a unit of the system itself lacks here makes it "degraded", which is no matter of ours.
        eventually(lambda: self.sh("systemctl is-system-running || true").strip() in ("running", "degraded"), "a system that runs")

    def shut_down(self) -> None:
        """As a reboot begins: every unit is stopped."""
        self.sh("systemctl poweroff --no-wall")
        self.init.wait(PATIENCE)
        self.init, self.enter = None, ["/usr/sbin/chroot", self.root]

    def copy(self, file: Path, to: str) -> str:
        place = self.root / to.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
        return to

    def serve(self, folder: str, program: str, user: str = "vestibule") -> None:
        """Starts it on a port of its own, as the unit does without systemd."""
        self.port = free_port()
        self.server = subprocess.Popen(
            ["/usr/sbin/chroot", self.root, "runuser", "-u", user, "--", "sh", "-c",
             f"umask 077; cd {folder} && exec {program} serve --port {self.port}"],
            env={"PATH": PATH}, stderr=subprocess.PIPE, text=True,
        )
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.server.stderr), daemon=True).start()
        eventually(self.is_well, "a healthy server")

    def is_well(self) -> bool:
        assert self.server.poll() is None, "".join(self.log)
        try:
            return self.ask("/readyz")[0] == 200
        except ConnectionRefusedError:
            return False

    def ask(self, path: str, form: dict | None = None, cookie: str = "") -> tuple[int, str, str]:
        """Status, cookies that were set, and page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = urllib.parse.urlencode(form) if form else None
        headers = {"Host": self.host, "Cookie": cookie}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        connection.request("POST" if form else "GET", path, body=body, headers=headers)
        answer = connection.getresponse()
        cookies = "; ".join(line.split(";")[0] for line in answer.headers.get_all("Set-Cookie", []))
        return answer.status, cookies, answer.read().decode()

    def sign_up(self, address: str, code) -> None:
        form = {"display_name": "Ada Lovelace", "email": address, "terms": "accepted"}
        form |= {"password": PASSWORD, "password_confirmation": PASSWORD}
        status, cookie, page = self.ask("/signup", form)
        assert status == 303, page
        assert self.ask("/signup/verify", {"code": code()}, cookie)[0] == 303

    def signs_in(self, address: str) -> bool:
        status, cookie, _ = self.ask("/login", {"email": address, "password": PASSWORD})
        return status == 303 and "Ada Lovelace" in self.ask("/account", cookie=cookie)[2]

    def end_server(self) -> None:
        """SIGTERM, as the unit's stop; it has to end well."""
        server, self.server = self.server, None
        pids = subprocess.run(["pgrep", "-P", str(server.pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(pids[0]) if pids else server.pid, 15)
        assert server.wait(PATIENCE) == 0, "".join(self.log)

    def stop(self) -> None:
        if self.server:
            self.end_server()
        if self.init:
            # systemd goes with it, and all that systemd has started.
            self.init.kill()
            self.init.wait(PATIENCE)
        subprocess.run(["umount", self.root / "proc"], check=True)


class MailServer:
    """SMTP with STARTTLS and a password."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, REPOSITORY / "Tests/TestSupport/smtp_server.py", "--auth", "vestibule:secret"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        ready = json.loads(self.process.stdout.readline())
        self.url, self.certificate = f"smtp://vestibule:secret@localhost:{ready['port']}", Path(ready["caFile"])
        self.mails = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            told = json.loads(line)
            if told["kind"] == "mail":
                self.mails.put(told["message"])

    def code(self) -> str:
        return codes_in(self.mails.get(timeout=PATIENCE))[0]

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)

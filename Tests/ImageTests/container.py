"""Podman with a store and networks of its own, and Vestibule in a container of it."""

import http.client
import json
import os
import subprocess
import tarfile
import urllib.parse
from pathlib import Path

from house import PASSWORD, PATIENCE, REPOSITORY, codes_in, eventually, free_port

HOME = "/var/lib/vestibule"
HOST = "login.example.com"
# Nothing that a hardened host might refuse: what runs under these runs everywhere.
HARDENED = ["--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges"]
# No limits of a machine's own, which root of a virtual machine may not be allowed to raise.
SETTINGS = """
[containers]
default_ulimits = []
pids_limit = 0
log_driver = "k8s-file"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
"""


def the_image() -> Path:
    (file,) = (REPOSITORY / ".build/image").glob("*.oci.tar")
    return file


def in_archive(file: Path, path: str) -> bytes:
    with tarfile.open(file) as archive:
        return archive.extractfile(path).read()


class Podman:
    def __init__(self, folder: Path):
        (folder / "containers.conf").write_text(SETTINGS.format(folder=folder))
        store = ["--root", folder / "root", "--runroot", folder / "run", "--tmpdir", folder / "tmp"]
        self.command = ["podman", *map(str, store)]
        self.surroundings = os.environ | {"CONTAINERS_CONF": str(folder / "containers.conf")}

    def start(self, *arguments: str | Path, **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*self.command, *map(str, arguments)], env=self.surroundings, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=2 * PATIENCE, **({"text": True} | options))

    def __call__(self, *arguments: str | Path) -> str:
        """What it prints; it has to end well."""
        done = self.start(*arguments)
        assert done.returncode == 0, f"{self.command[0]} {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}"
        return done.stdout

    def load(self, file: Path) -> str:
        """The image's name."""
        return self("load", "--quiet", "--input", file).split()[-1]

    def inspect(self, name: str, kind: str = "container") -> dict:
        return json.loads(self("inspect", "--type", kind, name))[0]

    def stop(self) -> None:
        self("rm", "--all", "--force", "--time", "0")
        # What pytest keeps of a few runs is then small.
        self("rmi", "--all", "--force")


def production(mail_server) -> dict[str, str]:
    return {
        "VESTIBULE_PUBLIC_URL": f"https://{HOST}", "VESTIBULE_MAIL_URL": mail_server.url,
        "VESTIBULE_MAIL_FROM": "no-reply@example.com", "VESTIBULE_SECRET_KEY": "A" * 43 + "=",
    }


class Container:
    """`vestibule serve` of an image, in the network of the tests; what it keeps is in the volume."""

    def __init__(self, podman: Podman, image: str, volume: str, mail_server, *options: str, starts: bool = True):
        self.podman, self.volume, self.mail_server, self.port = podman, volume, mail_server, free_port()
        settings = production(mail_server) | {"VESTIBULE_PORT": str(self.port)}
        # As an operator adds an authority of the house.
        certificate = f"{mail_server.certificate}:/etc/ssl/certs/ca-certificates.crt:ro"
        self.name = podman(
            "create", "--network=host", *HARDENED, *[f"--env={name}={value}" for name, value in settings.items()],
            f"--volume={volume}:{HOME}", f"--volume={certificate}", *options, image).strip()
        if starts:
            self.start()

    def is_well(self) -> bool:
        assert self.podman.inspect(self.name)["State"]["Running"], self.log()
        try:
            return self.ask("/readyz")[0] == 200
        except ConnectionRefusedError:
            return False

    def log(self) -> str:
        done = self.podman.start("logs", self.name)
        return done.stdout + done.stderr

    def run(self, *command: str) -> str:
        return self.podman("exec", self.name, "vestibule", *command)

    def ask(self, path: str, form: dict | None = None, cookie: str = "") -> tuple[int, str, str]:
        """Status, cookies that were set, and page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Host": HOST, "Cookie": cookie}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        connection.request("POST" if form else "GET", path, urllib.parse.urlencode(form) if form else None, headers)
        answer = connection.getresponse()
        cookies = "; ".join(line.split(";")[0] for line in answer.headers.get_all("Set-Cookie", []))
        return answer.status, cookies, answer.read().decode()

    def code(self) -> str:
        """Of the next mail that has one: others tell of sign-ins."""
        while not (codes := codes_in(self.mail_server.mails.get(timeout=PATIENCE))):
            pass
        return codes[0]

    def sign_up(self, address: str) -> None:
        form = {"display_name": "Ada Lovelace", "email": address, "terms": "accepted"}
        form |= {"password": PASSWORD, "password_confirmation": PASSWORD}
        status, cookie, page = self.ask("/signup", form)
        assert status == 303, page
        assert self.ask("/signup/verify", {"code": self.code()}, cookie)[0] == 303

    def signs_in(self, address: str, password: str = PASSWORD) -> bool:
        status, cookie, _ = self.ask("/login", {"email": address, "password": password})
        return status == 303 and "Ada Lovelace" in self.ask("/account", cookie=cookie)[2]

    @property
    def data(self) -> Path:
        """The folder in its named volume."""
        return Path(self.podman.inspect(self.volume, "volume")["Mountpoint"]) / "data"

    @property
    def process(self) -> Path:
        return Path("/proc") / str(self.podman.inspect(self.name)["State"]["Pid"])

    def end(self) -> int:
        """`podman stop`, which sends SIGTERM and, ten seconds later, SIGKILL: its exit status."""
        self.podman("stop", self.name)
        return self.podman.inspect(self.name)["State"]["ExitCode"]

    def kill(self) -> None:
        """What a power cut does to it."""
        self.podman("kill", "--signal", "KILL", self.name)
        self.podman("wait", self.name)

    def start(self) -> None:
        self.podman("start", self.name)
        eventually(self.is_well, "a healthy server")

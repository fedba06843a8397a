"""A cluster on loopback, of real parts and the files of docs/examples/cluster: etcd, two PostgreSQL servers under Patroni, HAProxy,
nodes of Vestibule, Caddy in front of them."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import requests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "BrowserTests"))

from house import BINARY, NO_LIMITS, QUICK_HASHES, REPOSITORY, eventually, free_port  # noqa: E402

EXAMPLES = REPOSITORY / "docs/examples/cluster"
PROGRAMS = Path(os.environ.get("CLUSTER_TESTS_PROGRAMS", REPOSITORY / ".build/cluster/bin"))
POSTGRES = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
PASSWORD = "of-the-database"
# Seconds for servers that elect each other.
ELECTION = 90


class Program:
    """A process with its log, in a group of its own."""

    def __init__(self, name: str, folder: Path, command: list, **environment: str):
        self.name, self.folder, self.command, self.environment = name, folder, command, environment
        self.user = None
        self.log = folder / f"{name}.log"

    def start(self) -> "Program":
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdout=log, stderr=log, user=self.user, start_new_session=True,
                env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"} | self.environment)
        return self

    def send(self, number: int) -> None:
        """To the whole group."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def kill(self) -> None:
        self.send(signal.SIGCONT)
        self.send(signal.SIGKILL)
        self.process.wait()


class Database(Program):
    """PostgreSQL under Patroni."""

    def __init__(self, name: str, folder: Path, etcd: int):
        self.port, self.api = free_port(), free_port()
        folder = folder / name
        folder.mkdir()
        # PostgreSQL refuses to run as root.
        super().__init__(
            name, folder, [PROGRAMS / "patroni", EXAMPLES / "patroni.yml"], PATRONI_NAME=name,
            PATRONI_RESTAPI_LISTEN=f"127.0.0.1:{self.api}", PATRONI_RESTAPI_CONNECT_ADDRESS=f"127.0.0.1:{self.api}",
            PATRONI_POSTGRESQL_LISTEN=f"127.0.0.1:{self.port}",
            PATRONI_POSTGRESQL_CONNECT_ADDRESS=f"127.0.0.1:{self.port}",
            PATRONI_POSTGRESQL_DATA_DIR=str(folder / "data"), PATRONI_POSTGRESQL_BIN_DIR=str(POSTGRES),
            PATRONI_POSTGRESQL_PGPASS=str(folder / "pgpass"),
            PATRONI_ETCD3_HOSTS=f"127.0.0.1:{etcd}", PATRONI_SUPERUSER_PASSWORD=PASSWORD,
            PATRONI_REPLICATION_PASSWORD=PASSWORD, PATRONI_REWIND_PASSWORD=PASSWORD)
        if os.geteuid() == 0:
            self.user = "postgres"
            shutil.chown(folder, "postgres")
            self.log.touch()
            shutil.chown(self.log, "postgres")

    def says(self, path: str) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.api}/{path}", timeout=2).status_code == 200
        except requests.RequestException:
            return False

    def state(self) -> dict:
        try:
            return requests.get(f"http://127.0.0.1:{self.api}/patroni", timeout=2).json()
        except requests.RequestException:
            return {}

    def postmaster(self) -> int:
        return int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])

    def processes(self) -> list[int]:
        """Of PostgreSQL: the postmaster and its children."""
        main = self.postmaster()
        children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split()
        return [main, *map(int, children)]


class Node(Program):
    """A server of Vestibule; all share one outbox."""

    def __init__(self, name: str, folder: Path, settings: dict[str, str], binary: Path = BINARY,
                 resources: Path = REPOSITORY):
        self.port = free_port()
        folder = folder / name
        folder.mkdir()
        for shared in ("Templates", "Public"):
            (folder / shared).symlink_to(resources / shared)
        super().__init__(name, folder, [binary, "serve", "--port", str(self.port)], **settings)

    def is_well(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/readyz", timeout=5).status_code == 200
        except requests.RequestException:
            return False


def settings_of_node(database: str, mail: Path, **more: str) -> dict[str, str]:
    """The same on every node of a site."""
    mail.mkdir()
    return {
        "VESTIBULE_DATABASE_URL": database, "VESTIBULE_SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
        "VESTIBULE_MAIL_URL": f"outbox:{mail}", "VESTIBULE_HOST": "127.0.0.1",
    } | NO_LIMITS | QUICK_HASHES | more


class Cluster:
    def __init__(self, folder: Path, nodes: int = 3):
        folder.chmod(0o755)
        self.folder = folder
        etcd, peer = free_port(), free_port()
        self.etcd = Program(
            "etcd", folder,
            [shutil.which("etcd"), "--data-dir", folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{etcd}",
             "--advertise-client-urls", f"http://127.0.0.1:{etcd}", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-cluster", f"default=http://127.0.0.1:{peer}"]).start()
        self.databases = [Database(name, folder, etcd).start() for name in ("db1", "db2")]
        self.haproxy_port, self.site_port = free_port(), free_port()
        first, second = self.databases
        self.haproxy = Program(
            "haproxy", folder, [shutil.which("haproxy"), "-db", "-f", EXAMPLES / "haproxy.cfg"],
            PRIMARY_LISTEN=f"127.0.0.1:{self.haproxy_port}", DB1=f"127.0.0.1:{first.port}",
            DB2=f"127.0.0.1:{second.port}", DB1_CHECK=str(first.api), DB2_CHECK=str(second.api)).start()
        self.wait_for_standby()
        self.sql("CREATE USER vestibule PASSWORD 'of-vestibule'", database="postgres")
        self.sql("CREATE DATABASE vestibule OWNER vestibule", database="postgres")
        self.url = f"postgres://vestibule:of-vestibule@127.0.0.1:{self.haproxy_port}/vestibule"
        self.url_of_site = f"http://localhost:{self.site_port}"
        self.settings = settings_of_node(
            self.url, folder / "mail", VESTIBULE_PUBLIC_URL=self.url_of_site, VESTIBULE_TRUSTED_PROXIES="127.0.0.1/32")
        self.nodes = [Node(f"node{number}", folder, self.settings).start() for number in range(1, nodes + 1)]
        for node in self.nodes:
            eventually(node.is_well, f"{node.name} ({node.log})", within=ELECTION)
        self.caddy = Program(
            "caddy", folder, [PROGRAMS / "caddy", "run", "--config", EXAMPLES / "Caddyfile", "--adapter", "caddyfile"],
            SITE=f"http://localhost:{self.site_port}",
            NODES=" ".join(f"127.0.0.1:{node.port}" for node in self.nodes)).start()
        eventually(lambda: self.answers("/healthz"), "Caddy")

    def answers(self, path: str) -> bool:
        try:
            return requests.get(self.url_of_site + path, timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def primary(self) -> Database:
        return eventually(
            lambda: next((each for each in self.databases if each.says("primary")), None), "a primary", within=ELECTION)

    def wait_for_standby(self) -> None:
        """Until one server takes writes and the other one has all that it acknowledges."""
        eventually(lambda: any(each.says("synchronous") for each in self.databases), "a synchronous standby",
                   within=ELECTION)
        eventually(lambda: self.sql("SELECT 1", database="postgres", check=False) == "1", "HAProxy", within=ELECTION)

    def sql(self, text: str, database: str = "vestibule", check: bool = True) -> str:
        answer = subprocess.run(
            ["psql", "-h", "127.0.0.1", "-p", str(self.haproxy_port), "-U", "postgres", "-d", database, "-Atqc", text],
            capture_output=True, text=True, env={"PGPASSWORD": PASSWORD, "PATH": os.environ["PATH"], "PGCONNECT_TIMEOUT": "5"})
        assert not check or answer.returncode == 0, answer.stderr
        return answer.stdout.strip()

    def run(self, *arguments: str) -> str:
        """A command of the program, beside the nodes."""
        return subprocess.run(
            [BINARY, *arguments], cwd=self.nodes[0].folder, capture_output=True, text=True, check=True,
            env={"PATH": os.environ["PATH"]} | self.settings, timeout=60).stdout

    def stop(self) -> None:
        programs = [getattr(self, "caddy", None), *getattr(self, "nodes", []), self.haproxy, *self.databases, self.etcd]
        postmasters = []
        for database in self.databases:
            try:
                postmasters += database.processes()
            except (OSError, ValueError):
                pass
        for program in programs:
            if program:
                program.kill()
        for process in postmasters:
            try:
                os.kill(process, signal.SIGCONT)
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

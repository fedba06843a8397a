"""The disk of the database is full: what cannot be kept is refused, the rest goes on, and all is as before when there is
room again."""

import os
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import pytest
from cluster import POSTGRES, Node, Program, settings_of_node
from house import BINARY, eventually, free_port
from load import Probe, SharedOutbox, Visitors

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")
DISK = "160m"
# Bytes of memory that a node may keep of it.
GROWTH = 24 << 20


class SmallDisk:
    def __init__(self, folder: Path):
        self.folder, self.filler = folder, folder / "filler"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "tmpfs", folder], check=True)

    def fill(self) -> None:
        with open(self.filler, "ab") as file:
            try:
                while True:
                    os.write(file.fileno(), bytes(4096))
            except OSError:
                pass

    def free(self) -> None:
        self.filler.unlink()

    def stop(self) -> None:
        subprocess.run(["umount", "--lazy", self.folder], check=True)


class LonePostgres(Program):
    """A server on that disk; it is started again when it ends, as systemd does it."""

    def __init__(self, folder: Path, disk: Path):
        self.port = free_port()
        data = disk / "data"
        data.mkdir(mode=0o700)
        shutil.chown(data, "postgres")
        folder.mkdir()
        shutil.chown(folder, "postgres")
        subprocess.run(
            [POSTGRES / "initdb", "-D", data, "-U", "vestibule", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
             "--wal-segsize=1"], user="postgres", cwd=folder, check=True, stdout=subprocess.DEVNULL)
        # A fault that ends one of its processes ends the server, and is seen.
        settings = {"listen_addresses": "127.0.0.1", "shared_buffers": "16MB", "min_wal_size": "2MB",
                    "max_wal_size": "8MB", "restart_after_crash": "off"}
        super().__init__("postgres", folder, [
            POSTGRES / "postgres", "-D", data, "-k", folder, "-p", str(self.port),
            *(f"-c{name}={value}" for name, value in settings.items())])
        self.user = "postgres"
        self.ends = threading.Event()
        self.starts = 0
        self.start()
        self.thread = threading.Thread(target=self.supervise)
        self.thread.start()

    def supervise(self) -> None:
        while not self.ends.wait(0.5):
            if self.process.poll() is not None:
                self.starts += 1
                self.start()

    @cached_property
    def session(self) -> subprocess.Popen:
        """One that is open before the disk is full: a new one needs room for a file."""
        session = subprocess.Popen(
            ["psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "vestibule", "-d", "postgres", "-Xqtc",
             "SELECT 'open'", "-f", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        assert session.stdout.readline().strip() == "open"
        return session

    def begin_next_log(self) -> None:
        """A new file of the write-ahead log; without room for it the server ends. A file that nothing was written to
        is gone on with, so a message is written first."""
        if self.session.poll() is None:
            with suppress(BrokenPipeError):
                print("SELECT pg_logical_emit_message(false, '', ''); SELECT pg_switch_wal();",
                      file=self.session.stdin, flush=True)

    def stop(self) -> None:
        self.ends.set()
        self.thread.join()
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def is_ready(self) -> bool:
        return subprocess.run([POSTGRES / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0


@pytest.fixture
def disk(tmp_path):
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.stop()


@pytest.fixture
def server(disk, tmp_path):
    server = LonePostgres(tmp_path / "server", disk.folder)
    eventually(server.is_ready, f"PostgreSQL ({server.log})")
    yield server
    server.stop()


@pytest.fixture
def node(server, tmp_path):
    url = f"postgres://vestibule@127.0.0.1:{server.port}/postgres"
    node = Node("node", tmp_path, settings_of_node(url, tmp_path / "mail")).start()
    eventually(node.is_well, f"the node ({node.log})")
    yield node
    node.kill()


def memory(node: Node) -> int:
    """Bytes that only this process has."""
    with open(f"/proc/{node.process.pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Private_"))


@pytest.mark.parametrize("ends", [False, True], ids=["no room for rows", "no room for the log"])
def test_a_full_disk_refuses_what_is_new_and_loses_nothing(disk, server, node, tmp_path, ends):
    url = f"http://127.0.0.1:{node.port}"
    if ends:
        assert server.session
    visitors = Visitors(url, SharedOutbox(tmp_path / "mail")).run()
    visitors.wait_for(40)
    before = memory(node)
    with Probe(f"{url}/login") as page, Probe(f"{url}/healthz") as health:

        def is_full() -> bool:
            # PostgreSQL frees old parts of its log: what it frees is filled, too.
            disk.fill()
            if ends:
                server.begin_next_log()
            return visitors.statuses[503] > 20 and (server.starts > 0 or not ends)

        # Each look provokes it once more, however long that takes on a busy machine.
        assert any(is_full() or time.sleep(0.02) for _ in range(10_000)), "a refusal"
        disk.free()
        eventually(node.is_well, "the node")
        made = visitors.statuses[200]
        eventually(lambda: visitors.statuses[200] > made + 100, "people who get on")
    visitors.stop()
    print(visitors.statuses, memory(node) - before, page.statuses(), health.statuses())
    assert page.statuses() == {200} and health.statuses() == {200}
    assert not visitors.failures and not visitors.broken_promises()
    assert memory(node) - before < GROWTH


def test_a_backup_without_room_says_so_and_leaves_nothing(disk, tmp_path):
    subprocess.run([BINARY, "migrate"], cwd=tmp_path, check=True)
    disk.fill()
    done = subprocess.run([BINARY, "backup", disk.folder / "copy"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no backup was made: the copy failed: there is no room for it\n" in done.stderr, done.stderr
    assert [file.name for file in disk.folder.iterdir()] == ["filler"]

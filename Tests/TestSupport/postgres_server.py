"""A real PostgreSQL server for the tests, on a Unix socket in a temporary folder.

Takes settings, `name=value`. Prints how it is reached as one JSON object, then answers each line `database NAME [TEMPLATE]` of its standard input
with another one, when there is a database of that name. Ends with its folder when its standard input closes; the
server ends with it, also when it is killed.
"""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OLDEST = 14
# Bytes: some hundred databases of ten megabytes.
ROOM = 4 << 30
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "500",
    "shared_buffers": "64MB",
    # Nothing here has to outlive the machine; commits are ordered all the same.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "on",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    # No test closes its store.
    "idle_session_timeout": "20s",
}


def programs():
    """The folder of the newest server's programs, and its version."""
    folders = [pathlib.Path(path) for path in os.environ.get("VESTIBULE_TEST_POSTGRES", "").split(":") if path]
    folders += sorted(
        pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists():
            said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
            version = int(re.search(r"\) (\d+)", said)[1])
            if version >= OLDEST:
                return folder, version
    sys.exit(f"no PostgreSQL {OLDEST} or newer: run scripts/setup test")


def as_somebody():
    """What a command is run with, as root may not run the server; and whose its files are."""
    if os.getuid() != 0:
        return [], os.getuid(), os.getgid()
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"], user.pw_uid, user.pw_gid


@contextlib.contextmanager
def running(settings=(), files=(), port=5432):
    """Starts a server with settings, and files in its data folder (texts by name), of its own. Gives what it is reached
    by: `socket` (a folder), `port`, `user`, `bin`, `pid`, `version`."""
    binaries, version = programs()
    prefix, user, group = as_somebody()
    folder = own_folder()
    try:
        # Words are not sorted by their bytes here: a statement that relies on that says so.
        order = ["--locale-provider=icu", "--icu-locale=en-US"] if version >= 15 else []
        subprocess.run(
            prefix + [
                binaries / "initdb", "-D", folder / "data", "-U", "vestibule", "-A", "trust", "-E", "UTF8",
                "--locale=C.UTF-8", "--no-sync", *order],
            check=True, stdout=subprocess.DEVNULL, cwd="/")
        for name, text in dict(files).items():
            file = folder / "data" / name
            file.write_text(text)
            file.chmod(0o600)
            os.chown(file, user, group)
        options = [f"-c{name}={value}" for name, value in {**SETTINGS, **dict(settings)}.items()]
        with open(folder / "log", "wb") as log:
            server = subprocess.Popen(
                [*(prefix or ["setpriv"]), "--pdeathsig=QUIT", binaries / "postgres", "-D", folder / "data",
                 "-k", folder, "-p", str(port), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        try:
            wait_for(server, binaries, folder, port)
            yield {"socket": str(folder), "port": port, "user": "vestibule", "bin": str(binaries), "pid": server.pid,
                   "version": version}
        finally:
            # Nobody waits for what its clients are at.
            server.send_signal(signal.SIGQUIT)
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def own_folder():
    """A new one of the server's user."""
    prefix, user, group = as_somebody()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vestibule-pg-", dir=reachable_folder(prefix)))
    os.chown(folder, user, group)
    return folder


def reachable_folder(prefix):
    """Where the server's user may go: another user's temporary folder is often closed to it. In memory where there is
    room for all that tests make, as a database takes 160 ms of a processor on a disk and 12 there. The path of a socket
    has at most 107 bytes."""
    memory = ["/dev/shm"] if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > ROOM else []
    for folder in [*memory, tempfile.gettempdir(), "/tmp", "/var/tmp"]:
        if len(folder) < 60 and subprocess.run([*prefix, "test", "-x", folder]).returncode == 0:
            return folder
    sys.exit(f"the server's user reaches none of {', '.join([*memory, tempfile.gettempdir(), '/tmp', '/var/tmp'])}")


def wait_for(server, binaries, folder, port):
    """However long a busy machine takes."""
    while server.poll() is None:
        ready = subprocess.run([binaries / "pg_isready", "-q", "-h", folder, "-p", str(port), "-U", "vestibule"])
        if ready.returncode == 0:
            return
        time.sleep(0.05)
    sys.exit(f"PostgreSQL did not start: {(folder / 'log').read_text()}")


class Databases:
    """Makes databases, through one connection."""

    def __init__(self, server):
        # Files are copied, and not written into the log page by page.
        self.strategy = " STRATEGY FILE_COPY" if server["version"] >= 15 else ""
        # Of the server's own order, which knows only UTF8.
        self.provider = " LOCALE_PROVIDER libc" if server["version"] >= 15 else ""
        self.psql = subprocess.Popen(
            [server["bin"] + "/psql", "-h", server["socket"], "-p", str(server["port"]), "-U", server["user"],
             "-d", "postgres", "-XqAt", "-c", "SET idle_session_timeout = 0", "-f", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def make(self, name, template="template1", encoding=None):
        """Returns what went wrong, if anything did."""
        other = f" ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'{self.provider}" if encoding else ""
        self.psql.stdin.write(f'CREATE DATABASE "{name}" TEMPLATE "{template}"{other}{self.strategy};\n\\echo done\n')
        self.psql.stdin.flush()
        words = []
        while (line := self.psql.stdout.readline().strip()) != "done":
            if not line and self.psql.poll() is not None:
                return "psql has ended"
            words.append(line)
        return " ".join(words)


def main():
    with running(dict(setting.split("=", 1) for setting in sys.argv[1:])) as server:
        databases = Databases(server)
        print(json.dumps(server), flush=True)
        for line in sys.stdin:
            command, *names = line.split()
            print(json.dumps({"fault": databases.make(*names) if command == "database" else "unknown"}), flush=True)


if __name__ == "__main__":
    main()

"""A Vestibule of our own in a temporary folder, and a client that knocks at its door. Standard library only."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / ".build/release/vestibule"
PASSWORD = "correct-zebra-battery-7-staple"
WRONG_PASSWORD = "correct-zebra-battery-8-staple"
UNLIMITED = {f"VESTIBULE_LIMIT_{name}": "off" for name in ("LOGIN", "SIGNUP", "RESET", "VERIFY", "MAIL")}
CORES = len(os.sched_getaffinity(0))


class Trouble(Exception):
    """The measurement cannot be made; the message says why."""


def end_on_signals():
    """SIGTERM and SIGHUP end this program the way an exception does, so that what it started is ended too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))


def server_binary(given):
    """The server to measure, with a word about it when its figures mean nothing."""
    path = pathlib.Path(given or RELEASE).resolve()
    if not path.exists():
        raise Trouble(f"{path} is missing; `make release` builds it")
    if path != RELEASE.resolve():
        print(f"note: measuring {path}; the figures of a debug build mean nothing\n", file=sys.stderr)
    return path


@contextlib.contextmanager
def temporary_folder():
    """On the same disk as the repository: a commit must cost what it costs there, and /tmp may be memory."""
    base = ROOT / ".build"
    base.mkdir(exist_ok=True)
    folder = tempfile.mkdtemp(prefix="measure-", dir=base)
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def processor_seconds(number):
    """User and system time of a process so far."""
    fields = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Process:
    """A server that answers HTTP on a port of 127.0.0.1; ended when the block ends."""

    def __init__(self, command, port, path, folder, settings=None):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
        self.port = port
        self.log = pathlib.Path(folder) / "server.log"
        with open(self.log, "ab") as log:
            before = time.perf_counter()
            self.process = subprocess.Popen(
                command, cwd=folder, env=inherited | (settings or {}), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._wait(path)
        except BaseException:
            self.stop()
            raise
        self.seconds_to_first_answer = time.perf_counter() - before

    def _wait(self, path):
        deadline = time.monotonic() + 20
        while True:
            try:
                with Client(self.port) as client:
                    if client.get(path).status == 200:
                        return
            except (ConnectionError, TimeoutError):
                pass
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Trouble(f"no answer from {self.process.args[0]}:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.001)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def processor_seconds(self):
        """User and system time so far."""
        return processor_seconds(self.process.pid)

    def processor_nanoseconds(self):
        """As `processor_seconds`, not in ticks of 10 ms: its processor clock (clock_getcpuclockid(3))."""
        return time.clock_gettime_ns((~self.process.pid << 3) | 2)

    def memory_mib(self):
        """Resident memory now (`VmRSS`), at its highest (`VmHWM`), and the part that is no file (`RssAnon`)."""
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        table = dict(line.split(":", 1) for line in lines if ":" in line)
        return {name: int(table[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM", "RssAnon")}


def vestibule(binary, folder, **settings):
    """The server in `folder`, without limits; settings by name without prefix."""
    port = free_port()
    settings = {f"VESTIBULE_{name}": value for name, value in settings.items()}
    return Process([binary, "serve", "--port", str(port)], port, "/login", folder, UNLIMITED | settings)


class Answer:
    """A status, headers (lower-case names, in order) and a body."""

    def __init__(self, head, body):
        lines = head.split("\r\n")
        self.status = int(lines[0].split(" ", 2)[1])
        self.headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
        self.body = body

    def all(self, name):
        return [value for key, value in self.headers if key == name]

    def cookies(self):
        """The cookies it sets, as a `Cookie` header sends them back."""
        return "; ".join(value.split(";", 1)[0] for value in self.all("set-cookie"))


class Client:
    """One keep-alive connection. `exchange` does nothing but send and read, so that it can be timed."""

    def __init__(self, port):
        self.port = port
        self.socket = None
        self._connect()

    def _connect(self):
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        if self.socket:
            self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def request(self, method, path, fields=None, headers=()):
        """The bytes of a request; `fields` is a form."""
        body = urllib.parse.urlencode(fields).encode() if fields is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", *headers]
        if fields is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    def exchange(self, request):
        """Sends and returns the raw answer: its head and its body."""
        self.socket.sendall(request)
        data = self._more(b"")
        while (end := data.find(b"\r\n\r\n")) < 0:
            data = self._more(data)
        head = data[:end].decode("latin-1")
        length = head.lower().partition("\r\ncontent-length:")[2].partition("\r\n")[0]
        if not length:
            raise Trouble(f"an answer without Content-Length:\n{head}")
        whole = end + 4 + int(length)
        while len(data) < whole:
            data = self._more(data)
        return head, data[end + 4:]

    def _more(self, data):
        chunk = self.socket.recv(262_144)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        return data + chunk

    def answer(self, request):
        answer = Answer(*self.exchange(request))
        if "close" in answer.all("connection"):
            self._connect()
        return answer

    def get(self, path, headers=()):
        return self.answer(self.request("GET", path, headers=headers))

    def post(self, path, fields, headers=()):
        return self.answer(self.request("POST", path, fields, headers))


def login_form(email, password):
    return {"email": email, "password": password}


def signup_form(email):
    return {
        "display_name": "Zoe Zebra", "email": email, "password": PASSWORD, "password_confirmation": PASSWORD,
        "terms": "accepted",
    }


def sign_up(server, email, headers=()):
    """Makes an account through the product, which must run without verification; returns its cookies as a browser has
    them once the greeting was shown."""
    with Client(server.port) as client:
        answer = client.post("/signup", signup_form(email), headers)
    if answer.status != 303 or not answer.cookies():
        raise Trouble(f"sign-up of {email} answers {answer.status}: {answer.body[:400]!r}")
    return "; ".join(cookie for cookie in answer.cookies().split("; ") if "-flash=" not in cookie)


class Machine:
    """Who has used the processors since this was made. Ask when all that was started here has ended."""

    def __init__(self):
        self.before, self.start = self._busy_seconds(), time.monotonic()

    def _busy_seconds(self):
        """Of all programs, and what the hypervisor took away."""
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
        ticks = os.sysconf("SC_CLK_TCK")
        return (user + nice + system + irq + softirq) / ticks, steal / ticks

    def load(self):
        """One sentence, with a warning when figures will have suffered."""
        seconds = time.monotonic() - self.start
        busy, steal = (now - then for now, then in zip(self._busy_seconds(), self.before))
        own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        others = max(0, busy - sum(part.ru_utime + part.ru_stime for part in own)) / seconds / CORES
        stolen = steal / seconds / CORES
        noise = "" if others + stolen < 0.05 else ": NOISY, measure again on an idle machine"
        return f"{CORES} cores, {seconds:.0f} s; other programs took {others:.0%}, the hypervisor {stolen:.0%}{noise}"


def percentile(values, part):
    """Linear between the two nearest; `part` from 0 to 1."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def print_table(heads, rows):
    """Columns as wide as they need to be; numbers are handed in as text."""
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    for row in [heads, ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(), flush=True)


def spread(values, form="{:.2f}"):
    """The median, and if there is more than one value, least and greatest in brackets."""
    if len(values) == 1:
        return form.format(values[0])
    low, middle, high = (form.format(value) for value in (min(values), statistics.median(values), max(values)))
    return f"{middle} ({low}–{high})"

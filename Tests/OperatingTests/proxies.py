"""Real proxies with what `vestibule proxy-config` prints, and applications behind them that tell what reached them."""

import base64
import hashlib
import http.client
import re
import shutil
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from house import PATIENCE, REPOSITORY, eventually

CADDY = REPOSITORY / ".venv/bin/caddy"
NGINX = shutil.which("nginx") or REPOSITORY / ".build/nginx/usr/sbin/nginx"


def make_certificates(folder: Path, hosts: list[str]) -> None:
    """As certbot lays them out, signed by themselves."""
    for host in hosts:
        (folder / host).mkdir()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", f"/CN={host}", "-keyout", folder / host / "privkey.pem", "-out", folder / host / "fullchain.pem"],
            check=True, capture_output=True, timeout=PATIENCE)


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


class Caddy:
    def __init__(self, folder: Path, port: int, config: str):
        (folder / "Caddyfile").write_text("{\n\tadmin off\n\tpersist_config off\n}\n\n" + config)
        self.log = open(folder / "caddy.log", "wb")
        self.process = subprocess.Popen(
            [CADDY, "run", "--config", "Caddyfile"], cwd=folder, stdout=self.log, stderr=self.log,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
        eventually(lambda: self.is_well(port), f"Caddy ({folder}/caddy.log)")

    def is_well(self, port: int) -> bool:
        assert self.process.poll() is None, Path(self.log.name).read_text()
        return answers(port)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()


def nginx_file(folder: Path) -> Path:
    """Its main file, which keeps to that folder and includes `apps.conf` of it."""
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {paths} include {folder}/apps.conf; }}\n")
    return file


class Nginx(Caddy):
    def __init__(self, folder: Path, port: int, config: str):
        (folder / "apps.conf").write_text(config)
        self.log = open(folder / "nginx.log", "wb")
        self.process = subprocess.Popen(
            [NGINX, "-p", folder, "-c", nginx_file(folder)], stdout=self.log, stderr=self.log)
        eventually(lambda: self.is_well(port), f"nginx ({folder}/nginx.log)")


class EchoApplication:
    """Keeps what reached it: method, path, lines of the head and behind the body, and the body's length. Speaks WebSocket, too, and leaves HTTP/1.1
    for anything else that is asked for."""

    def __init__(self):
        self.seen: list[tuple[str, str, list[tuple[str, str]], int]] = []
        outer = self

        class Echo(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body, trailers = self.read_body()
                outer.seen.append((self.command, self.path, [*self.headers.items(), *trailers], len(body)))
                if upgrade := self.headers.get("Upgrade"):
                    return self.greet_by_socket() if upgrade.lower() == "websocket" else self.leave(upgrade)
                text = "Welcome inside.\n" + "".join(f"{name}: {value}\n" for name, value in self.headers.items())
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.send_header("Cache-Control", "no-store")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text.encode())

            def read_body(self) -> tuple[bytes, list[tuple[str, str]]]:
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = read_chunks(self.rfile)
                    return body, list(http.client.parse_headers(self.rfile).items())
                return self.rfile.read(int(self.headers.get("Content-Length", 0))), []

            def leave(self, protocol: str) -> None:
                self.send_response(101)
                self.send_header("Upgrade", protocol)
                self.send_header("Connection", "Upgrade")
                self.end_headers()
                self.close_connection = True

            def greet_by_socket(self) -> None:
                key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
                self.end_headers()
                # One frame of text, not masked, and the end.
                self.wfile.write(b"\x81\x07Welcome\x88\x00")
                self.close_connection = True

            do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = do_PATCH = handle_any

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self) -> list[tuple[str, str, list[tuple[str, str]], int]]:
        """What came since the last time."""
        seen, self.seen = self.seen, []
        return seen

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class TrailingProxy:
    """Asks for a verdict and cleans the head; what stands behind a body it passes on as it comes."""

    def __init__(self, port: int, door: int, host: str, application: int):
        class Passing(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                kept = [(name, value) for name, value in self.headers.items() if re.fullmatch(
                    r"(?!remote-|vestibule-assertion|x-|forwarded|connection|upgrade|host)[a-z0-9-]+", name.lower())]
                ask = {"X-Forwarded-Proto": "http", "X-Forwarded-Host": host, "X-Forwarded-Uri": self.path,
                       "X-Forwarded-Method": self.command}
                verdict = http.client.HTTPConnection("127.0.0.1", door, timeout=PATIENCE)
                verdict.putrequest("GET", "/authz/forward-auth")
                for name, value in [*kept, *ask.items()]:
                    if name.lower() not in ("transfer-encoding", "trailer", "te"):
                        verdict.putheader(name, value)
                verdict.endheaders()
                answer = verdict.getresponse()
                if answer.status != 200:
                    self.send_response(answer.status)
                    self.send_header("Location", answer.headers.get("Location", ""))
                    return self.end_headers()
                lines = [f"{name}: {value}" for name, value in kept if name.lower() not in ("vestibule-token", "cookie")]
                lines += [f"Host: {host}", f"Vestibule-Assertion: {answer.headers['Vestibule-Assertion']}", "Connection: close"]
                body = self.read_as_sent()
                with socket.create_connection(("127.0.0.1", application), timeout=PATIENCE) as connection:
                    head = "\r\n".join([f"{self.command} {self.path} HTTP/1.1", *lines]).encode("latin-1")
                    connection.sendall(head + b"\r\n\r\n" + body)
                    self.wfile.write(connection.makefile("rb").read())

            def read_as_sent(self) -> bytes:
                body = b""
                if self.headers.get("Transfer-Encoding") == "chunked":
                    while not body.endswith(b"\r\n\r\n"):
                        body += self.rfile.readline()
                return body

            do_GET = do_POST = handle_any

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Passing)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def raw(
    port: int, target: str, host: str, lines: list[str] = (), method: str = "GET", body: bytes = b"",
) -> tuple[int, "Headers", bytes]:
    """One request, byte by byte as it is given. Returns status (0 for no answer), headers (the last of each name) and body."""
    head = [f"{method} {target} HTTP/1.1", f"Host: {host}", *lines]
    if not any(line.lower().startswith("connection:") for line in lines):
        head.append("Connection: close")
    if body and "Transfer-Encoding: chunked" not in lines:
        head.append(f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)
        return read_answer(connection)


class Headers(dict):
    """The last of each name, in lower case; all are kept."""

    def __init__(self):
        super().__init__()
        self.lines: list[tuple[str, str]] = []

    def add(self, name: str, value: str) -> None:
        self[name] = value
        self.lines.append((name, value))

    def get_all(self, name: str) -> list[str]:
        return [value for each, value in self.lines if each == name]


def read_answer(connection: socket.socket) -> tuple[int, Headers, bytes]:
    file = connection.makefile("rb")
    first = file.readline()
    if not first:
        return 0, Headers(), b""
    status = int(first.split()[1])
    headers = Headers()
    while (line := file.readline().strip()):
        name, _, value = line.decode("latin-1").partition(":")
        headers.add(name.lower(), value.strip())
    return status, headers, read_body(file, status, headers)


def read_body(file, status: int, headers: Headers) -> bytes:
    """To the end of the connection where nothing else tells its length."""
    if status in (204, 304):
        return b""
    if "content-length" in headers:
        return file.read(int(headers["content-length"]))
    if headers.get("transfer-encoding") != "chunked":
        return file.read()
    return read_chunks(file)


def read_chunks(file) -> bytes:
    """Without what stands behind them."""
    body = b""
    while (size := int(file.readline().partition(b";")[0], 16)):
        body += file.read(size)
        file.readline()
    return body

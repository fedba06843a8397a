"""A Vestibule under a path, behind a real Caddy that has an application of somebody else's at the other paths."""

import subprocess
import sys
from pathlib import Path

from house import House, eventually, free_port

CADDY = Path(sys.executable).parent / "caddy"
CADDYFILE = """{{
    admin off
    auto_https off
    persist_config off
    skip_install_trust
}}
http://:{port} {{
    bind 127.0.0.1
    @door path {mount} {mount}/*
    handle @door {{
        reverse_proxy 127.0.0.1:{server} {{
            header_up -Forwarded
        }}
    }}
    redir /.well-known/change-password {mount}/account/password
    handle {{
        header Content-Type "text/html; charset=utf-8"
        respond "<!doctype html><link rel=icon href=data:,><title>The application</title><h1>{{uri}}</h1>"
    }}
}}
"""


class MountedHouse(House):
    mount = "/auth"

    def __init__(self, folder: Path, **settings: str):
        self.proxy_port = free_port()
        origin = f"http://localhost:{self.proxy_port}"
        super().__init__(
            folder, VESTIBULE_PUBLIC_URL=origin + self.mount, VESTIBULE_TRUSTED_PROXIES="127.0.0.1", **settings)
        self.url = origin + self.mount
        file = folder / "Caddyfile"
        file.write_text(CADDYFILE.format(port=self.proxy_port, mount=self.mount, server=self.port))
        self.proxy_log = open(folder / "caddy.log", "wb")
        self.proxy = subprocess.Popen(
            [CADDY, "run", "--adapter", "caddyfile", "--config", file],
            cwd=folder, env={"HOME": str(folder)}, stdout=self.proxy_log, stderr=subprocess.STDOUT)
        eventually(self.is_proxied, f"an answer of Caddy ({folder}/caddy.log)")

    def is_proxied(self) -> bool:
        assert self.proxy.poll() is None, (self.folder / "caddy.log").read_text()
        try:
            return self.ask_proxy("/login").status == 200
        except ConnectionRefusedError:
            return False

    def ask_proxy(self, path: str):
        """One request to the proxy, which asks the server for what is under the path."""
        (own, self.port) = (self.port, self.proxy_port)
        try:
            return self.ask("GET", path)
        finally:
            self.port = own

    def close(self) -> None:
        self.proxy.terminate()
        self.proxy.wait()
        self.proxy_log.close()
        self.stop()

"""What the page about proxies and the example of a static site say to write, in real proxies."""

import re

import pytest
from house import REPOSITORY, free_port
from proxies import Caddy, EchoApplication, Nginx, raw

PAGE = (REPOSITORY / "docs/operating/proxies.md").read_text()
CLUSTER = (REPOSITORY / "docs/examples/cluster/Caddyfile").read_text()
UNDER_A_PATH = "Under a path of another site"


def snippet(heading: str, start: str) -> str:
    """The block of that section that begins so."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return next(block for block in re.findall(r"(?:^    .*\n)+", section, re.MULTILINE) if block.strip().startswith(start))


# The proxy, what it is told, and the path of the sign-in.
SNIPPETS = {
    "Caddy": (Caddy, snippet("Caddy", "login.example.com"), ""),
    "nginx": (Nginx, snippet("nginx", "location /"), ""),
    "Caddy under a path": (Caddy, snippet(UNDER_A_PATH, "example.com"), "/auth"),
    "nginx under a path": (Nginx, snippet(UNDER_A_PATH, "location ~"), "/auth"),
    "Caddy before a cluster": (Caddy, CLUSTER.replace("{$NODES}", "127.0.0.1:8080"), ""),
}


def config(text: str, port: int, server: int) -> str:
    """At that port of this machine, for a server at that one, and an application at none."""
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{server}").replace("127.0.0.1:3000", f"127.0.0.1:{free_port()}")
    if "location" in text:
        return f"server {{\nlisten 127.0.0.1:{port};\n{text}}}\n"
    return re.sub(r"^ *(login\.example\.com|example\.com|\{\$SITE\}) \{$", f"http://localhost:{port} {{", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", SNIPPETS)
def test_nobody_but_the_proxy_asks_for_verdicts_and_readiness(tmp_path, name):
    proxy, text, path = SNIPPETS[name]
    server, port = EchoApplication(), free_port()
    running = proxy(tmp_path, port, config(text, port, server.port))
    try:
        ask = lambda place: raw(port, f"{path}/{place}", f"localhost:{port}")[0]
        assert ask("login") == 200
        assert [ask(place) for place in ("authz/forward-auth", "authz/auth-request", "readyz")] == [404] * 3
        assert {place for _, place, _, _ in server.take()} <= {f"{path}/login", "/healthz"}
    finally:
        running.stop()
        server.stop()


def test_the_api_of_the_static_site_gets_its_bearer_token_and_no_cookie(tmp_path):
    page = (REPOSITORY / "docs/examples/static-site/README.md").read_text()
    added = re.search(r"    handle /api/.*?\n    }\n", page, re.DOTALL)[0]
    api, port = EchoApplication(), free_port()
    running = Caddy(tmp_path, port, f"http://localhost:{port} {{\n{added.replace('127.0.0.1:3000', f'127.0.0.1:{api.port}')}}}\n")
    try:
        raw(port, "/api/notes", f"localhost:{port}", ["Cookie: vestibule-app=secret; theme=dark", "Authorization: Bearer ey"])
        headers = dict(api.take()[0][2])
        assert "Cookie" not in headers and headers["Authorization"] == "Bearer ey"
    finally:
        running.stop()
        api.stop()

"""`vestibule proxy-config` and what `doctor` says of applications."""

import re
import socket
import subprocess
import textwrap
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from house import BINARY, PATIENCE, REPOSITORY, free_port
from attacks import FORGED, MARKS, NAMES
from operator_desk import SURROUNDINGS
from proxies import CADDY, NGINX, Caddy, EchoApplication, Nginx, make_certificates, nginx_file, raw
from town import PAGE, Town

PRODUCTION = {
    "MODE": "production", "PUBLIC_URL": "https://login.example.com", "MAIL_URL": "smtps://mail.example.com:465",
    "SECRET_KEY": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "TRUSTED_PROXIES": "127.0.0.1",
    "MAIL_FROM": "door@example.com",
    "APP_NOTES_ORIGINS": "https://notes.example.com, https://notes.example.org:8443", "APP_WIKI_HEADERS": "plain",
    "APP_WIKI_ORIGINS": "https://wiki.example.com", "APP_SITE_ORIGINS": "https://site.example.com",
}
SAME_HOST = PRODUCTION | {"PUBLIC_URL": "https://example.com/auth", "APP_NOTES_ORIGINS": "https://example.com"}


def run(folder, *arguments: str, settings: dict = PRODUCTION) -> subprocess.CompletedProcess:
    own = {f"VESTIBULE_{name}": value for name, value in settings.items()}
    return subprocess.run(
        [BINARY, *arguments], cwd=folder, env=SURROUNDINGS | own, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("proxy", ("caddy", "nginx", "traefik"))
def test_under_a_path_what_programs_look_for_at_the_root_is_mapped(tmp_path, proxy):
    config = run(tmp_path, "proxy-config", proxy, settings=SAME_HOST).stdout
    for file in ("change-password", "jwks.json", "passkey-endpoints"):
        assert f"/.well-known/{file}" in config
    assert "apple-app-site-association" not in config
    without = run(tmp_path, "proxy-config", proxy, settings=SAME_HOST | {"PASSKEYS": "off"}).stdout
    assert "/.well-known/jwks.json" in without and "passkey-endpoints" not in without


def test_an_application_that_the_proxy_does_not_ask_for_is_named(tmp_path):
    settings = PRODUCTION | {"APP_LIBRARY_REDIRECTS": "https://library.example.com/callback", "APP_LIBRARY_LABEL": "Library"}
    made = run(tmp_path, "proxy-config", "caddy", settings=settings)
    assert "library.example.com" not in made.stdout
    assert "Library is left out: the proxy asks for no application without VESTIBULE_APP_LIBRARY_ORIGINS." in made.stderr


def test_a_proxy_that_would_listen_where_the_server_does_is_named(tmp_path):
    settings = {"APP_NOTES_ORIGINS": "http://notes.localhost:8000", "TRUSTED_PROXIES": "127.0.0.1"}
    told = "the proxy would listen where this server does"
    assert told in run(tmp_path, "proxy-config", "caddy", settings=settings).stderr
    for other in ({"PORT": "8081", "PUBLIC_URL": "http://localhost:8080"}, {"PUBLIC_URL": "http://localhost:8000"}):
        assert run(tmp_path, "proxy-config", "caddy", settings=settings | other).stderr == ""


@pytest.fixture(params=[PRODUCTION, SAME_HOST], ids=["other hosts", "same host"])
def settings(request):
    return request.param


def test_caddy_takes_it_and_would_not_format_it_otherwise(tmp_path, settings):
    file = tmp_path / "Caddyfile"
    file.write_text(run(tmp_path, "proxy-config", "caddy", "--to", f"site={tmp_path}", settings=settings).stdout)
    checked = subprocess.run(
        [CADDY, "adapt", "--config", file, "--adapter", "caddyfile"], capture_output=True, text=True, timeout=PATIENCE)
    assert checked.returncode == 0 and "not formatted" not in checked.stderr, checked.stderr


def test_nginx_takes_it(tmp_path, settings):
    hosts = ["login.example.com", "example.com", "notes.example.com", "notes.example.org", "wiki.example.com", "site.example.com"]
    make_certificates(tmp_path, hosts)
    made = run(
        tmp_path, "proxy-config", "nginx", "--to", f"site={tmp_path}", "--certificates", str(tmp_path), settings=settings)
    (tmp_path / "apps.conf").write_text(made.stdout)
    checked = subprocess.run(
        [NGINX, "-t", "-q", "-p", tmp_path, "-c", nginx_file(tmp_path)], capture_output=True, text=True, timeout=PATIENCE)
    assert checked.returncode == 0 and "warn" not in checked.stderr, checked.stderr


def test_nginx_asks_over_connections_that_it_keeps(tmp_path):
    clients = []

    class Judge(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            clients.append(self.client_address)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Judge) as judge:
        judge.daemon_threads = True
        threading.Thread(target=judge.serve_forever, daemon=True).start()
        port = free_port()
        settings = {
            "PUBLIC_URL": f"http://login.localhost:{port}", "PORT": str(judge.server_port),
            "APP_SITE_ORIGINS": f"http://site.localhost:{port}", "TRUSTED_PROXIES": "127.0.0.1"}
        (tmp_path / "page").write_text("inside")
        nginx = Nginx(tmp_path, port, run(
            tmp_path, "proxy-config", "nginx", "--to", f"site={tmp_path}", settings=settings).stdout)
        try:
            for _ in range(3):
                assert raw(port, "/page", f"site.localhost:{port}")[0] == 200
        finally:
            nginx.stop()
            judge.shutdown()
    assert len(clients) == 3 and len(set(clients)) == 1


@pytest.mark.parametrize("proxy", (Caddy, Nginx))
def test_what_is_for_this_machine_alone_is_open_to_no_other(tmp_path, proxy):
    port, inside = free_port(), EchoApplication()
    settings = {
        "PUBLIC_URL": f"http://[::1]:{port}", "PORT": str(inside.port), "TRUSTED_PROXIES": "127.0.0.1",
        "APP_WIKI_ORIGINS": f"http://wiki.localhost:{port}"}
    made = run(tmp_path, "proxy-config", proxy.__name__.lower(), settings=settings).stdout
    proxy = proxy(tmp_path, port, made)
    try:
        listening = subprocess.run(["ss", "-Hltn", f"sport = :{port}"], capture_output=True, text=True, check=True).stdout
        assert {line.split()[3] for line in listening.splitlines()} == {f"127.0.0.1:{port}", f"[::1]:{port}"}
        with socket.create_connection(("::1", port)) as connection:
            connection.sendall(f"GET / HTTP/1.0\r\nHost: [::1]:{port}\r\n\r\n".encode())
            assert b" 200 OK\r\n" in connection.recv(100)
    finally:
        proxy.stop()
        inside.stop()


def test_nginx_drops_other_spellings_whatever_is_set_for_all_of_it(tmp_path):
    port, inside = free_port(), EchoApplication()
    settings = {
        "PUBLIC_URL": f"http://login.localhost:{port}", "PORT": str(inside.port),
        "APP_WIKI_ORIGINS": f"http://wiki.localhost:{port}", "TRUSTED_PROXIES": "127.0.0.1"}
    made = run(tmp_path, "proxy-config", "nginx", "--to", f"wiki=127.0.0.1:{inside.port}", settings=settings).stdout
    nginx = Nginx(tmp_path, port, "ignore_invalid_headers off;\nunderscores_in_headers on;\n" + made)
    try:
        lines = [f"{name.replace('-', mark)}: {FORGED}" for name in NAMES for mark in MARKS]
        assert raw(port, "/", f"wiki.localhost:{port}", lines)[0] == 200
        *_, (_, _, reached, _) = inside.take()
        assert FORGED not in str(reached) and ("Host", f"wiki.localhost:{port}") in reached
    finally:
        nginx.stop()
        inside.stop()


def test_nginx_answers_no_name_that_is_not_set_up(tmp_path, settings):
    made = run(tmp_path, "proxy-config", "nginx", settings=settings).stdout
    servers = re.findall(r"^server \{\n(.*?)^\}", made, re.MULTILINE | re.DOTALL)
    default, *others = [set(re.findall(r"listen (.*);", server)) for server in servers]
    assert "return 444;" in servers[0] and "ssl_reject_handshake on;" in servers[0] and "server_name" not in servers[0]
    assert default == {f"{address} default_server" for address in set().union(*others)}


def test_traefik_gets_yaml_with_every_origin(tmp_path, settings):
    made = yaml.safe_load(run(tmp_path, "proxy-config", "traefik", settings=settings).stdout)["http"]
    origins = settings["APP_NOTES_ORIGINS"].split(",") + ["https://wiki.example.com", "https://site.example.com"]
    verdicts = [each["forwardAuth"] for name, each in made["middlewares"].items() if name.endswith("-verdict")]
    assert len(verdicts) == len(origins)
    assert {each["address"] for each in verdicts} == {"http://127.0.0.1:8080/authz/forward-auth"}
    removed = made["middlewares"]["vestibule-clean"]["headers"]["customRequestHeaders"]
    for name in [*(name.replace("-", mark) for name in NAMES for mark in MARKS), "X-Forwarded-Uri", "HTTP2-Settings"]:
        assert removed[name] == "", name
    # The verdict's answer has the cookies that an application may see; without any, Traefik drops the visitor's.
    assert all("Cookie" in each["authResponseHeaders"] for each in verdicts)
    for router in made["routers"].values():
        assert router["service"] in made["services"] and router["tls"] == {}
        assert all(name in made["middlewares"] for name in router["middlewares"])


def test_traefik_is_told_which_servers_are_to_be_changed(tmp_path):
    made = run(tmp_path, "proxy-config", "traefik", "--to", "notes=3005", "--to", "site=/srv/site").stdout
    services = made[made.index("  services:"):]
    assert "    # Traefik serves no files: put here the server of /srv/site.\n    app2:\n" in services
    assert "    # Where Wiki listens: change it, or print this with --to.\n    app3:\n" in services
    assert services.count("#") == 2 and len(yaml.safe_load(made)["http"]["services"]) == 5


def test_traefik_writes_what_an_upgrade_says(tmp_path, settings):
    made = yaml.safe_load(run(tmp_path, "proxy-config", "traefik", settings=settings).stdout)["http"]
    says = {name: middleware["headers"]["customRequestHeaders"].get("Upgrade")
            for name, middleware in made["middlewares"].items() if "headers" in middleware}
    for router in made["routers"].values():
        if router["service"] == "vestibule":
            assert "priority" not in router
            continue
        told = [says[name] for name in router["middlewares"] if says.get(name) is not None]
        is_socket = "HeaderRegexp(`Upgrade`, `(?i)^websocket$`)" in router["rule"]
        assert (told, router["priority"]) == ((["websocket"], 2) if is_socket else ([""], 1))


@pytest.mark.parametrize(("settings", "status", "words"), [
    ({}, 1, "the settings name no application"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "https://login.example.com"}, 78, "has the origin of VESTIBULE_PUBLIC_URL"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "https://a/b"}, 78, "VESTIBULE_APP_NOTES_ORIGINS"),
])
def test_what_no_proxy_can_do_is_said(tmp_path, settings, status, words):
    made = run(tmp_path, "proxy-config", "caddy", settings=settings)
    assert (made.returncode, made.stdout) == (status, "") and words in made.stderr


def test_an_application_is_at_one_place(tmp_path):
    made = run(tmp_path, "proxy-config", "caddy", "--to", "notes=3000", "--to", "notes=3001")
    assert (made.returncode, made.stdout) == (1, "") and "--to names notes twice" in made.stderr


@pytest.mark.parametrize("target", ["notes", "notes=", "notes=127.0.0.1", "notes=/srv/{host}", "notes=a b:80", "else=127.0.0.1:1"])
def test_a_target_that_is_none_is_refused(tmp_path, target):
    made = run(tmp_path, "proxy-config", "nginx", "--to", target)
    assert made.returncode in (1, 64) and made.stdout == "" and "--to" in made.stderr


@pytest.mark.parametrize(("place", "server"), [("80", "127.0.0.1:80"), ("Notes:80", "notes:80"), ("[::1]:443", "[::1]:443")])
def test_a_port_that_browsers_leave_out_is_one_too(tmp_path, place, server):
    assert f"reverse_proxy {server} {{" in run(tmp_path, "proxy-config", "caddy", "--to", f"notes={place}").stdout


def test_a_port_is_one_of_this_machine(tmp_path):
    made = [run(tmp_path, "proxy-config", "caddy", "--to", f"notes={place}").stdout for place in ("3007", "127.0.0.1:3007")]
    assert made[0] == made[1] and "127.0.0.1:3007" in made[0]
    refused = run(tmp_path, "proxy-config", "caddy", "--to", "notes=http://127.0.0.1")
    assert refused.returncode == 64 and "NAME=PORT, NAME=HOST:PORT or NAME=/FOLDER" in refused.stderr


def test_caddy_compresses_what_is_equal_for_everybody_and_nothing_else(tmp_path):
    town = Town(tmp_path, "caddy")
    try:
        login = town.public.removeprefix("http://")
        zipped = [*PAGE, "Accept-Encoding: gzip"]
        for path in ("/login", "/css/vestibule.css"):
            status, headers, body = town.ask(login, path, zipped)
            plain = town.ask(login, path, PAGE)[2]
            assert (status, headers.get("content-encoding")) == (200, "gzip") and len(body) < len(plain) / 2, path
        form = [*zipped, "Content-Type: application/x-www-form-urlencoded", f"Origin: {town.public}"]
        status, headers, body = town.ask(login, "/login", form, method="POST", body=b"email=ada%40example.com&password=wrong")
        assert status == 422 and "content-encoding" not in headers and b"ada@example.com" in body
    finally:
        town.stop()


def test_it_reminds_of_trusted_proxies(tmp_path):
    made = run(tmp_path, "proxy-config", "caddy", settings=PRODUCTION | {"TRUSTED_PROXIES": ""})
    assert made.returncode == 0 and "not set. Until it has the proxy's address as this server sees it," in made.stderr


DEVELOPMENT = {"APP_NOTES_ORIGINS": "http://notes.localhost:8000", "TRUSTED_PROXIES": "127.0.0.1"}


@pytest.mark.parametrize(("settings", "said"), [
    (PRODUCTION, "ok   applications (notes, site, wiki)"),
    (SAME_HOST, "ok   applications (notes, site, wiki)"),
    (DEVELOPMENT, "ok   applications (notes)"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "http://notes.example.com"}, "FAIL applications: Notes is at http://notes.example.com: plain http"),
    (PRODUCTION | {"TRUSTED_PROXIES": ""}, "FAIL applications: VESTIBULE_TRUSTED_PROXIES names no proxy"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "https://login.example.com"}, "FAIL applications: Notes and this site overlap at https://login.example.com"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "https://login.example.com:8443"}, "and this site at https://login.example.com share a host"),
    (PRODUCTION | {"APP_NOTES_ORIGINS": "https://wiki.example.com:8443"}, "share a host, and so their cookies"),
    (DEVELOPMENT | {"PUBLIC_URL": "https://login.example.com", "DEV_EXPOSE": "on"}, "FAIL applications: the cookie does not reach Notes"),
])
def test_the_doctor_knows_which_applications_cannot_work(tmp_path, settings, said):
    checked = run(tmp_path, "doctor", settings=settings)
    assert said in checked.stdout, checked.stdout + checked.stderr
    assert said.startswith("ok") == ("FAIL applications" not in checked.stdout)


# What docs/operating/applications.md tells to do, done as it stands


def section(heading: str) -> list[str]:
    """The indented blocks under it."""
    text = (REPOSITORY / "docs/operating/applications.md").read_text()
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    return [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n)+", found, re.MULTILINE)]


def prepared(folder) -> None:
    """The folder of a server in production, with the settings that the page adds."""
    own = {name: value for name, value in PRODUCTION.items() if not name.startswith(("APP_", "TRUSTED", "MAIL_URL"))}
    own["MAIL_URL"] = "smtp://127.0.0.1:1"
    lines = [f"VESTIBULE_{name}={value}" for name, value in own.items()]
    (folder / ".env").write_text("\n".join(lines) + "\n" + section("Ten minutes with Caddy")[0])
    (folder / ".env").chmod(0o600)


@pytest.mark.parametrize(("heading", "number", "file"), [
    ("Ten minutes with Caddy", 1, "Caddyfile"), ("Ten minutes with nginx", 0, "vestibule.conf"),
])
def test_the_ten_minutes_work_as_written(tmp_path, heading, number, file):
    prepared(tmp_path)
    for command in section(heading)[number].splitlines():
        ran = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE,
            env=SURROUNDINGS | {"HOME": str(tmp_path)})
        if command == "vestibule doctor":
            # There is no mail server here.
            assert "ok   applications (notes)" in ran.stdout and ran.stdout.count("FAIL") == 1, ran.stdout
        else:
            assert ran.returncode == 0 and ran.stderr.count("error") == 0, command + ran.stderr
    text = (tmp_path / file).read_text()
    assert "notes.example.com" in text and "login.example.com" in text and "127.0.0.1:3000" in text


def test_the_try_on_one_machine_works_as_written(tmp_path):
    block = section("Try it on one machine")[0]
    check = f"vestibule doctor && {CADDY} validate --config Caddyfile"
    subprocess.run(
        ["sh", "-ec", f"{block}\n{check}"], cwd=tmp_path, env=SURROUNDINGS | {"HOME": str(tmp_path)}, check=True,
        capture_output=True, timeout=PATIENCE)
    assert f'root * "{tmp_path}/notes"' in (tmp_path / "Caddyfile").read_text()


def test_the_commands_of_the_page_are_there(tmp_path):
    """Each `vestibule …` of the page is understood: what fails, fails for want of a server or an account."""
    text = (REPOSITORY / "docs/operating/applications.md").read_text()
    commands = re.findall(r"^    (vestibule .*)$", text, re.MULTILINE)
    prepared(tmp_path)
    subprocess.run([BINARY, "migrate"], cwd=tmp_path, env=SURROUNDINGS, check=True, capture_output=True, timeout=PATIENCE)
    assert len(commands) >= 7
    for command in commands:
        ran = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=SURROUNDINGS, capture_output=True, text=True, timeout=PATIENCE)
        assert ran.returncode in (0, 1), command + ran.stderr

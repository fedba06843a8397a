"""docs/examples/compose, run by podman-compose: from the settings to an application that is told who came in.

Caddy, the application and PostgreSQL are stand-ins of the same programs (the application is Caddy), as no registry is
asked; Caddy makes its own certificates.
"""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import stand_ins
import yaml
from container import Podman
from house import PASSWORD, PATIENCE, REPOSITORY, eventually

EXAMPLE = REPOSITORY / "docs/examples/compose"
BINARIES = REPOSITORY / ".venv/bin"
SQLITE, POSTGRES = ["compose.yaml"], ["compose.yaml", "compose.postgres.yaml"]
README = (EXAMPLE / "README.md").read_text()
ADDRESS = "ada@example.com"


class Town:
    """The files of the example, filled as the README says, and what runs of them."""

    def __init__(self, podman: Podman, image: str, folder: Path, files: list[str]):
        self.folder, self.surroundings = folder, podman.surroundings
        for file in EXAMPLE.iterdir():
            shutil.copy(file, folder)
        program = folder / "podman"
        program.write_text(f'#!/bin/sh\nexec {" ".join(podman.command)} "$@"\n')
        program.chmod(0o755)
        self.command = [
            BINARIES / "podman-compose", "--podman-path", program, *[f"--file={file}" for file in files]]
        settings = (folder / "example.env").read_text()
        settings = re.sub("^(VESTIBULE_SECRET_KEY=)$", r"\1" + "A" * 43 + "=", settings, flags=re.MULTILINE)
        settings = re.sub("^(POSTGRES_PASSWORD=)$", r"\1" + "b" * 48, settings, flags=re.MULTILINE)
        # No mail gets out of here.
        (folder / ".env").write_text(f"{settings}VESTIBULE_VERIFICATION=off\nIMAGE={image}\n")

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self.command, *arguments], cwd=self.folder, env=self.surroundings, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=3 * PATIENCE)
        assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self) -> None:
        words, = re.findall(r"^    docker compose (run .*proxy-config.*) > Caddyfile$", README, re.MULTILINE)
        config = self(*words.split())
        assert "reverse_proxy vestibule:8080" in config and "reverse_proxy whoami:80" in config, config
        (self.folder / "Caddyfile").write_text("{\n\tlocal_certs\n\tskip_install_trust\n}\n" + config[config.index("#"):])
        self("up", "-d")
        eventually(lambda: self.visit("https://login.example.com/login")[0] == 200, "a page through Caddy", 2 * PATIENCE)

    def visit(self, url: str, **form: str) -> tuple[int, str, str]:
        """As a browser: status, address and page that it ends at."""
        fields = [word for name, value in form.items() for word in ("--data-urlencode", f"{name}={value}")]
        told = subprocess.run(
            ["curl", "--silent", "--insecure", "--location", "--cookie", "jar", "--cookie-jar", "jar", "--max-time", "20",
             "--connect-to", "::127.0.0.1:", "--header", "Accept: text/html", "--write-out", "\n%{http_code} %{url_effective}",
             *fields, url], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE).stdout
        page, _, last = told.rpartition("\n")
        status, _, address = last.partition(" ")
        return int(status), address, page


@pytest.fixture(params=[SQLITE, POSTGRES], ids=["sqlite", "postgres"])
def town(request, podman, image, tmp_path):
    services = {}
    for file in request.param:
        services |= yaml.safe_load((EXAMPLE / file).read_text())["services"]
    for name in services.keys() - {"vestibule"}:
        if podman.start("image", "exists", services[name]["image"]).returncode:
            getattr(stand_ins, name)(podman, tmp_path, services[name]["image"])
    town = Town(podman, image, tmp_path, request.param)
    yield town
    town("down", "--volumes")


@pytest.mark.parametrize("file", POSTGRES)
def test_it_fits_the_schema_of_compose(file):
    subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", EXAMPLE / file], check=True,
        timeout=PATIENCE)


def test_an_application_behind_it_is_told_who_came_in(town):
    town.start()
    wanted = "https://whoami.example.com/deep?x=1"
    status, at, page = town.visit(wanted)
    assert status == 200 and at.startswith("https://login.example.com/login"), (status, at)
    signup = {"display_name": "Ada", "email": ADDRESS, "password": PASSWORD, "password_confirmation": PASSWORD}
    return_to, = {html.unescape(each) for each in re.findall(r'name="return_to" value="([^"]+)"', page)}
    status, at, page = town.visit("https://login.example.com/signup", terms="accepted", return_to=return_to, **signup)
    assert (status, at) == (200, wanted) and page.startswith("assertion: eyJ"), (status, at, page)
    # Nobody but Caddy asks for readiness, or reaches a port.
    assert town.visit("https://login.example.com/readyz")[0] == 404
    assert ADDRESS in town("exec", "-T", "vestibule", "vestibule", "users", "list")

    town("down")
    town("up", "-d")
    eventually(lambda: town.visit(wanted)[1:] and town.visit(wanted)[2].startswith("assertion: eyJ"), "the same session")

"""Images that the examples name and that a test cannot load: made of the programs of this machine, under their names."""

import re
import shutil
import subprocess
from pathlib import Path

from container import Podman
from house import REPOSITORY

POSTGRES = Path("/usr/lib/postgresql/15")
# What the official image does at its first start.
START_POSTGRES = f"""#!/bin/sh
set -eu
if [ ! -e "$PGDATA/PG_VERSION" ]; then
    echo "$POSTGRES_PASSWORD" > /tmp/password
    {POSTGRES}/bin/initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8
    echo "CREATE DATABASE $POSTGRES_DB" | {POSTGRES}/bin/postgres --single -D "$PGDATA" postgres
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec {POSTGRES}/bin/postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
"""
# An application that shows what it is told.
WHOAMI = """:80 {
    respond "assertion: {header.Vestibule-Assertion}"
}
"""


def copy(root: Path, *programs: Path) -> None:
    """With the libraries they are linked with."""
    for program in programs:
        listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        for file in [program, *map(Path, re.findall(r"(/\S+) \(0x", listed))]:
            target = root / file.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)


def add(podman: Podman, root: Path, name: str, *changes: str) -> None:
    (root / "tmp").mkdir(mode=0o1777)
    (root / "tmp").chmod(0o1777)
    archive = root.with_suffix(".tar")
    subprocess.run(["tar", "-C", root, "-cf", archive, "."], check=True)
    podman("import", *[f"--change={change}" for change in changes], archive, name)


def caddy(podman: Podman, folder: Path, name: str, site: str = "") -> None:
    root = folder / name.replace("/", "-").replace(":", "-")
    (root / "etc/caddy").mkdir(parents=True)
    (root / "etc/caddy/Caddyfile").write_text(site)
    shutil.copy(REPOSITORY / ".venv/bin/caddy", root / "caddy")
    add(podman, root, name, "ENV XDG_DATA_HOME=/data", 'CMD ["/caddy","run","--config","/etc/caddy/Caddyfile"]')


def whoami(podman: Podman, folder: Path, name: str) -> None:
    caddy(podman, folder, name, WHOAMI)


def postgres(podman: Podman, folder: Path, name: str) -> None:
    root = folder / "postgres"
    copy(root, Path("/bin/sh").resolve(), *[POSTGRES / "bin" / each for each in ("postgres", "initdb", "pg_isready")])
    for part in [POSTGRES / "lib", Path("/usr/share/postgresql/15"), Path("/usr/share/zoneinfo")]:
        shutil.copytree(part, root / part.relative_to("/"), symlinks=True, dirs_exist_ok=True)
    for each in ["bin", "lib", "lib64"]:
        (root / each).mkdir(exist_ok=True)
    (root / "bin/sh").symlink_to(Path("/bin/sh").resolve())
    (root / "etc").mkdir()
    (root / "etc/passwd").write_text("postgres:x:999:999::/:/bin/sh\n")
    (root / "start").write_text(START_POSTGRES)
    (root / "start").chmod(0o755)
    data = root / "var/lib/postgresql/data"
    data.mkdir(parents=True, mode=0o700)
    subprocess.run(["chown", "999:999", data], check=True)
    add(podman, root, name, "USER 999:999", "ENV PGDATA=/var/lib/postgresql/data", f"ENV PATH={POSTGRES}/bin:/bin", 'CMD ["/start"]')

"""The files of a release, made twice, and installed from a folder for apt."""

import filecmp
import functools
import http.server
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from house import REPOSITORY
from machine import BASE, Machine

BINARY = REPOSITORY / ".build/release/vestibule"
INSTALL = "apt-get install -y --no-install-recommends"


def run(*command, folder: Path = REPOSITORY, **surroundings: str) -> str:
    ran = subprocess.run(
        command, cwd=folder, env=os.environ | surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """New ones, made as docs/operating/releases.md says."""
    folder = tmp_path_factory.mktemp("keys")
    run("signify-openbsd", "-G", "-n", "-p", "release.pub", "-s", "release.sec", folder=folder)
    (folder / "gnupg").mkdir(mode=0o700)
    gpg = functools.partial(run, "gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", folder=folder, GNUPGHOME=str(folder / "gnupg"))
    gpg("--quick-generate-key", "Vestibule releases", "ed25519", "sign", "5y")
    gpg("--armor", "--output", "apt.sec", "--export-secret-keys")
    run("gpgconf", "--kill", "all", GNUPGHOME=str(folder / "gnupg"))
    return folder


@pytest.fixture(scope="module")
def release(keys, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "files"
    make(REPOSITORY, folder, keys)
    return folder


def make(repository: Path, folder: Path, keys: Path, *before: str, **surroundings: str) -> None:
    run(*before, repository / "scripts/release-files", BINARY, folder, folder=repository,
        RELEASE_KEY=str(keys / "release.sec"), APT_KEY=str(keys / "apt.sec"), **surroundings)


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def copy_of_the_repository(folder: Path) -> Path:
    """With what is not committed, and with nobody but its owner allowed to read it."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    for name in [*filter(None, listed), "Package.resolved"]:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copyfile(REPOSITORY / name, target, follow_symlinks=False)
        if not target.is_symlink():
            target.chmod((REPOSITORY / name).stat().st_mode & 0o700)
    shutil.copytree(REPOSITORY / ".git", folder / ".git")
    (folder / ".build").mkdir()
    for name in ["checkouts", "release"]:
        (folder / ".build" / name).symlink_to(REPOSITORY / ".build" / name)
    return folder


# What is made does not depend on where it will be installed.
@pytest.mark.skipif(BASE.name != "bookworm.tar", reason="made twice only once")
def test_a_release_is_the_same_wherever_and_whenever_it_is_made(release, keys, tmp_path):
    """In another folder, years later, in another time zone and language, and with another umask."""
    other = copy_of_the_repository(tmp_path / "elsewhere")
    before = ["sh", "-c", 'umask 077; exec faketime "2031-05-06 07:08:09" "$@"', "sh"]
    make(other, tmp_path / "again", keys, *before, TZ="Pacific/Auckland", LC_ALL="C.UTF-8", XZ_OPT="-1")
    assert files(tmp_path / "again") == files(release)
    _, different, unreadable = filecmp.cmpfiles(release, tmp_path / "again", files(release), shallow=False)
    assert (different, unreadable) == ([], [])
    kinds = [".deb", ".tar.xz", ".oci.tar", ".cdx.json", "SHA256SUMS", "SHA256SUMS.sig", "InRelease", "Packages"]
    assert not [kind for kind in kinds if not any(name.endswith(kind) for name in files(release))]


def test_what_a_release_contains_is_listed_as_cyclonedx_asks(release):
    (file,) = release.glob("*.cdx.json")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(file.read_text()) is None
    listed = {each["name"]: each for each in json.loads(file.read_text())["components"]}
    assert {"swift", "swift-nio", "hummingbird", "grdb.swift", "libsqlite3-0", "libc6"} <= listed.keys()
    assert all(each["version"] and each["licenses"] and each["purl"] for each in listed.values())


def test_every_file_of_a_release_is_genuine_and_a_changed_one_is_not(release, keys, tmp_path):
    program = tmp_path / "vestibule"
    (package,) = release.glob("*.deb")
    run("dpkg-deb", "--extract", package, tmp_path / "unpacked")
    program = tmp_path / "unpacked/usr/bin/vestibule"
    named = [line.split()[1] for line in (release / "SHA256SUMS").read_text().splitlines()]
    assert package.name in named and len(named) >= 3
    for name in named:
        assert f"{name} is genuine" in run(program, "version", "--check", release / name, "--key", keys / "release.pub")
    shutil.copytree(release, tmp_path / "changed")
    with open(tmp_path / "changed" / package.name, "ab") as file:
        file.write(b"!")
    ran = subprocess.run(
        [program, "version", "--check", tmp_path / "changed" / package.name, "--key", keys / "release.pub"],
        capture_output=True, text=True)
    assert ran.returncode == 1 and "is not the file that was released" in ran.stderr


@pytest.fixture
def web_server(release):
    """Any that serves files does."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=release / "apt")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_apt_installs_it_from_a_folder_that_a_web_server_offers(machine, release, web_server):
    install_from(machine, release / "apt/vestibule.asc", web_server)
    machine.sh(INSTALL + " vestibule")
    (package,) = release.glob("*.deb")
    assert machine.sh("dpkg-query -W -f '${Version}' vestibule") == package.name.split("_")[1]
    assert machine.sh("vestibule version") == package.name.split("_")[1].replace("~", "-", 1) + "\n"


def install_from(machine: Machine, key: Path, address: str) -> None:
    """The lines of docs/operating/releases.md, at another address and without curl."""
    machine.copy(key, "/etc/apt/keyrings/vestibule.asc")
    line = f"deb [signed-by=/etc/apt/keyrings/vestibule.asc] {address} stable main"
    machine.sh(f"chmod 644 /etc/apt/keyrings/vestibule.asc; echo '{line}' > /etc/apt/sources.list.d/vestibule.list")
    machine.sh("apt-get update")


def test_apt_refuses_a_folder_that_another_key_has_signed(machine, release, web_server, keys, tmp_path):
    (tmp_path / "gnupg").mkdir(mode=0o700)
    gpg = functools.partial(run, "gpg", "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback", GNUPGHOME=str(tmp_path / "gnupg"))
    gpg("--quick-generate-key", "Somebody else", "ed25519", "sign", "5y")
    gpg("--armor", "--output", str(tmp_path / "other.asc"), "--export")
    run("gpgconf", "--kill", "all", GNUPGHOME=str(tmp_path / "gnupg"))
    with pytest.raises(AssertionError, match="NO_PUBKEY|not signed"):
        install_from(machine, tmp_path / "other.asc", web_server)
        machine.sh(INSTALL + " vestibule")

"""Adding packages to a folder for apt (docs/operating/releases.md) that a web server offers meanwhile."""

import contextlib
import os
import subprocess
import tempfile

import pytest
from house import PATIENCE, REPOSITORY

SIGNED = ["dists/stable/InRelease", "dists/stable/Release.gpg", "vestibule.asc"]


def run(*command, status: int = 0, **surroundings: str) -> str:
    ran = subprocess.run(
        command, env=os.environ | surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    assert ran.returncode == status, ran.stdout
    return ran.stdout


@contextlib.contextmanager
def keyring():
    """How gpg is called with an empty one."""
    # Not in `tmp_path`: gpg-agent's socket lies in the folder, and the path of a socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(dir="/tmp") as home:
        try:
            yield ["gpg", "--homedir", home, "--batch"]
        finally:
            run("gpgconf", "--homedir", home, "--kill", "all")


@pytest.fixture
def key(tmp_path) -> str:
    """The file of a new one, made as docs/operating/releases.md says."""
    with keyring() as gpg:
        gpg += ["--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
        run(*gpg, "--quick-generate-key", "Vestibule releases", "ed25519", "sign", "5y")
        run(*gpg, "--armor", "--output", tmp_path / "apt.sec", "--export-secret-keys")
    return str(tmp_path / "apt.sec")


@pytest.fixture
def package(tmp_path):
    """Makes the smallest one of that version."""
    def make(version: str):
        control = tmp_path / f"made-{version}/DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text(
            f"Package: vestibule\nVersion: {version}\nArchitecture: all\nMaintainer: Ada <ada@example.com>\nDescription: x\n")
        file = tmp_path / f"vestibule_{version}_all.deb"
        run("dpkg-deb", "--build", "--root-owner-group", control.parents[1], file)
        return file
    return make


def add(folder, package, status: int = 0, **surroundings: str) -> str:
    return run(REPOSITORY / "scripts/apt-repository", folder, package, status=status, **{"APT_KEY": ""} | surroundings)


def contents(folder) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def packages(folder) -> str:
    (file,) = folder.glob("dists/stable/main/binary-*/Packages")
    return file.read_text()


def test_a_package_is_added_to_those_that_are_there(tmp_path, key, package):
    folder = tmp_path / "apt"
    for version in ["1.0.0", "1.0.1"]:
        add(folder, package(version), APT_KEY=key)
        assert set(SIGNED) <= contents(folder).keys()
    assert "Version: 1.0.0\n" in packages(folder) and "Version: 1.0.1\n" in packages(folder)
    assert {path.name for path in folder.iterdir()} == {"dists", "pool", "vestibule.asc"}
    with keyring() as gpg:
        run(*gpg, "--import", folder / "vestibule.asc")
        run(*gpg, "--verify", folder / "dists/stable/InRelease")


def test_with_a_key_that_is_none_the_folder_stays_as_it_was(tmp_path, key, package):
    folder = tmp_path / "apt"
    add(folder, package("1.0.0"), APT_KEY=key)
    before = contents(folder)
    (tmp_path / "bad.sec").write_text("no key\n")
    add(folder, package("1.0.1"), status=2, APT_KEY=str(tmp_path / "bad.sec"))
    assert contents(folder) == before


def test_a_signed_folder_is_not_made_an_unsigned_one(tmp_path, key, package):
    folder = tmp_path / "apt"
    add(folder, package("1.0.0"), APT_KEY=key)
    before = contents(folder)
    said = add(folder, package("1.0.1"), status=1)
    assert "is signed, and APT_KEY names no key: nothing was changed" in said
    assert contents(folder) == before


def test_without_a_key_a_new_folder_is_not_signed(tmp_path, package):
    folder = tmp_path / "apt"
    assert "not signed, as APT_KEY names no key" in add(folder, package("1.0.0"))
    assert "Version: 1.0.0\n" in packages(folder) and not set(SIGNED) & contents(folder).keys()

"""Checking a file of a release."""

import base64
import shutil
import subprocess
from pathlib import Path

import pytest
from house import BINARY, PATIENCE, REPOSITORY
from operator_desk import documented

FILE = "vestibule_1.0.0_amd64.deb"


def run(*command, status: int = 0, folder: Path = REPOSITORY) -> str:
    """What it prints on both."""
    ran = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=PATIENCE)
    assert ran.returncode == status, ran.stdout
    return ran.stdout



@pytest.fixture
def release(tmp_path):
    """A release of one file, signed with a new key, and the key of somebody else."""
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / FILE).write_bytes(bytes(range(256)) * 5000)
    (folder / "SHA256SUMS").write_text(run("sha256sum", FILE, folder=folder))
    for name in ["ours", "theirs"]:
        run("signify-openbsd", "-G", "-n", "-p", tmp_path / f"{name}.pub", "-s", tmp_path / f"{name}.sec")
    sign(folder)
    return folder


def sign(release: Path, name: str = "ours") -> None:
    run("signify-openbsd", "-S", "-s", release.parent / f"{name}.sec", "-m", "SHA256SUMS", "-x", "SHA256SUMS.sig", folder=release)


def check(release: Path, status: int, file: str = FILE, key: str = "ours") -> str:
    return run(BINARY, "version", "--check", release / file, "--key", release.parent / f"{key}.pub", status=status)


def test_a_file_as_it_was_released_is_genuine(release):
    said = check(release, 0)
    assert said.startswith(f"{FILE} is genuine: ") and said.count("\n") == 1


def test_a_file_that_was_changed_is_refused(release):
    with open(release / FILE, "r+b") as file:
        file.seek(700_000)
        file.write(b"!")
    assert f"{FILE} is not the file that was released: its SHA-256 is " in check(release, 1)


def test_sums_that_were_changed_are_refused(release):
    """Whoever changes the file changes its sum, too."""
    (release / FILE).write_bytes(b"malware")
    (release / "SHA256SUMS").write_text(run("sha256sum", FILE, folder=release))
    assert "SHA256SUMS is not what key " in check(release, 1)


def test_a_file_that_the_sums_name_twice_with_two_digests_is_refused(release):
    with open(release / "SHA256SUMS", "a") as sums:
        sums.write(f"{'0' * 64}  {FILE}\n")
    sign(release)
    assert f"{FILE} is not the file that was released" in check(release, 1)


def test_sums_that_somebody_else_has_signed_are_refused(release):
    sign(release, "theirs")
    assert "SHA256SUMS was signed with key " in check(release, 1)


def test_a_signature_that_says_our_key_and_is_of_another_is_refused(release):
    """The number of a key is no secret: anybody can write it into a signature."""
    sign(release, "theirs")
    key, signature = (Path(each).read_text().splitlines()[1] for each in (release.parent / "ours.pub", release / "SHA256SUMS.sig"))
    forged = base64.b64decode(key)[:10] + base64.b64decode(signature)[10:]
    (release / "SHA256SUMS.sig").write_text(f"untrusted comment: x\n{base64.b64encode(forged).decode()}\n")
    assert "SHA256SUMS is not what key " in check(release, 1)


def test_a_file_that_the_sums_do_not_name_is_refused(release):
    (release / "other.deb").write_bytes((release / FILE).read_bytes())
    assert "SHA256SUMS of this release does not name other.deb" in check(release, 1, "other.deb")


def test_a_file_without_its_signature_is_refused(release):
    (release / "SHA256SUMS.sig").unlink()
    assert f"{release}/SHA256SUMS.sig cannot be read" in check(release, 1)


@pytest.mark.parametrize("text", ["", "untrusted comment: x\nRWQ=\n", "untrusted comment: x\n" + "A" * 56 + "\n"])
def test_what_is_no_public_key_is_refused(release, text):
    (release.parent / "broken.pub").write_text(text)
    assert "broken.pub is no public key of signify" in check(release, 1, key="broken")


def test_without_a_public_key_nothing_is_called_genuine(release):
    """Sums that came with the file say nothing about who made them."""
    said = run(BINARY, "version", "--check", release / FILE, status=1)
    assert f"{release / FILE} was not checked: there is no public key" in said


def check_in(folder: Path, program: Path, release: Path, status: int) -> str:
    return run(program, "version", "--check", release / FILE, folder=folder, status=status)


def install_resources(place: Path, key: Path) -> None:
    for name in ["Templates", "Public"]:
        shutil.copytree(REPOSITORY / name, place / name)
    shutil.copy(key, place / "release.pub")


def test_the_key_that_was_installed_is_used(release, tmp_path):
    install_resources(tmp_path / "usr/share/vestibule", release.parent / "ours.pub")
    (tmp_path / "usr/bin").mkdir()
    program = shutil.copy(BINARY, tmp_path / "usr/bin")
    assert "is genuine" in check_in(tmp_path, program, release, 0)


def test_a_key_of_the_folder_that_it_runs_in_is_not_used(release):
    """A tarball brings files and a key: whoever has forged the one has forged the other."""
    install_resources(release / "vestibule-1.0.0", release.parent / "ours.pub")
    said = check_in(release / "vestibule-1.0.0", BINARY, release, 1)
    assert "was not checked: there is no public key" in said


def test_a_key_alone_is_no_usage(release):
    assert "--key goes with --check" in run(BINARY, "version", "--key", release.parent / "ours.pub", status=64)


def check_by_hand(release: Path, status: int) -> str:
    """With the command that docs/operating/releases.md has for a machine without Vestibule."""
    shutil.copy(release.parent / "ours.pub", release / "release.pub")
    return run("sh", "-ec", documented("Checking a file", 1, page="releases"), status=status, folder=release)


def test_the_command_for_a_machine_without_vestibule_finds_a_file_as_it_was_released(release):
    assert f"{FILE}: OK\n" in check_by_hand(release, 0)


def test_the_command_for_a_machine_without_vestibule_refuses_a_file_that_was_changed(release):
    (release / FILE).write_bytes(b"malware")
    assert f"{FILE}: FAILED\n" in check_by_hand(release, 1)


def test_the_command_for_a_machine_without_vestibule_refuses_sums_that_somebody_else_has_signed(release):
    sign(release, "theirs")
    assert "checked against wrong key" in check_by_hand(release, 1)

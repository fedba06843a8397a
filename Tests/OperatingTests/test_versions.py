"""Versions, and the change log."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from house import BINARY, PATIENCE, REPOSITORY

MAKER, DAY = "Ada Lovelace <ada@example.com>", "Sat, 31 Jan 2026 12:00:00 +0000"


def run(*command, status: int = 0, folder: Path = REPOSITORY) -> str:
    """What it prints on both."""
    ran = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=PATIENCE)
    assert ran.returncode == status, ran.stdout
    return ran.stdout


# Versions


@pytest.fixture
def repository(tmp_path):
    """A repository of one commit, with nothing in it but the script."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(REPOSITORY / "scripts/version", tmp_path / "scripts/version")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    return run("git", *person, *words, folder=folder).strip()


def commit(folder: Path) -> None:
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "Change")


def version(folder: Path, *options: str) -> str:
    return run("scripts/version", *options, folder=folder).strip()


def test_the_version_is_that_of_the_tag(repository):
    git(repository, "tag", "v1.2.3")
    assert version(repository) == version(repository, "--debian") == "1.2.3"


def test_what_follows_a_tag_is_on_the_way_to_the_next_patch(repository):
    git(repository, "tag", "v1.2.3")
    commit(repository)
    commit(repository)
    assert version(repository) == "1.2.4-dev.2+g" + git(repository, "rev-parse", "--short=8", "HEAD")


def test_what_was_changed_and_not_committed_is_no_release(repository):
    git(repository, "tag", "v1.2.3")
    with open(repository / "scripts/version", "a") as script:
        script.write("# changed\n")
    assert re.fullmatch(r"1\.2\.4-dev\.0\+g\w{8}\.changed", version(repository))


def test_without_a_tag_the_version_names_the_commit(repository):
    assert version(repository) == "0.1.0-dev.1+g" + git(repository, "rev-parse", "--short=8", "HEAD")


@pytest.mark.parametrize("tag", ["v1.2", "v1.2.3-rc_1", "v1.2.3-rc-1", "v1.2.3.4"])
def test_a_tag_that_is_no_version_is_refused(repository, tag):
    git(repository, "tag", tag)
    assert f"the tag {tag} is not a version such as v1.2.3" in run("scripts/version", status=1, folder=repository)


def test_debian_sorts_versions_as_they_come(repository):
    """From before the first tag on, through release candidates, to what follows a release."""
    made = [version(repository, "--debian")]
    for tag in ["v1.0.0-rc.1", None, "v1.0.0-rc.2", "v1.0.0", None, None, "v1.0.1", "v1.1.0-beta.1", "v1.1.0"]:
        commit(repository)
        if tag:
            git(repository, "tag", tag)
        made.append(version(repository, "--debian"))
    for earlier, later in zip(made, made[1:]):
        run("dpkg", "--compare-versions", earlier, "lt", later)


def test_a_build_that_nobody_has_packaged_says_so():
    assert run(BINARY, "version") == run(BINARY, "--version") == "development\n"


def test_packaging_writes_the_version_into_the_program(tmp_path):
    program, section = tmp_path / "vestibule", tmp_path / "section"
    shutil.copy(BINARY, program)
    section.write_bytes(b"1.2.3-rc.1".ljust(64, b"\0"))
    run("objcopy", "--update-section", f".vestibule_version={section}", program)
    assert run(program, "version") == run(program, "--version") == "1.2.3-rc.1\n"


# The change log


def test_the_change_log_becomes_debians():
    made = run("scripts/changelog", "1.0.0-dev.5+gabc", MAKER, DAY)
    assert made.startswith("vestibule (1.0.0~dev.5+gabc) stable; urgency=medium\n\n  * Added: ")
    assert made.endswith(f"\n\n -- {MAKER}  {DAY}\n")
    assert not [line for line in made.splitlines() if len(line) > 80]


def test_a_release_without_an_entry_in_the_change_log_is_refused():
    assert "CHANGELOG.md has no entry for 99.0.0" in run("scripts/changelog", "99.0.0", MAKER, DAY, status=1)

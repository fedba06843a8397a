"""`scripts/evidence`, which `scripts/lint` calls, holds docs/asvs.md, and notices what is wrong in it."""

import shutil
import subprocess

import pytest
from house import REPOSITORY


@pytest.fixture
def copy(tmp_path):
    """Of what it reads."""
    for name in ("docs", "scripts"):
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    shutil.copy(REPOSITORY / "README.md", tmp_path)
    (tmp_path / "Tests").symlink_to(REPOSITORY / "Tests")
    return tmp_path


def faults(copy) -> list[str]:
    ran = subprocess.run([copy / "scripts/evidence"], capture_output=True, text=True)
    assert ran.returncode == (1 if ran.stderr else 0)
    return ran.stderr.splitlines()


def test_what_is_written_is_so(copy):
    assert faults(copy) == []


ROWS = {number: f"| {number} | " for number in ("1.2.5", "6.2.1", "6.2.12", "6.6.1", "7.1.1")}
# What is changed in which row, and what is said of it.
PLANTED = {
    "a test that is gone": ("6.2.1", "is refused for its reason`", "is refused for no reason`", "there is no test"),
    "a test of another suite": ("6.2.1", "`PasswordPolicyTests/", "`LoginTests/", "there is no test"),
    "no test": ("6.2.1", "| `PasswordPolicyTests/a password is refused for its reason` |", "| it is so |", "no test is named"),
    "another level": ("6.2.1", "| 6.2.1 | 1 |", "| 6.2.1 | 2 |", "is no row of level 2"),
    "another number": ("6.2.1", "| 6.2.1 |", "| 6.2.13 |", "6.2.1: is missing"),
    "no verdict": ("6.2.1", "| shown |", "|  |", "is no verdict"),
    "a made-up verdict": ("6.2.1", "| shown |", "| fine |", "is no verdict"),
    "a cell too few": ("6.2.1", " | shown |", " |", "cannot be read"),
    "a file that is gone": ("7.1.1", "](security.md#", "](safety.md#", "there is no safety.md"),
    "a heading that is gone": ("7.1.1", "#sessions)", "#visits)", "has no heading #visits"),
    "a sentence that is gone": ("7.1.1", "12 hours unused", "13 hours unused", "does not say"),
    "no link": ("7.1.1", "[12 hours unused and 24 in all](security.md#sessions)", "12 hours", "no sentence is linked"),
    "no reason why it is open": ("6.2.12", None, "| 6.2.12 | 2 | breaches | open |  |", "no reason is given"),
    "no reason why it is not ours": ("6.6.1", None, "| 6.6.1 | 2 | telephone | not ours | no. |", "no reason is given"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_wrong_is_said(copy, what):
    number, before, after, said = PLANTED[what]
    page = copy / "docs/asvs.md"
    lines = page.read_text().splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith(ROWS[number]))
    assert before is None or before in lines[place]
    lines[place] = lines[place].replace(before, after) if before else after
    page.write_text("\n".join(lines) + "\n")
    assert any(said in fault for fault in faults(copy)), faults(copy)


def test_a_row_that_is_missing_and_one_there_twice_are_said(copy):
    page = copy / "docs/asvs.md"
    lines = page.read_text().splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith(ROWS["1.2.5"]))
    page.write_text("\n".join([*lines[:place], *lines[place + 1 :], lines[place + 1]]) + "\n")
    said = faults(copy)
    assert any("1.2.5: is missing" in fault for fault in said) and any("there 2 times" in fault for fault in said)


def test_other_numbers_in_the_readme_are_said(copy):
    readme = copy / "README.md"
    readme.write_text(readme.read_text().replace("| shown by a test | ", "| shown by a test | 1"))
    assert len(faults(copy)) == 1 and "README.md lacks the line | shown by a test" in faults(copy)[0]


def test_a_test_that_is_renamed_is_missed(copy):
    (copy / "Tests").unlink()
    shutil.copytree(REPOSITORY / "Tests", copy / "Tests", ignore=shutil.ignore_patterns("Fixtures", "__pycache__"))
    suite = copy / "Tests/PasswordHashingTests/Strength/PasswordPolicyTests.swift"
    suite.write_text(suite.read_text().replace("`a password is refused for its reason`", "`a password is refused`"))
    assert {fault.split(":")[1].strip() for fault in faults(copy)} >= {"6.2.1", "6.2.11"}

"""scripts/rooms, over small sources with an index of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOMS = Path(__file__).resolve().parents[2] / "scripts/rooms"


@pytest.fixture
def check(tmp_path):
    """Compiles the files given, and says what the script finds."""

    def run(files: dict[str, str], *arguments: str) -> subprocess.CompletedProcess:
        sources = tmp_path / "Sources"
        paths = []
        for name, text in files.items():
            path = sources / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            paths.append(str(path))
        compiler = ["swiftc", "-emit-module", "-module-name", "House", "-o", str(tmp_path / "House.swiftmodule")]
        subprocess.run([*compiler, "-index-store-path", str(tmp_path / "index"), *paths], check=True, cwd=tmp_path)
        command = [sys.executable, ROOMS, "--sources", sources, "--index", tmp_path / "index", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    return run


HALL = {
    "House/Hall/Hall.swift": "struct Hall { let width = 3 }",
    "House/Attic/Attic.swift": "struct Attic { let hall = Hall() }",
}


def test_folders_that_know_each_other_in_one_direction_pass(check):
    ran = check(HALL)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "House/Attic: House/Hall\n" in ran.stdout


def test_a_circle_through_a_member_of_an_extension_is_found(check):
    ran = check({
        "House/Hall/Hall.swift": "struct Hall { let width = 3; var double: Int { wide } }",
        "House/Attic/Attic.swift": "extension Hall { var wide: Int { 2 * width } }",
    })
    assert ran.returncode == 1
    assert "2 folders know each other in a circle: House/Attic House/Hall" in ran.stderr
    assert "House/Hall knows House/Attic: getter:wide wide" in ran.stderr


def test_a_circle_through_an_operator_is_found(check):
    ran = check({
        "House/Hall/Hall.swift": "struct Hall { let width = 3; var wider: Hall { self + self } }",
        "House/Attic/Attic.swift": "func + (one: Hall, other: Hall) -> Hall { one }",
    })
    assert ran.returncode == 1 and "in a circle: House/Attic House/Hall" in ran.stderr


@pytest.mark.parametrize("low, high, found", [
    ("Base/Hall", "SignIn/Attic", ""),
    ("SignIn/Hall", "Base/Attic", "a group is known from below: Vestibule/Base/Attic knows Vestibule/SignIn/Hall"),
    ("SignIn/Hall", "Account/Attic", "a folder is known that is not shared: Vestibule/Account/Attic knows Vestibule/SignIn"),
    ("SignIn/Proof", "Account/Attic", ""),
    ("SignIn/Hall", "SignIn/Attic", ""),
], ids=["down", "up", "not shared", "shared", "in one group"])
def test_who_may_know_whom(check, low, high, found):
    ran = check({
        f"Vestibule/{low}/Hall.swift": HALL["House/Hall/Hall.swift"],
        f"Vestibule/{high}/Attic.swift": HALL["House/Attic/Attic.swift"],
    })
    assert (ran.returncode, found in ran.stderr, bool(ran.stderr)) == (int(bool(found)), True, bool(found))


def test_an_entry_that_is_no_group_is_found(check):
    ran = check({"Vestibule/Cellar/Hall.swift": HALL["House/Hall/Hall.swift"]})
    assert ran.returncode == 1 and "Vestibule has the entries Cellar" in ran.stderr


def test_a_full_folder_is_found(check):
    ran = check({f"House/Hall/Hall{number}.swift": f"struct Hall{number} {{}}" for number in range(16)})
    assert ran.returncode == 1 and "House/Hall holds 16 files, more than 15" in ran.stderr


def test_sources_that_are_newer_than_the_index_are_not_passed(check, tmp_path):
    check(HALL)
    (tmp_path / "Sources/House/Attic/Attic.swift").touch()
    command = [sys.executable, ROOMS, "--sources", tmp_path / "Sources", "--index", tmp_path / "index"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1 and "1 file has changed since the debug build" in ran.stderr
    for flag in ("--lenient", "--built"):
        assert subprocess.run([*command, flag], capture_output=True).returncode == 0

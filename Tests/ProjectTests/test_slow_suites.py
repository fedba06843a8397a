"""Suites that `make test` does not run: what they need is there, so that a file that moves is noticed today."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
SUITES = ["BrowserTests/Pages", "ClusterTests", "EnduranceTests", "ImageTests", "OperatingTests", "PackageTests", "RelyingPartyTests"]


@pytest.mark.parametrize("suite", SUITES)
def test_its_tests_are_found(suite):
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", TESTS / suite],
        capture_output=True, text=True, env=os.environ | {"BARE_DEBIAN": "none"})
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("suite", SUITES)
def test_the_files_that_it_names_are_there(suite):
    named = [
        path for file in (TESTS / suite).glob("*.py")
        for path in re.findall(r'REPOSITORY / "([^"]+)"', file.read_text()) if not path.startswith(".build")]
    assert [path for path in named if not (TESTS.parent / path).exists()] == []


def test_the_mail_server_of_a_bare_machine_starts():
    starts = "from machine import MailServer; MailServer().stop()"
    folders = os.pathsep.join(str(TESTS / name) for name in ("PackageTests", "BrowserTests"))
    ran = subprocess.run(
        [sys.executable, "-c", starts], capture_output=True, text=True, timeout=60,
        env=os.environ | {"PYTHONPATH": folders, "BARE_DEBIAN": "none"})
    assert ran.returncode == 0, ran.stderr

"""The package of `make package` in a bare Debian, as an operator meets it. `scripts/try-package` runs these."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "BrowserTests"))


@pytest.fixture
def machine(tmp_path):
    """A Debian that nothing was installed on."""
    from machine import Machine

    machine = Machine(tmp_path / "debian")
    yield machine
    machine.stop()


@pytest.fixture
def mail_server():
    from machine import MailServer

    server = MailServer()
    yield server
    server.stop()

"""What goes on where the disk of the database is full."""

import os
import re
from pathlib import Path

import house
import pytest
from house import PASSWORD, House, eventually

SMALL_DISK = """#!/bin/sh
exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=12m none data && exec "$0" "$@"' "{binary}" "$@"
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A server whose folder `data` is a file system of 12 MiB, which only it sees, and which notes the use of a session
    every five seconds."""
    script = tmp_path / "vestibule"
    script.write_text(SMALL_DISK.format(binary=house.BINARY))
    script.chmod(0o700)
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(house, "BINARY", str(script))
    return House(
        tmp_path, VESTIBULE_DATABASE_URL="sqlite:data/vestibule.sqlite", VESTIBULE_VERIFICATION="off",
        VESTIBULE_SESSION_IDLE="20s", VESTIBULE_REMEMBER_IDLE="20s")


def fill(small: House) -> None:
    data = Path(f"/proc/{small.process.pid}/root{small.folder}/data")
    with open(data / "fill", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            os.fsync(file.fileno())


def test_who_is_signed_in_stays_so(small):
    form = {"display_name": "Ada", "email": "ada@example.com", "password": PASSWORD, "password_confirmation": PASSWORD}
    answer = small.ask("POST", "/signup", form | {"terms": "accepted"})
    cookie = re.search(r"vestibule=[^;]+", ", ".join(answer.headers.get_all("Set-Cookie"))).group()
    fill(small)

    def is_met() -> bool:
        answer = small.ask("GET", "/account", Cookie=cookie)
        assert answer.status == 200, answer.text
        return "store unavailable" in (small.folder / "server.log").read_text()

    eventually(is_met, "a note of the session's use that finds no room")
    assert small.ask("POST", "/reset", {"email": "ada@example.com"}).status == 503
    small.stop()

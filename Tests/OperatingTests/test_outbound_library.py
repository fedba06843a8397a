"""libcurl brings two dozen libraries along: only a server that has somebody to talk to loads it."""

import subprocess
from pathlib import Path

from house import BINARY, PATIENCE

SMTP = {"VESTIBULE_MAIL_URL": "smtps://mail.example.com:465"}


def libraries(house) -> str:
    return Path(f"/proc/{house.process.pid}/maps").read_text()


def test_a_server_that_mails_into_a_folder_does_without(open_house):
    house = open_house()
    assert "libcrypto.so" in libraries(house) and "libcurl.so" not in libraries(house)


def test_a_server_with_smtp_has_it_from_the_start(open_house):
    house = open_house()
    house.kill()
    house.start(**SMTP)
    assert "libcurl.so" in libraries(house)


def test_without_it_a_server_with_smtp_does_not_start_and_says_why(open_house, tmp_path):
    house = open_house()
    house.kill()
    (tmp_path / "libcurl.so.4").touch()
    done = subprocess.run(
        [BINARY, "serve", "--port", "0"], cwd=house.folder, capture_output=True, text=True, timeout=PATIENCE,
        env=house.surroundings() | SMTP | {"LD_LIBRARY_PATH": str(tmp_path)},
    )
    assert done.returncode == 1
    assert done.stderr == (
        "vestibule: error: libcurl cannot be loaded\n"
        "hint: Install it (Debian: libcurl4); SMTP, providers, webhooks and logout addresses need it.\n"
    )

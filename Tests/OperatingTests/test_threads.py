"""A machine that gives a server no more threads for a while (RLIMIT_NPROC, the limit of a container)."""

import socket
import subprocess

import pytest
from house import BINARY, PASSWORD, PATIENCE, REPOSITORY, eventually
from receivers import Receiver


@pytest.fixture
def shortage(tmp_path):
    """No thread is given as long as this file is there; the settings make it so."""
    library = tmp_path / "threads.so"
    source = REPOSITORY / "Tests/StandIns/threads.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    file = tmp_path / "no-threads"
    return file, {"LD_PRELOAD": str(library), "NO_THREADS": str(file)}


def test_a_mail_that_gets_no_thread_is_tried_again(open_house, shortage):
    (file, settings) = shortage
    with socket.create_server(("127.0.0.1", 0)) as mail_server:
        house = open_house(VESTIBULE_MAIL_URL=f"smtp://127.0.0.1:{mail_server.getsockname()[1]}", **settings)
        file.touch()
        person = {"display_name": "Ada", "email": "ada@example.com", "terms": "accepted"}
        house.ask("POST", "/signup", person | {"password": PASSWORD, "password_confirmation": PASSWORD})
        log = house.folder / "server.log"
        eventually(lambda: "this machine has no thread left for a mail" in log.read_text(), "a mail without a thread")
        file.unlink()
        mail_server.settimeout(PATIENCE)
        mail_server.accept()[0].close()
    house.stop()
    assert house.process.returncode == 0


def test_a_server_calls_others_without_new_threads(open_house, shortage):
    (file, settings) = shortage
    receiver = Receiver()
    webhook = {"VESTIBULE_WEBHOOK_PORTAL_URL": receiver.url, "VESTIBULE_WEBHOOK_PORTAL_EVENTS": "account.disabled"}
    provider = {"VESTIBULE_OIDC_EXAMPLE_ISSUER": "http://127.0.0.1:1", "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web",
                "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush", "VESTIBULE_OIDC_EXAMPLE_LABEL": "Example"}
    house = open_house(**webhook, **provider, **settings)
    member = house.member
    file.touch()
    disabling = [BINARY, "users", "disable", member]
    subprocess.run(disabling, cwd=house.folder, env=house.surroundings() | {"LD_PRELOAD": ""}, check=True)
    eventually(lambda: receiver.told or house.process.poll() is not None, "a signal")
    assert receiver.types() == ["account.disabled"]
    browser = {"Sec_Fetch_Site": "none", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    house.ask("GET", "/auth/example", **browser)
    assert "authn_provider_unavailable" in (house.folder / "server.log").read_text()
    receiver.close()

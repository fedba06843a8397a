"""A server that was told to stop and goes on serving for a while, so that a proxy can notice."""

import signal
import subprocess

from house import BINARY, PATIENCE, House, eventually


def stopping(house: House) -> House:
    """Told to stop, and known to have heard it."""
    house.process.send_signal(signal.SIGTERM)
    eventually(lambda: house.ask("GET", "/healthz").status == 503, "a bad health")
    return house


def test_with_a_delay_health_is_bad_and_pages_are_served_before_it_ends(tmp_path):
    house = stopping(House(tmp_path, VESTIBULE_SHUTDOWN_DELAY="5s"))
    for path in ["/healthz", "/readyz"]:
        answer = house.ask("GET", path)
        assert (answer.status, answer.text) == (503, "stopping\n")
    assert house.ask("GET", "/login").status == 200
    assert house.ask("POST", "/login", {"email": "ada@example.com", "password": "wrong"}).status == 422
    assert house.process.wait(PATIENCE) == 0


def test_a_second_signal_ends_the_delay(tmp_path):
    house = stopping(House(tmp_path, VESTIBULE_SHUTDOWN_DELAY="1d"))
    house.process.send_signal(signal.SIGTERM)
    assert house.process.wait(PATIENCE) == 0


def test_without_a_delay_the_first_signal_ends_it(tmp_path):
    house = House(tmp_path)
    house.process.send_signal(signal.SIGINT)
    assert house.process.wait(PATIENCE) == 0


def test_a_delay_that_is_no_time_is_refused(tmp_path):
    checked = subprocess.run(
        [BINARY, "doctor"], cwd=tmp_path, env={"VESTIBULE_SHUTDOWN_DELAY": "soon"}, capture_output=True, text=True,
        timeout=PATIENCE)
    assert checked.returncode == 78 and "VESTIBULE_SHUTDOWN_DELAY" in checked.stderr

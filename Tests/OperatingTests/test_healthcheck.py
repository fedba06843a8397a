"""`vestibule healthcheck` where something else has the port, or the server hangs."""

import socket
import subprocess
import threading
import time

import pytest
from house import BINARY, PATIENCE

BEGINNING = b"HTTP/1.1 200 OK\r\n\r\n"


def drip(connection: socket.socket, ended: threading.Event) -> None:
    connection.sendall(BEGINNING)
    while not ended.wait(0.5):
        connection.sendall(b"o")


def hang(connection: socket.socket, ended: threading.Event) -> None:
    ended.wait(PATIENCE)


def end(connection: socket.socket, ended: threading.Event) -> None:
    pass


@pytest.mark.parametrize("answer", [drip, hang, end])
def test_it_ends_within_seconds_whatever_the_port_answers(tmp_path, answer):
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Nobody may come.
        listener.settimeout(PATIENCE)

        def serve() -> None:
            try:
                connection, _ = listener.accept()
                with connection:
                    answer(connection, ended)
            except OSError:
                pass

        thread = threading.Thread(target=serve)
        thread.start()
        began = time.monotonic()
        port = listener.getsockname()[1]
        try:
            done = subprocess.run(
                [BINARY, "healthcheck", "--port", str(port)], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE / 2)
        finally:
            ended.set()
            thread.join()
    assert done.returncode == 1 and f"nothing answers at 127.0.0.1:{port}" in done.stderr, done
    assert time.monotonic() - began < 20

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


def answer_late(connection: socket.socket, ended: threading.Event) -> None:
    """As a server does whose database hangs."""
    # What was not read would make the system break the connection, answer and all.
    connection.recv(4096)
    ended.wait(7)
    connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\n\r\nstore\n")


LATE, NOBODY = "the server at 127.0.0.1:{port} did not answer in time", "nothing answers at 127.0.0.1:{port}"


@pytest.mark.parametrize(("answer", "words"), [
    (drip, LATE), (hang, LATE), (end, NOBODY), (answer_late, "the server is not ready: store")])
def test_it_ends_within_seconds_whatever_the_port_answers(tmp_path, answer, words):
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
    assert done.returncode == 1 and words.format(port=port) in done.stderr, done
    assert time.monotonic() - began < 20

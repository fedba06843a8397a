"""The image of `make image`, in a real container engine. `scripts/try-image` runs these."""

import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "BrowserTests"), str(TESTS / "PackageTests")]
# The mail server is the one of the package's tests, which want a Debian for the rest.
os.environ.setdefault("BARE_DEBIAN", "none")


@pytest.fixture(scope="session")
def podman(tmp_path_factory):
    from container import Podman

    podman = Podman(tmp_path_factory.mktemp("podman"))
    yield podman
    podman.stop()


@pytest.fixture(scope="session")
def image(podman):
    from container import the_image

    return podman.load(the_image())


@pytest.fixture
def mail_server():
    from machine import MailServer

    server = MailServer()
    yield server
    server.stop()


@pytest.fixture
def container(podman, image, mail_server, request):
    """One that serves in production, with a volume of its own."""
    from container import Container

    container = Container(podman, image, request.node.name, mail_server)
    yield container
    podman("rm", "--force", "--time", "0", container.name)

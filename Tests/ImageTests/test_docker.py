"""The image in Docker, which most people have: what is the same for all engines is tried in Podman."""

import pytest
from container import HARDENED, Container, the_image
from docker import Docker
from house import eventually

ADDRESS = "ada@example.com"


@pytest.fixture(scope="module")
def docker(tmp_path_factory):
    docker = Docker(tmp_path_factory.mktemp("docker"))
    yield docker
    docker.stop()


@pytest.fixture(scope="module")
def image(docker):
    return docker.load(the_image())


def test_without_settings_it_does_not_start_and_says_what_to_do(docker, image):
    ran = docker.start("run", "--rm", *HARDENED, "--network=none", image)
    assert ran.returncode == 78
    assert "error: VESTIBULE_PUBLIC_URL is not set" in ran.stderr and "hint: Make one with: openssl rand" in ran.stderr


def test_a_sign_up_outlives_a_stop_and_a_kill_and_is_in_the_backup(docker, image, mail_server):
    container = Container(docker, image, "life", mail_server, "--health-interval=1s")
    container.sign_up(ADDRESS)
    eventually(lambda: docker.inspect(container.name)["State"]["Health"]["Status"] == "healthy", "a healthy container")
    assert container.end() == 0
    container.start()
    assert container.signs_in(ADDRESS)
    container.kill()
    container.start()
    assert container.signs_in(ADDRESS)
    assert docker("exec", container.name, "vestibule", "users", "list", "--json").count(ADDRESS) == 1
    backup = docker.start("exec", container.name, "vestibule", "backup", "-", text=False).stdout
    assert backup.startswith(b"SQLite format 3\0") and ADDRESS.encode() in backup

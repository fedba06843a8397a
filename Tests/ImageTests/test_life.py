"""The image as an operator runs it: locked down, with one volume."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from container import HARDENED, HOME, Container, the_image
from house import PATIENCE, REPOSITORY

ADDRESS = "ada@example.com"
LIBRARIES = ["libcurl.so.4", "libfido2.so.1", "libpq.so.5", "libqrencode.so.4"]


def test_without_settings_it_does_not_start_and_the_log_says_what_to_do(podman, image):
    name = podman("create", *HARDENED, "--network=none", image).strip()
    podman.start("start", name)
    assert podman("wait", name).strip() == "78"
    said = podman.start("logs", name).stderr
    for setting, hint in [("PUBLIC_URL", "https://login.example.com"), ("MAIL_URL", "smtp://"), ("SECRET_KEY", "openssl rand")]:
        assert re.search(f"error: VESTIBULE_{setting} is not set, .*\nhint: .*{re.escape(hint)}", said), said
    podman("rm", name)


def test_a_sign_up_outlives_a_restart_a_kill_and_the_container(container, podman, image):
    container.sign_up(ADDRESS)
    assert container.signs_in(ADDRESS)
    assert container.end() == 0 and "sys_shutdown" in container.log()
    container.start()
    assert container.signs_in(ADDRESS)
    container.kill()
    container.start()
    assert container.signs_in(ADDRESS)
    container.kill()
    other = Container(podman, image, container.volume, container.mail_server)
    assert other.signs_in(ADDRESS)
    podman("rm", "--force", "--time", "0", other.name)


def test_it_is_nobody_with_no_rights_in_a_root_that_cannot_be_written(container):
    status = dict(line.split(":\t", 1) for line in (container.process / "status").read_text().splitlines())
    assert status["Uid"].split() == status["Gid"].split() == ["65532"] * 4
    assert status["CapEff"] == status["CapBnd"] == "0000000000000000" and status["NoNewPrivs"] == "1"
    mounts = {line.split()[4]: line.split()[5] for line in (container.process / "mountinfo").read_text().splitlines()}
    assert mounts["/"].startswith("ro,") and mounts[HOME].startswith("rw,")
    # The first process, which starts no other: what it is sent, it gets, and there is nothing to reap.
    assert re.search(r"\t1$", status["NSpid"])
    assert (container.process / "task" / container.process.name / "children").read_text() == ""


def test_what_the_server_makes_is_for_the_server_alone(container):
    container.sign_up(ADDRESS)
    for file in [container.data, *container.data.rglob("*")]:
        assert (file.stat().st_uid, file.stat().st_mode & 0o077) == (65532, 0), file


def test_there_is_no_shell(podman, image):
    for program in ["sh", "/bin/sh", "bash", "busybox"]:
        assert podman.start("run", "--rm", "--network=none", f"--entrypoint={program}", image).returncode == 127


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_loaded_later_is_whole(podman, image, library):
    listed = podman(
        "run", "--rm", "--network=none", "--entrypoint=/lib64/ld-linux-x86-64.so.2", image, "--list",
        f"/usr/lib/x86_64-linux-gnu/{library}")
    assert "libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6" in listed and "not found" not in listed


def test_the_program_checks_its_health_for_an_engine(container, podman):
    assert container.run("healthcheck") == "ok\n"
    database = sorted(container.data.glob("vestibule.sqlite*"))
    subprocess.run(["chattr", "+i", *database], check=True)
    try:
        done = podman.start("exec", container.name, "vestibule", "healthcheck")
        assert done.returncode == 1 and "the server is not ready: store" in done.stderr
    finally:
        subprocess.run(["chattr", "-i", *database], check=True)


def test_docker_finds_the_health_check_in_the_image(podman, mail_server):
    """Podman takes it of images in Docker's form, as Docker does of both; of the OCI's it is not part."""
    image = podman("pull", "--quiet", f"docker-archive:{the_image()}").strip()
    container = Container(podman, image, "health", mail_server, "--health-interval=disable")
    check = podman.inspect(container.name)["Config"]["Healthcheck"]
    assert check["Test"] == ["CMD", "/usr/bin/vestibule", "healthcheck"]
    podman("healthcheck", "run", container.name)
    podman("rm", "--force", "--time", "0", container.name)


def test_a_backup_comes_out_of_the_volume_and_into_another_one(container, podman, image, tmp_path):
    container.sign_up(ADDRESS)
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with (data / "vestibule.sqlite").open("wb") as copy:
        subprocess.run(
            [*podman.command, "exec", container.name, "vestibule", "backup", "-"], env=podman.surroundings, stdout=copy, check=True,
            timeout=PATIENCE)
    container.kill()
    for each in [data, data / "vestibule.sqlite"]:
        os.chown(each, 65532, 65532)

    other = Container(podman, image, f"{container.volume}-new", container.mail_server, starts=False)
    podman("cp", "-a", data, f"{other.name}:{HOME}/")
    other.start()
    assert other.signs_in(ADDRESS) and ADDRESS in other.run("users", "list")
    podman("rm", "--force", "--time", "0", other.name)


def before(folder: Path) -> Path:
    """The image named by IMAGE_BEFORE, such as the one of the last release; else this one under an older version."""
    if "IMAGE_BEFORE" in os.environ:
        return REPOSITORY / os.environ["IMAGE_BEFORE"]
    (package,) = (REPOSITORY / ".build/package").glob("*.deb")
    subprocess.run(["dpkg-deb", "-R", package, folder / "before"], check=True)
    control = folder / "before/DEBIAN/control"
    control.write_text(re.sub(r"\nVersion: .*", "\nVersion: 0.0.1", control.read_text()))
    subprocess.run(["dpkg-deb", "-Znone", "-b", folder / "before", folder / "before.deb"], check=True)
    subprocess.run([REPOSITORY / "scripts/image", folder / "before.deb", folder / "image"], check=True)
    (file,) = (folder / "image").iterdir()
    return file


def test_an_upgrade_keeps_everything(podman, mail_server, tmp_path):
    older = podman.load(before(tmp_path))
    # Both may have one version.
    podman("tag", older, "localhost/vestibule:before")
    old = Container(podman, "localhost/vestibule:before", "upgrade", mail_server)
    old.sign_up(ADDRESS)
    assert old.end() == 0
    new = Container(podman, podman.load(the_image()), "upgrade", mail_server)
    assert podman.inspect(new.name)["Image"] != podman.inspect(old.name)["Image"]
    assert new.signs_in(ADDRESS)
    new.sign_up("bob@example.com")
    podman("rm", "--force", "--time", "0", old.name, new.name)


def test_what_the_first_release_left_is_served_from_a_volume(podman, image, mail_server, tmp_path):
    """Database, settings and pages of its operator, as `docs/operating/installing.md` puts them there."""
    release = REPOSITORY / "Tests/Fixtures/0.1.0"
    ada = json.loads((release / "people.json").read_text())["ada"]
    (tmp_path / "data").mkdir(mode=0o700)
    shutil.copy(release / "vestibule.sqlite", tmp_path / "data/vestibule.sqlite")
    shutil.copy(release / "vestibule.env", tmp_path / ".env")
    shutil.copytree(release / "Templates", tmp_path / "Templates")
    subprocess.run(["chown", "-R", "65532:65532", tmp_path], check=True)

    settings = ["--unsetenv=VESTIBULE_SECRET_KEY", "--env=VESTIBULE_APP_NOTES_ORIGINS=https://notes.example.com"]
    container = Container(podman, image, "first-release", mail_server, *settings, starts=False)
    for name in ["data", ".env", "Templates"]:
        podman("cp", "-a", tmp_path / name, f"{container.name}:{HOME}/")
    container.start()
    assert container.signs_in(ada["email"], ada["password"])
    assert "Fir &amp; Birch" in container.ask("/login")[2]
    podman("rm", "--force", "--time", "0", container.name)

"""Installing, upgrading, removing and purging the Debian package."""

import subprocess
from pathlib import Path

from house import REPOSITORY, Outbox

PACKAGES = REPOSITORY / ".build/package"
SETTINGS = "/etc/vestibule/vestibule.env"
ADDRESS = "ada@example.com"
INSTALL = "apt-get install -y --no-install-recommends"


def the_package() -> Path:
    (file,) = PACKAGES.glob("*.deb")
    return file


def a_newer_one(folder: Path) -> Path:
    """The same package with a higher version."""
    subprocess.run(["dpkg-deb", "-R", the_package(), folder / "newer"], check=True)
    control = folder / "newer/DEBIAN/control"
    control.write_text(control.read_text().replace("\nVersion: ", "\nVersion: 1:"))
    subprocess.run(["dpkg-deb", "-Znone", "-b", folder / "newer", folder / "newer.deb"], check=True)
    return folder / "newer.deb"


def configure(machine, mail_server) -> None:
    certificate = machine.copy(mail_server.certificate, "/usr/local/share/ca-certificates/test.crt")
    machine.sh(f"openssl x509 -in {certificate} -out {certificate}; update-ca-certificates")
    with open(machine.root / SETTINGS.lstrip("/"), "a") as settings:
        machine.host = "login.example.com"
        settings.write(f"VESTIBULE_PUBLIC_URL=https://{machine.host}\n")
        settings.write("VESTIBULE_MAIL_FROM=no-reply@example.com\n")
        settings.write(f"VESTIBULE_MAIL_URL={mail_server.url}\n")


def test_a_life_of_the_package(machine, mail_server, tmp_path):
    said = machine.sh(f"{INSTALL} {machine.copy(the_package(), '/tmp/vestibule.deb')}")
    assert "Vestibule is not started before its settings are complete." in said
    assert machine.sh(f"stat -c '%A %U:%G' {SETTINGS}") == "-rw-r----- root:vestibule\n"
    assert machine.sh("stat -c '%A %U:%G' /var/lib/vestibule") == "drwxr-xr-x vestibule:vestibule\n"
    in_folder = "cd /var/lib/vestibule && vestibule"
    assert "VESTIBULE_PUBLIC_URL" in machine.sh(f"{in_folder} serve", status=78, user="vestibule")

    configure(machine, mail_server)
    checked = machine.sh(f"{in_folder} doctor", user="vestibule")
    assert "FAIL" not in checked and "ok   file modes" in checked
    machine.serve("/var/lib/vestibule", "vestibule")
    machine.sign_up(ADDRESS, mail_server.code)
    assert machine.signs_in(ADDRESS)
    assert ADDRESS in machine.sh(f"{in_folder} users list", user="vestibule")

    before = machine.sh(f"cat {SETTINGS}")
    machine.sh(f"{INSTALL} {machine.copy(a_newer_one(tmp_path), '/tmp/newer.deb')}")
    assert machine.sh(f"cat {SETTINGS}") == before
    machine.end_server()
    machine.serve("/var/lib/vestibule", "vestibule")
    assert machine.signs_in(ADDRESS)

    machine.sh(f"{INSTALL} --allow-downgrades /tmp/vestibule.deb")
    assert machine.sh(f"cat {SETTINGS}") == before

    machine.end_server()
    machine.sh("apt-get remove -y vestibule")
    assert not (machine.root / "usr/bin/vestibule").exists()
    machine.sh(f"{INSTALL} /tmp/newer.deb")
    assert machine.sh(f"cat {SETTINGS}") == before
    machine.serve("/var/lib/vestibule", "vestibule")
    assert machine.signs_in(ADDRESS)

    machine.end_server()
    machine.sh("apt-get purge -y vestibule")
    left = machine.sh("find / -xdev -name '*vestibule*' -not -path '/tmp/*' -not -path '/proc/*'").split()
    assert left == [], left


def test_the_manual_and_the_unit(machine):
    machine.sh(f"{INSTALL} man-db systemd {machine.copy(the_package(), '/tmp/vestibule.deb')}")
    page = machine.sh("man --warnings vestibule")
    for word in ["users import", "--skip-refused", "VESTIBULE_PUBLIC_URL", "/etc/vestibule/vestibule.env"]:
        assert word in page, word
    assert "troff" not in page and "warning:" not in page
    assert machine.sh("systemd-analyze verify vestibule.service") == ""


def test_the_tarball_serves_where_it_is_unpacked(machine):
    (file,) = PACKAGES.glob("*.tar.xz")
    machine.copy(file, "/tmp/vestibule.tar.xz")
    machine.sh(f"{INSTALL} xz-utils adduser && adduser --system --group somebody")
    machine.sh("tar -xJf /tmp/vestibule.tar.xz -C /srv")
    (folder,) = (machine.root / "srv").iterdir()
    # Those that it opens by name, too.
    assert "not found" not in machine.sh(f"cd /srv/{folder.name}/lib && LD_LIBRARY_PATH=. ldd *")
    machine.sh(f"chown somebody /srv/{folder.name}")
    machine.serve(f"/srv/{folder.name}", "./vestibule", user="somebody")

    machine.sign_up(ADDRESS, lambda: Outbox(folder / "data/mail").code_for(ADDRESS))
    assert machine.signs_in(ADDRESS)


def test_the_tarball_takes_the_libraries_of_the_system_where_its_own_are_removed(machine):
    (file,) = PACKAGES.glob("*.tar.xz")
    machine.copy(file, "/tmp/vestibule.tar.xz")
    machine.sh(f"{INSTALL} xz-utils && tar -xJf /tmp/vestibule.tar.xz -C /srv")
    (folder,) = (machine.root / "srv").iterdir()
    machine.sh(f"rm -r /srv/{folder.name}/lib")
    assert "loading shared libraries" in machine.sh(f"/srv/{folder.name}/vestibule version", status=127)
    needed = next(line for line in (folder / "INSTALL").read_text().splitlines() if "libc6" in line)
    machine.sh(f"{INSTALL} {needed} && /srv/{folder.name}/vestibule version")

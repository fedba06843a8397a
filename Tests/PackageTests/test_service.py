"""The service as systemd runs it, on a machine that was booted."""

import re
import time
from collections import Counter

import pytest
from house import eventually, free_port
from machine import Machine, MailServer
from test_package import ADDRESS, INSTALL, SETTINGS, a_newer_one, configure, the_package
from traffic import Caddy, Traffic


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Installed, set up, switched on; with one account."""
    machine, mail_server = Machine(tmp_path_factory.mktemp("machine") / "debian"), MailServer()
    try:
        package = machine.copy(the_package(), "/srv/vestibule.deb")
        machine.copy(a_newer_one(tmp_path_factory.mktemp("newer")), "/srv/newer.deb")
        machine.sh(f"{INSTALL} systemd systemd-sysv dbus sqlite3 {package}")
        configure(machine, mail_server)
        machine.port = free_port()
        with open(machine.root / SETTINGS.lstrip("/"), "a") as settings:
            settings.write(f"VESTIBULE_PORT={machine.port}\nVESTIBULE_TRUSTED_PROXIES=127.0.0.1\n")
            # As docs/operating/proxies.md advises.
            settings.write("VESTIBULE_SHUTDOWN_DELAY=3s\n")
            # All requests come from one address here.
            settings.write("VESTIBULE_LIMIT_LOGIN=off\n")
        machine.boot()
        machine.sh("systemctl enable --now vestibule")
        serves(machine)
        machine.sign_up(ADDRESS, mail_server.code)
        yield machine
    finally:
        machine.stop()
        mail_server.stop()


def serves(machine) -> None:
    def is_ready() -> bool:
        try:
            return machine.ask("/readyz")[0] == 200
        except ConnectionRefusedError:
            return False

    eventually(is_ready, "a server that is ready")


def shown(machine, name: str) -> str:
    return machine.sh(f"systemctl show --value --property {name} vestibule").strip()


def journal(machine) -> str:
    return machine.sh("journalctl --unit vestibule --output cat --no-pager")


def test_the_unit_leaves_little_open(service):
    """As systemd rates the unit that it has loaded, from 0 to 10."""
    rated = service.sh("systemd-analyze security --no-pager vestibule")
    score = float(re.search(r"Overall exposure level for vestibule.service: ([\d.]+)", rated)[1])
    print(f"systemd-analyze security: {score}")
    assert score <= 1.5, rated


def test_the_process_has_no_rights(service):
    """What the kernel says of it, whatever the unit says."""
    process = shown(service, "MainPID")
    status = dict(re.findall(r"^(\w+):\s+(.*)$", service.sh(f"cat /proc/{process}/status"), re.MULTILINE))
    assert {name: status[name] for name in ["NoNewPrivs", "Seccomp", "CapEff", "CapBnd"]} == {
        "NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0" * 16, "CapBnd": "0" * 16}
    assert set(status["Uid"].split()) == {service.sh("id -u vestibule").strip()}
    inside = f"nsenter --target {process} --mount --"
    assert "Read-only file system" in service.sh(f"{inside} touch /etc/x /usr/x 2>&1", status=1)
    assert service.sh(f"{inside} ls /home /root 2>&1 || true").count("\n") <= 4
    service.sh(f"{inside} test ! -e /dev/mem -a ! -e /dev/tty0")


def test_it_starts_when_the_machine_does(service):
    service.shut_down()
    service.boot()
    serves(service)
    assert service.signs_in(ADDRESS)


def test_it_starts_again_when_it_dies(service):
    before = shown(service, "MainPID")
    service.sh(f"kill -KILL {before}")
    eventually(lambda: shown(service, "MainPID") not in ("0", before), "another process")
    serves(service)
    assert service.signs_in(ADDRESS)


def test_it_stays_down_when_a_setting_is_wrong(service):
    service.sh(f"cp -p {SETTINGS} /srv/settings; echo VESTIBULE_SIGNUP=perhaps >> {SETTINGS}; systemctl restart vestibule")
    eventually(lambda: shown(service, "ActiveState") == "failed", "a failed service")
    assert shown(service, "ExecMainStatus") == "78" and shown(service, "NRestarts") == "0"
    assert "VESTIBULE_SIGNUP" in journal(service)
    service.sh(f"cp -p /srv/settings {SETTINGS}; systemctl restart vestibule")
    serves(service)


def test_an_upgrade_fails_nobody_s_request(service, tmp_path):
    caddy = Caddy(tmp_path, service.port, service.host)
    try:
        traffic, before = Traffic(caddy, ADDRESS), shown(service, "MainPID")
        begun = time.monotonic()
        try:
            service.sh(f"{INSTALL} /srv/newer.deb")
            seconds = time.monotonic() - begun
            eventually(lambda: shown(service, "MainPID") not in ("0", before), "another process")
            # Those that the new one answers count, too.
            after = len(traffic.waits)
            eventually(lambda: len(traffic.waits) > after + 100, "people who go on")
        finally:
            traffic.stop()
    finally:
        caddy.stop()
    print(f"{len(traffic.failed)} of {len(traffic.waits)} requests failed; apt took {seconds:.1f} s; the longest wait was {max(traffic.waits):.2f} s")
    assert Counter(traffic.failed) == {}


def test_an_older_version_refuses_the_database_of_a_newer_one(service):
    """And changes nothing in it, so that the newer one goes on."""
    database = "/var/lib/vestibule/data/vestibule.sqlite"
    service.sh(f"sqlite3 {database} \"INSERT INTO grdb_migrations VALUES ('999 of tomorrow')\"")
    service.sh(f"{INSTALL} --allow-downgrades /srv/vestibule.deb")
    refusal = "vestibule: error: the database was written by a newer version of Vestibule"
    eventually(lambda: refusal in journal(service), "a refused start")
    # systemd tries again and again: another program than this one may mend what it waits for.
    eventually(lambda: shown(service, "ActiveState") == "activating", "a wait for the next try")
    assert "hint: Nothing was changed. Use that version, or restore " in journal(service)
    service.sh("systemctl stop vestibule")

    service.sh(f"sqlite3 {database} \"DELETE FROM grdb_migrations WHERE identifier = '999 of tomorrow'\"")
    service.sh(f"{INSTALL} /srv/newer.deb; systemctl reset-failed vestibule; systemctl start vestibule")
    serves(service)
    assert service.signs_in(ADDRESS)

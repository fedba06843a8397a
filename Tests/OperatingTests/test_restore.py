"""A backup taken while serving, and the way back."""

import os

import pytest
from house import ON_SQLITE
from operator_desk import addresses, can_sign_in, documented, shell

# Whom nobody is.
SOMEBODY = 4242


def commands(tmp_path) -> list[str]:
    """To back up, to restore, and to restore on another machine, with another folder for backups."""
    return [documented("Backup and restore", number).replace("/srv/backup", str(tmp_path)) for number in range(3)]


def test_a_restored_backup_has_what_was_there_then_and_nothing_since(open_house, tmp_path):
    house = open_house(**ON_SQLITE)
    backup, restore = commands(tmp_path)[:2]
    house.make_account("before@example.com")
    shell(backup, house.folder)
    house.make_account("since@example.com")
    house.kill()

    shell(restore, house.folder)
    house.start()
    assert can_sign_in(house, "before@example.com")
    assert not can_sign_in(house, "since@example.com")
    assert addresses(house.folder) == {"before@example.com"}
    assert "since@example.com" in addresses(house.folder, "data/before-restore/vestibule.sqlite")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_restores_belongs_to_the_user_of_the_server(open_house, tmp_path):
    house = open_house(**ON_SQLITE)
    backup, restore = commands(tmp_path)[:2]
    shell(backup, house.folder)
    house.kill()
    for path in [house.folder / "data", *(house.folder / "data").iterdir()]:
        os.chown(path, SOMEBODY, SOMEBODY)
    shell(restore, house.folder)
    restored = (house.folder / "data/vestibule.sqlite").stat()
    assert (restored.st_uid, restored.st_gid, restored.st_mode & 0o777) == (SOMEBODY, SOMEBODY, 0o600)


def test_a_backup_is_restored_on_another_machine(open_house, tmp_path):
    house = open_house(**ON_SQLITE)
    house.make_account("ada@example.com")
    backup, _, restore = commands(tmp_path)
    shell(backup, house.folder)
    house.kill()
    new = tmp_path / "new"
    new.mkdir()
    if os.geteuid() == 0:
        os.chown(new, SOMEBODY, SOMEBODY)
    shell(restore, new)
    for path in (new / "data", new / "data/vestibule.sqlite"):
        assert (path.stat().st_uid, path.stat().st_mode & 0o077) == (new.stat().st_uid, 0)
    assert can_sign_in(open_house(new, **ON_SQLITE), "ada@example.com")

"""A backup taken while serving, and the way back."""

from house import ON_SQLITE
from operator_desk import addresses, can_sign_in, documented, shell


def test_a_restored_backup_has_what_was_there_then_and_nothing_since(open_house, tmp_path):
    house = open_house(**ON_SQLITE)
    backup, restore = [
        documented("Backup and restore", number).replace("/srv/backup", str(tmp_path)) for number in (0, 1)
    ]
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

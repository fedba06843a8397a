"""What docs/operating proposes for many people at once."""

from datetime import UTC, datetime, timedelta

from house import NO_LIMITS
from operator_desk import addresses, documented, shell


def test_a_whole_school_signs_up_with_the_limits_that_are_proposed(open_house):
    lines = documented("Many people behind one IP address", page="limits").split("\n")
    proposed = dict(line.strip().split("=", 1) for line in lines if line)
    assert set(proposed) < set(NO_LIMITS)
    house = open_house(**proposed)
    # More than ten a minute, and more codes than thirty an hour.
    for number in range(40):
        house.make_account(f"pupil{number}@example.com")


def test_the_accounts_of_a_wave_that_nobody_has_proved_are_found_and_erased(open_house):
    house = open_house(**NO_LIMITS)
    house.make_account("ada@example.com")
    wave = ["-h@example.org", "wave1@example.org", "wave2@example.org"]
    for address in wave:
        shell(f"vestibule users create -- {address}", house.folder)
    listing, erasing = (documented("A wave of sign-ups", number, page="limits") for number in range(2))
    for written, hours in (("2026-11-21T14", -1), ("2026-11-21T16", 1)):
        assert written in listing
        listing = listing.replace(written, f"{datetime.now(UTC) + timedelta(hours=hours):%Y-%m-%dT%H}")
    shell(listing, house.folder)
    assert (house.folder / "wave.txt").read_text().split() == wave
    shell(erasing, house.folder)
    assert addresses(house.folder) == {"ada@example.com"}


def test_everybody_is_signed_out_by_the_line_that_is_printed(open_house):
    house = open_house(**NO_LIMITS)
    for name in ("ada", "bob"):
        house.make_account(f"{name}@example.com")
    sessions = "for name in ada bob; do vestibule sessions list $name@example.com --json; done"
    assert shell(sessions, house.folder)
    shell(documented("Ending everybody's sessions", page="administration"), house.folder)
    assert not shell(sessions, house.folder)

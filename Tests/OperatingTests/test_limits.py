"""Many people behind one IP address, with the limits that docs/operating/limits.md proposes."""

from house import NO_LIMITS
from operator_desk import documented


def test_a_whole_school_signs_up_with_the_limits_that_are_proposed(open_house):
    lines = documented("Many people behind one IP address", page="limits").split("\n")
    proposed = dict(line.strip().split("=", 1) for line in lines if line)
    assert set(proposed) < set(NO_LIMITS)
    house = open_house(**proposed)
    # More than ten a minute, and more codes than thirty an hour.
    for number in range(40):
        house.make_account(f"pupil{number}@example.com")

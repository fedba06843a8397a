"""`vestibule users delete` at a terminal."""

import os
import pty
import subprocess

import pytest
from house import PATIENCE
from operator_desk import SURROUNDINGS, addresses


@pytest.mark.parametrize(("typed", "status", "left"), [
    ("ADA@example.com", 0, set()), ("yes", 1, {"ada@example.com"}), ("", 1, {"ada@example.com"}),
])
def test_it_asks_for_the_address_before_it_deletes(open_house, typed, status, left):
    house = open_house()
    house.make_account("ada@example.com")
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        ["vestibule", "users", "delete", "ada@example.com"], cwd=house.folder, env=SURROUNDINGS,
        stdin=end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    os.close(end)
    os.write(terminal, f"{typed}\n".encode())
    told, asked = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert "erases ada@example.com" in asked
    assert (process.returncode, told) == (status, "deleted ada@example.com\n" if status == 0 else "")
    assert addresses(house.folder) == left

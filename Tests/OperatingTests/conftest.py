"""What docs/operating tells an operator to do, done. `vestibule` must have been built."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "BrowserTests"))

from order import pytest_collection_modifyitems, pytest_configure  # noqa: E402, F401


@pytest.fixture
def open_house(tmp_path):
    """Starts servers, each in a folder of its own or in the one given; all are stopped in the end."""
    from house import QUICK_HASHES, House

    houses = []

    def start(folder: Path | None = None, **settings: str) -> House:
        folder = folder or tmp_path / f"house-{len(houses)}"
        folder.mkdir(exist_ok=True)
        houses.append(House(folder, **(QUICK_HASHES | settings)))
        return houses[-1]

    yield start
    for house in houses:
        house.kill()

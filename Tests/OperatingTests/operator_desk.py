"""An operator at a shell, who does what the documentation says."""

import os
import re
import subprocess
from pathlib import Path

from house import BINARY, NO_LIMITS, PASSWORD, PATIENCE, QUICK_HASHES, REPOSITORY, House

TOOLS = REPOSITORY / ".venv/bin"
SURROUNDINGS = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
SURROUNDINGS |= NO_LIMITS | QUICK_HASHES
SURROUNDINGS["PATH"] = f"{BINARY.parent}:{TOOLS}:{os.environ['PATH']}"


def documented(heading: str, number: int = 0, page: str = "backup") -> str:
    """The commands under a heading of a page of docs/operating: its indented block of that number."""
    text = (REPOSITORY / f"docs/operating/{page}.md").read_text()
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)[number]


def shell(commands: str, folder: Path) -> str:
    """Runs them as they stand, in a server's folder; the first that fails ends it."""
    ran = subprocess.run(
        ["sh", "-euc", commands], cwd=folder, env=SURROUNDINGS, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def can_sign_in(house: House, address: str) -> bool:
    return house.ask("POST", "/login", {"email": address, "password": PASSWORD}).status == 303


def addresses(folder: Path, file: str | None = None) -> set[str]:
    """Everybody who has an account, as the command line lists them; of the server's database or of a file of SQLite."""
    where = f"VESTIBULE_DATABASE_URL=sqlite:{file} " if file else ""
    listed = shell(f"{where}vestibule users list --all", folder)
    return set(re.findall(r"\S+@\S+", listed))

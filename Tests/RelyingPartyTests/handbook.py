"""What docs/operating/openid-clients.md says, so that the tests set applications up as a reader would."""

import re
from dataclasses import dataclass
from pathlib import Path

from house import REPOSITORY

PAGE = REPOSITORY / "docs/operating/openid-clients.md"
ISSUER = "https://login.example.com"


@dataclass(frozen=True)
class Section:
    """One application: what goes into our `.env`, and what into its own settings."""

    title: str
    ours: str
    theirs: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the settings call it; in lower case its client id."""
        return re.search(r"VESTIBULE_APP_([A-Z0-9]+)_", self.ours)[1]

    @property
    def host(self) -> str:
        """Where the page puts it, below example.com; empty for an app that has no host."""
        found = re.search(r"_REDIRECTS=https://([a-z0-9-]+)\.example\.com", self.ours)
        return found[1] if found else ""


def section(title: str) -> Section:
    """Its first block is ours, the others are the application's."""
    body, = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    blocks = [re.sub(r"^    ", "", block, flags=re.MULTILINE).strip("\n") + "\n"
              for block in re.findall(r"(?:^(?:    .*)?\n)+", body, re.MULTILINE) if block.strip()]
    return Section(title, blocks[0], tuple(blocks[1:]))


def titles() -> list[str]:
    return re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE)


def tested() -> list[str]:
    """Those that the page marks as run by a test."""
    marked = re.findall(r"^## (.+)\n+A test runs this\b", PAGE.read_text(), re.MULTILINE)
    assert marked, PAGE
    return marked


def settings(text: str) -> dict[str, str]:
    """Of lines as in `.env`."""
    return dict(line.split("=", 1) for line in text.splitlines() if re.match("[A-Z]", line))


def program(name: str) -> Path:
    return Path(__file__).parent / "parties" / name

"""The pages of the documentation lead to each other: every link names a file, and a heading of it, that are there."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from house import REPOSITORY

PAGES = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def links(page: Path) -> list[str]:
    """Links and pictures, not those to other hosts."""
    text = re.sub(r"^(    .*|```.*?^```)$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"\]\(([^()\s]+)\)", text) + re.findall(r'<(?:img|a)[^>]* (?:src|href)="([^"]+)"', text)
    return [link for link in found if not urlsplit(link).scheme]


def anchors(page: Path) -> set[str]:
    """Of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_link_leads_somewhere(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_handbook_names_all_its_pages():
    folder = REPOSITORY / "docs/operating"
    pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
    assert pages == {link for link in links(folder / "README.md") if not link.startswith("../")}


@pytest.mark.parametrize("page", PAGES[2:], ids=lambda page: page.name)
def test_what_is_installed_leads_to_what_is_installed(page):
    """The packages have docs without its pictures, and nothing else of the repository."""
    docs = REPOSITORY / "docs"
    for link in links(page):
        target = (page.parent / link.partition("#")[0]).resolve()
        assert target.is_relative_to(docs) and not target.is_relative_to(docs / "pictures"), link

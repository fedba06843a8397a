"""`scripts/site`: every document is in it, and every link in it leads somewhere."""

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from documents import built
from house import REPOSITORY


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("site")
    made = built(out)
    assert made.returncode == 0, made.stderr
    return out


class Read(HTMLParser):
    def __init__(self, file: Path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        self.ids |= {value for name, value in attributes if name == "id"}
        self.links += [value for name, value in attributes if name in ("href", "src", "srcset", "action")]


def test_every_link_of_every_page_leads_somewhere(site):
    pages = {file.resolve(): Read(file) for file in site.rglob("*.html")}
    assert len(pages) > 30
    for file, page in pages.items():
        for link in (link for link in page.links if not urlsplit(link).scheme):
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            assert target.is_file(), (file, link)
            assert not anchor or anchor in pages[target].ids, (file, link)


def test_every_document_is_in_the_menu_of_every_page(site):
    documents = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    names = {str(file.relative_to(REPOSITORY)).replace("README.md", "index.md")[:-3] + ".html" for file in documents}
    start = Read(site / "index.html").links
    assert names <= set(start)
    for file in site.rglob("*.html"):
        up = "../" * (len(file.relative_to(site).parts) - 1)
        assert {up + name for name in names} <= set(Read(file).links), file


def test_the_index_has_every_section_and_leads_to_it(site):
    index = json.loads((site / "index.js").read_text().removeprefix("const SECTIONS = ").removesuffix(";\n"))
    assert ["docs/operating/mail.html#retries", "Mail", "Retries"] in [each[:3] for each in index]
    assert all(each[0].partition("#")[2] in Read(site / each[0].partition("#")[0]).ids for each in index[:40])
    assert any("VESTIBULE_TRUSTED_PROXIES" in each[3] for each in index)


GOOD = "# Start\n\nHow to [build](docs/guide.md#build-it), and [again](docs/guide.md#build-it-1).\n"
GUIDE = "# Guide\n\n## Build it\n\n[Up](../README.md), ![a picture](door.svg), [a file](made.txt)\n\n## Build it\n"


def repository(folder: Path, start: str, guide: str = GUIDE) -> Path:
    (folder / "docs").mkdir(parents=True)
    (folder / "README.md").write_text(start)
    (folder / "docs/guide.md").write_text(guide)
    (folder / "docs/door.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (folder / "docs/made.txt").write_text("made")
    return folder


def test_what_documents_lead_to_comes_along(tmp_path):
    made = built(tmp_path / "site", repository(tmp_path / "good", GOOD))
    assert (made.returncode, made.stderr) == (0, "")
    assert (tmp_path / "site/docs/door.svg").is_file() and (tmp_path / "site/docs/made.txt").is_file()
    assert 'href="docs/guide.html#build-it-1"' in (tmp_path / "site/index.html").read_text()


@pytest.mark.parametrize("link", ["docs/guides.md", "docs/guide.md#build", "#finish", "docs/none.png", "docs", "../other.md"])
def test_a_link_that_leads_nowhere_is_named(tmp_path, link):
    (tmp_path / "other.md").write_text("# Outside\n")
    made = built(tmp_path / "site", repository(tmp_path / "bad", f"{GOOD}\n[There]({link})\n"))
    assert (made.returncode, made.stderr) == (1, f"README.md: {link} leads nowhere\n")

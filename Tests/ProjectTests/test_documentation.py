"""What the documents list is what there is; `scripts/site` looks where their links lead (test_site.py)."""

import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from house import BINARY, REPOSITORY

INSTALLED = sorted((REPOSITORY / "docs").rglob("*.md"))
PAGES = [*sorted(REPOSITORY.glob("*.md")), *INSTALLED]


def links(page: Path) -> list[str]:
    """Links and pictures, not those to other hosts."""
    text = re.sub(r"^(    [^\n]*|```.*?^```)$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"\]\(([^()\s]+)\)", text) + re.findall(r'<(?:img|a)[^>]* (?:src|href)="([^"]+)"', text)
    return [link for link in found if not urlsplit(link).scheme]


def test_the_handbook_names_all_its_pages():
    folder = REPOSITORY / "docs/operating"
    pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
    assert pages == {link for link in links(folder / "README.md") if not link.startswith("../")}


@pytest.mark.parametrize("page", INSTALLED, ids=lambda page: page.name)
def test_what_is_installed_leads_to_what_is_installed(page):
    """The packages have docs without its pictures, and nothing else of the repository."""
    docs = REPOSITORY / "docs"
    for link in links(page):
        target = (page.parent / link.partition("#")[0]).resolve()
        assert target.is_relative_to(docs) and not target.is_relative_to(docs / "pictures"), link


@pytest.mark.parametrize("name", ["bug", "idea"])
def test_a_host_can_read_the_template_of_an_issue(name):
    _, head, body = (REPOSITORY / f".github/ISSUE_TEMPLATE/{name}.md").read_text().split("---\n")
    assert {"name", "about", "labels"} == set(yaml.safe_load(head)) and body.strip()


def test_the_copyright_is_the_same_everywhere():
    line, = found(r"^   (Copyright \d{4}.*)$", (REPOSITORY / "LICENSE").read_text())
    assert line in README and line.replace(" ", ": ", 1) in (REPOSITORY / "packaging/copyright").read_text()


# What README and CONTRIBUTING list


README = (REPOSITORY / "README.md").read_text()
PACKAGE = (REPOSITORY / "Package.swift").read_text()
# Doors to nothing but code of our own.
OWN_CODE = {"CArgon2Kernel", "CLoading", "CMemory", "CVersion"}


def found(pattern: str, text: str, flags: int = re.MULTILINE) -> list[str]:
    """What is looked for must be there: nothing that is found is compared with nothing."""
    found = re.findall(pattern, text, flags)
    assert found, pattern
    return found


def targets() -> dict[str, list[str]]:
    """Those under Sources, in the order of the package, with the targets they need."""
    listed = re.split(r"\n        \.(?=\w+\()", PACKAGE[PACKAGE.index("    targets: ["):])[1:]
    made = {found(r'name: "(\w+)"', each)[0]: each for each in listed if " path: " not in each and not each.startswith("testTarget")}
    assert all((REPOSITORY / "Sources" / name).is_dir() for name in made)
    return {name: [other for other in re.findall(r'"(\w+)"', text) if other in made and other != name] for name, text in made.items()}


def doors() -> set[str]:
    """The libraries that the doors lead to, linked or loaded."""
    names = {"libsqlite3"}
    for door in [name for name in targets() if re.match("C[A-Z]", name) and name not in OWN_CODE]:
        folder = REPOSITORY / "Sources" / door
        text = "".join(each.read_text() for each in [*folder.glob("module.modulemap"), *folder.glob("*.c")])
        (linked, loaded), = [(a, b) for a, b in found(r'^ +link "(\w+)"|^LOADED_LIBRARY\("(lib\w+)"', text)]
        names.add(loaded or f"lib{linked}")
    return names


def test_the_readme_lists_the_commands_of_the_program():
    help = subprocess.run([BINARY, "--help"], check=True, capture_output=True, text=True, timeout=60).stdout
    commands = found(r"^  ([a-z][a-z-]*) {2,}\S", help.split("SUBCOMMANDS:")[1])
    sentence, = found(r"^The program has (.*?), each with `--help`", README, re.MULTILINE | re.DOTALL)
    assert found("`([a-z-]+)`", sentence) == commands


def test_the_page_of_settings_is_what_the_program_says():
    printed = subprocess.run([REPOSITORY / "scripts/settings", BINARY], check=True, capture_output=True, text=True).stdout
    page = (REPOSITORY / "docs/operating/settings.md").read_text()
    assert page == printed, "made anew by: scripts/settings .build/debug/vestibule > docs/operating/settings.md"


def test_contributors_see_the_targets_each_below_those_it_needs():
    tree = (REPOSITORY / "CONTRIBUTING.md").read_text().split("    Sources/\n")[1].split("    Tests/")[0]
    listed = found(r"^      (\w+)/ ", tree)
    needs = targets()
    assert sorted(listed) == sorted(name for name in needs if not re.match("C[A-Z]", name))
    for place, name in enumerate(listed):
        assert {other for other in needs[name] if not re.match("C[A-Z]", other)} <= set(listed[:place]), name
    assert set(found(r"\bC[A-Z]\w+", tree)) == OWN_CODE


def test_the_readme_says_what_each_library_is_for():
    rows = found(r"^\| (lib\w+) \| ([\w-]+-dev) \| (.+) \|$", README)
    assert {library for library, _, _ in rows} == doors() and len(rows) == len(doors())
    packages = {package for _, package, _ in rows}
    command, = found(r"^    apt install ((?:.*\\\n)*.*)$", README.split("## Run it from here")[1])
    assert set(found(r"[\w-]+-dev", command)) == packages
    wanted, = found(r"^packages=\(\n(.*?)^\)", (REPOSITORY / "scripts/setup").read_text(), re.MULTILINE | re.DOTALL)
    assert set(found(r"[\w-]+-dev", wanted)) == packages


def test_the_inventory_names_every_table():
    source = (REPOSITORY / "Sources/Vestibule/Operating/StoreCopy/CopiedRow.swift").read_text()
    lists = found(r"static let (?:names|leftOut).*?\[(.*?)\]\n", source, re.DOTALL)
    assert len(lists) == 2
    tables = {name for each in lists for name in found(r'"(\w+)"', each)}
    data = (REPOSITORY / "docs/inventory.md").read_text().split("## Lifetimes")[0]
    cells = found(r"^\| (`\w+`.*?) \|", data)
    assert {name for cell in cells for name in found(r"`(\w+)`", cell)} == tables


def test_the_first_program_of_a_swift_developer_is_the_one_that_is_built():
    program = (REPOSITORY / "Tests/ClientConsumer/Sources/greet/main.swift").read_text()
    assert program.count("\n") <= 40
    assert f"```swift\n{program}```" in (REPOSITORY / "docs/swift.md").read_text()


def test_the_page_for_swift_names_every_call_of_the_client():
    protocol = (REPOSITORY / "Sources/VestibuleClient/AuthService.swift").read_text()
    table = (REPOSITORY / "docs/swift.md").read_text().split("### What there is to call")[1].split("```")[0]
    rows = "".join(line for line in table.splitlines() if line.startswith("| ") and "`" in line)
    assert set(re.findall(r"`(\w+)`", rows)) == set(re.findall(r"^    (?:@\w+ )?(?:func|var) (\w+)", protocol, re.MULTILINE))


def test_applications_are_told_every_word_of_amr():
    source = (REPOSITORY / "Sources/Vestibule/Applications/Assertions/AssertionClaims.swift").read_text()
    words = set(found(r'"(\w+)"', source.split("var methods: ")[1])) | {"token"}
    table = (REPOSITORY / "docs/operating/applications.md").read_text().split("| `amr` |")[1].split("\n\n")[0]
    assert set(found(r"^\| `(\w+)` \|", table)) == words


def test_every_table_has_a_head_and_its_cells_in_every_row():
    for page in PAGES:
        for table in re.findall(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE):
            cells = [len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", row))) for row in table.splitlines()]
            assert len(set(cells)) == 1 and re.search(r"\A.*\n[|: -]+\n", table), (page.name, table)


def test_the_program_of_the_guide_is_the_one_that_is_compiled():
    program = (REPOSITORY / "docs/examples/notes-swift/Sources/Hello/Hello.swift").read_text()
    assert f"```swift\n{program}```" in (REPOSITORY / "docs/swift.md").read_text()

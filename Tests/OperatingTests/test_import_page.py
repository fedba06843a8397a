"""What docs/operating/importing.md says of a Flask site, with its own library for passwords."""

import re
import sqlite3
import textwrap

from house import PASSWORD
from operator_desk import can_sign_in, documented, shell
from werkzeug.security import generate_password_hash

METHODS = ["scrypt", "pbkdf2", "scrypt:4096:4:2", "pbkdf2:sha256:1000", "pbkdf2:sha1:1000"]
# Hashes that are not taken, and none.
OTHERS = [generate_password_hash(PASSWORD, "pbkdf2:sha512:1000"), None]
page = lambda heading, number: textwrap.dedent(documented(heading, number, "importing"))


def test_people_of_a_flask_site_sign_in_with_their_passwords_and_get_groups(tmp_path, open_house):
    people = {f"{re.sub('[^a-z0-9]', '-', method)}@example.com": method for method in METHODS}
    with sqlite3.connect(tmp_path / "site.sqlite") as site:
        site.execute("CREATE TABLE user (email, name, password)")
        site.executemany(
            "INSERT INTO user VALUES (?, 'Ada', ?)",
            [(address, generate_password_hash(PASSWORD, method)) for address, method in people.items()])
        site.executemany(
            "INSERT INTO user VALUES (?, 'Bob', ?)", [(f"bob-{number}@example.com", hash) for number, hash in enumerate(OTHERS)])
    (tmp_path / "users.py").write_text(page("From Flask \\(Werkzeug\\)", 0))
    house = open_house(tmp_path)
    commands = page("From Flask \\(Werkzeug\\)", 1)
    assert f"{len(people) + len(OTHERS)} would be imported, 0 refused" in shell(commands, tmp_path)
    shell(commands.replace(" --dry-run", ""), tmp_path)
    assert all(can_sign_in(house, address) for address in people)

    (tmp_path / "staff.txt").write_text("".join(f"{address}\n" for address in list(people)[:2]))
    shell(page("Your own rows", 0) + page("Your own rows", 1), tmp_path)
    ids = dict(line.split("\t") for line in (tmp_path / "ids.tsv").read_text().splitlines())
    assert ids.keys() > people.keys() and len(set(ids.values())) == len(ids) == len(people) + len(OTHERS)
    groups = shell("vestibule users list --all --json | jq -r 'select(.groups == [\"staff\"]).email'", tmp_path).split()
    assert set(groups) == set(list(people)[:2])

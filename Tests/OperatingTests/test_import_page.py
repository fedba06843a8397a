"""What docs/operating/importing.md says of a Flask site, with its own library for passwords."""

import re
import sqlite3
import textwrap

from house import PASSWORD
from operator_desk import can_sign_in, documented, shell
from pytest import raises
from werkzeug.security import generate_password_hash

METHODS = ["scrypt", "pbkdf2", "scrypt:4096:4:2", "pbkdf2:sha256:1000", "pbkdf2:sha1:1000"]
# Hashes that are not taken, and none.
OTHERS = [
    generate_password_hash(PASSWORD, "pbkdf2:sha512:1000"), f"plain$${PASSWORD}", "sha256$salt$00", "pbkdf2:sha256$salt$00",
    "md5:sha256:1$salt$00", PASSWORD, b"scrypt", 7, "", None]
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
    assert f"{len(people) + len(OTHERS)} would be imported, 0 refused" in shell(f"({commands}) 2>&1", tmp_path)
    told = shell("python3 users.py 2>&1 >/dev/null", tmp_path).splitlines()
    # Of the last two nobody can say that they were left out.
    left = [f"bob-{number}@example.com" for number in range(len(OTHERS) - 2)]
    assert [line.split(":")[0] for line in told] == [*left, f"{len(left)} passwords were not taken"]
    assert PASSWORD not in str(told)
    shell(commands.replace(" --dry-run", ""), tmp_path)
    assert all(can_sign_in(house, address) for address in people)

    (tmp_path / "staff.txt").write_text("".join(f"{address}\n" for address in list(people)[:2]))
    shell(page("Your own rows", 0) + page("Your own rows", 1), tmp_path)
    ids = dict(line.split("\t") for line in (tmp_path / "ids.tsv").read_text().splitlines())
    assert ids.keys() > people.keys() and len(set(ids.values())) == len(ids) == len(people) + len(OTHERS)
    groups = shell("vestibule users list --all --json | jq -r 'select(.groups == [\"staff\"]).email'", tmp_path).split()
    assert set(groups) == set(list(people)[:2])


def test_nothing_is_imported_of_a_file_that_is_not_whole(tmp_path, open_house):
    with sqlite3.connect(tmp_path / "site.sqlite") as site:
        site.execute("CREATE TABLE user (email, name)")
    (tmp_path / "users.py").write_text(page("From Flask \\(Werkzeug\\)", 0))
    open_house(tmp_path)
    with raises(AssertionError, match="no such column: password"):
        shell("set +e\n" + page("From Flask \\(Werkzeug\\)", 1), tmp_path)

#!/usr/bin/env python3
"""Makes the fixture of a release with the real product, in Tests/Fixtures/VERSION, which must not be there yet:

    .venv/bin/python Tests/Fixtures/make.py

`vestibule` must have been built of the release. README.md beside this says what the fixture is for.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "BrowserTests"), str(HERE.parent / "TestSupport")]

import postgres_server  # noqa: E402
from authenticators import add_passkey  # noqa: E402
from caller import Caller  # noqa: E402
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat  # noqa: E402
from fido2.utils import websafe_encode  # noqa: E402
from house import BINARY, ON_SQLITE, REPOSITORY, House  # noqa: E402

# Sessions and events outlive every test; hashes are quick. The key is only for tests.
SETTINGS = """\
# Of a fixture: every secret here is public.
VESTIBULE_SECRET_KEY=b25seSBmb3IgdGVzdHMsIGFzIGFsbCBjYW4gcmVhZCE=
VESTIBULE_BRAND_NAME="Fir & Birch"
VESTIBULE_MAIL_FROM="Fir & Birch <no-reply@example.com>"
VESTIBULE_ARGON2_MEMORY_KIB=64
VESTIBULE_ARGON2_ITERATIONS=1
VESTIBULE_REMEMBER_IDLE=36500d
VESTIBULE_REMEMBER_LIFETIME=36500d
VESTIBULE_ACTIVITY_LIFETIME=36500d
VESTIBULE_APP_NOTES_ORIGINS=http://notes.localhost:8000
VESTIBULE_APP_NOTES_GROUPS=staff
"""
SENTENCES = {
    "en.json": {"login": {"title": "Welcome back to [[site.brand]]"}},
    "fr.json": {"language": "Français", "login": {"window": "Se connecter", "title": "Bon retour chez [[site.brand]]"}},
}


def person(house: House, name: str, display_name: str) -> tuple[Caller, dict]:
    """Somebody who has signed up, and signed in for good."""
    email, password = f"{name}@example.com", f"only for tests: {name} sees seven bridges"
    house.make_account(email, display_name, password)
    caller = Caller(house, f"browser of {name}")
    caller.post("/login", email=email, password=password, remember="on")
    caller.get("/account")
    return caller, {"email": email, "password": password, "display_name": display_name}


def people(house: House) -> dict[str, dict]:
    ada, adas = person(house, "ada", "Ada Lovelace")
    bob, bobs = person(house, "bob", "Bob 🌲")
    eve, eves = person(house, "eve", "Ève Löfgren")
    bobs["app_key"] = bob.add_app()
    bob.get("/account/security/recovery-codes")
    bobs["recovery_codes"] = bob.make_recovery_codes()
    passkey = add_passkey(eve)
    pem = passkey.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    eves["passkey"] = {
        "id": websafe_encode(passkey.id), "handle": websafe_encode(passkey.handle), "counter": passkey.counter, "key": pem}
    for caller, person_ in [(ada, adas), (bob, bobs), (eve, eves)]:
        person_["session"] = caller.cookies["vestibule"]
    house.command("users", "groups", "ada@example.com", "--add", "staff")
    house.command("tokens", "create", "--app", "notes", "--label", "backup")
    return {"ada": adas, "bob": bobs, "eve": eves}


def dump(file: Path) -> str:
    """The same on PostgreSQL, as any supported version of it reads it."""
    with postgres_server.running() as server:
        url = f"postgres://vestibule@/postgres?host={server['socket']}&port={server['port']}"
        subprocess.run([BINARY, "copy", f"sqlite:{file}", url], check=True, stdout=subprocess.DEVNULL, cwd=file.parent)
        text = subprocess.run(
            [f"{server['bin']}/pg_dump", "--no-owner", "--no-privileges", "-h", server["socket"], "-p", str(server["port"]),
             "-U", "vestibule", "postgres"], check=True, capture_output=True, text=True).stdout
    newer = r"^(--.*|\\(un)?restrict .*|SET (transaction_timeout|default_table_access_method) .*|)\n"
    return re.sub(newer, "", text, flags=re.MULTILINE)


def main() -> None:
    version = subprocess.run([BINARY, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    fixture = HERE / version
    fixture.mkdir()
    (fixture / "Templates/locales").mkdir(parents=True)
    (fixture / "vestibule.env").write_text(SETTINGS)
    for name, tree in SENTENCES.items():
        (fixture / "Templates/locales" / name).write_text(json.dumps(tree, ensure_ascii=False, indent=2) + "\n")
    login = (REPOSITORY / "Templates/login.mustache").read_text()
    own = login.replace('<form id="login"', '<p class="lead">The village library.</p>\n<form id="login"')
    assert own != login
    (fixture / "Templates/login.mustache").write_text(own)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / ".env").write_text(SETTINGS)
        shutil.copytree(fixture / "Templates", folder / "Templates")
        house = House(folder, **ON_SQLITE)
        try:
            made = people(house)
        finally:
            house.stop()
        # A backup is one file that needs no other.
        house.command("backup", str(folder / "vestibule.sqlite"))
        shutil.copy(folder / "vestibule.sqlite", fixture / "vestibule.sqlite")
        os.chmod(fixture / "vestibule.sqlite", 0o644)
        # To open a database changes its file.
        (fixture / "postgres.sql").write_text(dump(folder / "vestibule.sqlite"))
    (fixture / "people.json").write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n")


if __name__ == "__main__":
    main()

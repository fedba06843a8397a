"""mod_auth_openidc, in front of files that Apache serves."""

import shutil
import tempfile
from pathlib import Path

import pytest
from house import eventually

TITLE = "Apache"
MODULES = ("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "auth_openidc")
# It stands behind a proxy with TLS.
PLACE = """
Listen 127.0.0.1:{port}
ServerName {origin}
UseCanonicalName On
PidFile {folder}/pid
ErrorLog {folder}/error.log
DocumentRoot {folder}/pages
TypesConfig /etc/mime.types
DirectoryIndex index.html
OIDCCABundlePath {folder}/root.crt
OIDCXForwardedHeaders X-Forwarded-Host X-Forwarded-Proto
<Directory {folder}/pages>
    Options +Includes
    SetOutputFilter INCLUDES
</Directory>
<Location /staff>
    AuthType openid-connect
    Require claim groups:staff
</Location>
"""


@pytest.fixture
def folder():
    """Where Apache's user gets to, too."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def start(parties, folder: Path) -> str:
    origin = parties.origin_of(TITLE)
    shutil.copy(parties.root, folder / "root.crt")
    (folder / "root.crt").chmod(0o644)
    (folder / "pages").mkdir()
    (folder / "pages/index.html").write_text('Welcome, <!--#echo var="REMOTE_USER" -->. <a href="/oidc?logout='
                                             f'{origin.replace(":", "%3A").replace("/", "%2F")}%2Fbye">Leave</a>')
    (folder / "pages/bye").write_text("Nobody is here.")
    (folder / "pages/staff").write_text("Staff only.")
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in MODULES)
    place = PLACE.format(port=parties.port_of(TITLE), origin=origin, folder=folder)
    users = "User www-data\nGroup www-data\n"
    (folder / "apache.conf").write_text(modules + users + "\n".join([*parties.theirs(TITLE), place]))
    parties.run(TITLE, folder, ["apache2", "-D", "FOREGROUND", "-f", folder / "apache.conf"])
    return origin


def test_a_person_signs_up_for_pages_of_apache_signs_out_and_comes_back_with_a_group(parties, person, folder):
    origin = start(parties, folder)
    person.page.goto(f"{origin}/")
    person.signs_up()
    person.agrees("Pages")
    person.is_back_at(origin)
    person.shows(f"Welcome, {person.address}.")

    person.page.goto(f"{origin}/staff")
    person.shows("Unauthorized")

    person.page.goto(f"{origin}/")
    person.link("Leave").click()
    person.page.wait_for_url(f"{origin}/bye")
    person.shows("Nobody is here.")
    assert not person.is_signed_in_at_the_door()

    parties.command("users", "groups", person.address, "--add", "staff")
    person.page.goto(f"{origin}/staff")
    person.signs_in()
    person.page.wait_for_url(f"{origin}/staff")
    person.shows("Staff only.")

    person.signs_out_at_the_door()
    eventually(lambda: person.gets(TITLE, "/staff")[0] == 302, "the end at Apache", within=2)

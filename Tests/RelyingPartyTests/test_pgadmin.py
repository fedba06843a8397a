"""pgAdmin 4."""

from neighbourhood import python_of

TITLE = "pgAdmin"
PLACE = """
DATA_DIR = "{folder}"
LOG_FILE = "{folder}/log"
SQLITE_PATH = "{folder}/pgadmin.sqlite"
SESSION_DB_PATH = "{folder}/sessions"
STORAGE_DIR = "{folder}/storage"
DEFAULT_SERVER_PORT = {port}
MASTER_PASSWORD_REQUIRED = False
UPGRADE_CHECK_ENABLED = False
"""


def start(parties) -> str:
    folder, python = parties.folder_of(TITLE), python_of("pgadmin")
    place = PLACE.format(folder=folder, port=parties.port_of(TITLE))
    (folder / "config_local.py").write_text(place + "\n".join(parties.theirs(TITLE)))
    program, = python.parent.parent.glob("lib/python*/site-packages/pgadmin4/pgAdmin4.py")
    # The first account, which nobody uses here, is asked for when there is none.
    parties.run(
        TITLE, folder, [python, program], PYTHONPATH=str(folder), PGADMIN_SETUP_EMAIL="root@example.com",
        PGADMIN_SETUP_PASSWORD="of-this-test")
    return parties.origin_of(TITLE)


def test_a_person_signs_up_for_pgadmin_and_signs_out(parties, person):
    origin = start(parties)
    person.page.goto(f"{origin}/")
    person.page.get_by_role("button", name="Login with our sign-in").click()
    person.signs_up()
    person.agrees("Pgadmin")
    person.is_back_at(origin)
    person.shows(person.address)

    person.page.goto(f"{origin}/oauth2/logout")
    person.is_back_at(origin)
    person.page.get_by_role("button", name="Login with our sign-in").wait_for()
    assert not person.is_signed_in_at_the_door()

"""Synapse, and a client of Matrix that is led back with a token for it."""

import json
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

from house import eventually
from neighbourhood import python_of

TITLE = "Synapse"
PLACE = """
server_name: matrix.example.com
public_baseurl: {origin}/
report_stats: false
signing_key_path: {folder}/signing.key
media_store_path: {folder}/media
macaroon_secret_key: of-this-test
trusted_key_servers: []
database: {{name: sqlite3, args: {{database: "{folder}/matrix.sqlite"}}}}
listeners:
  - {{port: {port}, bind_addresses: [127.0.0.1], type: http, x_forwarded: true, resources: [{{names: [client]}}]}}
"""


def start(parties) -> str:
    folder, python, origin = parties.folder_of(TITLE), python_of("synapse"), parties.origin_of(TITLE)
    place = PLACE.format(folder=folder, port=parties.port_of(TITLE), origin=origin)
    (folder / "homeserver.yaml").write_text(place + "\n".join(parties.theirs(TITLE)))
    run = f"{python} -m synapse.app.homeserver -c homeserver.yaml"
    parties.run(TITLE, folder, ["sh", "-c", f"{run} --generate-keys && exec {run}"])
    return origin


def call(parties, method: str, path: str, body: dict | None = None, **headers: str) -> dict:
    """Past the proxy, as Python finds no hosts below localhost."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{parties.port_of(TITLE)}/_matrix/client/v3/{path}", method=method, headers=headers,
        data=None if body is None else json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request))


def test_a_person_signs_up_for_a_matrix_account_and_signs_out(parties, person):
    origin = start(parties)
    client = f"{origin}/_matrix/client/versions"
    person.page.goto(f"{origin}/_matrix/client/v3/login/sso/redirect/oidc-vestibule?redirectUrl={client}")
    person.signs_up()
    person.agrees("Matrix")
    person.is_back_at(origin)
    # Synapse asks once whether that client may use the account.
    person.page.get_by_role("link", name="Continue").click()
    person.page.wait_for_url(f"{client}?*")
    token, = parse_qs(urlsplit(person.page.url).query)["loginToken"]
    signed_in = call(parties, "POST", "login", {"type": "m.login.token", "token": token})
    assert signed_in["user_id"] == f"@{person.address.split('@')[0]}:matrix.example.com"

    bearer = {"Authorization": f"Bearer {signed_in['access_token']}"}
    assert call(parties, "GET", "account/whoami", **bearer)["user_id"] == signed_in["user_id"]

    person.signs_out_at_the_door()
    eventually(lambda: not is_signed_in(parties, bearer), "the end at Synapse", within=2)


def is_signed_in(parties, bearer: dict) -> bool:
    try:
        return bool(call(parties, "GET", "account/whoami", **bearer))
    except urllib.error.HTTPError as error:
        assert error.code == 401
        return False

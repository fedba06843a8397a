"""A new secret key for two nodes that share a database, as docs/operating/cluster.md says: nobody notices."""

import json
import sys

import pyotp
import pytest
from house import PASSWORD, REPOSITORY, House, Outbox, eventually
from operator_desk import shell

sys.path.insert(0, str(REPOSITORY / "Tests/TestSupport"))

import postgres_server  # noqa: E402

OLD, NEW = "b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQgb2xkIG9sZCE=", "bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldyE="
ADA = "ada@example.com"


@pytest.fixture
def nodes(open_house, tmp_path) -> list[House]:
    """Two that share an outbox, with the old key."""
    with postgres_server.running() as server:
        url = f"postgres://vestibule@/postgres?host={server['socket']}&port={server['port']}"
        nodes = []
        for _ in range(2):
            nodes.append(open_house(
                VESTIBULE_DATABASE_URL=url, VESTIBULE_SECRET_KEY=OLD, VESTIBULE_MAIL_URL=f"outbox:{tmp_path}/mail"))
            nodes[-1].outbox = Outbox(tmp_path / "mail")
        yield nodes
        for node in nodes:
            node.stop()


def call(node: House, path: str, token: str = "", status: int = 200, **members) -> dict:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    answer = node.ask("POST", f"/api/auth/{path}", json.dumps(members).encode(), Content_Type="application/json", **bearer)
    assert answer.status == status, answer.text
    return json.loads(answer.text)


def codes_of_member(node: House) -> list[str]:
    """Recovery codes of somebody with an app."""
    node.make_account(ADA)
    token = call(node, "sign-in", email=ADA, password=PASSWORD)["token"]
    app = call(node, "factors/totp", token)
    confirmed = call(node, "factors/totp/confirm", token, setup=app["setup"], code=pyotp.TOTP(app["key"]).now())
    return call(node, "factors/recovery-codes", confirmed["token"])["codes"]


def sign_in(node: House, code: str) -> None:
    flow = call(node, "sign-in", status=403, email=ADA, password=PASSWORD)["flow"]
    call(node, "sign-in/second", flow=flow, code=code)


def restart(node: House, key: str, previous: str = "") -> None:
    node.stop()
    node.settings.pop("VESTIBULE_SECRET_KEY_PREVIOUS", None)
    node.start(VESTIBULE_SECRET_KEY=key, **({"VESTIBULE_SECRET_KEY_PREVIOUS": previous} if previous else {}))


def test_in_three_rounds_every_code_works_on_every_node_at_all_times(nodes):
    codes = codes_of_member(nodes[0])
    key_set = nodes[0].ask("GET", "/.well-known/jwks.json").text
    assert json.loads(key_set)["keys"]
    for step, keys in enumerate([(OLD, NEW), (NEW, OLD)]):
        for number, node in enumerate(nodes):
            restart(node, *keys)
            for other in nodes:
                sign_in(other, codes.pop())
            # Begun on one node and ended on the other, whichever of them sends the mail.
            one, other = nodes[number], nodes[1 - number]
            email = f"step{step}.node{number}@example.com"
            begun = call(one, "sign-up", status=202, email=email, password=PASSWORD, name="Bob", terms=True)
            call(other, "sign-up/verify", flow=begun["flow"], code=one.outbox.code_for(email))
    settings = " ".join(f"{name}='{value}'" for name, value in nodes[0].settings.items())
    eventually(lambda: "warn sealed" not in shell(f"{settings} vestibule doctor || true", nodes[0].folder),
               "factors and signing keys under the new key")
    for node in nodes:
        restart(node, NEW)
    for node in nodes:
        sign_in(node, codes.pop())
        # What its key does not open, a node does not publish.
        assert node.ask("GET", "/.well-known/jwks.json").text == key_set

"""A node of the commit before serves beside one of this: the same accounts, codes and sessions, whoever starts first."""

import itertools
import os
import sys
from pathlib import Path

import pytest
import requests
from cluster import Node, settings_of_node
from house import BINARY, REPOSITORY, eventually
from load import PASSWORDS, SharedOutbox

sys.path.insert(0, str(REPOSITORY / "Tests/TestSupport"))

import postgres_server  # noqa: E402

# What scripts/test-cluster has built, and its templates.
PREVIOUS = Path(os.environ.get("CLUSTER_TESTS_PREVIOUS", REPOSITORY / ".build/previous"))
VERSIONS = {"new": (BINARY, REPOSITORY), "previous": (PREVIOUS / "build/debug/vestibule", PREVIOUS / "tree")}
numbers = itertools.count(1)
# Seconds. A second is promised; the machine may be busy. What is only remembered ends after longer.
SOON = 10


@pytest.fixture(params=[("previous", "new"), ("new", "previous")], ids="{0[0]} first".format)
def nodes(request, tmp_path) -> dict[str, Node]:
    with postgres_server.running() as server:
        url = f"postgres://vestibule@/postgres?host={server['socket']}&port={server['port']}"
        settings = settings_of_node(url, tmp_path / "mail")
        nodes = {}
        for name in request.param:
            binary, resources = VERSIONS[name]
            nodes[name] = Node(name, tmp_path, settings, binary, resources).start()
            eventually(nodes[name].is_well, f"{name} ({nodes[name].log})")
        yield nodes
        for node in nodes.values():
            node.kill()


def call(node: Node, method: str, path: str, token: str = "", **body) -> requests.Response:
    return requests.request(
        method, f"http://127.0.0.1:{node.port}/api/auth/{path}", json=body or None, timeout=30,
        headers={"Authorization": f"Bearer {token}"} if token else {})


def test_they_share_everything(nodes, tmp_path):
    outbox = SharedOutbox(tmp_path / "mail")
    for one, other in itertools.permutations(nodes.values()):
        email = f"ada.{next(numbers)}@example.com"
        begun = call(one, "POST", "sign-up", email=email, password=PASSWORDS[0], name="Ada", terms=True)
        assert begun.status_code == 202, begun.text
        code = outbox.code_for(email)
        made = call(other, "POST", "sign-up/verify", flow=begun.json()["flow"], code=code)
        assert made.status_code == 200, made.text
        assert call(one, "POST", "sign-up/verify", flow=begun.json()["flow"], code=code).status_code != 200
        signed_in = call(one, "POST", "sign-in", email=email, password=PASSWORDS[0])
        assert signed_in.status_code == 200, signed_in.text
        token = signed_in.json()["token"]
        # Both remember the session now.
        assert [call(node, "GET", "session", token).status_code for node in (one, other)] == [200, 200]
        assert call(one, "POST", "sign-out", token).status_code == 204
        eventually(
            lambda: call(other, "GET", "session", token).status_code == 401, "the end of the session", within=SOON)
        changed = call(
            other, "POST", "user/password", made.json()["token"], current_password=PASSWORDS[0], password=PASSWORDS[1])
        assert changed.status_code in (200, 204), changed.text
        assert call(one, "POST", "sign-in", email=email, password=PASSWORDS[0]).status_code == 401
        assert call(one, "POST", "sign-in", email=email, password=PASSWORDS[1]).status_code == 200

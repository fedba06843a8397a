import time

import pytest
import requests
from cluster import Cluster
from load import PASSWORDS, SharedOutbox, Visitors


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    made = Cluster(folder)
    yield made
    made.stop()


@pytest.fixture
def outbox(cluster) -> SharedOutbox:
    return SharedOutbox(cluster.folder / "mail")


@pytest.fixture
def visitors(cluster, outbox):
    made = Visitors(cluster.url_of_site, outbox).run()
    yield made
    made.stop()


@pytest.fixture
def token(cluster, outbox) -> str:
    """Of somebody who stays signed in."""
    visitors = Visitors(cluster.url_of_site, outbox)
    session = requests.Session()
    address = f"grace.{time.time_ns()}@example.com"
    begun = visitors.call(session, "POST", "sign-up", email=address, password=PASSWORDS[0], name="Grace", terms=True)
    made = visitors.call(session, "POST", "sign-up/verify", flow=begun.body["flow"], code=outbox.code_for(address))
    assert made.status == 200, made
    return made.body["token"]

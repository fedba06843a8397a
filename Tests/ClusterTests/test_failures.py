"""What a cluster loses when a part of it dies: nothing that was acknowledged."""

import os
import signal
import time
from collections import Counter

from cluster import ELECTION
from house import eventually
from load import Probe


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def check_mails(visitors, outbox) -> None:
    """Nobody got the same mail twice."""
    for promise in visitors.promises:
        counts = Counter(mail["Message-ID"] for mail in outbox.mails_to(promise.address))
        assert not counts or max(counts.values()) == 1, promise.address
        codes = [mail for mail in outbox.mails_to(promise.address) if promise.code and promise.code in mail["Subject"]]
        assert len(codes) <= 1, promise.address


def test_a_node_that_is_killed_costs_nobody_anything(cluster, outbox, visitors, token):
    visitors.wait_for(20)
    victim = cluster.nodes[2]
    with Probe(f"{cluster.url_of_site}/api/auth/session", **bearer(token)) as session, \
            Probe(f"{cluster.url_of_site}/login") as page:
        visitors.wait_for(visitors.rounds + 10)
        victim.send(signal.SIGKILL)
        victim.process.wait()
        visitors.wait_for(visitors.rounds + 60)
    victim.start()
    eventually(victim.is_well, "the node", within=ELECTION)
    visitors.stop()
    assert session.statuses() == {200} and page.statuses() == {200}
    # What the node was answering when it died; a proxy must not send it again.
    assert len(visitors.failures) <= len(visitors.threads), visitors.failures
    assert not visitors.broken_promises()
    check_mails(visitors, outbox)


def through(cluster, outbox, visitors, token, fail, mend) -> Probe:
    """A primary fails while people use the site; what holds in between and afterwards."""
    cluster.wait_for_standby()
    visitors.wait_for(50)
    with Probe(f"{cluster.url_of_site}/api/auth/session", **bearer(token)) as session, \
            Probe(f"{cluster.url_of_site}/login") as page:
        fail()
        eventually(lambda: session.outage() > 0, "the outage")
        eventually(lambda: [s for _, s, _ in session.answers[-20:]] == [200] * 20, "the end of the outage", within=120)
        visitors.wait_for(visitors.rounds + 100)
    mend()
    cluster.wait_for_standby()
    visitors.stop()
    print(f"outage of {session.outage():.1f} s, {visitors.rounds} rounds, failures {Counter(visitors.failures)}")
    assert page.statuses() == {200}
    assert session.statuses() == {200, 503}
    assert all(wait for _, status, wait in session.answers if status == 503)
    assert session.outage() <= 30
    assert not visitors.broken_promises()
    check_mails(visitors, outbox)
    return session


def test_a_primary_that_is_killed_loses_nothing(cluster, outbox, visitors, token):
    primary = cluster.primary()

    def fail():
        for process in primary.processes():
            os.kill(process, signal.SIGKILL)
        # Its machine is gone, not only its server.
        primary.send(signal.SIGKILL)

    through(cluster, outbox, visitors, token, fail, primary.start)


def test_a_primary_that_freezes_loses_nothing(cluster, outbox, visitors, token):
    primary = cluster.primary()
    frozen = []

    def fail():
        frozen.extend(primary.processes())
        primary.send(signal.SIGSTOP)
        for process in frozen:
            os.kill(process, signal.SIGSTOP)

    def mend():
        primary.send(signal.SIGCONT)
        for process in frozen:
            try:
                os.kill(process, signal.SIGCONT)
            except ProcessLookupError:
                pass

    through(cluster, outbox, visitors, token, fail, mend)


def test_a_network_that_is_cut_for_20_seconds_heals_by_itself(cluster, outbox, visitors, token):
    visitors.wait_for(30)
    with Probe(f"{cluster.url_of_site}/api/auth/session", **bearer(token)) as session, \
            Probe(f"{cluster.url_of_site}/login") as page:
        cluster.haproxy.send(signal.SIGSTOP)
        # The length of the cut is what is tried.
        time.sleep(20)
        cluster.haproxy.send(signal.SIGCONT)
        eventually(lambda: [s for _, s, _ in session.answers[-20:]] == [200] * 20, "the end of the outage", within=60)
        visitors.wait_for(visitors.rounds + 30)
    visitors.stop()
    print(f"outage of {session.outage():.1f} s, failures {Counter(visitors.failures)}")
    assert page.statuses() == {200}
    assert session.statuses() == {200, 503} and session.outage() <= 30
    assert not visitors.broken_promises()

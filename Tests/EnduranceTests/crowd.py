"""Threads of people under load, and the account of everything they were promised."""

import random
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from kills import Site
from people import Member
from promises import Over, State


class Crowd:
    """Threads that live one life after the other, and look up what became of those before."""

    def __init__(self, site: Site, threads: int, seed: int):
        self.site, self.ends = site, threading.Event()
        self.finished: deque[Member] = deque()
        self.done: list[Member] = []
        self.threads = [
            threading.Thread(target=self.guarded, args=(random.Random(f"{seed}/{number}"),), daemon=True)
            for number in range(threads)]
        for thread in self.threads:
            thread.start()

    def guarded(self, random: random.Random) -> None:
        while not self.ends.is_set():
            try:
                self.work(random)
            except Exception as error:
                self.site.findings.add("harness", repr(error))
                raise

    def work(self, random: random.Random) -> None:
        try:
            person = self.finished.popleft()
        except IndexError:
            person = None
        if person and person.seen < self.site.kills:
            return self.look_up(person)
        if person:
            self.finished.appendleft(person)
        member = Member(self.site, random)
        member.live()
        if not member.is_broken:
            self.finished.append(member)

    def look_up(self, person: Member, states: list[State] | None = None) -> None:
        try:
            person.look_up(states)
            self.done.append(person)
        except Over:
            pass

    def stop(self) -> None:
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def look_everything_up(self) -> None:
        """What everybody was promised, once more."""
        people = [*self.finished, *self.done]
        with ThreadPoolExecutor(len(self.threads)) as pool:
            list(pool.map(lambda person: self.look_up(person, [person.state]), people))


def check_mails(site: Site) -> None:
    """Once nothing more comes: each mail that was promised is there, and no other one of its kind."""
    # A copy: mails go on coming while they are counted.
    missing = lambda: site.mails - site.mailbox.came.copy()
    left, since = missing().total(), time.monotonic()
    # A server that was killed all the time has many to send.
    while left and time.monotonic() - since < site.mailbox.patience:
        time.sleep(0.2)
        if (now := missing().total()) < left:
            left, since = now, time.monotonic()
    for (address, subject), count in missing().items():
        site.findings.add("lost", f"{count} mail {subject!r} to {address}")
    known = {subject for _, subject in site.mails}
    for (address, subject), count in (site.mailbox.came.copy() - site.mails - site.perhaps).items():
        if subject in known:
            site.findings.add("doubled", f"{count} mail {subject!r} to {address} too many")

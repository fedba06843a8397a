"""The command line, which every user of the machine can read while a command runs."""

import json
import re
import subprocess

from house import BINARY, PATIENCE


def commands(command: dict, above: tuple[str, ...] = ()):
    """Each command that does something, with what it takes."""
    for each in command.get("subcommands", []):
        yield from commands(each, (*above, each["commandName"]))
    yield " ".join(above), command.get("arguments", [])


def test_no_command_takes_a_secret():
    """A name that speaks of one is that of a file, of a listed id, or refused and not shown."""
    dump = subprocess.run([BINARY, "--experimental-dump-help"], check=True, capture_output=True, timeout=PATIENCE).stdout
    found = {
        f"{command} {argument['valueName']}"
        for command, arguments in commands(json.loads(dump)["command"]) for argument in arguments
        if re.search("password|secret|token|key|url", argument["valueName"]) and argument["shouldDisplay"]}
    files = {each for each in found if each.endswith("-file")}
    # An id, a page's address (refused with a user), and two that are refused with a password.
    assert found - files == {"tokens revoke token", "check-proxy url"} and len(files) == 3, found

"""The documents of a repository, built as a site."""

import subprocess
import sys
from pathlib import Path

from house import REPOSITORY


def built(out: Path, root: Path = REPOSITORY) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, REPOSITORY / "scripts/site", out, root], capture_output=True, text=True)

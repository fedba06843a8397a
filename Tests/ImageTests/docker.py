"""Docker with a folder of its own, from Debian's packages as `scripts/setup try-image` has unpacked them."""

import os
import subprocess
from pathlib import Path

from container import Podman
from house import PATIENCE, REPOSITORY, eventually

PROGRAMS = REPOSITORY / ".build/docker/usr"


class Docker(Podman):
    """Its commands are Podman's, but for one option."""

    def __init__(self, folder: Path):
        self.command = [str(PROGRAMS / "bin/docker"), f"--host=unix://{folder}/socket"]
        self.surroundings = os.environ | {"PATH": f"{PROGRAMS}/sbin:{PROGRAMS}/bin:{os.environ['PATH']}"}
        self.log = (folder / "log").open("w")
        self.daemon = subprocess.Popen(
            ["dockerd", f"--data-root={folder}/data", f"--exec-root={folder}/run", f"--pidfile={folder}/pid",
             f"--host=unix://{folder}/socket", "--storage-driver=vfs", "--iptables=false", "--bridge=none"],
            env=self.surroundings, stdout=self.log, stderr=self.log)
        try:
            eventually(self.answers, "Docker")
        except BaseException:
            self.end()
            raise

    def answers(self) -> bool:
        assert self.daemon.poll() is None, Path(self.log.name).read_text()
        return self.start("version").returncode == 0

    def start(self, *arguments: str | Path, **options) -> subprocess.CompletedProcess:
        return super().start(*[each for each in arguments if each != "--read-only-tmpfs=false"], **options)

    def stop(self) -> None:
        try:
            if containers := self("ps", "--all", "--quiet").split():
                self("rm", "--force", "--volumes", *containers)
            self("system", "prune", "--all", "--force")
        finally:
            self.end()

    def end(self) -> None:
        self.daemon.terminate()
        self.daemon.wait(PATIENCE)
        self.log.close()

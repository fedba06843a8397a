"""What is in the image: the program, what it needs, and nothing else."""

import gzip
import io
import json
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from container import HOME, in_archive, the_image
from house import PATIENCE, REPOSITORY

LARGEST = 60 * 2**20


def blob(descriptor: dict) -> bytes:
    return in_archive(the_image(), f"blobs/{descriptor['digest'].replace(':', '/')}")


@pytest.fixture(scope="module")
def manifest() -> dict:
    (only,) = json.loads(in_archive(the_image(), "index.json"))["manifests"]
    return json.loads(blob(only))


@pytest.fixture(scope="module")
def config(manifest) -> dict:
    return json.loads(blob(manifest["config"]))


@pytest.fixture(scope="module")
def files(manifest) -> dict[str, tuple[tarfile.TarInfo, bytes]]:
    """Of all layers together, by path."""
    found = {}
    for layer in manifest["layers"]:
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(blob(layer)))) as archive:
            for entry in archive:
                found[entry.name] = (entry, archive.extractfile(entry).read() if entry.isfile() else b"")
    return found


def test_two_runs_make_the_same_file(tmp_path):
    (package,) = (REPOSITORY / ".build/package").glob("*.deb")
    made = []
    for number, zone in enumerate(["Asia/Tokyo", "America/Lima"]):
        folder = tmp_path / zone
        folder.mkdir(parents=True)
        surroundings = os.environ | {"TZ": zone, "TMPDIR": str(folder), "PYTHONHASHSEED": str(number)}
        subprocess.run(
            [REPOSITORY / "scripts/image", package, folder / "image"], env=surroundings, umask=0o027 * number, check=True,
            timeout=5 * PATIENCE)
        (file,) = (folder / "image").iterdir()
        made.append(file.read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("form", ["oci-archive", "docker-archive"])
def test_it_is_an_archive_of_the_oci_and_of_docker(form, config):
    told = subprocess.run(
        ["skopeo", "inspect", "--config", f"{form}:{the_image()}"], check=True, capture_output=True, timeout=PATIENCE)
    assert json.loads(told.stdout)["config"]["Labels"] == config["config"]["Labels"]


def test_it_is_small():
    assert the_image().stat().st_size <= LARGEST


def test_its_labels_say_what_it_is_and_when_its_commit_was_made(config):
    labels = {name.removeprefix("org.opencontainers.image."): text for name, text in config["config"]["Labels"].items()}
    (package,) = (REPOSITORY / ".build/package").glob("*.deb")
    assert labels["version"] == package.name.split("_")[1].replace("~", "-") and labels["licenses"] == "Apache-2.0"
    assert re.fullmatch(r"[0-9a-f]{40}", labels["revision"])
    moment = subprocess.run(
        ["git", "-C", REPOSITORY, "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", labels["revision"]],
        check=True, capture_output=True, text=True, env=os.environ | {"TZ": "UTC"}).stdout.strip()
    assert labels["created"] == config["created"] == moment


def test_programs_in_it_are_the_server_and_the_loader(files):
    executable = {path for path, (entry, _) in files.items() if entry.isfile() and entry.mode & 0o111}
    programs = {path for path in executable if not re.fullmatch(r"usr/lib/[\w-]+/lib[\w.+-]+\.so[.\d]*", path)}
    assert programs == {"usr/bin/vestibule", "usr/lib64/ld-linux-x86-64.so.2"}
    assert [path for path in files if Path(path).name in ("sh", "bash", "dash", "busybox")] == []


def test_nothing_in_it_gives_rights_and_only_the_volume_belongs_to_the_server(files):
    assert [path for path, (entry, _) in files.items() if entry.mode & 0o6000] == []
    assert {path for path, (entry, _) in files.items() if (entry.uid, entry.gid) != (0, 0)} == {HOME[1:]}
    open_to_all = {path for path, (entry, _) in files.items() if entry.mode & 0o002 and not entry.issym()}
    assert open_to_all == {"tmp"}


def test_it_believes_the_authorities_of_debian_and_none_of_the_machine_that_made_it(files):
    believed = files["etc/ssl/certs/ca-certificates.crt"][1]
    known = {file.read_bytes() for file in Path("/usr/share/ca-certificates/mozilla").glob("*.crt")}
    mark = b"-----BEGIN CERTIFICATE-----"
    assert {mark + each for each in believed.split(mark)[1:]} == known and len(known) > 100


def test_it_has_time_zones(files):
    assert all(files[f"usr/share/zoneinfo/{zone}"][1].startswith(b"TZif") for zone in ("Europe/Berlin", "UTC"))


def test_scanners_find_the_package_and_the_licence_of_every_library(files):
    recorded = {path.removeprefix("var/lib/dpkg/status.d/"): text for path, (entry, text) in files.items()
                if path.startswith("var/lib/dpkg/status.d/") and entry.isfile()}
    libraries = [path for path in files if re.search(r"\.so[.\d]*$", path)]
    owners = {
        subprocess.run(["dpkg-query", "-S", f"*/{Path(os.path.realpath('/' + path)).name}"], check=True, capture_output=True,
                       text=True).stdout.split(":")[0]
        for path in libraries}
    assert owners <= set(recorded) and {"libc6", "libcurl4", "vestibule"} <= set(recorded)
    for package, text in recorded.items():
        assert re.search(rf"^Package: {re.escape(package)}$.*^Version: \S", text.decode(), re.MULTILINE | re.DOTALL), package
        assert files[f"usr/share/doc/{package}/copyright"][1], package

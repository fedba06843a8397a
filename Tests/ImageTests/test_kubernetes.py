"""docs/examples/kubernetes: fits the schema of Kubernetes, and runs as `podman kube play` understands it."""

import base64
import json
import re
import subprocess

import pytest
import yaml
from house import REPOSITORY, eventually

MANIFEST = REPOSITORY / "docs/examples/kubernetes/vestibule.yaml"
OBJECTS = list(yaml.safe_load_all(MANIFEST.read_text()))


def of(kind: str) -> dict:
    found, = [each for each in OBJECTS if each["kind"] == kind]
    return found


@pytest.mark.parametrize("version", ["1.31", "newest"])
@pytest.mark.parametrize("kind", [each["kind"] for each in OBJECTS])
def test_it_fits_the_schema(kind, version):
    # Not for all of the file: `make test` looks whether these tests are found, and does without their packages.
    import kubernetes_validate

    known = kubernetes_validate.latest_version() if version == "newest" else version
    kubernetes_validate.validate(of(kind), known, strict=True)


def test_it_meets_the_restricted_pod_security_standard():
    pod = of("Deployment")["spec"]["template"]["spec"]
    container, = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert pod["automountServiceAccountToken"] is False


def test_one_pod_at_a_time_has_the_file_and_gets_no_settings_from_the_service():
    deployment = of("Deployment")["spec"]
    assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})
    # VESTIBULE_PORT=tcp://… of a service with this name would stop the start.
    assert deployment["template"]["spec"]["enableServiceLinks"] is False


def as_podman_has_it(podman, values: dict[str, str]) -> dict:
    """A secret of Kubernetes: the whole object since Podman 4.4, what it holds before."""
    data = {name: base64.b64encode(value.encode()).decode() for name, value in values.items()}
    version = tuple(map(int, podman("version", "--format={{.Client.Version}}").strip().split(".")[:2]))
    return data if version < (4, 4) else {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "vestibule"}, "data": data}


def test_it_serves_as_podman_plays_it(podman, image, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps(as_podman_has_it(podman, {
        "VESTIBULE_SECRET_KEY": "A" * 43 + "=", "VESTIBULE_MAIL_URL": "smtp://user:password@mail.example.com:587"})))
    podman("secret", "create", "vestibule", secret)
    podman("tag", image, of("Deployment")["spec"]["template"]["spec"]["containers"][0]["image"])
    podman("kube", "play", MANIFEST)
    try:
        (name,) = re.findall(r"^vestibule-\S*vestibule$", podman("ps", "--all", "--format={{.Names}}"), re.MULTILINE)
        process = podman.inspect(name)["State"]["Pid"]

        def answers() -> str:
            # In the pod's network.
            return subprocess.run(
                ["nsenter", f"--net=/proc/{process}/ns/net", "curl", "--silent", "http://127.0.0.1:8080/readyz"],
                capture_output=True, text=True).stdout

        eventually(lambda: answers() == "ok\n", f"a healthy server\n{podman('logs', name)}")
        status = dict(line.split(":\t", 1) for line in open(f"/proc/{process}/status").read().splitlines())
        assert status["Uid"].split()[0] == "65532" and status["CapEff"] == "0000000000000000"
        assert status["Seccomp"] == "2" and status["NoNewPrivs"] == "1"
    finally:
        podman("kube", "down", MANIFEST)
        podman("secret", "rm", "vestibule")

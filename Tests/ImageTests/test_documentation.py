"""The lines of docs/operating/installing.md about the image, as they are printed."""

import re
import shlex
import subprocess
import urllib.parse
import urllib.request

from container import production, the_image
from house import PASSWORD, REPOSITORY, codes_in, eventually

SECTION = (REPOSITORY / "docs/operating/installing.md").read_text().split("## The container image\n")[1].split("\n## ")[0]
PRINTED = re.findall(r"^    podman (.*)$", SECTION, re.MULTILINE)


def printed(beginning: str) -> list[str]:
    found, = [words for words in map(shlex.split, PRINTED) if " ".join(words).startswith(beginning)]
    return found


def ready(port: int, host: str = "localhost", **headers: str) -> bool:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/readyz", headers={"Host": host} | headers)
    try:
        return urllib.request.urlopen(request).status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


def post(path: str, cookies: dict, **form: str) -> str:
    """The page that follows."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    return opener.open(f"http://localhost:8080{path}", urllib.parse.urlencode(form).encode()).read().decode()


def test_the_line_to_try_it_is_enough_for_a_sign_up(podman, image):
    from http.cookiejar import CookieJar

    *words, name = printed("run --rm")
    podman("tag", image, name)
    trial = subprocess.Popen([*podman.command, *words, "--name=trial", name], env=podman.surroundings)
    try:
        eventually(lambda: ready(8080), "a server to try")
        cookies = CookieJar()
        sent = post("/signup", cookies, display_name="Ada", email="ada@example.com", password=PASSWORD,
                    password_confirmation=PASSWORD, terms="accepted")
        assert "code" in sent
        mails = eventually(lambda: codes_in(urllib.request.urlopen("http://localhost:8080/dev/mail").read().decode()), "a mail")
        assert "Ada" in post("/signup/verify", cookies, code=mails[0])
    finally:
        podman("stop", "trial")
    assert trial.wait(60) == 0


def test_the_lines_for_production_are_true(podman, image, mail_server, tmp_path):
    (file,) = [words[-1] for words in [printed("load")]]
    (tmp_path / file).symlink_to(the_image())
    podman("load", "-i", tmp_path / file)
    *words, name = printed("run -d")
    podman("tag", image, name)
    settings = tmp_path / "vestibule.env"
    settings.write_text("VESTIBULE_MAIL_FROM=no-reply@example.com\n")
    words[words.index("vestibule.env")] = str(settings)
    podman(*words, name)
    assert podman("wait", "vestibule").strip() == "78"
    said = podman.start("logs", "vestibule").stderr
    assert all(f"VESTIBULE_{each} is not set" in said for each in ("PUBLIC_URL", "MAIL_URL", "SECRET_KEY"))
    podman("rm", "vestibule")

    settings.write_text("".join(f"{name}={value}\n" for name, value in production(mail_server).items()))
    podman(*words, name)
    eventually(lambda: ready(8080, "login.example.com"), "a server in production")
    assert "ok   settings" in podman.start(*printed("exec vestibule vestibule doctor")).stdout
    line, = re.findall(r"^    (\(.*podman exec vestibule vestibule backup .*\))$", SECTION, re.MULTILINE)
    subprocess.run(
        ["bash", "-c", f'podman() {{ command {shlex.join(podman.command)} "$@"; }}; {line}'], cwd=tmp_path, env=podman.surroundings, check=True)
    assert (tmp_path / "backup.sqlite").read_bytes().startswith(b"SQLite format 3\0")
    # Whom a proxy on the machine is taken for.
    ready(8080, "login.example.com", X_Forwarded_For="192.0.2.1")
    peer = eventually(lambda: re.findall(r'"source_ip":"([^"]+)"', podman.start("logs", "vestibule").stderr), "a line in the log")[0]
    assert f"`VESTIBULE_TRUSTED_PROXIES` is `{peer}` with Podman" in SECTION
    for command in re.search(r"`(podman stop .*?)`", SECTION)[1].split(" && "):
        podman(*shlex.split(command)[1:])
    podman("volume", "rm", "vestibule")

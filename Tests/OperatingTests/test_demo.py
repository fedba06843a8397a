"""`make demo` as somebody sees it who has just cloned the repository."""

import os
import re
import signal
import subprocess

import pytest
from house import PASSWORD, REPOSITORY, Outbox, a_new_address, eventually, free_port
from proxies import answers
from town import Walker

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("demo")]
# Builds, if need be.
PATIENCE = 1800


@pytest.fixture
def demo(tmp_path):
    port = free_port()
    others = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
    with open(tmp_path / "told", "wb") as told:
        process = subprocess.Popen(
            ["make", "--no-print-directory", "demo"], cwd=REPOSITORY, stdout=told, stderr=told, start_new_session=True,
            env=others | {"DEMO_PORT": str(port), "DEMO_FOLDER": str(tmp_path / "demo")})
    process.port, process.folder = port, tmp_path / "demo"
    text = (tmp_path / "told").read_text

    def is_ready() -> bool:
        assert process.poll() is None, text()
        return f"http://localhost:{port} " in text() and "Ctrl-C" in text()

    eventually(is_ready, "the demo", PATIENCE)
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def test_it_leads_to_the_sign_up_and_into_the_application_and_ends_with_ctrl_c(demo):
    address, login = a_new_address(), f"http://localhost:{demo.port + 1}"
    walker = Walker(None)
    assert 'id="login"' in walker.visit(f"http://localhost:{demo.port}/").text
    form = {"display_name": "Ada", "email": address, "password": PASSWORD, "password_confirmation": PASSWORD, "terms": "accepted"}
    walker.visit(f"{login}/signup", form)
    walker.visit(f"{login}/signup/verify", {"code": Outbox(demo.folder / "data/mail").code_for(address)})
    page = walker.visit(f"http://localhost:{demo.port}/").text
    told = dict(re.findall(r"<dt>.*?<code>(\w+)</code></dt><dd>(.*?)</dd>", page))
    assert "Hello, Ada." in page and 'href="/notes.css"' in page
    assert (told["iss"], told["aud"]) == (login, f"http://localhost:{demo.port}")
    assert (told["name"], told["email"], told["amr"]) == ("Ada", address, "pwd")
    assert "--brand" in walker.visit(f"http://localhost:{demo.port}/notes.css").text
    walker.visit(f"http://localhost:{demo.port}/", {"note": "tea <3"})
    assert "tea &lt;3" in walker.visit(f"http://localhost:{demo.port}/").text
    os.killpg(demo.pid, signal.SIGINT)
    demo.wait(60)
    for port in range(demo.port, demo.port + 4):
        eventually(lambda: not answers(port), "the end of all")

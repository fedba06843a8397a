"""What the Debian package has beside the program; `scripts/try-package` tries the package itself."""

import runpy
import subprocess

from house import BINARY, PATIENCE, REPOSITORY
from operator_desk import SURROUNDINGS

KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


def output(*command) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=REPOSITORY, timeout=PATIENCE).stdout


def doctor(folder) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, "doctor"], cwd=folder, env=SURROUNDINGS, capture_output=True, text=True, timeout=2 * PATIENCE
    )


def test_settings_as_installed_name_what_production_lacks(tmp_path):
    settings = (REPOSITORY / "packaging/vestibule.env").read_text() + f"VESTIBULE_SECRET_KEY={KEY}\n"
    (tmp_path / ".env").write_text(settings)
    checked = doctor(tmp_path)
    assert checked.returncode == 78 and "VESTIBULE_PUBLIC_URL" in checked.stderr
    (tmp_path / ".env").write_text(settings.replace("\n#VESTIBULE_", "\nVESTIBULE_"))
    checked = doctor(tmp_path)
    assert "ok   settings" in checked.stdout and "ok   sender" in checked.stdout


def test_the_manual_has_every_command_and_every_setting():
    page = output("scripts/manual", BINARY).replace("\\-", "-")
    for setting in output(BINARY, "doctor", "--settings").splitlines()[::2]:
        assert f"\\fB{setting}\\fR" in page, setting
    for command in ["serve", "users import", "sessions end", "mail retry", "audit tail", "backup"]:
        assert f".SS vestibule {command}\n" in page, command
    assert "--skip-refused" in page and "firebase-signer-key " not in page


def test_the_unit_lets_threads_that_hash_stand_back():
    unit = (REPOSITORY / "packaging/vestibule.service").read_text()
    filters = [line for line in unit.splitlines() if line.startswith("SystemCallFilter=")]
    # setpriority is among @resources; what comes last holds.
    assert filters[-1] == "SystemCallFilter=setpriority"


def test_the_image_tells_nobody_the_token_that_the_checkout_was_cloned_with(monkeypatch):
    monkeypatch.setenv("SOURCE_URL", "https://ada:secret@git.example/vestibule.git")
    labels = runpy.run_path(str(REPOSITORY / "scripts/image"))["labels"]("1.2.3", "2026-01-31T12:00:00Z")
    assert labels["org.opencontainers.image.source"] == "https://git.example/vestibule.git"


def test_the_first_settings_are_readable_to_nobody_while_they_are_written(tmp_path):
    """The package's postinst writes a new secret key into them."""
    script = (REPOSITORY / "packaging/postinst").read_text()
    for folder in ("/etc/vestibule", "/usr/share/vestibule"):
        assert folder in script
        script = script.replace(folder, str(tmp_path))
    (tmp_path / "watch").write_text(f"""
        chown() {{ :; }}
        cat() {{ stat -c %a "$settings.new"; }}
        {script}
        make_settings
    """)
    subprocess.run(["sh", tmp_path / "watch", "source"], check=True, umask=0o022)
    mode, key = (tmp_path / "vestibule.env").read_text().splitlines()
    assert mode == "600" and key.startswith("VESTIBULE_SECRET_KEY=")


def test_a_folder_that_has_files_is_not_made_anew(tmp_path):
    (tmp_path / "own").write_text("kept")
    for script in ("package", "release-files"):
        made = subprocess.run([REPOSITORY / "scripts" / script, BINARY, tmp_path], capture_output=True, text=True)
        assert made.returncode == 1 and "is not empty" in made.stderr
    assert (tmp_path / "own").exists()

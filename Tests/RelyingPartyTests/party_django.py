"""A Django site with the settings of the handbook."""

from handbook import program
from neighbourhood import Neighbourhood, python_of

TITLE = "Django"


def start(parties: Neighbourhood) -> str:
    """Returns the site's origin."""
    folder, python = parties.folder_of(TITLE), python_of("django")
    package = folder / "mysite"
    package.mkdir()
    settings, sign_out, addresses = parties.theirs(TITLE)
    (package / "settings.py").write_text(program("django_settings.py").read_text() + settings)
    (package / "sign_out.py").write_text(sign_out)
    (package / "urls.py").write_text(
        program("django_urls.py").read_text() + f"from mysite import sign_out\nurlpatterns += [\n{addresses}]\n")
    port = parties.port_of(TITLE)
    command = f"{python} -m django migrate --verbosity 0 && exec {python} -m django runserver --noreload {port}"
    parties.run(TITLE, folder, ["sh", "-c", command], DJANGO_SETTINGS_MODULE="mysite.settings", PYTHONPATH=str(folder))
    return parties.origin_of(TITLE)

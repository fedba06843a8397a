"""A JupyterHub, with the proxy that belongs to it and the settings of the handbook. It starts no notebooks."""

import secrets
import urllib.request

from house import eventually, free_port
from neighbourhood import Neighbourhood, python_of

TITLE = "JupyterHub"
PLACE = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.redirect_to_server = False
"""


def start(parties: Neighbourhood) -> str:
    """Returns the hub's origin."""
    folder, python = parties.folder_of(TITLE), python_of("jupyterhub")
    place = PLACE.format(port=parties.port_of(TITLE), hub=free_port(), api=free_port())
    (folder / "jupyterhub_config.py").write_text("\n".join([*parties.theirs(TITLE), place]))
    # A Node that is not Debian's finds Debian's modules there.
    parties.run(
        TITLE, folder, [python, "-m", "jupyterhub"], NODE_PATH="/usr/share/nodejs",
        JUPYTERHUB_CRYPT_KEY=secrets.token_hex(32))
    # Its proxy listens first.
    eventually(lambda: is_well(parties.port_of(TITLE)), "an answer of the hub")
    return parties.origin_of(TITLE)


def is_well(port: int) -> bool:
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/hub/health").status == 200
    except OSError:
        return False

"""What docs/api.md says of an app's own server: settings and lines of Python as they stand, after a real sign-in."""

import json
import re
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from urllib.parse import parse_qs, urlencode, urlsplit

from caller import Caller
from house import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "docs/examples/notes-python"))
PARAGRAPH = (REPOSITORY / "docs/api.md").read_text().split("**Your own server**")[1].split("\n**")[0]
VERIFIER = "v" * 43


def test_the_server_of_an_app_knows_the_person_by_the_id_token(open_house):
    from assertion import Verifier

    settings = dict(re.findall(r"^    (VESTIBULE_\w+)=(.+)$", PARAGRAPH, re.MULTILINE))
    house = open_house(**settings)
    house.make_account("ada@example.com")
    person = Caller(house).log_in("ada@example.com")
    redirect = settings["VESTIBULE_APP_CAMERA_REDIRECTS"]
    challenge = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    page = person.get("/oauth/authorize?" + urlencode({
        "client_id": "camera", "redirect_uri": redirect, "response_type": "code", "scope": "openid email", "nonce": "n-1",
        "code_challenge": challenge, "code_challenge_method": "S256"}))
    resume = re.search(r'name="resume" value="([^"]+)"', page.text)[1]
    answer = person.post("/oauth/authorize", resume=resume, answer="allow").headers["Location"]
    assert answer.startswith(f"{redirect}?")
    told = json.loads(house.ask("POST", "/oauth/token", {
        "grant_type": "authorization_code", "client_id": "camera", "redirect_uri": redirect, "code_verifier": VERIFIER,
        "code": parse_qs(urlsplit(answer).query)["code"][0]}).text)

    lines = re.search(r"```python\n(.*?)```", PARAGRAPH, re.DOTALL)[1].replace("https://login.example.com", house.url)
    known = lambda token: exec(lines, here := {"Verifier": Verifier, "headers": {"Authorization": f"Bearer {token}"}}) or here["person"]
    claims = known(told["id_token"])
    assert (claims["email"], claims["nonce"], claims["aud"]) == ("ada@example.com", "n-1", "camera") and claims["sub"]
    assert known(told["access_token"]) is None
    assert house.ask("GET", "/api/auth/session", Authorization=f"Bearer {told['access_token']}").status == 401

"""An app on somebody's desktop: it opens a browser, and waits for the answer on a port of its own (RFC 8252), with nothing but Python.

    native_app.py ISSUER CLIENT_ID

It prints the address for the browser, and then, as JSON, what it has learned. A line on its standard input signs out.
"""

import base64
import hashlib
import http.server
import json
import secrets
import sys
import urllib.parse
import urllib.request

issuer, client_id = sys.argv[1:]
verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe()
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
answers = []


def ask(url: str, form: dict | None = None, **headers: str) -> dict:
    body = urllib.parse.urlencode(form).encode() if form else None
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
        text = answer.read()
    return json.loads(text) if text else {}


class Waiting(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if not self.path.startswith("/callback?"):
            return self.send_error(404)
        answers.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><link rel=icon href=data:,><title>App</title>You may close this window.")

    def log_message(self, *_) -> None:
        pass


provider = ask(f"{issuer}/.well-known/openid-configuration")
server = http.server.HTTPServer(("127.0.0.1", 0), Waiting)
redirect = f"http://127.0.0.1:{server.server_port}/callback"
question = urllib.parse.urlencode({
    "client_id": client_id, "redirect_uri": redirect, "response_type": "code", "scope": "openid profile email",
    "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
})
print(f"{provider['authorization_endpoint']}?{question}", flush=True)
while not answers:
    server.handle_request()
answer = answers[0]
assert answer["state"] == state and answer["iss"] == issuer, answer
grant = {"client_id": client_id, "grant_type": "authorization_code", "redirect_uri": redirect}
token = ask(provider["token_endpoint"], grant | {"code": answer["code"], "code_verifier": verifier})
person = ask(provider["userinfo_endpoint"], Authorization=f"Bearer {token['access_token']}")
print(json.dumps(person), flush=True)
sys.stdin.readline()
ask(provider["revocation_endpoint"], {"client_id": client_id, "token": token["access_token"]})
leave = urllib.parse.urlencode({"client_id": client_id, "id_token_hint": token["id_token"]})
print(f"{provider['end_session_endpoint']}?{leave}", flush=True)

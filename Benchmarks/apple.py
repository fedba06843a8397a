"""People who sign in with Apple in an app: the stand-in of the tests, and what apps would send with its tokens."""

import json
import subprocess
import sys
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import house
from house import Client, Trouble

SIGN_IN = "/api/auth/sign-in/social"
PEOPLE = 100
# Tokens are made beforehand, for as many sign-ins a second as may be needed.
RATE_AT_MOST = 6000
APP = "com.example.app"


class StandIn:
    """`Tests/StandIns/apple.py`; nobody comes through a browser, so no secret is checked."""

    def __init__(self, folder):
        self.key = folder / "apple.p8"
        self.key.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, house.ROOT / "Tests/StandIns/apple.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.base = json.loads(self.process.stdout.readline())["base"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def settings(self):
        return {
            "APPLE_CLIENT_ID": "web.client", "APPLE_TEAM_ID": "TEAM123456", "APPLE_KEY_ID": "KEY1234567",
            "APPLE_PRIVATE_KEY_FILE": str(self.key), "APPLE_APP_IDS": APP, "APPLE_BASE_URL": self.base,
        }

    def token(self, person, nonce):
        now = int(time.time())
        claims = {
            "iss": self.base, "aud": APP, "exp": now + 600, "iat": now, "sub": f"person{person}", "nonce": nonce,
            "nonce_supported": True, "email": f"person{person}@privaterelay.appleid.com", "email_verified": "true",
        }
        self.process.stdin.write(json.dumps({"sign": claims}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["token"]


def post(client, path, body):
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost:{client.port}\r\nContent-Type: application/json\r\n"
    answer = client.answer(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    return answer.status, json.loads(answer.body)


def body(client, provider, person):
    """What an app sends for that person, with a fresh nonce."""
    _, given = post(client, f"{SIGN_IN}/nonce", {})
    token = provider.token(person, given["nonce"])
    return {"provider": "apple", "idToken": {"token": token, "nonce": given["nonce"]}}


def sign_up(server, provider):
    """Makes the accounts."""
    with Client(server.port) as client:
        for person in range(PEOPLE):
            name = {"user": {"name": {"firstName": "Ada", "lastName": "Lovelace"}}, "terms": "accepted"}
            status, answer = post(client, SIGN_IN, body(client, provider, person) | name)
            if status != 200:
                raise Trouble(f"a sign-up with Apple answers {status}: {answer}")


def sign_ins(server, provider, count):
    """That many bodies, a line each; each is good for one sign-in."""
    with Client(server.port) as client:
        return "".join(json.dumps(body(client, provider, number % PEOPLE)) + "\n" for number in range(count))

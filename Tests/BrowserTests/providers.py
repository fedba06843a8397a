"""Providers to sign in with, each a process of its own: a mock that others wrote, and our stand-in for Apple."""

import base64
import hashlib
import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from house import PATIENCE, REPOSITORY, eventually, free_port

APP = "com.example.app"


class Mock:
    """oidc-provider-mock on 127.0.0.1, which to a browser at localhost is another site."""

    def __init__(self, *people: dict):
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        claims = [part for person in people for part in ("--user-claims", json.dumps(person))]
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("oidc-provider-mock"), "--port", str(port), *claims],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        eventually(self.is_well, "a healthy provider")

    def is_well(self) -> bool:
        try:
            return urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration").status == 200
        except OSError:
            return False

    def settings(self) -> dict[str, str]:
        return {
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": self.issuer, "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web.client",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush", "VESTIBULE_OIDC_EXAMPLE_LABEL": "Example & Co",
        }

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class Apple:
    """`Tests/StandIns/apple.py`, knowing the public half of a key made here."""

    def __init__(self, folder: Path):
        key = ec.generate_private_key(ec.SECP256R1())
        self.key = folder / "apple.p8"
        self.key.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        public = folder / "apple.pub"
        public.write_bytes(key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
        self.process = subprocess.Popen(
            [sys.executable, REPOSITORY / "Tests/StandIns/apple.py", "--public-key", public],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.base = json.loads(self.process.stdout.readline())["base"]

    def settings(self) -> dict[str, str]:
        return {
            "VESTIBULE_APPLE_CLIENT_ID": "web.client", "VESTIBULE_APPLE_TEAM_ID": "TEAM123456",
            "VESTIBULE_APPLE_KEY_ID": "KEY1234567", "VESTIBULE_APPLE_PRIVATE_KEY_FILE": str(self.key),
            "VESTIBULE_APPLE_BASE_URL": self.base, "VESTIBULE_APPLE_APP_IDS": APP,
        }

    def identity_token(self, person: str, nonce: str) -> str:
        """What an app is given that has sent the nonce's SHA-256 in hex."""
        now = int(time.time())
        return self.tell(sign={
            "iss": self.base, "aud": APP, "exp": now + 600, "iat": now, "sub": person,
            "email": "x9y8z7@privaterelay.appleid.com", "email_verified": "true", "nonce_supported": True,
            "nonce": hashlib.sha256(nonce.encode()).hexdigest(),
        })["token"]

    @staticmethod
    def code(**said) -> str:
        """What a browser is sent back with; with `app`, what an app is given beside the token."""
        return base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=").decode()

    def tell(self, **command) -> dict:
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

"""Stands in for Vestibule where an example only needs its keys: signs assertions, good ones and forged ones."""

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ISSUER, AUDIENCE = "https://login.example.com", "https://notes.example.com"


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def part(value: dict) -> str:
    return encoded(json.dumps(value).encode())


class Key:
    """A P-256 key and the name it has in the key set."""

    def __init__(self, kid: str):
        self.kid, self.private = kid, ec.generate_private_key(ec.SECP256R1())

    @property
    def pem(self) -> bytes:
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def public(self) -> dict:
        numbers = self.private.public_key().public_numbers()
        x, y = (encoded(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        return {"kty": "EC", "crv": "P-256", "x": x, "y": y, "use": "sig", "alg": "ES256", "kid": self.kid}

    def signature(self, text: str) -> str:
        r, s = decode_dss_signature(self.private.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def claims(**other) -> dict:
    now = int(time.time())
    return {
        "iss": ISSUER, "aud": AUDIENCE, "sub": "01J0000000000000000000000A", "sid": "s", "jti": "j", "iat": now,
        "exp": now + 60, "email": "ada@example.com", "email_verified": True, "name": "Ada <Lovelace>", "groups": [],
        "auth_time": now, "amr": ["pwd"]} | other


def signed(key: Key, header: dict | None = None, **other) -> str:
    text = f"{part({'alg': 'ES256', 'typ': 'JWT', 'kid': key.kid} | (header or {}))}.{part(claims(**other))}"
    return f"{text}.{key.signature(text)}"


def with_public_key_as_secret(secret: bytes, kid: str) -> str:
    text = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': kid})}.{part(claims())}"
    return f"{text}.{encoded(hmac.digest(secret, text.encode(), hashlib.sha256))}"


def unsigned(kid: str, alg: str = "none") -> str:
    return f"{part({'alg': alg, 'typ': 'JWT', 'kid': kid})}.{part(claims())}."


def forgeries(key: Key) -> dict[str, str]:
    """What nobody may believe, by what is wrong with it; `key` is one of the set."""
    good, other = signed(key), Key(key.kid)
    past = int(time.time()) - 120
    head, body, signature = good.split(".")
    without = {name: value for name, value in claims().items() if name != "exp"}
    endless = f"{head}.{part(without)}"
    return {
        "none at all": "", "no token": "ada", "two parts": f"{head}.{body}", "alg none": unsigned(key.kid),
        "alg None": unsigned(key.kid, "None"), "no signature": f"{head}.{body}.",
        "HS256 with the public key": with_public_key_as_secret(key.pem, key.kid),
        "HS256 with the public key's line": with_public_key_as_secret(key.pem.strip(), key.kid),
        "HS256 with x of the public key": with_public_key_as_secret(key.public()["x"].encode(), key.kid),
        "expired": signed(key, exp=past, iat=past - 60), "without an end": f"{endless}.{key.signature(endless)}",
        "other issuer": signed(key, iss="https://login.example.org"),
        "issuer with a slash": signed(key, iss=f"{ISSUER}/"),
        "other audience": signed(key, aud="https://wiki.example.com"), "no audience": signed(key, aud=[]),
        "unknown kid": signed(Key("unknown")), "no kid": signed(key, {"kid": None}),
        "key of another with that kid": signed(other), "its own key": signed(other, {"jwk": other.public()}),
        "changed body": f"{head}.{part(claims(sub='eve'))}.{signature}",
    }


class KeySetServer:
    """Serves a key set over HTTP, and counts how often it was read."""

    def __init__(self):
        self.keys, self.reads = [Key("one")], 0
        outer = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.reads += 1
                body = json.dumps({"keys": [key.public() for key in outer.keys]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks.json"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

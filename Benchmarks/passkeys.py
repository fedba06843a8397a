"""Passkeys as timing and speed need them: of an address, without an authenticator."""

import base64
import hashlib
import json

# The generator of P-256 (NIST SP 800-186, section 3.2.1.3): a point, as every public key is.
KEY = bytes.fromhex(
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
# In DER, as ECDSA writes it, and right for nothing: r and s are 1.
WRONG_SIGNATURE = bytes.fromhex("3006020101020101")


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def credential(email):
    return hashlib.sha256(email.encode()).digest()


def challenge(options):
    return json.loads(options)["challenge"]


def response(email, challenge, sign=lambda signed: WRONG_SIGNATURE, host="localhost", origin="http://localhost:8080",
             handle=bytes(64)):
    """`AuthenticationResponseJSON`; `sign` gets the bytes that a passkey signs."""
    client = json.dumps({
        "type": "webauthn.get", "challenge": challenge, "origin": origin,
        "crossOrigin": False}).encode()
    # Somebody was there and was verified (flags UP and UV); the counter is 0.
    data = hashlib.sha256(host.encode()).digest() + b"\x05" + bytes(4)
    identifier = text(credential(email))
    return json.dumps({
        "id": identifier, "rawId": identifier, "type": "public-key",
        "response": {
            "clientDataJSON": text(client), "authenticatorData": text(data), "userHandle": text(handle),
            "signature": text(sign(data + hashlib.sha256(client).digest()))},
    })

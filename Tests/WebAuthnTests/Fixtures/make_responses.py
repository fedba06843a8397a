"""Writes responses.json: passkeys of a software authenticator made of PyPI's fido2, and what they sign.

  .venv/bin/python Tests/WebAuthnTests/Fixtures/make_responses.py

fido2's own server accepts every response before it is written.
"""
import json
import random
import secrets
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2.cose import ES256, RS256, EdDSA
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData, PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)

ID, ORIGIN = "login.example.com", "https://login.example.com"
PAIRS = 50
FLAG = AuthenticatorData.FLAG


class Passkey:
    def __init__(self, number: int, chance: random.Random):
        self.kind = [ES256, EdDSA, RS256][number % 3]
        if self.kind is ES256:
            self.private = ec.generate_private_key(ec.SECP256R1())
        elif self.kind is EdDSA:
            self.private = ed25519.Ed25519PrivateKey.generate()
        else:
            self.private = rsa.generate_private_key(65537, 2048)
        self.id = secrets.token_bytes(chance.choice([16, 20, 32, 64, 255, 1023]))
        backup = chance.choice([0, FLAG.BE, FLAG.BE | FLAG.BS])
        self.flags = FLAG.UP | FLAG.UV | backup
        self.counter = chance.choice([0, 1, 2**31, 2**32 - 2])
        self.extensions = chance.choice([None, None, {"credProtect": 2}, {"hmac-secret": True}, {"unknown": {"a": [1]}}])
        self.formats = chance.choice(["none", "packed"])
        self.transports = chance.choice([[], ["internal"], ["usb", "nfc"], ["hybrid", "internal"]])

    def sign(self, message: bytes) -> bytes:
        if self.kind is ES256:
            return self.private.sign(message, ec.ECDSA(hashes.SHA256()))
        if self.kind is EdDSA:
            return self.private.sign(message)
        return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())

    def register(self, challenge: bytes) -> dict:
        client = CollectedClientData.create("webauthn.create", challenge, ORIGIN)
        attested = AttestedCredentialData.create(
            secrets.token_bytes(16), self.id, self.kind.from_cryptography_key(self.private.public_key()))
        flags = self.flags | FLAG.AT | (FLAG.ED if self.extensions else 0)
        data = AuthenticatorData.create(
            PublicKeyCredentialRpEntity(name="", id=ID).id_hash, flags, self.counter, attested, self.extensions)
        statement = {}
        if self.formats == "packed":
            statement = {"alg": self.kind.ALGORITHM, "sig": self.sign(data + client.hash)}
        return self.response(client, {
            "attestationObject": websafe_encode(AttestationObject.create(self.formats, data, statement)),
            "transports": self.transports,
        })

    def authenticate(self, challenge: bytes, handle: bytes) -> dict:
        client = CollectedClientData.create("webauthn.get", challenge, ORIGIN)
        extensions = {"hmac-secret": secrets.token_bytes(64)} if self.extensions == {"hmac-secret": True} else None
        data = AuthenticatorData.create(
            PublicKeyCredentialRpEntity(name="", id=ID).id_hash, self.flags | (FLAG.ED if extensions else 0),
            self.counter and self.counter + 1, extensions=extensions)
        return self.response(client, {
            "authenticatorData": websafe_encode(data), "signature": websafe_encode(self.sign(data + client.hash)),
            "userHandle": websafe_encode(handle),
        })

    def response(self, client: bytes, members: dict) -> dict:
        return {
            "id": websafe_encode(self.id), "rawId": websafe_encode(self.id), "type": "public-key",
            "authenticatorAttachment": "platform", "clientExtensionResults": {},
            "response": {"clientDataJSON": websafe_encode(client), **members},
        }


def pair(number: int, server: Fido2Server, chance: random.Random) -> dict:
    handle, passkey = secrets.token_bytes(64), Passkey(number, chance)
    demand = UserVerificationRequirement.REQUIRED
    options, state = server.register_begin({"id": handle, "name": "a"}, user_verification=demand)
    first = options.public_key.challenge
    registration = passkey.register(first)
    credential = server.register_complete(state, registration).credential_data
    options, state = server.authenticate_begin([credential], user_verification=demand)
    second = options.public_key.challenge
    assertion = passkey.authenticate(second, handle)
    server.authenticate_complete(state, [credential], assertion)
    return {
        "algorithm": passkey.kind.ALGORITHM, "registrationChallenge": websafe_encode(first),
        "registration": registration, "assertionChallenge": websafe_encode(second), "assertion": assertion,
    }


def main() -> None:
    server = Fido2Server(PublicKeyCredentialRpEntity(name="Example", id=ID))
    pairs = [pair(number, server, random.Random(number)) for number in range(PAIRS)]
    document = {"source": "make_responses.py with PyPI fido2", "id": ID, "origin": ORIGIN, "pairs": pairs}
    Path(__file__).with_name("responses.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Authenticators: Chromium's virtual ones for visitors, and one in software for callers."""

import json
import re
import secrets
from dataclasses import dataclass, field

from caller import Caller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData, PublicKeyCredentialRpEntity,
)
from house import PASSWORD

FLAG = AuthenticatorData.FLAG
PASSKEYS = "/account/security/passkeys"


class Authenticator:
    """One that Chromium plays; people touch it when `is_touched`."""

    def __init__(self, visitor, transport: str = "internal", is_touched: bool = True, **options):
        self.visitor = visitor
        self.cdp = visitor.context.new_cdp_session(visitor.page)
        self.cdp.send("WebAuthn.enable", {"enableUI": False})
        usual = {"protocol": "ctap2", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        made = usual | {"transport": transport, "automaticPresenceSimulation": is_touched} | options
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": made})["authenticatorId"]

    def _send(self, command: str, **rest):
        return self.cdp.send(f"WebAuthn.{command}", {"authenticatorId": self.id} | rest)

    def be_touched(self, is_touched: bool = True) -> None:
        self._send("setAutomaticPresenceSimulation", enabled=is_touched)

    def verify(self, is_verified: bool) -> None:
        """Whether it finds that the finger is the owner's."""
        self._send("setUserVerified", isUserVerified=is_verified)

    def unplug(self) -> None:
        self._send("removeVirtualAuthenticator")

    @property
    def passkeys(self) -> list[dict]:
        return self._send("getCredentials")["credentials"]


@dataclass
class SoftwarePasskey:
    """What an authenticator keeps of one site and account."""

    origin: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    handle: bytes = b""
    counter: int = 0

    def create(self, options: dict) -> str:
        self.handle = websafe_decode(options["user"]["id"])
        attested = AttestedCredentialData.create(bytes(16), self.id, ES256.from_cryptography_key(self.key.public_key()))
        data = self._data(options["rp"]["id"], FLAG.AT, attested)
        return self._credential("create", options, {
            "attestationObject": websafe_encode(bytes(AttestationObject.create("none", data, {}))), "transports": [],
        })

    def sign(self, options: dict) -> str:
        self.counter += 1
        client = self._client("get", options)
        data = self._data(options["rpId"])
        signature = self.key.sign(data + client.hash, ec.ECDSA(hashes.SHA256()))
        return self._credential("get", options, {
            "authenticatorData": websafe_encode(data), "signature": websafe_encode(signature),
            "userHandle": websafe_encode(self.handle),
        })

    def _data(self, rp_id: str, more: int = 0, attested=b"") -> AuthenticatorData:
        site = PublicKeyCredentialRpEntity(name="", id=rp_id).id_hash
        return AuthenticatorData.create(site, FLAG.UP | FLAG.UV | more, self.counter, attested)

    def _client(self, kind: str, options: dict) -> CollectedClientData:
        return CollectedClientData.create(f"webauthn.{kind}", websafe_decode(options["challenge"]), self.origin)

    def _credential(self, kind: str, options: dict, response: dict) -> str:
        client = websafe_encode(bytes(self._client(kind, options)))
        identity = websafe_encode(self.id)
        return json.dumps({
            "id": identity, "rawId": identity, "type": "public-key", "response": response | {"clientDataJSON": client},
        })


def add_passkey(caller: Caller, name: str = "My phone", **fields: str) -> SoftwarePasskey:
    """To the account of somebody who has just signed in."""
    caller.get(PASSKEYS)
    passkey = SoftwarePasskey(caller.house.origin)
    caller.post(PASSKEYS, name=name, credential=passkey.create(options_of(caller, f"{PASSKEYS}/options")), **fields)
    caller.get(PASSKEYS)
    return passkey


def remove_passkey(caller: Caller) -> None:
    """The first one there is."""
    caller.post(re.search(f'action="({PASSKEYS}/[^"/]+/remove)"', caller.get(PASSKEYS).text)[1])


def use_for_second_step(caller: Caller) -> None:
    """Of the passkeys that a browser made by itself, the first one."""
    caller.post(re.search(f'action="({PASSKEYS}/[^"/]+/second)"', caller.get(PASSKEYS).text)[1])


def options_of(caller: Caller, path: str) -> dict:
    answer = caller.ask("POST", path, {"csrf": caller.csrf} if caller.csrf else {})
    assert answer.status == 200, answer.text
    return json.loads(answer.text)


def begin_second_step(caller: Caller, email: str, password: str = PASSWORD) -> Caller:
    caller.post("/login", email=email, password=password)
    return caller


def trusted_browser(house, email: str, passkey: SoftwarePasskey, user_agent: str = "caller/1") -> Caller:
    """Signed in by the password alone, as the browser is trusted: nothing is proved by the passkey."""
    caller = begin_second_step(Caller(house, user_agent), email)
    caller.post("/login/second", credential=passkey.sign(options_of(caller, "/login/second/options")), trust="on")
    caller.get("/account")
    caller.post("/logout")
    caller.csrf = None
    return caller.log_in(email)

"""Stands in for Apple's sign-in servers, in their wire form, and for any OpenID provider; a process of its own.

A code says itself what comes of it (base64url JSON: sub, email, nonce, and a `lie` to tell), so that tests can make codes
without asking; with `info` the address is not in the token, and that text is what the userinfo endpoint answers. Commands are JSON lines on stdin, answered by one line each:
{"sign": {claims}}  {"person": {sub, email}} who uses the page  {"rotate": true}  {"keys": "down", "moved" or "up"}
{"says": {fields}} in the place of those of its document, empty for none  {"document": "hang" or "up"}  {"record": true}
"""

import argparse
import base64
import hashlib
import hmac
import html
import json
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

SIGNATURE_LIFE = 15_777_000


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def part(value: dict) -> str:
    return b64(json.dumps(value).encode())


class Keys:
    """The signing key of now, and those before it."""

    def __init__(self):
        self.all = []
        self.state = "up"
        self.rotate()

    def rotate(self, algorithm: str = "RS256"):
        is_curve = algorithm == "ES256"
        key = ec.generate_private_key(ec.SECP256R1()) if is_curve else rsa.generate_private_key(65537, 2048)
        self.all.append((f"key{len(self.all) + 1}", key))

    @staticmethod
    def jwk(kid: str, key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> dict:
        def number(value):
            return b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))

        numbers = key.public_key().public_numbers()
        if isinstance(key, ec.EllipticCurvePrivateKey):
            x, y = (b64(value.to_bytes(32, "big")) for value in (numbers.x, numbers.y))
            return {"kty": "EC", "crv": "P-256", "kid": kid, "use": "sig", "alg": "ES256", "x": x, "y": y}
        return {"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": number(numbers.n), "e": number(numbers.e)}

    def jwks(self) -> dict:
        return {"keys": [self.jwk(kid, key) for kid, key in self.all[-2:]]}

    def sign(self, claims: dict, lie: str | None = None) -> str:
        kid, key = self.all[-1]
        if isinstance(key, ec.EllipticCurvePrivateKey):
            body = f"{part({'alg': 'ES256', 'kid': kid})}.{part(claims)}"
            numbers = decode_dss_signature(key.sign(body.encode(), ec.ECDSA(hashes.SHA256())))
            return f"{body}.{b64(b''.join(number.to_bytes(32, 'big') for number in numbers))}"
        if lie == "nokid":
            header = {"alg": "RS256"}
            body = f"{part(header)}.{part(claims)}"
            return f"{body}.{b64(key.sign(body.encode(), padding.PKCS1v15(), hashes.SHA256()))}"
        header = {"kid": "unheard-of" if lie == "kid" else kid, "alg": {"none": "none", "hs256": "HS256"}.get(lie, "RS256")}
        if lie in ("signature", "jwk", "jku"):
            key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        if lie == "jwk":
            header["jwk"] = self.jwk(kid, key)
        if lie == "jku":
            header |= {"jku": "https://evil.example/keys", "x5u": "https://evil.example/certificate", "kid": "theirs"}
        if lie == "crit":
            header |= {"crit": ["x"], "x": 1}
        body = f"{part(header)}.{part(claims)}"
        if lie == "none":
            return body + "."
        if lie == "hs256":
            public = key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return f"{body}.{b64(hmac.digest(public, body.encode(), 'sha256'))}"
        return f"{body}.{b64(key.sign(body.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


class Provider:
    def __init__(self, arguments):
        self.arguments = arguments
        self.keys = Keys()
        self.codes: set[str] = set()
        self.known: set[str] = set()
        self.record: list[dict] = []
        self.proof = None
        self.says: dict = {}
        self.document = "up"
        self.person = {"sub": "001234.abcdef", "email": "x9y8z7@privaterelay.appleid.com"}
        if arguments.public_key:
            with open(arguments.public_key, "rb") as file:
                self.proof = serialization.load_pem_public_key(file.read())

    def is_us(self, form: dict, authorization: str) -> bool:
        """Whether the caller is one of the clients: by Apple's signed secret, or by the shared one, as HTTP Basic or in the
        form, whichever the document says."""
        shared = (self.arguments.client, self.arguments.secret)
        if self.says.get("token_endpoint_auth_methods_supported") == ["client_secret_post"]:
            return (form.get("client_id"), form.get("client_secret")) == shared
        if authorization.startswith("Basic "):
            client, _, secret = base64.b64decode(authorization[6:]).decode().partition(":")
            return (unquote(client), unquote(secret)) == shared
        client = form.get("client_id")
        if not self.proof or client not in (self.arguments.client, self.arguments.app):
            return False
        head, body, signature = form["client_secret"].split(".")
        raw = unb64(signature)
        assert len(raw) == 64
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        self.proof.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
        header, claims = json.loads(unb64(head)), json.loads(unb64(body))
        now = time.time()
        return (
            header["alg"] == "ES256" and header["kid"] == "KEY1234567" and claims["iss"] == "TEAM123456"
            and claims["sub"] == client and claims["aud"] == self.base
            and now - 60 < claims["iat"] <= now + 60 and now < claims["exp"] <= claims["iat"] + SIGNATURE_LIFE
        )

    def claims(self, said: dict) -> dict:
        now, lie = said.get("at", int(time.time())) + said.get("ahead", 0), said.get("lie")
        self.known.add(said["sub"])
        claims = {
            "iss": "https://evil.example" if lie == "iss" else self.base,
            "aud": "somebody.else" if lie == "aud" else self.arguments.app if said.get("app") else self.arguments.client,
            "exp": now - 120 if lie == "expired" else now + 600, "iat": now + 600 if lie == "future" else now,
            "sub": said["sub"], "nonce": "another" if lie == "nonce" else said.get("nonce"), "nonce_supported": True,
            "at_hash": "x", "email_verified": "false" if lie == "unverified" else "true",
        }
        if lie != "no_auth":
            claims["auth_time"] = now + {"old_auth": -3600, "future_auth": 3600}.get(lie, 0)
        if "email" in said:
            claims |= {"email": said["email"], "is_private_email": "true"}
        if "info" in said:
            for name in ("email", "email_verified", "is_private_email"):
                claims.pop(name, None)
        if lie == "nbf":
            claims["nbf"] = now + 120
        if lie == "azp":
            claims |= {"aud": [self.arguments.client, "other"], "azp": "other"}
        if lie == "azp_alone":
            claims["azp"] = "other"
        if lie == "noazp":
            claims["aud"] = [self.arguments.client, "other"]
        if lie == "old":
            claims["iat"] = now - 90_000
        if lie == "long":
            claims["exp"] = now + 8 * 86_400
        if lie == "numbered":
            claims["sub"] = 1
        if lie == "odd":
            claims |= {"name": {}, "email_verified": 1, "auth_time": "now"}
        if lie == "list":
            claims |= {"aud": [self.arguments.client, "other"], "azp": self.arguments.client}
        if lie == "huge":
            claims["padding"] = "x" * 1_000_000 if said.get("size") is None else "x" * said["size"]
        return claims

    def tokens(self, form: dict) -> dict | None:
        code = form.get("code", "")
        if form.get("grant_type") != "authorization_code" or code in self.codes:
            return None
        self.codes.add(code)
        said = json.loads(unb64(code))
        # An app got its code without a browser: it belongs to no redirection (RFC 6749 section 4.1.3).
        client = self.arguments.app if said.get("app") else self.arguments.client
        if form.get("client_id", client) != client or ("redirect_uri" in form) == said.get("app", False):
            return None
        challenge = said.get("challenge")
        if challenge and b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest()) != challenge:
            return None
        if said.get("lie") == "hang":
            threading.Event().wait(60)
        token = self.keys.sign(self.claims(said), said.get("lie"))
        access = {"no_access": None, "access_lines": "a\r\nX-Made-Up: b"}.get(said.get("lie"), b64(said.get("info", "").encode()) or "a")
        return {
            "access_token": access, "token_type": "Bearer", "expires_in": 3600, "id_token": token,
            "refresh_token": f"r.{client}.{said['sub']}",
        }


class Handler(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, *arguments):
        pass

    def answer(self, status: int, body: str, kind: str = "application/json", location: str | None = None):
        data = body.encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urlsplit(self.path)
        base = self.provider.base
        match url.path:
            case "/.well-known/openid-configuration":
                self.provider.record.append({"call": "document"})
                if self.provider.document == "hang":
                    threading.Event().wait(60)
                document = {
                    "issuer": base, "authorization_endpoint": f"{base}/auth/authorize",
                    "token_endpoint": f"{base}/auth/token", "revocation_endpoint": f"{base}/auth/revoke",
                    "jwks_uri": f"{base}/auth/keys", "userinfo_endpoint": f"{base}/auth/userinfo", "response_types_supported": ["code"],
                    "response_modes_supported": ["query", "fragment", "form_post"],
                    "subject_types_supported": ["pairwise"], "id_token_signing_alg_values_supported": ["RS256"],
                    "scopes_supported": ["openid", "email", "name"],
                    "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                } | self.provider.says
                self.answer(200, json.dumps({name: value for name, value in document.items() if value != ""}))
            case "/auth/keys" | "/auth/keys/moved" as path:
                self.provider.record.append({"call": path.removeprefix("/auth/")})
                if self.provider.keys.state == "moved" and path == "/auth/keys":
                    self.answer(302, "{}", location=f"{base}/auth/keys/moved")
                elif self.provider.keys.state == "down":
                    self.answer(503, "{}")
                else:
                    self.answer(200, json.dumps(self.provider.keys.jwks()))
            case "/auth/userinfo":
                self.provider.record.append({"call": "userinfo"})
                scheme, _, token = self.headers.get("Authorization", "").partition(" ")
                info = unb64(token).decode() if scheme == "Bearer" and len(token) > 1 else "401"
                status = int(info) if info.isdecimal() else 200
                kind = "application/json" if info.startswith("{") else "application/jwt"
                self.answer(status, info, kind, location=f"{base}/auth/userinfo" if status == 302 else None)
            case "/auth/authorize":
                self.authorize({name: values[0] for name, values in parse_qs(url.query).items()})
            case _:
                self.answer(404, "{}")

    def authorize(self, asked: dict):
        allowed = (
            asked.get("client_id") == self.provider.arguments.client and asked.get("response_type") == "code"
            and asked.get("response_mode") == "form_post" and asked.get("scope") == "name email"
        )
        if not allowed:
            return self.answer(400, "invalid_request", "text/plain")
        person = self.provider.person | {"nonce": asked["nonce"]}
        fields = {"code": b64(json.dumps(person | {"salt": secrets.token_hex(8)}).encode()), "state": asked["state"]}
        if person["sub"] not in self.provider.known:
            fields["user"] = json.dumps({
                "name": {"firstName": "Ada", "lastName": "Lovelace"}, "email": "forged@example.com"})
        self.answer(200, f"""<!DOCTYPE html><html lang="en"><title>Sign in with Apple (stand-in)</title>
            {self.form(asked, "Continue", fields)}
            {self.form(asked, "Cancel", {"error": "user_cancelled_authorize", "state": asked["state"]})}""", "text/html")

    @staticmethod
    def form(asked: dict, label: str, fields: dict) -> str:
        inputs = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items())
        return f'<form method="post" action="{html.escape(asked["redirect_uri"])}">{inputs}<button>{label}</button></form>'

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        path = urlsplit(self.path).path
        self.provider.record.append({"call": path} | {name: form[name] for name in ("token",) if name in form})
        try:
            is_us = self.provider.is_us(form, self.headers.get("Authorization", ""))
        except Exception:
            is_us = False
        if not is_us:
            return self.answer(400, json.dumps({"error": "invalid_client"}))
        if path == "/auth/revoke":
            theirs = form.get("token", "").startswith(f"r.{form.get('client_id', self.provider.arguments.client)}.")
            return self.answer(200, "") if theirs else self.answer(400, json.dumps({"error": "invalid_grant"}))
        try:
            tokens = self.provider.tokens(form) if path == "/auth/token" else None
        except ValueError:
            tokens = None
        if tokens:
            self.answer(200, json.dumps(tokens))
        else:
            self.answer(400, json.dumps({"error": "invalid_grant"}))


def obey(provider: Provider, command: dict) -> dict:
    if "sign" in command:
        return {"token": provider.keys.sign(command["sign"], command.get("lie"))}
    if "person" in command:
        provider.person = command["person"]
    if "rotate" in command:
        provider.keys.rotate()
    if "keys" in command:
        provider.keys.state = command["keys"]
    if "document" in command:
        provider.document = command["document"]
    if "says" in command:
        provider.says = command["says"]
        provider.keys.rotate(*provider.says.get("id_token_signing_alg_values_supported", []))
    return {"record": provider.record}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--client", default="web.client")
    parser.add_argument("--app", default="com.example.app")
    parser.add_argument("--secret", default="hush & quiet")
    parser.add_argument("--public-key")
    parser.add_argument("--host", default="127.0.0.1")
    arguments = parser.parse_args()
    provider = Handler.provider = Provider(arguments)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.base = f"http://{arguments.host}:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"base": provider.base}), flush=True)
    for line in sys.stdin:
        print(json.dumps(obey(provider, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()

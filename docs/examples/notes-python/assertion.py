"""Says who sent a request, by the assertion that Vestibule signed."""

import jwt
from jwt import PyJWKClient


class Verifier:
    def __init__(self, keys: str, *, issuer: str, audience: str):
        self.issuer, self.audience = issuer, audience
        # Read once an hour, and when an assertion names an unknown key, at most once in ten seconds.
        self.keys = PyJWKClient(keys, cache_jwk_set=True, lifespan=3600, timeout=5, cooldown_duration=10)

    def visitor(self, headers) -> dict | None:
        """The claims, or nothing unless the assertion is good and meant for this application."""
        try:
            token = assertion_of(headers)
            key = self.keys.get_signing_key_from_jwt(token)
            return jwt.decode(
                token, key, algorithms=["ES256"], issuer=self.issuer, audience=self.audience,
                options={"require": ["iss", "aud", "sub", "exp"]})
        except jwt.PyJWTError:
            return None


def assertion_of(headers) -> str:
    """From the proxy in `Vestibule-Assertion`, from a script as a bearer token."""
    kind, _, bearer = headers.get("Authorization", "").partition(" ")
    return headers.get("Vestibule-Assertion") or (bearer if kind == "Bearer" else "")

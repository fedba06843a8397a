"""What honest visitors send, by pages and as JSON, kept as it went over the wire with a session that is still open."""

import itertools
import json
import re
import secrets
import urllib.parse

from authenticators import PASSKEYS, SoftwarePasskey, add_passkey, options_of
from caller import Caller
from house import PASSWORD, Answer, House
from kills import ASKS, NAME, ORIGIN
from mutations import Template

PAGES = """
/ /signup /signup/verify /login /login/second /login?return_to=/account /reset /reset/verify /terms /privacy /dev/mail
/healthz /readyz /account /account/security /account/devices /account/activity /account/data /account/profile
/account/password /account/email /account/email/verify /account/delete /account/terms /account/confirm
/account/security/totp /account/security/passkeys /account/security/recovery-codes
/reset/continue?token=BBBBBBBBBBBBBBBBBBBBBBBBBB /account/email/undo?token=AAAAAAAAAAAAAAAAAAAAAAAAAA
/auth/apple/callback?state=x&code=y /switch /nowhere
/css/vestibule.css /.well-known/change-password /.well-known/jwks.json /.well-known/passkey-endpoints
""".split()
CALLS = ["/api/auth/session", "/api/auth/sessions", "/api/auth/user", "/api/auth/factors", "/api/auth/openapi.json"]
numbers = itertools.count(1)
WRONG, CODE = "a password of nobody else", {"code": "123456"}
NEW = {"password": WRONG, "password_confirmation": WRONG}
# Refused, so that nothing they need ends.
FORMS = {
    "/signup/resend": {}, "/signup/verify": CODE, "/reset/verify": CODE | NEW, "/login/second": CODE,
    "/login": {"email": "ada@example.com", "password": WRONG, "remember": "on", "return_to": "/account"},
    "/switch": {"email": "ada@example.com", "to": "signup"},
    "/account/email/undo": {"token": "A" * 43, "password": WRONG},
}
FORMS_OF_MEMBERS = {
    "/account/profile": {"display_name": "Ada"}, "/account/password": NEW | {"current_password": WRONG},
    "/account/email": {"email": "other@example.com", "current_password": WRONG}, "/account/email/verify": CODE,
    "/account/delete": {"current_password": WRONG, "confirm": "delete"}, "/account/terms": {"terms": "accepted"},
    "/account/sessions/abc/end": {}, f"{PASSKEYS}/abc/rename": {"name": "Phone"}, f"{PASSKEYS}/abc/remove": {},
    "/account/security/totp/remove": {}, "/account/identities/x/remove": {},
}


def a_new_address() -> str:
    """One that no hostile change of another makes."""
    return f"ada.{secrets.token_hex(6)}@example.com"


class Tape(House):
    """The same server; keeps what it is asked."""

    def __init__(self, house: House):
        self.__dict__ = house.__dict__ | {"url": ORIGIN}
        self.requests: list[tuple[bytes, bytes]] = []
        number = next(numbers)
        # The hostile use up what those have whom they imitate.
        self.client = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def ask(self, method: str, path: str, form: dict | bytes | None = None, **headers: str) -> Answer:
        headers = {"Host": "localhost:8080", "X_Forwarded_For": self.client} | headers
        self.keep(method, path, form, **headers)
        return super().ask(method, path, form, **headers)

    def keep(self, method: str, path: str, form: dict | bytes | None = None, **headers: str) -> None:
        """As if it had been sent."""
        body = urllib.parse.urlencode(form).encode() if isinstance(form, dict) else form or b""
        fields = {"Host": "localhost:8080"} | {name.replace("_", "-"): text for name, text in headers.items()}
        if form is not None:
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in fields.items())]
        self.requests.append(("\r\n".join(lines).encode(), body))

    def api(self, method: str, path: str, token: str = "", is_sent: bool = True, **body) -> dict:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        do = self.ask if is_sent else self.keep
        answer = do(method, f"/api/auth/{path}", json.dumps(body).encode(), Content_Type="application/json", **headers)
        return json.loads(answer.text) if answer and answer.text else {}


def cookies(caller: Caller) -> str:
    return "; ".join(f"{name}={text}" for name, text in caller.cookies.items())


def forms(tape: Tape, stranger: Caller, member: Caller, key: SoftwarePasskey) -> None:
    for path, form in FORMS.items():
        stranger.ask("POST", path, form)
    setup = re.search(r'name="setup" value="([^"]+)"', member.get("/account/security/totp").text)[1]
    for path, form in (FORMS_OF_MEMBERS | {"/account/security/totp": CODE | {"setup": setup}}).items():
        member.ask("POST", path, form | {"csrf": member.csrf})
    made = SoftwarePasskey(ORIGIN).create(elsewhere(options_of(member, f"{PASSKEYS}/options")))
    tape.keep("POST", PASSKEYS, {"csrf": member.csrf, "name": "Phone", "credential": made}, Cookie=cookies(member))
    signed = key.sign(elsewhere(options_of(stranger, "/login/passkey/options")))
    tape.keep("POST", "/login/passkey", {"credential": signed}, Cookie=cookies(stranger))


def elsewhere(options: dict) -> dict:
    """For another site: what is made with these is read to its end, and refused."""
    other = "another.localhost"
    return options | ({"rpId": other} if "rpId" in options else {"rp": options["rp"] | {"id": other}})


def calls(tape: Tape, email: str, key: SoftwarePasskey) -> None:
    person = {"password": PASSWORD, "name": "Eve", "terms": True}
    begin = lambda path: tape.api("POST", path, email=a_new_address(), **person)["flow"]
    flows = {path: begin(path) for path in ("sign-up", "password-reset")}
    token = tape.api("POST", "sign-in", email=email, password=PASSWORD)["token"]
    for path in CALLS:
        tape.ask("GET", path, Authorization=f"Bearer {token}")
    tape.api("POST", "sign-up/verify", flow=flows["sign-up"], **CODE)
    tape.api("POST", "password-reset/verify", flow=flows["password-reset"], password=WRONG, **CODE)
    tape.api("POST", "sign-in", email=email, password=WRONG)
    tape.api("POST", "sign-in/social", provider="apple", idToken={"token": "a.b.c", "nonce": "d"},
             user={"name": {"firstName": "Ada", "lastName": "Lovelace"}}, terms=True)
    tape.api("PATCH", "user", token, name="Ada")
    tape.api("POST", "user/password", token, current_password=WRONG, password=PASSWORD)
    tape.api("POST", "user/email", token, current_password=WRONG, email="other@example.com")
    tape.api("DELETE", "user", token, current_password=WRONG)
    tape.api("DELETE", "sessions/abc", token, current_password=WRONG)
    setup = tape.api("POST", "factors/totp", token, current_password=PASSWORD)["setup"]
    tape.api("POST", "factors/totp/confirm", token, setup=setup, **CODE)
    new = SoftwarePasskey(ORIGIN)
    for path, use in (("factors/passkeys", new.create), ("factors/proof", key.sign), ("sign-in/passkey", key.sign)):
        asked = tape.api("POST", f"{path}/options", token)
        own = "" if path == "sign-in/passkey" else token
        credential = json.loads(use(elsewhere(asked["options"])))
        tape.api("POST", path, own, is_sent=False, challenge=asked["challenge"], credential=credential)


def application(tape: Tape, member: Caller) -> None:
    """From its door to its inside; a ticket that is still good stays behind."""
    begun = tape.ask("GET", "/.vestibule/start?to=/page%3Fa=b", Host=NAME)
    start = begun.headers["Set-Cookie"].split(";")[0]
    wish = "/enter?" + urllib.parse.urlsplit(begun.headers["Location"]).query
    for _ in range(2):
        ticket = urllib.parse.urlsplit(tape.ask("GET", wish, Cookie=cookies(member)).headers["Location"])
        place = f"{ticket.path}?{ticket.query}"
        tape.keep("GET", place, Host=NAME, Cookie=start)
    entered = House.ask(tape, "GET", place, Host=NAME, Cookie=start)
    inside = "; ".join(line.split(";")[0] for line in entered.headers.get_all("Set-Cookie"))
    tape.ask("GET", "/.vestibule/session", Host=NAME, Cookie=inside)
    asks = dict(line.replace("-", "_").split(": ") for line in ASKS)
    tape.ask("GET", "/authz/forward-auth", Cookie=inside, **asks)
    tape.ask("GET", "/authz/auth-request", Cookie=inside, X_Forwarded_For="127.0.0.1",
             X_Original_URL=f"http://{NAME}/a?b=c", X_Original_Method="GET")


def templates(house: House) -> list[Template]:
    """All of it, with a new account each time."""
    tape, email = Tape(house), a_new_address()
    tape.make_account(email)
    member, stranger = Caller(tape).log_in(email), Caller(tape).log_in(email)
    del stranger.cookies["vestibule"]
    stranger.csrf = None
    stranger.post("/signup", display_name="Eve", email=a_new_address(), terms="accepted", **NEW)
    stranger.post("/reset", email=email)
    for path in PAGES:
        member.get(path)
        stranger.get(path)
    member.get("/account")
    tape.ask("HEAD", "/login")
    tape.ask("HEAD", "/account", Cookie=cookies(member))
    owner, other = Tape(house), a_new_address()
    owner.make_account(other)
    key = add_passkey(Caller(owner).log_in(other))
    forms(tape, stranger, member, key)
    application(tape, member)
    calls(tape, email, key)
    return [Template(head, body) for head, body in tape.requests]

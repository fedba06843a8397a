"""Somebody who speaks HTTP without a browser and keeps cookies: the quickest way to where a test begins."""

import re
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import pyotp
from house import PASSWORD, Answer, House


class Caller:
    def __init__(self, house: House, user_agent: str = "caller/1"):
        self.house, self.user_agent = house, user_agent
        self.cookies: dict[str, str] = {}
        self.csrf: str | None = None

    def get(self, path: str) -> Answer:
        answer = self.ask("GET", path)
        token = re.search('name="csrf" value="([^"]+)"', answer.text)
        if token:
            self.csrf = token[1]
        return answer

    def post(self, path: str, **form: str) -> Answer:
        """Sends a form with the token of the page seen last, and expects that it is accepted."""
        answer = self.ask("POST", path, form | ({"csrf": self.csrf} if self.csrf else {}))
        assert answer.status == 303, answer.text
        return answer

    def ask(self, method: str, path: str, form: dict | None = None) -> Answer:
        headers = {"User_Agent": self.user_agent}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.house.ask(method, path, form, **headers)
        self._keep(answer)
        return answer

    def _keep(self, answer: Answer) -> None:
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value

    # What people do

    def log_in(self, email: str, password: str = PASSWORD) -> "Caller":
        self.post("/login", email=email, password=password)
        assert self.get("/account").status == 200
        return self

    def change_email(self, new: str, password: str = PASSWORD) -> None:
        """The whole change, from the account page to the right code."""
        self.ask_for_email(new, password)
        self.post("/account/email/verify", code=self.house.outbox.code_for(new))

    def ask_for_email(self, new: str, password: str = PASSWORD) -> None:
        self.post("/account/email", email=new, current_password=password)

    def add_apple(self) -> None:
        """Connects a person at the stand-in for Apple with the account, by the link on the account page."""
        start = self.get(re.search('href="(/auth/apple[?]link=[^"]+)"', self.get("/account/security").text)[1])
        asked = parse_qs(urlsplit(start.headers["Location"]).query)
        code = self.house.apple.code(sub=f"001234.{asked['state'][0][:8]}", nonce=asked["nonce"][0])
        # Across sites, which no cookie of ours goes along with.
        posted = self.house.ask(
            "POST", "/auth/apple/callback", {"state": asked["state"][0], "code": code},
            Origin=self.house.apple.base, Sec_Fetch_Site="cross-site")
        self._keep(posted)
        done = self.get(self.get(posted.headers["Location"]).headers["Location"])
        assert "You can now sign in that way." in done.text

    def add_app(self) -> str:
        """Adds an authenticator app. Returns its key."""
        page = self.get("/account/security/totp").text
        key = re.search(r'class="key"[^>]*>([A-Z2-7 ]+)<', page)[1].replace(" ", "")
        setup = re.search(r'name="setup" value="([^"]+)"', page)[1]
        self.post("/account/security/totp", setup=setup, code=pyotp.TOTP(key).now())
        return key

    def remove_app(self) -> None:
        self.post("/account/security/totp/remove")

    def make_recovery_codes(self) -> list[str]:
        answer = self.ask("POST", "/account/security/recovery-codes", {"csrf": self.csrf})
        return re.findall(r"<li>([0-9a-z]{5}-[0-9a-z]{5})</li>", answer.text)

    def delete(self, password: str = PASSWORD) -> None:
        self.post("/account/delete", current_password=password, confirm="delete")

"""Somebody who has never been here, with a browser."""

import http.client
import re
from urllib.parse import urlsplit

from house import PASSWORD, PATIENCE, a_new_address
from neighbourhood import Neighbourhood
from playwright.sync_api import Browser, expect
from visitor import Visitor, Way


class Person(Visitor):
    def __init__(self, chromium: Browser, house: Neighbourhood, way: Way):
        others = [house.origin_of(title) for title in house.sections if house.sections[title].host]
        super().__init__(chromium, house, way, others=others, ignore_https_errors=True)
        self.address = a_new_address()

    def signs_up(self) -> None:
        """From the page that asks who it is, to the question of the application."""
        self.is_at_the_door()
        self.change_form("Create an account")
        self.fill_sign_up(self.address)
        self.button("Create account").click()
        self.is_at("Check your email")
        self.type_code(self.house.outbox.code_for(self.address))

    def signs_in(self) -> None:
        """With the account there is; the application has been let in before."""
        self.is_at_the_door()
        self.field("Email address").fill(self.address)
        self.field("Password").fill(PASSWORD)
        self.button("Sign in").click()

    def is_at_the_door(self) -> None:
        self.page.wait_for_url(re.compile(re.escape(self.house.url) + "/login"))

    def is_asked(self, label: str) -> None:
        self.is_at(f"Continue to {label}?")

    def agrees(self, label: str) -> None:
        self.is_asked(label)
        self.button("Continue").click()

    def is_back_at(self, origin: str) -> None:
        self.page.wait_for_url(re.compile(re.escape(origin) + "/"))

    def signs_out_at_the_door(self) -> None:
        """At Vestibule itself, of which no page of an application is part."""
        self.page.goto(f"{self.house.url}/account")
        self.log_out()
        self.sees("You're signed out.")

    def gets(self, title: str, path: str) -> tuple[int, str]:
        """What the application answers to the cookies of this browser, at once: past the proxy, redirects not followed."""
        origin = self.house.origin_of(title)
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in self.context.cookies(origin + path))
        host = urlsplit(origin).netloc
        connection = http.client.HTTPConnection("127.0.0.1", self.house.port_of(title), timeout=PATIENCE)
        connection.request("GET", path, headers={
            "Accept": "text/html", "Cookie": cookies, "Host": host, "X-Forwarded-Host": host, "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def is_signed_in_at_the_door(self) -> bool:
        """Looked up in a tab of its own."""
        page = self.context.new_page()
        page.goto(f"{self.house.url}/account")
        path = urlsplit(page.url).path
        page.close()
        assert path in ("/account", "/login"), path
        return path == "/account"

    def complaints_of_ours(self) -> list[str]:
        """What the browser says about pages of Vestibule: a policy that stops a form, say."""
        return [each for each in self.unpardoned() if self.house.url in each or "Content Security Policy" in each]

    def shows(self, text: str) -> None:
        expect(self.page.locator("body")).to_contain_text(text)

"""Contract section 8: what goes over the wire beside the page."""

import http.client
import mimetypes
import re
import socket

import pytest
from house import PASSWORD, PATIENCE
from visitor import WITH_AND_WITHOUT_SCRIPT

PAGES = ["/", "/login", "/signup", "/signup/verify", "/account", "/terms", "/privacy", "/dev/mail", "/no-such-page"]
PAGES += ["/account/email", "/account/email/verify", "/account/email/undo", "/account/delete", "/reset/continue"]
NOT_200 = {"/no-such-page": 404, "/account": 303, "/account/email": 303}
NOT_200 |= {"/account/email/verify": 303, "/account/delete": 303}
PROBES = ["/healthz", "/readyz"]
FILES = ["/css/vestibule.css", "/js/vestibule.js", "/mark.svg"]
# What somebody does wrong, and the status it gets.
MISTAKES = {
    "an unknown page": (404, "GET", "/no-such-page", None, {}),
    "a wrong method": (405, "PUT", "/login", b"", {}),
    "too much": (413, "POST", "/login", b"email=" + b"a" * 70_000, {}),
    "another format": (415, "POST", "/login", b"{}", {"Content_Type": "application/json"}),
    "another site's form": (403, "POST", "/login", b"email=a", {"Sec_Fetch_Site": "cross-site"}),
    "a foreign origin": (403, "POST", "/login", b"email=a", {"Origin": "https://evil.example"}),
    "a field twice": (400, "POST", "/login", b"email=a&email=b", {}),
    "bytes that are no text": (400, "POST", "/login", b"email=%ff", {}),
    "an empty form": (422, "POST", "/login", b"", {}),
}


# What every page loads, in bytes as they are served.
LIMITS = {"/css/vestibule.css": 30_000, "/js/vestibule.js": 20_480}


@pytest.mark.parametrize("path", LIMITS)
def test_what_every_page_loads_is_small(house, path):
    assert 1_000 < len(house.ask("GET", path).text.encode()) <= LIMITS[path]


def check_headers(answer):
    policy = answer.headers["Content-Security-Policy"]
    directives = dict(each.strip().split(" ", 1) for each in policy.split(";"))
    assert directives.pop("default-src") == "'none'"
    assert directives.pop("frame-ancestors") == "'none'"
    assert directives.pop("base-uri") == "'none'"
    assert directives.keys() >= {"script-src", "style-src", "font-src", "form-action"}
    assert set(directives.values()) <= {"'self'", "'none'"}
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert answer.headers["Server"] is None
    for name in set(answer.headers.keys()) - {"Set-Cookie"}:
        assert len(answer.headers.get_all(name)) == 1, f"{name} twice"


@pytest.mark.parametrize("path", PAGES + PROBES + FILES)
def test_every_page_and_file_carries_the_security_headers(house, path):
    answer = house.ask("GET", path)
    assert answer.status == NOT_200.get(path, 200)
    check_headers(answer)
    kind = mimetypes.guess_type(path)[0] or ("text/plain" if path in PROBES else "text/html")
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    assert answer.headers["Content-Type"] == (kind + charset if answer.text else None)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_error_is_a_page_with_the_security_headers(house, mistake):
    status, method, path, body, headers = MISTAKES[mistake]
    answer = house.ask(method, path, body, **headers)
    assert answer.status == status
    check_headers(answer)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "<h1>" in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_wrong_method_is_told_the_right_ones(house):
    assert set(re.split(", *", house.ask("PUT", "/login", b"").headers["Allow"])) == {"GET", "HEAD", "POST"}
    assert house.ask("GET", "/logout").headers["Allow"] == "POST"
    assert house.ask("POST", "/css/vestibule.css", b"").headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize("hosts", ["", "Host: a.example\r\nHost: b.example\r\n"], ids=["none", "two"])
def test_a_request_that_does_not_name_one_host_is_refused(house, hosts):
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as connection:
        connection.sendall(f"GET /login HTTP/1.1\r\n{hosts}\r\n".encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert (answer.status, answer.headers["Connection"]) == (400, "close")
        check_headers(answer)


FORM = "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = FORM + "Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("request_text", [
    CHUNKED + "0x3\r\na=b\r\n0\r\n\r\n", CHUNKED + "fffffffffffffffff\r\na=b\r\n", CHUNKED + "3\r\na=bXX0\r\n\r\n",
    FORM + "Transfer-Encoding: xchunked\r\n\r\na=b", FORM + "Content-Length: 500\r\n\r\na=b",
    FORM + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
    FORM + "Content-Length: 3\r\nContent-Length: 4\r\n\r\na=bc", FORM + "Content-Length: +3\r\n\r\na=b",
], ids=["size", "overflow", "end", "coding", "early-end", "both-lengths", "two-lengths", "a-sign"])
def test_a_body_that_breaks_off_or_is_cut_wrongly_is_the_clients_fault(house, request_text):
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as connection:
        connection.sendall(request_text.encode())
        connection.shutdown(socket.SHUT_WR)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 400
        check_headers(answer)


def test_a_client_that_waits_for_a_word_before_its_body_gets_it(house):
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as connection:
        connection.sendall((FORM + "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n").encode())
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"email=a%40")
        assert connection.recv(1000).startswith(b"HTTP/1.1 422 ")


def test_redirects_carry_the_security_headers_too(house, member):
    answer = house.ask("POST", "/login", {"email": member, "password": PASSWORD})
    assert answer.status == 303
    check_headers(answer)
    assert answer.headers["Cache-Control"] == "no-store"


def test_files_named_with_their_version_may_be_kept_forever(house):
    link = re.search(r'href="(/css/vestibule\.css\?v=[^"]+)"', house.ask("GET", "/").text)[1]
    assert "immutable" in house.ask("GET", link).headers["Cache-Control"]
    assert house.ask("GET", "/css/vestibule.css").headers["Cache-Control"] == "no-cache"


def test_pages_that_are_the_same_for_everybody_are_not_sent_twice(house):
    first = house.ask("GET", "/login")
    again = house.ask("GET", "/login", If_None_Match=first.headers["ETag"])
    assert (again.status, again.text) == (304, "")
    check_headers(again)


def test_an_https_house_insists_on_https_and_locks_its_cookies(open_house):
    house = open_house(VESTIBULE_PUBLIC_URL="https://door.example", VESTIBULE_DEV_EXPOSE="on")
    assert "max-age=" in house.ask("GET", "/no-such-page").headers["Strict-Transport-Security"]
    answer = house.ask("POST", "/login", {"email": house.member, "password": PASSWORD})
    cookies = {cookie.split("=")[0]: cookie for cookie in answer.headers.get_all("Set-Cookie")}
    assert set(cookies) == {"__Host-vestibule", "__Host-vestibule-device"}
    for cookie in cookies.values():
        assert {"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


@pytest.mark.parametrize("way", WITH_AND_WITHOUT_SCRIPT, ids=str)
def test_no_cookie_comes_before_something_needs_one(visitor, house, member, address):
    names = lambda: {cookie["name"] for cookie in visitor.context.cookies()}
    for path in ["/", "/login", "/signup", "/terms", "/privacy", "/no-such-page", "/account"]:
        visitor.visit(path)
    visitor.visit("/login")
    visitor.send_plainly("login")
    assert names() == set()
    visitor.sign_up(address)
    assert names() == {"vestibule-flow", "vestibule-typed"}
    visitor.type_code(house.outbox.code_for(address))
    visitor.is_at("Your account")
    assert names() >= {"vestibule"}
    assert not names() & {"vestibule-flow", "vestibule-typed"}
    visitor.log_out()
    visitor.is_at("Vestibule")
    assert "vestibule" not in names()


def test_the_session_cookie_is_out_of_reach_of_scripts_and_new_at_every_sign_in(visitor, member):
    tokens = set()
    for _ in range(2):
        visitor.log_in(member)
        visitor.is_at("Your account")
        cookie = next(each for each in visitor.context.cookies() if each["name"] == "vestibule")
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
        assert visitor.page.evaluate("document.cookie") == ""
        tokens.add(cookie["value"])
        visitor.log_out()
        visitor.is_at("Vestibule")
    assert len(tokens) == 2


def test_the_browser_would_complain_of_an_inline_script(visitor):
    def spoil(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", "<script>alert(1)</script></main>"))

    visitor.page.route("**/login", spoil)
    visitor.visit("/login")
    visitor.is_at("Sign in")
    assert any("Content Security Policy" in complaint for complaint in visitor.complaints)
    visitor.pardon("Content Security Policy")


def test_a_request_to_another_host_would_be_noticed(visitor):
    visitor.page.route("https://elsewhere.example/**", lambda route: route.fulfill(body=""))
    visitor.visit("/login")
    visitor.page.evaluate("fetch('https://elsewhere.example/beacon').catch(() => {})")
    visitor.pardon("elsewhere.example")
    visitor.pardon("Content Security Policy")
    assert visitor.complaints

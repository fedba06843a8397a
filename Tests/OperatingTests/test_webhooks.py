"""What a site's own programs are told, by real servers over real connections."""

import base64
import json
import re
import secrets
import socket
import ssl
import subprocess
import sys
import textwrap
import threading
import time
from collections import defaultdict

import pytest
from house import BINARY, PASSWORD, PATIENCE, REPOSITORY, eventually, free_port
from proxies import raw
from receivers import Receiver, is_signed
from standardwebhooks.webhooks import Webhook

URL, EVENTS, SECRET = (f"VESTIBULE_WEBHOOK_PORTAL_{name}" for name in ("URL", "EVENTS", "SECRET_FILE"))
ADA = "ada@example.com"


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def operate(house, *arguments: str, **settings: str) -> subprocess.CompletedProcess:
    return subprocess.run([BINARY, *arguments], cwd=house.folder, env=house.surroundings() | settings,
                          capture_output=True, text=True, timeout=PATIENCE)


def call(house, path: str, token: str = "", **members) -> dict:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    answer = house.ask(
        "POST", f"/api/auth/{path}", json.dumps(members).encode(), Content_Type="application/json", **bearer)
    return json.loads(answer.text) if answer.text else {}


def sign_in(house, email: str = ADA) -> str:
    return call(house, "sign-in", email=email, password=PASSWORD)["token"]


def wait_for(receiver: Receiver, *types: str) -> None:
    eventually(lambda: receiver.types()[-len(types):] == list(types), f"{types} after {receiver.types()}")


def test_an_account_is_told_of_from_its_beginning_to_its_end_signed_by_our_key(open_house, receiver):
    house = open_house(**{URL: receiver.url})
    house.make_account(ADA)
    wait_for(receiver, "account.created", "session.started")
    sign_in(house)
    wait_for(receiver, "session.started")
    for command in (["users", "groups", ADA, "--add", "staff", "--add", "admins"], ["users", "disable", ADA],
                    ["users", "enable", ADA], ["users", "delete", ADA, "--yes"]):
        done = operate(house, *command)
        assert done.returncode == 0, done.stderr
    wait_for(receiver, "groups.changed", "account.disabled", "session.ended", "session.ended", "account.enabled",
             "account.deleted")
    key = operate(house, "signals", "key").stdout.strip()
    assert all(is_signed(each, key) for each in receiver.told)
    tampered = receiver.told[0] | {"body": receiver.told[0]["body"] + b" "}
    assert not is_signed(tampered, key) and not is_signed(receiver.told[0], "whpk_" + "A" * 43 + "=")
    [account] = {each["data"]["account"] for each in receiver.said()}
    assert all(set(each) == {"type", "timestamp", "data"} for each in receiver.said())
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ", each["timestamp"]) for each in receiver.said())
    assert {tuple(sorted(each["data"])) for each in receiver.said()} == {("account",), ("account", "session")}
    whole = b"".join(each["body"] for each in receiver.told).decode() + str([each["headers"] for each in receiver.told])
    # Neither name nor address; three letters are in an id or a signature now and then.
    assert not re.search(r"(?<![\w+/-])ada(?![\w+/-])", whole.lower()) and "127.0.0.1:" in whole
    assert len({each["headers"]["webhook-id"] for each in receiver.told}) == len(receiver.told)
    assert operate(house, "signals", "list", "--json").stdout == ""


def test_a_shared_secret_signs_as_the_library_of_the_specification_checks(open_house, receiver, tmp_path):
    old, new = ("whsec_" + base64.b64encode(secrets.token_bytes(32)).decode() for _ in range(2))
    (tmp_path / "secret").write_text(f"{new}\n{old}\n")
    house = open_house(**{URL: receiver.url, SECRET: str(tmp_path / "secret"), EVENTS: "account.created"})
    house.make_account(ADA)
    wait_for(receiver, "account.created")
    for secret in (old, new):
        Webhook(secret).verify(receiver.told[0]["body"], receiver.told[0]["headers"])
    with pytest.raises(Exception, match="No matching signature"):
        Webhook("whsec_" + base64.b64encode(b"x" * 32).decode()).verify(
            receiver.told[0]["body"], receiver.told[0]["headers"])


def test_what_fails_is_tried_again_with_the_same_id_before_what_came_later(open_house, receiver):
    receiver.answers = {0: 500, 1: 503}
    house = open_house(**{URL: receiver.url})
    house.make_account(ADA)
    wait_for(receiver, "account.created", "session.started")
    assert receiver.types() == ["account.created"] * 3 + ["session.started"]
    assert len({each["headers"]["webhook-id"] for each in receiver.told[:3]}) == 1
    first, second, third = (each["at"] for each in receiver.told[:3])
    assert second - first >= 4.9 and third - second >= 9.9


def test_what_is_refused_of_some_accounts_does_not_hold_up_the_others(open_house, receiver):
    receiver.answers = dict.fromkeys(range(10), 500)
    house = open_house(**{URL: receiver.url, EVENTS: "account.created"})
    (house.folder / "people").write_text("".join(
        json.dumps({"address": f"person.{number}@example.com"}) + "\n" for number in range(12)))
    done = operate(house, "users", "import", "people")
    assert done.returncode == 0, done.stderr
    last = eventually(lambda: receiver.told[11:12], "the last of twelve")[0]
    # Two at a time, a second later after each refusal. At the pace for a receiver that is away it would be 31 seconds.
    assert last["at"] - receiver.told[0]["at"] < 20
    assert len({each["data"]["account"] for each in receiver.said()[:12]}) == 12


def test_what_is_given_up_is_shown_and_tried_again_when_the_operator_says_so(open_house, receiver):
    receiver.answers = {0: 410}
    house = open_house(**{URL: receiver.url})
    house.make_account(ADA)
    wait_for(receiver, "account.created", "session.started")
    [line] = eventually(
        lambda: operate(house, "signals", "list", "--json").stdout.splitlines(), "a signal that was given up")
    entry = json.loads(line)
    assert (entry["state"], entry["reason"], entry["target"]) == ("failed", "answered 410", "webhook:portal")
    assert "warn signals: webhook:portal: 1 were given up" in operate(house, "doctor").stdout
    assert house.ask("GET", "/readyz").status == 200
    assert operate(house, "signals", "retry", "--failed").stdout == "1 signal is due now\n"
    wait_for(receiver, "account.created")
    assert receiver.told[-1]["headers"]["webhook-id"] == receiver.told[0]["headers"]["webhook-id"] == entry["id"]
    assert operate(house, "signals", "retry", entry["id"]).returncode == 1


def test_the_doctor_names_targets_that_the_server_that_started_last_did_not_know(open_house, receiver):
    house = open_house(**{URL: receiver.url, EVENTS: "account.created"})
    house.make_account(ADA)
    wait_for(receiver, "account.created")
    assert "does not get all the events" not in operate(house, "doctor").stdout
    for settings in ({"VESTIBULE_WEBHOOK_HR_URL": receiver.url}, {EVENTS: "account.created,account.deleted"}):
        name = "hr" if URL.replace("PORTAL", "HR") in settings else "portal"
        assert f"warn signals: webhook:{name} does not get all the events" in operate(house, "doctor", **settings).stdout


def test_a_listing_that_is_cut_says_that_there_are_more(open_house, receiver):
    receiver.answers = {0: 410, 1: 410}
    house = open_house(**{URL: receiver.url})
    house.make_account(ADA)
    wait_for(receiver, "account.created", "session.started")
    eventually(lambda: len(operate(house, "signals", "list", "--json").stdout.splitlines()) == 2, "two that were given up")
    cut, whole = (operate(house, "signals", "list", "--json", "--limit", limit) for limit in ("1", "2"))
    assert (len(cut.stdout.splitlines()), cut.stderr) == (1, "more of these: --limit shows up to 10000\n")
    assert (len(whole.stdout.splitlines()), whole.stderr) == (2, "")


def test_a_redirect_is_not_followed(open_house, receiver):
    elsewhere = Receiver()

    def redirect(handler):
        handler.send_response(307)
        handler.send_header("Location", elsewhere.url)
        handler.end_headers()

    receiver.usual = redirect
    house = open_house(**{URL: receiver.url})
    done = operate(house, "signals", "test", "portal")
    assert done.returncode == 1
    hint = "Check its URL, and that a server is running there. It must answer with a status from 200 to 299."
    assert done.stderr == f"vestibule: error: portal was not told: answered 307\nhint: {hint}\n"
    assert len(receiver.told) == 1 and not elsewhere.told
    elsewhere.close()


def test_an_answer_without_end_is_left_after_a_kibibyte_and_counts_by_its_status(open_house, receiver):
    sent = []

    def flood(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            while len(sent) < 10_000:
                handler.wfile.write(b"x" * 1024)
                sent.append(1)
        except OSError:
            pass

    receiver.usual = flood
    house = open_house(**{URL: receiver.url})
    done = operate(house, "signals", "test", "Portal")
    assert (done.returncode, done.stdout) == (0, "portal was told\n")
    [test] = receiver.said()
    assert (test["type"], test["data"]) == ("test", {})
    # What fits into the buffers of a connection.
    assert len(sent) < 10_000


@pytest.mark.long
def test_an_answer_that_drips_is_given_ten_seconds_and_holds_up_nobody_else(open_house, receiver):
    other = Receiver()
    given_up = []

    def drip(handler):
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for _ in range(600):
                handler.wfile.write(b"X-Slow: 1\r\n")
                time.sleep(0.1)
        except OSError:
            given_up.append(time.monotonic())

    receiver.usual = drip
    house = open_house(**{URL: receiver.url, "VESTIBULE_WEBHOOK_OTHER_URL": other.url})
    start = time.monotonic()
    house.make_account(ADA)
    wait_for(other, "account.created", "session.started")
    eventually(lambda: given_up, "the end of the slow answer")
    [reason] = eventually(
        lambda: [json.loads(line)["reason"] for line in operate(house, "signals", "list", "--json").stdout.splitlines()
                 if json.loads(line).get("reason")], "a reason")
    assert "time" in reason.lower()
    assert given_up[0] - start > 9 and other.told[-1]["at"] < given_up[0]
    other.close()


SHIM = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <netdb.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    /* What `moving.example` leads to: each time it is asked the next of MOVES, then the last. */
    int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
        static int asked = 0;
        int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
        if (!name || strcmp(name, "moving.example")) return real(name, service, hints, found);
        char *moves = strdup(getenv("MOVES")), *move = strtok(moves, ",");
        for (int i = 0; i < asked; i++) { char *next = strtok(NULL, ","); if (!next) break; move = next; }
        asked++;
        struct addrinfo numeric = *hints;
        numeric.ai_flags = AI_NUMERICHOST, numeric.ai_family = AF_UNSPEC;
        return real(move, service, &numeric, found);
    }
    /* Who is trusted besides: those of the file AUTHORITIES. */
    static FILE *opened(const char *function, const char *name, const char *mode) {
        FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, function);
        char *other = getenv("AUTHORITIES");
        return real(other && !strcmp(name, "/etc/ssl/certs/ca-certificates.crt") ? other : name, mode);
    }
    FILE *fopen(const char *name, const char *mode) { return opened("fopen", name, mode); }
    FILE *fopen64(const char *name, const char *mode) { return opened("fopen64", name, mode); }
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    """A library that answers for DNS, and for the authorities of this machine."""
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.c").write_text(textwrap.dedent(SHIM))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.c", "-ldl"], check=True)
    return str(folder / "shim.so")


@pytest.mark.parametrize(("moves", "shown"), [
    ("127.0.0.1", "127.0.0.1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("169.254.169.254", "169.254.169.254"),
    ("::1", "::1"), ("10.0.0.1", "10.0.0.1"),
])
def test_a_name_that_leads_to_a_private_address_is_not_connected_to(open_house, shim, moves, shown):
    house = open_house()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.5)
        port = listener.getsockname()[1]
        done = operate(house, "signals", "test", "portal",
                       **{URL: f"https://moving.example:{port}/", "LD_PRELOAD": shim, "MOVES": moves})
        assert done.stderr.startswith(
            f"vestibule: error: portal was not told: {shown} is no address of the Internet\n"), done.stderr
        with pytest.raises(TimeoutError):
            listener.accept()


def test_a_name_that_moves_to_this_machine_after_it_was_looked_up_once_is_not_followed(open_house, shim):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        house = open_house(**{URL: f"https://moving.example:{port}/", "LD_PRELOAD": shim, "MOVES": "8.8.8.8,127.0.0.1"})
        house.make_account(ADA)

        def refused():
            listed = operate(house, "signals", "list", "--json", LD_PRELOAD="").stdout.splitlines()
            return any("127.0.0.1 is no address" in (json.loads(line).get("reason") or "") for line in listed)

        eventually(refused, "a refusal of the second address")
        listener.settimeout(0.5)
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(("name", "is_told"), [("IP:127.0.0.1", True), ("DNS:other.example", False)])
def test_a_receiver_is_told_if_its_certificate_is_for_its_own_name(open_house, receiver, shim, tmp_path, name, is_told):
    house = open_house()
    certificate, key = tmp_path / "certificate", tmp_path / "key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2", "-subj",
         "/CN=receiver", "-addext", f"subjectAltName={name}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)
    done = operate(house, "signals", "test", "portal", AUTHORITIES=str(certificate), LD_PRELOAD=shim,
                   **{URL: f"https://127.0.0.1:{receiver.port}/"})
    assert (done.returncode == 0, len(receiver.told)) == (is_told, is_told), done.stderr
    assert is_told or "certificate" in done.stderr, done.stderr


@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
def test_no_proxy_of_the_environment_is_asked(open_house, receiver, variable):
    house = open_house()
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        there = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        done = operate(house, "signals", "test", "portal", no_proxy="", NO_PROXY="", **{URL: receiver.url, variable: there})
        assert (done.returncode, len(receiver.told)) == (0, 1), done.stderr


@pytest.mark.long
def test_kills_lose_no_signal_and_change_no_order(open_house, receiver):
    house = open_house(**{URL: receiver.url})
    people = [f"person.{number}@example.com" for number in range(4)]
    for email in people:
        house.make_account(email)
    acknowledged, kills, ends = defaultdict(int), [], threading.Event()

    def live(email: str) -> None:
        while not ends.is_set():
            try:
                token = sign_in(house, email)
                acknowledged["session.started"] += 1
                answer = house.ask("POST", "/api/auth/sign-out", b"{}", Content_Type="application/json",
                                   Authorization=f"Bearer {token}")
                acknowledged["session.ended"] += answer.status == 204
            except Exception:
                time.sleep(0.05)

    threads = [threading.Thread(target=live, args=[email]) for email in people]
    for thread in threads:
        thread.start()
    for life in range(8):
        eventually(lambda: acknowledged["session.started"] > 3 * life, "more sign-ins")
        kills.append(time.monotonic())
        house.kill()
        house.start()
    ends.set()
    for thread in threads:
        thread.join()
    eventually(lambda: operate(house, "signals", "list", "--json").stdout == "", "everything told")
    first, orders = {}, defaultdict(list)
    for each, said in zip(receiver.told, receiver.said()):
        number = each["headers"]["webhook-id"]
        if number in first:
            assert any(first[number] <= kill + 1 and kill <= each["at"] for kill in kills), "doubled without a kill"
        else:
            first[number] = each["at"]
            orders[said["data"]["account"]].append((said["type"], said["data"].get("session")))
    counts = {kind: sum(each == kind for order in orders.values() for each, _ in order)
              for kind in ("session.started", "session.ended")}
    assert len(orders) == len(people) and acknowledged["session.started"] > 20
    assert all(counts[kind] >= acknowledged[kind] for kind in counts), (counts, acknowledged)
    for order in orders.values():
        assert order[0] == ("account.created", None)
        assert len(set(order)) == len(order)
        for kind, session in order:
            if kind == "session.ended":
                assert order.index(("session.started", session)) < order.index((kind, session))


def test_the_receiver_of_the_documentation_takes_what_is_ours_and_nothing_else(open_house, tmp_path):
    page = (REPOSITORY / "docs/operating/webhooks.md").read_text()
    program = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    (tmp_path / "receiver.py").write_text(program)
    port = free_port()
    house = open_house(**{URL: f"http://127.0.0.1:{port}/"})
    key = operate(house, "signals", "key").stdout.strip()
    process = subprocess.Popen([sys.executable, "receiver.py", key, str(port)], cwd=tmp_path, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        eventually(lambda: operate(house, "signals", "test", "portal").returncode == 0, "a receiver")
        other = operate(house, "signals", "test", "portal", VESTIBULE_SECRET_KEY=base64.b64encode(b"k" * 32).decode())
        assert "answered 401" in other.stderr
        for lines, body in (([], b"{}"), ([], b""), (["Content-Length: x"], b"")):
            assert raw(port, "/", "localhost", lines, method="POST", body=body)[0] == 401
        house.make_account(ADA)
        lines = [process.stdout.readline().split()[0] for _ in range(3)]
        assert lines == ["test", "account.created", "session.started"]
    finally:
        process.kill()
        process.wait()

"""What it costs an application to be behind the door: a proxy asks for a verdict on every request."""

import statistics

import crowd
import house
import nginx
import reading
from house import spread

ORIGIN = "https://notes.example.net"
COOKIE = "__Host-vestibule-app"
SESSIONS = 10_000
LOGINS = 20
PATH = "/authz/forward-auth"
SETTINGS = {"VERIFICATION": "off", "APP_NOTES_ORIGINS": ORIGIN, "TRUSTED_PROXIES": "127.0.0.1"}
# As Caddy asks.
QUESTION = (
    "X-Forwarded-Method: GET", "X-Forwarded-Proto: https", "X-Forwarded-Host: notes.example.net",
    "X-Forwarded-Uri: /notes/17?print=1", "X-Forwarded-For: 192.0.2.7", "Accept: text/html",
)


def _visitors(path, count, name):
    path.write_text("".join(f"Cookie: {name}={crowd.application_token(number)}\n" for number in range(count)))
    return path


def _login(number):
    # Visitors that do not read.
    return "/login", house.login_form(f"visitor{number * 37 % SESSIONS}@example.com", house.PASSWORD)


def _row(table, options, say, figure, target, server, bare, visitors):
    """A row: verdicts a second by answers of the bare route, which take turns."""
    ratios, by_processor, rates, bare_rates = [], [], [], []
    # Long enough for each visitor to come once: the first verdict in half a minute is signed.
    for process, path in ((bare, "/page"), (server, PATH)):
        reading.read(process, path, visitors, 5, QUESTION)
    for round in range(options.rounds):
        say(f"{figure}, {round + 1} of {options.rounds}")
        bare_rate, bare_cost = reading.read(bare, "/page", visitors, options.seconds, QUESTION)
        rate, cost = reading.read(server, PATH, visitors, options.seconds, QUESTION)
        ratios.append(rate / bare_rate)
        by_processor.append(bare_cost / cost)
        rates.append(rate)
        bare_rates.append(bare_rate)
    table.ratio(
        figure, ratios, target,
        f"{statistics.median(rates):,.0f} ÷ {statistics.median(bare_rates):,.0f} /s, {SESSIONS:,} sessions; "
        f"by processor time {spread(by_processor)}")


def _gate_row(table, options, say, binary, server, visitors, folder):
    """Through nginx, which asks us, or itself."""
    def gate(name, judge=None):
        return nginx.Gate(binary, folder / name, ORIGIN, judge, **SETTINGS)

    with gate("asks", server.port) as asks, gate("knows") as knows:
        ratios, rates, others = [], [], []
        for process in (knows, asks):
            # As above.
            reading.read(process, "/page", visitors, 5, process.headers)
        for round in range(options.rounds):
            say(f"auth_request, {round + 1} of {options.rounds}")
            others.append(reading.read(knows, "/page", visitors, options.seconds, knows.headers)[0])
            rates.append(reading.read(asks, "/page", visitors, options.seconds, asks.headers)[0])
            ratios.append(rates[-1] / others[-1])
    table.ratio(
        "nginx auth_request to us ÷ to `return 200`", ratios, 0.5,
        f"{statistics.median(rates):,.0f} ÷ {statistics.median(others):,.0f} /s, the page behind it included")


def figures(table, options, binary, folder, say, bare_route, beside_flood):
    """`beside_flood` takes the server, the bare route, a path and headers, and returns two lists of p99 in ms."""
    say(f"making {SESSIONS:,} sessions")
    crowd.enter(crowd.fill(binary, folder, SESSIONS), ORIGIN, SESSIONS)
    visitors = _visitors(folder / "visitors", SESSIONS, COOKIE)
    # Their tokens open nothing.
    strangers = _visitors(folder / "strangers", SESSIONS, "another")
    with house.vestibule(binary, folder, **SETTINGS) as server, bare_route(folder, 0) as bare:
        _row(table, options, say, "verdict ÷ bare route", 0.6, server, bare, visitors)
        with reading.writers(server.port, ((LOGINS, _login),)) as logins:
            _row(table, options, say, "verdict among logins ÷ bare route", 0.6, server, bare, visitors)
        table.rows[-1][-1] += f"; {logins[0]:.1f} logins/s"
        _row(table, options, say, "verdict for a stranger ÷ bare route", 0.8, server, bare, strangers)
        flooded, control = beside_flood(server, bare, PATH, [*QUESTION, f"Cookie: {COOKIE}={crowd.application_token(1)}"])
        table.amount("p99 of a verdict in a flood of wrong logins, ms", flooded, 5, "a signed-in visitor")
        table.control("bare route in the same flood", control)
        _gate_row(table, options, say, binary, server, visitors, folder)

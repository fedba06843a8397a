"""A house with a crowd: as many accounts, sessions and counters as wanted, written straight into its tables."""

import contextlib
import hashlib
import sqlite3
import time

import house

MODEL = "model@example.com"
FAR = 10 * 86_400_000
# The store keeps no more, whatever was tried.
COUNTERS_AT_MOST = 16_384


def token(number):
    """As Lookups.swift makes it; the store keeps its SHA-256."""
    return f"{number:042d}A"


def fill(binary, folder, count):
    """Makes the database with the server itself, then adds rows shaped like those it made."""
    folder.mkdir()
    with house.vestibule(binary, folder, VERIFICATION="off") as server:
        house.sign_up(server, MODEL)
    path = folder / "data/vestibule.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        database.execute("PRAGMA synchronous = OFF")
        with database:
            account = dict(database.execute("SELECT * FROM accounts").fetchone())
            session = dict(database.execute("SELECT * FROM sessions").fetchone())
            _insert(database, "accounts", (_account(account, number) for number in range(count)))
            _insert(database, "sessions", (_session(session, number) for number in range(count)))
            _insert(database, "rate_limits", (_counter(number) for number in range(min(count, COUNTERS_AT_MOST))))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def _insert(database, table, rows):
    first = next(rows)
    sql = f"INSERT INTO {table} ({', '.join(first)}) VALUES ({', '.join(':' + name for name in first)})"
    database.execute(sql, first)
    database.executemany(sql, rows)


def _account(model, number):
    email = f"visitor{number}@example.com"
    return model | {
        "id": hashlib.md5(f"account {number}".encode()).hexdigest()[:22], "email": email, "email_key": email,
        "verified_at": model["created_at"],
    }


def _session(model, number):
    return model | {
        "id": hashlib.md5(f"session {number}".encode()).hexdigest()[:22],
        "account_id": hashlib.md5(f"account {number}".encode()).hexdigest()[:22],
        "token_digest": hashlib.sha256(token(number).encode()).digest(),
        "expires_at": int(time.time() * 1000) + FAR, "idle_ms": FAR,
    }


def _counter(number):
    scattered = number * 2_654_435_761 % 2**64
    return {"key": scattered.to_bytes(8, "little") + bytes(8), "arrival": int(time.time() * 1000)}


def application_token(number):
    """Opens an application in place of the session of that number."""
    return f"{number:041d}BA"


def enter(path, origin, count):
    """Each session has entered the application at that origin."""
    rows = (
        {
            "token_digest": hashlib.sha256(application_token(number).encode()).digest(),
            "session_id": hashlib.md5(f"session {number}".encode()).hexdigest()[:22],
            "account_id": hashlib.md5(f"account {number}".encode()).hexdigest()[:22],
            "origin": origin, "entered_at": int(time.time() * 1000),
        }
        for number in range(count))
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        _insert(database, "application_sessions", rows)


def add_events(path, email, count):
    """So many security events of one account."""
    now = int(time.time() * 1000)
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as database, database:
        account = database.execute("SELECT id FROM accounts WHERE email_key = ?", [email]).fetchone()[0]
        database.executemany(
            "INSERT INTO security_events (id, kind, account_id, at, address, user_agent) VALUES (?, ?, ?, ?, ?, ?)",
            [(f"event{number}", "login", account, now - number, "192.0.2.1", "Mozilla/5.0") for number in range(count)])

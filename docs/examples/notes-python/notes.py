"""Notes of each person, in memory: an application behind Vestibule."""

import html
import json
import os
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from assertion import Verifier

ORIGIN, ISSUER = os.environ["NOTES_ORIGIN"], os.environ["NOTES_ISSUER"]
verifier = Verifier(
    os.environ.get("NOTES_JWKS", f"{ORIGIN}/.vestibule/jwks.json"), issuer=ISSUER, audience=ORIGIN)
notes: dict[str, list[str]] = {}
STYLE = (Path(__file__).parent / "notes.css").read_text()
# What an assertion says, in the order in which the page shows it.
CLAIMS = {
    "name": "Name", "email": "Email address", "groups": "Groups", "sub": "Account", "auth_time": "Signed in",
    "amr": "With", "iss": "Signed by", "aud": "Meant for", "exp": "Good until"}


# One request a connection (HTTP/1.0): over one that is kept, the body of a request that nobody reads
# would be taken for the next request, which may be somebody else's.
class Notes(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/notes.css":
            return self.answer(200, "text/css", STYLE)
        if not (visitor := verifier.visitor(self.headers)):
            return self.answer(401, "text/plain", "Who are you?")
        name, mine = visitor.get("name", ""), notes.get(visitor["sub"], [])
        if self.path == "/api/notes":
            return self.answer(200, "application/json", json.dumps({"name": name, "notes": mine}))
        if self.path.partition("?")[0] == "/":
            return self.answer(200, "text/html", page(visitor, mine))
        self.answer(404, "text/plain", "There is nothing here.")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        if not (visitor := verifier.visitor(self.headers)):
            return self.answer(401, "text/plain", "Who are you?")
        # Other sites on neighbouring hosts can post forms here, with the visitor's cookie.
        if self.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            return self.answer(403, "text/plain", "Not from there.")
        notes.setdefault(visitor["sub"], []).extend(form.get("note", []))
        self.answer(303, "text/plain", "", Location="/")

    def answer(self, status: int, kind: str, text: str, **headers: str) -> None:
        body = text.encode()
        fields = {
            "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body)), "Cache-Control": "no-store",
            "Content-Security-Policy": f"default-src 'none'; style-src 'self'; form-action 'self' {ISSUER}", **headers}
        self.send_response(status)
        for field, value in fields.items():
            self.send_header(field, value)
        self.end_headers()
        self.wfile.write(body)


def page(visitor: dict, mine: list[str]) -> str:
    items = "".join(f"<li>{html.escape(note)}</li>" for note in mine) or "<p>None yet.</p>"
    told = "".join(
        f"<dt>{label} <code>{claim}</code></dt><dd>{html.escape(words(claim, visitor[claim]))}</dd>"
        for claim, label in CLAIMS.items() if claim in visitor)
    return f"""<!DOCTYPE html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Notes</title>
        <link rel="stylesheet" href="/notes.css">
        <header><span class="icon" aria-hidden="true">N</span> Notes
        <form method="post" action="/.vestibule/logout"><button class="quiet">Sign out</button></form></header>
        <main><h1>Hello, {html.escape(visitor.get("name", ""))}.</h1>
        <section><h2>Your notes</h2><ul>{items}</ul>
        <form method="post"><label>Note <input name="note" required autocomplete="off"></label>
        <button>Add</button></form></section>
        <section><h2>What Notes was told</h2>
        <p>The proxy sent this along with your request, signed by Vestibule and checked here. Notes keeps no passwords.</p>
        <dl>{told}</dl></section></main></html>"""


def words(claim: str, value) -> str:
    """A claim as people read it."""
    if claim in ("auth_time", "exp"):
        return f"{datetime.fromtimestamp(value, timezone.utc):%d %B %Y, %H:%M:%S} UTC"
    return (", ".join(value) or "none") if isinstance(value, list) else str(value)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Notes).serve_forever()

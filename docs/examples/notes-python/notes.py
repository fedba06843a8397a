"""Notes of each person, in memory: an application behind Vestibule."""

import html
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from assertion import Verifier

ORIGIN, ISSUER = os.environ["NOTES_ORIGIN"], os.environ["NOTES_ISSUER"]
verifier = Verifier(
    os.environ.get("NOTES_JWKS", f"{ORIGIN}/.vestibule/jwks.json"), issuer=ISSUER, audience=ORIGIN)
notes: dict[str, list[str]] = {}


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if not (visitor := verifier.visitor(self.headers)):
            return self.answer(401, "text/plain", "Who are you?")
        name, mine = visitor.get("name", ""), notes.get(visitor["sub"], [])
        if self.path == "/api/notes":
            return self.answer(200, "application/json", json.dumps({"name": name, "notes": mine}))
        if self.path.partition("?")[0] == "/":
            return self.answer(200, "text/html", page(name, mine))
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
            "Content-Security-Policy": f"default-src 'none'; form-action 'self' {ISSUER}", **headers}
        self.send_response(status)
        for field, value in fields.items():
            self.send_header(field, value)
        self.end_headers()
        self.wfile.write(body)


def page(name: str, mine: list[str]) -> str:
    items = "".join(f"<li>{html.escape(note)}</li>" for note in mine)
    return f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Notes</title>
        <h1>Hello, {html.escape(name)}.</h1>
        <ul>{items}</ul>
        <form method="post"><label>Note <input name="note" required></label> <button>Add</button></form>
        <form method="post" action="/.vestibule/logout"><button>Sign out</button></form></html>"""


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Notes).serve_forever()

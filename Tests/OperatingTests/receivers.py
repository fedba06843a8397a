"""Programs that are told what happens: they keep what they were sent, and answer as they are asked to."""

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Receiver:
    """On 127.0.0.1. `answers` maps the number of a request, from 0, to what is done with it; `usual` is for the rest."""

    def __init__(self, usual: int = 204):
        self.usual, self.answers, self.told = usual, {}, []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.take(self, {name.lower(): value for name, value in self.headers.items()}, body)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/events"
        self.lock = threading.Lock()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, handler, headers: dict, body: bytes) -> None:
        with self.lock:
            number = len(self.told)
            self.told.append({"headers": headers, "body": body, "at": time.monotonic(), "path": handler.path})
            answer = self.answers.get(number, self.usual)
        if callable(answer):
            return answer(handler)
        handler.send_response(answer)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def said(self) -> list[dict]:
        """What the bodies say, in the order in which they came."""
        return [json.loads(each["body"]) for each in self.told]

    def types(self) -> list[str]:
        return [each["type"] for each in self.said()]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def is_signed(each: dict, key: str) -> bool:
    """Whether one of the signatures is by that `whpk_` key (Standard Webhooks 1.0, asymmetric)."""
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    headers = each["headers"]
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + each["body"]
    for signature in headers["webhook-signature"].split():
        version, _, text = signature.partition(",")
        try:
            assert version == "v1a"
            public.verify(base64.b64decode(text), content)
            return True
        except Exception:
            continue
    return False

"""An application that signs people in by OpenID Connect: Flask, with Authlib as its client, in a process of its own."""

import json
import subprocess
import sys
import urllib.request

from house import PATIENCE, eventually, free_port


class RelyingParty:
    def __init__(self):
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.redirect = f"{self.url}/callback"

    def start(self, issuer: str, client: str, secret: str, **client_options: str) -> None:
        options = json.dumps([issuer, client, secret, self.port, client_options])
        self.process = subprocess.Popen(
            [sys.executable, __file__, options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self.is_well, "a healthy application")

    def is_well(self) -> bool:
        try:
            return urllib.request.urlopen(f"{self.url}/healthz").status == 200
        except OSError:
            return False

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


def application(issuer: str, client: str, secret: str, port: int, options: dict):
    from authlib.integrations.flask_client import OAuth
    from flask import Flask, redirect, request, session

    app = Flask(__name__)
    # Two programs on one host share their cookies.
    app.config.update(SECRET_KEY="of this process", SESSION_COOKIE_NAME="application")
    door = OAuth(app).register(
        "door", client_id=client, client_secret=secret,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid profile email groups", "code_challenge_method": "S256"},
        authorize_params=options)

    @app.get("/healthz")
    def healthz():
        return "ok"

    @app.get("/")
    def home():
        if "user" not in session:
            return door.authorize_redirect(f"http://localhost:{port}/callback")
        # As the browser gets it, so that the test sees what the ID token and userinfo have said.
        return page(f"Hello, {session['user']['name']}.", json.dumps(session["user"]), '<a href="/leave">Sign out</a>')

    @app.route("/callback", methods=["GET", "POST"])
    def callback():
        if "error" in request.values:
            return page("Not signed in", request.values["error"])
        token = door.authorize_access_token()
        info = door.userinfo(token=token)
        assert info["sub"] == token["userinfo"]["sub"]
        session["user"] = {key: info.get(key) for key in ("sub", "name", "email", "email_verified", "groups")}
        session["hint"] = token["id_token"]
        return redirect("/")

    @app.get("/leave")
    def leave():
        hint = session.pop("hint")
        session.clear()
        return redirect(
            f"{door.load_server_metadata()['end_session_endpoint']}?id_token_hint={hint}"
            f"&post_logout_redirect_uri=http://localhost:{port}/left")

    @app.get("/left")
    def left():
        return page("You have left")

    return app


def page(heading: str, *lines: str) -> str:
    body = "".join(f"<p>{line}</p>" for line in lines)
    return f'<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"><title>App</title><h1>{heading}</h1>{body}'


if __name__ == "__main__":
    arguments = json.loads(sys.argv[1])
    application(*arguments).run(port=arguments[3])

"""A site that signs people in with Authlib; the settings of the handbook stand before this."""

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, request, session
from urllib.parse import urlencode

app = Flask(__name__)
app.secret_key = "of this test"
app.config["SESSION_COOKIE_SECURE"] = True
oauth = OAuth(app)
oauth.register("vestibule", **REGISTRATION)  # noqa: F821
vestibule = oauth.vestibule


@app.get("/")
def home():
    return "Welcome, {name}, {email} ({sub}).".format(**session["person"]) if "person" in session else "Nobody is here."


@app.get("/in")
def sign_in():
    return vestibule.authorize_redirect(f"{ORIGIN}/callback")  # noqa: F821


@app.get("/callback")
def callback():
    token = vestibule.authorize_access_token()
    session["person"] = token["userinfo"] | vestibule.userinfo(token=token)
    session["id_token"] = token["id_token"]
    return redirect("/")


@app.get("/out")
def sign_out():
    hint = session.pop("id_token")
    session.clear()
    end = vestibule.load_server_metadata()["end_session_endpoint"]
    return redirect(f"{end}?{urlencode({'id_token_hint': hint, 'post_logout_redirect_uri': f'{ORIGIN}/'})}")  # noqa: F821


app.run(port=PORT)  # noqa: F821

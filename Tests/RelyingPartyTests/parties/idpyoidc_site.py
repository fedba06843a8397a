"""A site that signs people in with idpyoidc; the settings of the handbook stand before this."""

from flask import Flask, redirect, request
from idpyoidc.client.rp_handler import RPHandler

app = Flask(__name__)
handler = RPHandler(ORIGIN, client_configs={ISSUER: CLIENT})  # noqa: F821
people = {}


@app.get("/")
def home():
    person = people.get(request.cookies.get("person"))
    return "Welcome, {name}, {email} ({sub}).".format(**person["userinfo"]) if person else "Nobody is here."


@app.get("/in")
def sign_in():
    return redirect(handler.begin(ISSUER, req_args={"scope": SCOPES}))  # noqa: F821


@app.get("/callback")
def callback():
    found = handler.finalize(ISSUER, request.args.to_dict())  # noqa: F821
    if "error" in found:
        return str(found["error"])
    people[found["state"]] = found
    answer = redirect("/")
    answer.set_cookie("person", found["state"], secure=True, httponly=True)
    return answer


@app.get("/out")
def sign_out():
    state = request.cookies["person"]
    del people[state]
    return redirect(handler.logout(state, post_logout_redirect_uri=f"{ORIGIN}/")["url"])  # noqa: F821


app.run(port=PORT)  # noqa: F821

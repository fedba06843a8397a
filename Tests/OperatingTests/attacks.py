"""What somebody may try who wants in without signing in."""

FORGED = "forged-by-eve"
NAMES = ["Vestibule-Assertion", "Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"]
# What a header name may have besides letters and digits (RFC 9110 section 5.6.2).
MARKS = "!#$%&'*+-.^_`|~"
SPELLINGS = [name.replace("-", mark) for name in NAMES for mark in "-_."]

# Lines of the client's own, by what they are.
HEADERS = {
    **{name: [f"{name}: {FORGED}"] for name in SPELLINGS},
    **{name.lower(): [f"{name.lower()}: {FORGED}"] for name in SPELLINGS},
    **{f"{name} twice": [f"{name}: {FORGED}", f"{name}: {FORGED}2"] for name in NAMES},
    **{f"{name} in three spellings": [f"{name.replace('-', mark)}: {FORGED}" for mark in "-_."] for name in NAMES},
    **{f"names with {mark}": [f"{name.replace('-', mark)}: {FORGED}" for name in [*NAMES, "X-Forwarded-For", "X-Forwarded-Host"]]
       for mark in MARKS if mark != "-"},
    "a mixed spelling": [f"Remote_.User: {FORGED}", f"remote-_User: {FORGED}"],
    "X-Forwarded-Host": [f"X-Forwarded-Host: {FORGED}.example"],
    "X-Forwarded-Host of another application": ["X-Forwarded-Host: wiki.localhost"],
    "X-Forwarded-Host twice": ["X-Forwarded-Host: wiki.localhost", f"X-Forwarded-Host: {FORGED}.example"],
    "X_Forwarded_Host": [f"X_Forwarded_Host: {FORGED}.example"],
    "X-Forwarded-Uri": [f"X-Forwarded-Uri: /.vestibule/{FORGED}"],
    "X-Forwarded-Uri twice": [f"X-Forwarded-Uri: /{FORGED}", "X-Forwarded-Uri: /.vestibule/session"],
    "X-Forwarded-Method": ["X-Forwarded-Method: OPTIONS"],
    "X-Forwarded-Method twice": ["X-Forwarded-Method: OPTIONS", "X-Forwarded-Method: HEAD"],
    "X-Forwarded-Proto": [f"X-Forwarded-Proto: {FORGED}"],
    "X-Forwarded-Proto twice": ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http"],
    "X-Original-URL": [f"X-Original-URL: http://login.localhost/{FORGED}"],
    "X-Original-URL twice": ["X-Original-URL: http://login.localhost/", f"X-Original-URL: http://{FORGED}.example/"],
    "X-Rewrite-URL": [f"X-Rewrite-URL: /{FORGED}"],
    "X-Original-Method": ["X-Original-Method: OPTIONS"],
    "both families": [
        f"X-Forwarded-Host: {FORGED}.example", "X-Forwarded-Proto: https", "X-Forwarded-Uri: /", "X-Forwarded-Method: GET",
        f"X-Original-URL: https://{FORGED}.example/", "X-Original-Method: GET"],
    "Forwarded": [f"Forwarded: for=127.0.0.1;host={FORGED}.example;proto=https"],
    "X-Forwarded-For": ["X-Forwarded-For: 127.0.0.1"],
    **{name: [f"{name}: {FORGED}"] for name in ("X-Real-IP", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Server")},
    "hop by hop: Remote-User": ["Connection: close, Remote-User"],
    "hop by hop: the assertion": ["Connection: close, Vestibule-Assertion, vestibule-assertion"],
    "hop by hop: what the proxy tells": [
        "Connection: close, X-Forwarded-Host, X-Forwarded-Uri, X-Forwarded-Method, X-Forwarded-Proto, X-Original-URL"],
    "hop by hop: the cookie": ["Connection: close, Cookie"],
    "an upgrade out of HTTP/1": ["Connection: close, Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
}

# Lines of `Upgrade`: out of HTTP/1.1, where a proxy asks nobody any more.
UPGRADES = [["h2c"], ["h2c", "websocket"], ["websocket", "h2c"], ["h2c, websocket"], ["websocket, h2c"], ["TLS/1.0", "WebSocket"]]

# As they are sent. None of them may reach an application for a stranger.
TARGETS = [
    "//app", "//evil.example/app", "/%2f", "/%2F%2Fevil.example", "/..;/", "/.;/app", "/%2e%2e/", "/%2E%2E/app", "/./app",
    "/a/../app", "/\\", "/\\evil.example", "/%5c", "/%5Cevil.example", "/%00", "/app%00.html", "/#", "/app#/.vestibule/session",
    "/%23", "/app%3f", "/%3f/../app", "/?", "/app?/.vestibule/session", "/.vestibule/../app", "/.vestibule/%2e%2e/app",
    "/.vestibule/..%2fapp", "/.vestibule/..;/app", "/.vestibule/..\\app", "/.vestibule/%2e%2e%2fapp", "/.vestibule//../app",
    "/.vestibule/session/../../app", "/.vestibule%2fsession/../app", "/.VESTIBULE/../app", "/.vestibule-verdict",
    "/%2evestibule/../app", "/authz/forward-auth", "/authz/auth-request", "/.well-known/jwks.json", "/app;x=/.vestibule/session",
]

# What `to` of `/.vestibule/start` must not lead to, as it stands in the query.
ELSEWHERE = [
    "//evil.example", "https://evil.example", "/%5cevil.example", "%5c%5cevil.example", "/%2f/evil.example", "/%09/evil.example",
    "//evil.example%2f..", "https:evil.example", "javascript:alert(1)", "/%0d%0aSet-Cookie:a=b", "%2f%2fevil.example", "@evil.example",
]

// Notes of each person, in memory: an application behind Vestibule.
const http = require("node:http");
const { verifier } = require("./assertion.js");

const { NOTES_ORIGIN: origin, NOTES_ISSUER: issuer, NOTES_JWKS: keys, PORT: port = 3000 } = process.env;
const visitorOf = verifier(keys || `${origin}/.vestibule/jwks.json`, { issuer, audience: origin });
const notes = new Map();
const mostCharacters = 65_536;

http.createServer((request, response) => {
  // Nobody is there to be answered when a request is broken off or too long.
  handle(request, response).catch(() => response.destroy());
}).listen(Number(port), "127.0.0.1");

async function handle(request, response) {
  const visitor = await visitorOf(request.headers);
  if (!visitor) return answer(response, 401, "text/plain", "Who are you?");
  const path = request.url.split("?")[0];
  if (request.method === "POST") {
    // Other sites on neighbouring hosts can post forms here, with the visitor's cookie.
    if ((request.headers["sec-fetch-site"] || "same-origin") !== "same-origin") {
      return answer(response, 403, "text/plain", "Not from there.");
    }
    const form = new URLSearchParams(await textOf(request));
    notes.set(visitor.sub, [...(notes.get(visitor.sub) || []), ...form.getAll("note")]);
    return answer(response, 303, "text/plain", "", { Location: "/" });
  }
  const mine = notes.get(visitor.sub) || [];
  if (path === "/api/notes") {
    return answer(response, 200, "application/json", JSON.stringify({ name: visitor.name || "", notes: mine }));
  }
  if (path === "/") return answer(response, 200, "text/html", page(visitor.name || "", mine));
  answer(response, 404, "text/plain", "There is nothing here.");
}

async function textOf(request) {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) {
    text += piece;
    if (text.length > mostCharacters) throw new Error("too long");
  }
  return text;
}

function answer(response, status, kind, text, headers = {}) {
  response.writeHead(status, {
    "Content-Type": `${kind}; charset=utf-8`, "Cache-Control": "no-store",
    "Content-Security-Policy": `default-src 'none'; form-action 'self' ${issuer}`, ...headers,
  });
  response.end(text);
}

function page(name, mine) {
  const items = mine.map((note) => `<li>${escaped(note)}</li>`).join("");
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Notes</title>
    <h1>Hello, ${escaped(name)}.</h1>
    <ul>${items}</ul>
    <form method="post"><label>Note <input name="note" required></label> <button>Add</button></form>
    <form method="post" action="/.vestibule/logout"><button>Sign out</button></form></html>`;
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

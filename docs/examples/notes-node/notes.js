// Notes of each person, in memory: an application behind Vestibule.
const http = require("node:http");
const { verifier } = require("./assertion.js");

const { NOTES_ORIGIN: origin, NOTES_ISSUER: issuer, NOTES_JWKS: keys, PORT: port = 3000 } = process.env;
const visitorOf = verifier(keys || `${origin}/.vestibule/jwks.json`, { issuer, audience: origin });
const notes = new Map();

http.createServer(async (request, response) => {
  const body = await textOf(request);
  const visitor = await visitorOf(request.headers);
  if (!visitor) return answer(response, 401, "text/plain", "Who are you?");
  const mine = notes.get(visitor.sub) || [];
  const path = request.url.split("?")[0];
  if (request.method === "POST") {
    // Other sites on neighbouring hosts can post forms here, with the visitor's cookie.
    if ((request.headers["sec-fetch-site"] || "same-origin") !== "same-origin") {
      return answer(response, 403, "text/plain", "Not from there.");
    }
    notes.set(visitor.sub, mine.concat(new URLSearchParams(body).getAll("note")));
    return answer(response, 303, "text/plain", "", { Location: "/" });
  }
  if (path === "/api/notes") {
    return answer(response, 200, "application/json", JSON.stringify({ name: visitor.name || "", notes: mine }));
  }
  if (path === "/") return answer(response, 200, "text/html", page(visitor.name || "", mine));
  answer(response, 404, "text/plain", "There is nothing here.");
}).listen(Number(port), "127.0.0.1");

async function textOf(request) {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
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

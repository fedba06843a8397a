// Greets the visitor, and calls the site's own API in the visitor's name.
let latest = null;

/** Who is signed in, with an assertion that is good for some seconds more; null for nobody. */
async function current() {
  if (latest && performance.now() - latest.at < 10_000) return latest.session;
  const answer = await fetch("/.vestibule/session", { cache: "no-store" });
  latest = { session: answer.ok ? await answer.json() : null, at: performance.now() };
  return latest.session;
}

/** A call of the API, which verifies the assertion as the examples beside this one do. */
async function call(url) {
  const { assertion } = (await current()) ?? {};
  if (!assertion) throw new Error("nobody is signed in");
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${assertion}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

async function greet() {
  const visitor = await current();
  const place = document.querySelector("#notes");
  if (!visitor) return (place.textContent = "You have been signed out. Reload the page to sign in.");
  document.querySelector("#greeting").textContent = `Hello, ${visitor.user.name}.`;
  const { notes } = await call(place.dataset.api);
  place.textContent = notes.length ? notes.join(", ") : "You have no notes.";
}

greet();

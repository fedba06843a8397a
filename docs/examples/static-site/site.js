// Greets the visitor, and calls the site's own API in the visitor's name.
let latest = null;
const trouble = "Something went wrong. Reload the page to try again.";
const reasons = {
  401: "You have been signed out. Reload the page to sign in.",
  403: "You may no longer open this site. Reload the page to see why.",
};

/** Who is signed in, with an assertion that is good for some seconds more; else the status that says why not. */
async function current() {
  if (latest && performance.now() - latest.at < 10_000) return latest;
  const answer = await fetch("/.vestibule/session", { cache: "no-store" });
  latest = { status: answer.status, session: answer.ok ? await answer.json() : null, at: performance.now() };
  return latest;
}

/** A call of the API, which verifies the assertion as the examples beside this one do. */
async function call(url) {
  const { session } = await current();
  if (!session) throw new Error("nobody is signed in");
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${session.assertion}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

async function greet() {
  const { session, status } = await current();
  const place = document.querySelector("#notes");
  if (!session) return (place.textContent = reasons[status] ?? trouble);
  document.querySelector("#greeting").textContent = `Hello, ${session.user.name}.`;
  const { notes } = await call(place.dataset.api);
  place.textContent = notes.length ? notes.join(", ") : "You have no notes.";
}

greet().catch(() => (document.querySelector("#notes").textContent = trouble));

// Passkeys for the forms of a page. A form with `data-passkey` is filled in and sent; without this script nobody sees it.

// A challenge counts for five minutes.
const renewedAfter = 240_000;
const seen = new WeakSet();
let turn = Promise.resolve();
let isAsked = false;
let isAnswered = false;
let waiting;
let renewal;
let told;
/** Shows on a form that something is under way, or no more. */
let setBusy;

const decode = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** What the server sends, as the browser takes it. */
function read(options) {
  const list = (all) => all?.map((each) => ({ ...each, id: decode(each.id) }));
  const read = { ...options, challenge: decode(options.challenge) };
  if (options.user) read.user = { ...options.user, id: decode(options.user.id) };
  if (options.excludeCredentials) read.excludeCredentials = list(options.excludeCredentials);
  if (options.allowCredentials) read.allowCredentials = list(options.allowCredentials);
  return read;
}

/** What the browser answers, as the server takes it. */
function written({ id, rawId, type, response, authenticatorAttachment }) {
  const members = { clientDataJSON: encode(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) members[name] = encode(response[name]);
  }
  if (response.getTransports) members.transports = response.getTransports();
  return JSON.stringify({ id, rawId: encode(rawId), type, authenticatorAttachment, response: members });
}

/** Null if the form is to be sent as it is: its answer asks for a proof, or says why there are none. */
async function options(form, signal) {
  signal.throwIfAborted();
  const csrf = form.elements.csrf?.value;
  const body = new URLSearchParams(csrf ? { csrf } : {});
  // The form is busy until then.
  const request = fetch(form.dataset.options, { method: "POST", body, signal: AbortSignal.timeout(30_000) });
  const answer = await request.catch((error) => Promise.reject(new DOMException(error, "network")));
  if (answer.redirected || [403, 404].includes(answer.status)) return null;
  if (!answer.ok) throw new DOMException(answer.status, "trouble");
  return read(await answer.json());
}

/** One ceremony at a time: a button ends the one that waits in the autofill of a field. */
async function ask(form, mediation) {
  waiting?.abort();
  const { signal } = (waiting = new AbortController());
  // In turn: the challenge given out last is the one that counts in this browser.
  const next = () => options(form, signal);
  if (!mediation) setBusy(form, true);
  const publicKey = await (turn = turn.then(next, next)).finally(() => mediation || setBusy(form, false));
  if (publicKey) {
    const request = { publicKey, signal, ...(mediation && { mediation }) };
    const makes = form.dataset.passkey === "create";
    form.elements.credential.value = written(await navigator.credentials[makes ? "create" : "get"](request));
  } else if (mediation) return;
  for (const name of (form.dataset.copies ?? "").split(" ").filter(Boolean)) copy(name, form);
  // What the browser made by itself leaves the visitor where they are.
  if ("upgrade" in form.dataset) fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  else {
    isAnswered = true;
    form.requestSubmit();
  }
}

/** A box or a field of another form goes along. */
function copy(name, form) {
  const other = document.querySelector(`form:not([data-passkey]) [name="${name}"]`);
  if (!other || !form.elements[name]) return;
  form.elements[name].value = other.type === "checkbox" ? (other.checked ? other.value : "") : other.value;
}

function show(form) {
  form.hidden = false;
  const failure = form.querySelector("[data-failure]");
  form.addEventListener("submit", async (event) => {
    if (isAnswered) return void (isAnswered = false);
    event.preventDefault();
    event.stopPropagation();
    if (document.querySelector("[data-sending]")) return;
    failure.hidden = isAsked = true;
    const error = await ask(form).catch((each) => each);
    isAsked = false;
    if (!error || error.name === "AbortError") return;
    const own = failure.dataset[error.name === "InvalidStateError" ? "known" : "failure"];
    failure.textContent = document.body.dataset[error.name] ?? own;
    failure.hidden = false;
    autofill(form);
  });
}

/** Offers passkeys in the list below the address field. */
async function autofill(form) {
  const can = "autofill" in form.dataset && (await PublicKeyCredential.isConditionalMediationAvailable?.());
  if (!can || isAsked || !form.isConnected) return;
  clearTimeout(renewal);
  renewal = setTimeout(() => atFirstSign(() => autofill(form)), renewedAfter);
  ask(form, "conditional").catch(() => {});
}

/** Nothing is asked for before the visitor does something. */
function atFirstSign(task) {
  const begin = new AbortController();
  const once = () => {
    begin.abort();
    task();
  };
  for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) {
    addEventListener(event, once, { signal: begin.signal });
  }
}

/** Makes a passkey by itself after a sign-up with a password, where the browser does that. */
async function upgrade(form) {
  const can = await PublicKeyCredential.getClientCapabilities?.();
  if (can?.conditionalCreate) ask(form, "conditional").catch(() => {});
}

/** Tells the browser which passkeys still work. */
function signal() {
  const own = document.querySelector("[data-rp]")?.dataset;
  const state = JSON.stringify(own ?? null);
  if (!own || state === told) return;
  told = state;
  const send = (name, value) => PublicKeyCredential[name]?.({ rpId: own.rp, ...value }).catch(() => {});
  if (own.unknown) send("signalUnknownCredential", { credentialId: own.unknown });
  if (!own.user) return;
  const allAcceptedCredentialIds = own.accepted.split(" ").filter(Boolean);
  send("signalAllAcceptedCredentials", { userId: own.user, allAcceptedCredentialIds });
  send("signalCurrentUserDetails", { userId: own.user, name: own.name, displayName: own.displayName });
}

/** For the page as it is now, whose parts may have been exchanged. */
export function enhance(busy) {
  setBusy = busy;
  const added = [...document.querySelectorAll("form[data-passkey]")].filter((form) => !seen.has(form));
  for (const form of added) {
    seen.add(form);
    if ("upgrade" in form.dataset) upgrade(form);
    else show(form);
  }
  atFirstSign(() => added.forEach(autofill));
  signal();
}

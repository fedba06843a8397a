// Comfort for the forms. Every page is complete without it; every sentence comes from the page.

const words = document.body.dataset;
const home = new URL("..", import.meta.url).pathname;
const byID = (id) => document.getElementById(id);
const find = (selector, root = document) => root.querySelector(selector);
const findAll = (selector, root = document) => root.querySelectorAll(selector);
const listen = (types, task, capture) => types.split(" ").forEach((type) => addEventListener(type, task, capture));
/** For screen readers. */
const say = (text) => (byID("progress").textContent = text);

const edited = new WeakSet();
const estimates = new WeakMap();
const mended = new Set();
let sending, typing, pointerHeld, goes, strengthTimer, strengthRequest;
/** What is done when the pointer is let go. */
const awaiting = [];

// Judging

const fieldOf = (input) => input.closest(".field");
const inputOf = (element) => element.closest?.(".field")?.querySelector("input");
const judged = (form) => [...findAll("input[data-missing]", form)];
const isRefused = (input) => input?.getAttribute("aria-invalid") === "true";
const isPassword = (input) => "show" in input.dataset;
const isBox = (input) => input.type === "checkbox";
const isCode = (input) => input.autocomplete === "one-time-code";
const isActive = (each) => document.activeElement === each;
const copiesOf = (input) => findAll(`[data-same="${input.id}"]`, input.form);
const originalOf = (input) => byID(input.dataset.same);
const isShort = (input, value) => [...value.normalize("NFC")].length < input.dataset.minimum;

/** The sentence that says what is wrong with the field, or null. Never stricter than the server. */
function verdict(input) {
  const { missing, invalid, minimum, short, same, mismatch } = input.dataset;
  if (isBox(input)) return missing && !input.checked ? missing : null;
  // With what comes along unseen around a copied text, such as marks of direction.
  const value = isPassword(input) ? input.value : input.value.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
  if (missing && !value) return missing;
  if (invalid && !isWellFormed(input, value)) return invalid;
  if (minimum && isShort(input, value)) return short;
  if (same && originalOf(input).value && value !== originalOf(input).value) return mismatch;
  const estimate = estimates.get(input);
  return estimate?.password === value ? estimate.refusal : null;
}

function isWellFormed(input, value) {
  if (isCode(input)) return /^.{6,10}$/u.test(digits(value));
  // Internationalized domains may be typed with one of three other full stops (RFC 3490, section 3.1).
  return /.@.+[.\u3002\uFF0E\uFF61]./.test(value) && !/[\s()<>[\]:;,"\\]|@.*@|(^|[.@])[.@]|\.$/.test(value);
}

/** A decimal digit by its code point: the ten of every script stand in a row. */
const digitAt = (code) => (/\p{Nd}/u.test(String.fromCodePoint(code - 1)) ? (digitAt(code - 1) + 1) % 10 : 0);

const sixDigits = (text) => text.replace(/\P{Nd}/gu, "").replace(/./gu, (each) => digitAt(each.codePointAt())).slice(0, 6);

const digits = (value) => value.replace(/[\s\p{Dash}\p{Cf}]|\p{Po}\s*$/gu, "");

function judge(input) {
  if (!input.isConnected || (isRefused(input) && !edited.has(input))) return;
  if (isCode(input)) input.value = digits(input.value);
  const sentence = verdict(input);
  if (sentence) refuse(input, sentence);
  else accept(input);
}

function refuse(input, sentence) {
  const prefix = newElement("span", { class: "visually-hidden" }, words.errorPrefix);
  input.setAttribute("aria-invalid", "true");
  byID(`${input.id}-error`).replaceChildren(prefix, ` ${sentence}`);
  setMark(input, false);
  markCopies(input);
  // The reason now stands in the sentence; the meter would only repeat it.
  const meter = find(".strength-words", fieldOf(input));
  if (meter) meter.textContent = estimates.get(input)?.label ?? "";
  listProblem(input, sentence);
  // A screen reader announces a summary unasked.
  if (!summary()) say(`${words.errorPrefix} ${sentence}`);
}

function accept(input) {
  mend(input);
  setMark(input, "missing" in input.dataset && input.value !== "");
}

function mend(input) {
  input.removeAttribute("aria-invalid");
  byID(`${input.id}-error`)?.replaceChildren();
  // What stands above would move while somebody types.
  if (typing) mended.add(input);
  else dropProblem(input);
}

/** The green mark. A new password has the strength meter instead; a known one, or a word, only the server can judge. */
function setMark(input, right) {
  const control = input.closest(".control");
  if (!control || input.autocomplete === "off" || (isPassword(input) && !input.dataset.same)) return;
  if (input.dataset.same) right &&= isGood(originalOf(input));
  if (input.name === "display_name") right &&= input.value.length <= 64;
  control.classList.toggle("has-mark", right);
  const mark = find(".valid", control);
  if (!right) mark?.remove();
  else if (!mark) input.after(newElement("span", { class: "valid", "aria-hidden": "true" }));
}

function isGood(password) {
  const estimate = estimates.get(password);
  return estimate?.password === password.value && !estimate.refusal;
}

function markCopies(input) {
  for (const copy of copiesOf(input)) {
    setMark(copy, copy.value !== "" && !isActive(copy) && !verdict(copy));
  }
}

/** What somebody begins to mend is called wrong no more, until they leave it. Of a login all is. */
function beginToMend(input) {
  say("");
  const { form } = input;
  const isJoint = "joint" in form.dataset;
  for (const each of isJoint ? judged(form) : [input]) if (isRefused(each)) mend(each);
  if (isJoint) dropSummary();
  delete form.dataset.joint;
  if (verdict(input)) setMark(input, false);
  for (const copy of copiesOf(input)) {
    if (!verdict(copy)) accept(copy);
    else setMark(copy, false);
  }
}

// The summary at the top

const wrong = () => summary() ?? find("main input[aria-invalid=true]");
const summary = () => byID("error-summary");
const closeRoom = () => find(".room")?.remove();
// What is said of the form as a whole stays until it is sent again, or a login is mended.
const ofField = "a:not([data-whole])";

function showProblems(problems, isPassing = false) {
  summary()?.remove();
  closeRoom();
  const notice = find(".notice[role]");
  dropPrefix(notice?.dataset.prefix);
  notice?.remove();
  dropPrefix(words.errorPrefix);
  document.title = `${words.errorPrefix} ${document.title}`;
  const [{ id }, another] = problems;
  const only = id && !another && byID(id);
  // What is read out with the focus or a summary is not said twice.
  if (!isActive(only)) say("");
  if (only) return focusOn(only);
  const list = newElement("ul");
  list.append(...problems.map(newProblem));
  const alert = newElement("div", { role: "alert", "aria-atomic": "false" });
  alert.append(newElement("h2", {}, words.problem), list);
  const box = newElement("div", { class: "summary", id: "error-summary", tabindex: "-1" });
  box.toggleAttribute("data-passing", isPassing);
  box.append(alert);
  (find(".sections + section") ?? byID("main")).prepend(box);
  box.focus();
}

/** Removes a prefix from the page's title. */
const dropPrefix = (prefix) => (document.title = document.title.replace(`${prefix} `, ""));

/** What was typed wrong is selected where it is a code, so that typing replaces it. */
function focusOn(input) {
  input.focus();
  if (isCode(input)) input.select();
}

const newProblem = ({ id, sentence }) =>
  newElement("li", {}, id ? newElement("a", { href: `#${id}` }, sentence) : sentence);

/** Once a form was refused, its summary takes in what turns out later. The focus stays where it is. */
function listProblem({ id, form }, sentence) {
  const order = judged(form).map((input) => `#${input.id}`);
  const place = (link) => order.indexOf(link.hash) - order.indexOf(`#${id}`);
  const links = [...findAll(`#error-summary ${ofField}`)].filter(({ hash }) => order.includes(hash));
  if (!links.length) return;
  const known = links.find((link) => place(link) === 0);
  const next = links.find((link) => place(link) > 0);
  if (!known && next) next.closest("li").before(newProblem({ id, sentence }));
  else if (!known) links.at(-1).closest("li").after(newProblem({ id, sentence }));
  else if (known.textContent !== sentence) known.textContent = sentence;
}

function dropProblem(input) {
  find(`#error-summary ${ofField}[href="#${input.id}"]`)?.closest("li").remove();
  if (summary() ? !find("li", summary()) : !wrong()) dropSummary();
}

/** While somebody types its room stays, as what is below would move. */
function dropSummary() {
  const box = summary();
  if (box && typing) {
    const room = newElement("div", { class: "summary room" });
    room.style.blockSize = `${box.getBoundingClientRect().height}px`;
    box.replaceWith(room);
  } else box?.remove();
  dropPrefix(words.errorPrefix);
}

// Passwords

function addShowButton(input) {
  const control = input.closest(".control");
  if (control.classList.contains("has-show")) return;
  const button = newElement("button", { type: "button", class: "show", "aria-controls": input.id });
  button.addEventListener("click", () => sending || setShown(input, input.type === "password"));
  control.append(button);
  control.classList.add("has-show");
  setShown(input, false);
  control.after(newElement("p", { class: "caps", role: "status" }));
  // The room the word takes depends on language, font and text size.
  new ResizeObserver(() => control.style.setProperty("--show-room", `${button.offsetWidth}px`)).observe(button);
}

function setShown(input, shown) {
  input.type = shown ? "text" : "password";
  const button = find(".show", fieldOf(input));
  const { show, showLabel, hide, hideLabel } = input.dataset;
  button?.replaceChildren(shown ? hide : show);
  button?.setAttribute("aria-label", shown ? hideLabel : showLabel);
}

function hintCapsLock(event) {
  const input = event.target;
  if (!input.matches?.("input[data-caps]") || !event.getModifierState) return;
  find(".caps", fieldOf(input)).textContent = event.getModifierState("CapsLock") ? input.dataset.caps : "";
}

function estimateSoon(form) {
  const meter = find("[data-strength]", form);
  if (!meter) return;
  const input = byID(meter.dataset.for);
  clearTimeout(strengthTimer);
  strengthRequest?.abort();
  // When typing rests.
  if (!isShort(input, input.value)) strengthTimer = setTimeout(() => estimate(meter, input), 350);
  else meter.hidden = true;
}

async function estimate(meter, input) {
  const request = (strengthRequest = new AbortController());
  const typed = new FormData(input.form);
  const body = new URLSearchParams(["password", "email", "display_name"].map((name) => [name, typed.get(name) ?? ""]));
  try {
    const answer = await fetch(meter.dataset.strength, { method: "POST", body, signal: request.signal });
    if (!answer.ok) throw new Error();
    const estimated = await answer.json();
    whenReleased(() => showEstimate(meter, input, body.get("password"), estimated));
  } catch {
    if (!request.signal.aborted) whenReleased(() => (meter.hidden = true));
  }
}

function showEstimate(meter, input, password, { score, label, acceptable, hint }) {
  if (input.value !== password) return;
  estimates.set(input, { password, label, refusal: acceptable ? null : hint });
  meter.dataset.score = score;
  meter.hidden = false;
  find(".strength-words", meter).textContent = hint && !isRefused(input) ? `${label}. ${hint}` : label;
  markCopies(input);
  if (!isActive(input)) judge(input);
}

// Sending

async function send(event) {
  const form = event.target;
  if (form.method !== "post") return;
  if (sending || hasProblems(form)) return event.preventDefault();
  // Password managers look for a password field when a form is sent.
  for (const input of findAll("input[data-show]", form)) setShown(input, false);
  // A file only the browser can take, and it may leave the page where it is.
  if ("plain" in form.dataset) return void setTimeout(() => forget(form));
  event.preventDefault();
  setSending(form, true);
  try {
    await deliver(form);
  } catch {
    setSending(form, false);
    showOffline();
  }
}

const showOffline = () => showProblems([{ sentence: words.network }], true);

function hasProblems(form) {
  // Sending it again would use up another try.
  if (isRefused(form.code) && !edited.has(form.code)) return !focusOn(form.code);
  dropSummary();
  const inputs = judged(form);
  for (const input of inputs) {
    edited.add(input);
    judge(input);
  }
  const problems = inputs.filter(isRefused).map((input) => ({ id: input.id, sentence: verdict(input) }));
  if (problems.length) showProblems(problems);
  return problems.length;
}

/** Posts the form. The header asks for the next address in words, because fetch cannot follow to other origins. */
async function deliver(form) {
  const answer = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
    headers: { Accept: "text/html", "Vestibule-Fetch": "1" },
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const next = answer.headers.get("Vestibule-Location");
  if (next || answer.type === "opaqueredirect") endVisit();
  if (next) location.assign(next);
  // Something before the server wants to redirect: only a real navigation can follow.
  else if (answer.type === "opaqueredirect") form.submit();
  else showAnswer(form, answer.status, new DOMParser().parseFromString(await answer.text(), "text/html"));
}

function showAnswer(form, status, page) {
  setSending(form, false);
  // Something before the server has answered in its place.
  if (!page.body.dataset.trouble) return showProblems([{ sentence: words.trouble }], true);
  // An error page in place of the form would lose what was typed.
  const isLost = (status === 429 || status >= 500) && !find(`[id="${form.id}"], #error-summary`, page);
  if (isLost) return showProblems([{ sentence: find(".lead", page).textContent }]);
  for (const p of [".skip", "header", "main", "footer"]) find(p)?.replaceWith(find(p, page));
  // Another one may have been chosen in another tab.
  find("html").lang = find("html", page).lang;
  document.dir = page.dir;
  Object.assign(words, page.body.dataset);
  // Last, as the field that goes is left, and judged once more.
  document.title = page.title;
  // The server gives no password back; what it refuses may be something else.
  for (const { id, value } of findAll("[data-show]", form)) {
    const input = byID(id);
    if (!input || isRefused(input) || isRefused(originalOf(input))) continue;
    input.value = value;
    estimateSoon(input.form);
  }
  enhance();
  if (!wrong()) (find("main [autofocus]") ?? byID("main")).focus();
}

function setSending(form, on) {
  sending = on;
  say(on ? (form.dataset.busy ?? words.working) : "");
  for (const button of findAll("[type=submit]", form)) button.ariaDisabled = on || null;
  form.toggleAttribute("data-sending", on);
  for (const input of findAll(on ? "input:not([readonly])" : "input[data-held]", form)) {
    input.readOnly = on;
    input.toggleAttribute("data-held", on);
  }
}

const giveBack = () => findAll("[data-sending]").forEach((form) => setSending(form, false));

// Coming back

/** What the tab keeps of the visit that goes on: its id, and by name what other forms ask for, too. */
function kept(change, all) {
  try {
    all ??= { ...JSON.parse(sessionStorage.visit ?? "{}"), ...change };
    if (change) sessionStorage.visit = JSON.stringify(all);
    return all;
  } catch {
    // A browser that keeps nothing.
    return {};
  }
}

/** The welcome page and a form that was taken end it. */
const endVisit = () => kept({}, {});

const visit = () => kept().id ?? kept({ id: Date.now() }).id ?? NaN;

function fillIn() {
  const typed = kept();
  for (const input of findAll("[data-kept]")) {
    if (isBox(input)) input.checked = typed[input.name] ?? input.checked;
    else input.value ||= typed[input.name] ?? "";
  }
}

/** What was typed is found again after a visit to a neighbouring page. */
function onLink(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || link.hash || link.target) return;
  if (!navigator.onLine && link.origin === location.origin) {
    event.preventDefault();
    fetch(link, { method: "HEAD" }).then(() => location.assign(link), showOffline);
  }
  const box = find("[name=remember]");
  const query = new URLSearchParams(link.search);
  query.set("remember", box?.checked ? "on" : "off");
  if (box && link.pathname.startsWith(`${home}auth/`)) link.search = query;
  history.replaceState(link.closest(".site-footer, .languages, .aside, .remember") && { visit: visit() }, "");
}

// The page

function newElement(name, attributes = {}, content = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(content);
  return element;
}

/**
 * The page's language in the visitor's variety, which writes "27 November" or "November 27", with the digits that all
 * pages have. `Intl` throws at names that are no language tags, such as "en-US@posix", which some systems give.
 */
function languageTag() {
  const { lang } = find("html");
  const variety = new RegExp(`^${lang}(-[a-z\\d]{2,8})*$`, "i");
  return `${navigator.languages.find((each) => variety.test(each)) ?? lang}-u-nu-latn`;
}

/** The server knows neither the visitor's zone nor how long ago it will be when somebody reads. */
function tellTimes() {
  const language = languageTag();
  // Not "yesterday": hours are counted, no midnights.
  const ago = new Intl.RelativeTimeFormat(language);
  for (const time of findAll("time")) {
    const at = new Date(time.dateTime);
    const seconds = (Date.now() - at) / 1000;
    const [unit, length] = [["day", 86_400], ["hour", 3600], ["minute", 60]].find((each) => seconds >= each[1]) ?? [];
    const { now, on } = time.dataset;
    time.title = at.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
    // After "on", and it may be still to come.
    if (on) time.textContent = on === "day" ? at.toLocaleDateString(language, { dateStyle: "long" }) : time.title;
    else if (now && seconds < 120) time.textContent = now;
    else if (seconds < 60) time.textContent = words.justNow;
    else time.textContent = seconds < 604_800 ? ago.format(-Math.floor(seconds / length), unit) : time.title;
  }
}

function enhance() {
  for (const button of findAll("[data-link]")) {
    const { lang, textContent } = button;
    button.replaceWith(newElement("a", { href: button.dataset.link, ...(lang && { lang, hreflang: lang }) }, textContent));
  }
  fillIn();
  findAll("input[data-show]").forEach(addShowButton);
  for (const input of findAll("input[data-missing]:not([data-stored])")) {
    if (input.value && !isRefused(input) && !verdict(input)) setMark(input, true);
  }
  tellTimes();
  fillBoxes();
  // Nothing is sent by itself without script, so only here is it said.
  if (byID("second-code-hint")) byID("second-code").setAttribute("aria-describedby", "second-code-hint second-code-error");
  if (find("[data-account]")) import("./account.js").then((script) => script.enhance(languageTag()));
  // Before the script came, the visitor may have begun to type in another field.
  if (isActive(document.body) && wrong()) focusOn(wrong());
  const passkeys = findAll("form[data-passkey]");
  // Where they cannot be used they take no room, either.
  const remove = () => passkeys.forEach((form) => form.remove());
  if (!("PublicKeyCredential" in window && isSecureContext)) {
    remove();
    findAll("[data-incapable]").forEach((each) => (each.hidden = false));
  } else if (passkeys.length) import("./passkeys.js").then((script) => script.enhance(setSending), remove);
}

/** Leaves nothing typed behind, when the page is shown again from history or stays after a file was sent. */
function forget(form, isForgotten = () => true) {
  for (const input of findAll("input:not([type=hidden], [readonly])", form)) {
    if (!isForgotten(input)) continue;
    if (isBox(input)) input.checked = input.name === "remember" && input.defaultChecked;
    else input.value = "stored" in input.dataset ? input.defaultValue : "";
    edited.delete(input);
    mend(input);
    setMark(input, false);
    if (isPassword(input)) setShown(input, false);
  }
  estimateSoon(form);
}

/** What comes or goes while the button is held would move what is about to be clicked. */
const whenReleased = (task) => (pointerHeld ? awaiting.push(task) : task());

function letGoSoon(after) {
  clearTimeout(goes);
  goes = setTimeout(() => {
    pointerHeld = false;
    for (const task of awaiting.splice(0)) task();
  }, after);
}

function closeLanguages({ target, key }) {
  const menu = find(".languages details[open]");
  if (!menu || (key ? key !== "Escape" : menu.contains(target))) return;
  menu.open = false;
  if (key) find("summary", menu).focus();
}

/**
 * Six boxes show what is sent, and mark where the next digit goes. A recovery code, which has letters or ten digits, stands
 * in none.
 */
function fillBoxes(input = find(".digits")) {
  if (!input) return;
  const { value, selectionEnd } = input;
  const six = sixDigits(value);
  const isWord = /\p{L}|^.{10}$/u.test(digits(value));
  if (!isWord && six !== value) {
    input.value = six;
    // The caret stays behind the digit it was behind.
    input.selectionEnd = sixDigits(value.slice(0, selectionEnd)).length;
  }
  findAll(".boxes i").forEach((box, at) => box.toggleAttribute("data-next", !isWord && at === Math.min(six.length, 5)));
}

/** A code that was pasted or filled in whole, or typed where it has six digits, is sent by itself: once, never after a refusal. */
function sendWhole(input, { inputType, data }) {
  const { dataset } = input.form;
  if (!("whole" in dataset) || !isCode(input) || !/^(\p{Nd}{6}|.{10})$/u.test(digits(input.value))) return;
  if (inputType?.startsWith("delete") || (data?.length === 1 && !dataset.whole)) return;
  delete dataset.whole;
  input.form.requestSubmit();
}

function onInput(event) {
  const input = event.target;
  if (!input.form) return;
  if ("kept" in input.dataset) kept({ [input.name]: isBox(input) ? input.checked : input.value });
  edited.add(input);
  // What an input method composes is its own until it ends.
  if (!event.isComposing) fillBoxes();
  if (summary()?.hasAttribute("data-passing")) dropSummary();
  // Otherwise filled in by the browser, not by hand: nobody is typing, nobody will leave.
  typing = isActive(input);
  beginToMend(input);
  if (!typing) judge(input);
  if (!isBox(input)) estimateSoon(input.form);
  if (!event.isComposing) sendWhole(input, event);
}

function onLeave(event) {
  const input = inputOf(event.target);
  if (!input || (event.relatedTarget && inputOf(event.relatedTarget) === input)) return;
  typing = false;
  const isJudged = input.value && !isBox(input) ? input.dataset.missing : edited.has(input);
  whenReleased(() => {
    if (isJudged && !isRefused(input)) judge(input);
    for (const each of mended) if (each.isConnected && !isRefused(each)) dropProblem(each);
    mended.clear();
    closeRoom();
  });
}

/** Enter goes on where the keyboard of a touch screen says so; elsewhere, and at the last field, it sends. */
function goOn(event) {
  const input = event.target;
  if (event.key !== "Enter" || event.isComposing || input.enterKeyHint !== "next") return;
  if (!matchMedia("(hover: none) and (pointer: coarse)").matches) return;
  const inputs = [...findAll("input:not([type=hidden], [type=checkbox], [readonly])", input.form)];
  const next = inputs[inputs.indexOf(input) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function onShow(event) {
  const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  // If the script came late, what was typed before it came stays.
  const fromHistory = event.persisted || (isBack && !navigator.userActivation?.hasBeenActive);
  typing = false;
  closeRoom();
  giveBack();
  if (home.startsWith(location.pathname)) endVisit();
  if (!fromHistory) return;
  const isKept = history.state?.visit === visit();
  for (const form of document.forms) forget(form, (input) => !isKept || isPassword(input) || "stored" in input.dataset);
  if (!isKept) dropSummary();
}

listen("pointerdown", () => (clearTimeout(goes), (pointerHeld = true)), true);
// A finger is up before the field is left and the click comes, if one comes; a touch that scrolls never comes up.
listen("pointerup", ({ pointerType }) => letGoSoon(pointerType === "mouse" ? 0 : 700), true);
listen("click pointercancel", () => letGoSoon(0), true);
listen("click keydown focusin", closeLanguages);
// A page of an application at the same origin, which knows nothing of fading, would be told of an error.
listen("pageswap", ({ activation, viewTransition }) => {
  const isPage = new RegExp(`^${home}((login|signup|reset|account|terms|privacy)(/|$)|$)`);
  if (!isPage.test(new URL(activation?.entry?.url ?? "data:").pathname)) viewTransition?.skipTransition();
});
listen("keydown keyup", hintCapsLock);
listen("keydown", goOn);
listen("input compositionend", onInput);
// The caret behind the last of six digits would move them out of their boxes.
listen("scroll", ({ target }) => target.matches?.(".digits") && (target.scrollLeft = 0), true);
listen("focusout", onLeave);
listen("submit", send);
// A checkbox knows no `readonly`.
listen("click", (event) => event.target.matches?.("[data-sending] input[type=checkbox]") && event.preventDefault(), true);
listen("click", onLink);
listen("pageshow", onShow);
globalThis.navigation?.addEventListener("navigateerror", giveBack);
enhance();
// An answer for an application that wants it sent by a form.
find("[data-at-once]")?.submit();

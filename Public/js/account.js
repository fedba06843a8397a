// Comfort for the pages of an account, which are complete without it.

// The day of the heading set last, in days before today.
let told;

/** The visitor's own days, and the time on each: the server knows only those of UTC. */
function tellDays(days, language) {
  // What is folded away goes on with the day that was told last.
  if (!days.closest("details")) told = undefined;
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate());
  const lines = [...days.querySelectorAll(".events > li")];
  days.replaceChildren();
  let list;
  for (const line of lines) {
    const time = line.querySelector("time");
    const at = new Date(time.dateTime);
    const past = Math.round((midnight(new Date()) - midnight(at)) / 86_400_000);
    if (past !== told) {
      const day = document.createElement("h2");
      day.className = "day";
      day.textContent = past < 2 ? ago.format(-past, "day") : date.format(at);
      days.append(day);
      list = undefined;
    }
    if (!list) {
      list = document.createElement("ul");
      list.className = "events";
      days.append(list);
    }
    told = past;
    if (past > 0) time.textContent = clock.format(at);
    list.append(line);
  }
}

function copy({ currentTarget: button }) {
  const source = document.getElementById(button.dataset.copies);
  const items = [...source.querySelectorAll("li")].map((each) => each.textContent);
  const text = items.length ? items.join("\n") : source.textContent.replace(/\s/g, "");
  const picture = button.querySelector("use");
  const show = (name) => picture.setAttribute("href", picture.getAttribute("href").replace(/#.*/, name));
  navigator.clipboard.writeText(text).then(() => {
    document.getElementById("progress").textContent = button.dataset.done;
    // Another word would be wider, and move what is beside it.
    show("#check");
    setTimeout(show, 2000, "#copy");
  }, () => {
    getSelection().selectAllChildren(source);
    document.getElementById("progress").textContent = button.dataset.denied;
  });
}

/** In its place: Enter saves, Escape and "Cancel" leave it as it was. */
function leaveUnchanged(details) {
  const input = details.querySelector("input:not([type=hidden])");
  const leave = (event) => {
    event.preventDefault();
    // It asks no server, so it works without a network, too.
    event.stopPropagation();
    if (input) {
      // Once it was refused, the page's value is what was refused.
      input.value = input.dataset.stored || input.defaultValue;
      // So the page says nothing of the refusal any more, either.
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    details.open = false;
    details.querySelector("summary").focus();
  };
  details.addEventListener("toggle", () => details.open && input?.select());
  details.addEventListener("keydown", (event) => event.key === "Escape" && details.open && leave(event));
  details.querySelector(`[href="?"]`)?.addEventListener("click", leave);
}

const seen = new WeakSet();
const each = (selector, task) => {
  for (const element of document.querySelectorAll(selector)) {
    if (!seen.has(element)) seen.add(element), task(element);
  }
};

/** For the page as it is now, whose parts may have been exchanged; dates are written as in that language (BCP 47). */
export function enhance(language) {
  each(".days", (days) => tellDays(days, language));
  each(".rename, .remove", leaveUnchanged);
  each("[data-copies]", (button) => {
    if (!navigator.clipboard) return button.remove();
    button.disabled = false;
    button.addEventListener("click", copy);
  });
  each("[data-prints]", (button) => {
    button.disabled = false;
    button.addEventListener("click", () => print());
  });
}

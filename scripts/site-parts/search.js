// Sections with all of the words, those that have them in a title first. Until something is typed, all contents are shown.
const [field, count, found, all] = ["q", "count", "found", "all"].map(id => document.getElementById(id));

function score([, page, title, text], words) {
  const scores = words.map(word =>
    9 * title.toLowerCase().includes(word) + 4 * page.toLowerCase().includes(word) + text.toLowerCase().includes(word));
  return Math.min(...scores) && scores.reduce((sum, each) => sum + each);
}

function row([address, page, title, text], words) {
  const [item, link, excerpt] = ["li", "a", "p"].map(name => document.createElement(name));
  const start = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  Object.assign(link, {href: address, textContent: page === title ? title : `${page}: ${title}`});
  excerpt.textContent = (start ? "…" : "") + text.slice(start, start + 180) + (text.length > start + 180 ? "…" : "");
  item.append(link, excerpt);
  return item;
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = words.length ? SECTIONS.map(each => [score(each, words), each]).filter(([points]) => points) : [];
  found.replaceChildren(...scored.sort(([a], [b]) => b - a).slice(0, 50).map(([, each]) => row(each, words)));
  count.textContent = words.length ? `${scored.length} found` : "";
  all.hidden = words.length > 0;
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", search);
field.form.addEventListener("submit", event => event.preventDefault());
search();

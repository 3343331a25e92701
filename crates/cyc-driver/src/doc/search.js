// Finds names: those that begin like the words that are typed before those that contain them, and then descriptions.
"use strict";
const box = document.getElementById("search"), results = document.getElementById("results");
let chosen = 0;

function rank(entry, word) {
  const name = entry[0].toLowerCase(), short = name.split("::").pop();
  if (short === word || name === word) return 0;
  if (short.startsWith(word)) return 1;
  if (name.includes(word)) return 2;
  return entry[3].toLowerCase().includes(word) ? 3 : 9;
}

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(w => w);
  if (!words.length) return [];
  const ranked = NAMES.map(entry => [Math.max(...words.map(w => rank(entry, w))), entry]).filter(r => r[0] < 9);
  ranked.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
  return ranked.slice(0, 40).map(r => r[1]);
}

function show() {
  const found = find(box.value);
  chosen = Math.max(0, Math.min(chosen, found.length - 1));
  results.replaceChildren(...found.map((entry, i) => {
    const item = document.createElement("li"), link = document.createElement("a"), more = document.createElement("small");
    link.href = entry[2];
    link.textContent = entry[0];
    link.onclick = () => { results.hidden = true; };
    more.textContent = " " + entry[1] + (entry[3] ? ": " + entry[3] : "");
    item.append(link, more);
    if (i === chosen) item.className = "chosen";
    return item;
  }));
  results.hidden = !box.value;
  if (box.value && !found.length) results.textContent = "Nothing of this name.";
}

box.addEventListener("input", () => { chosen = 0; show(); });
box.addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    chosen += event.key === "ArrowDown" ? 1 : -1;
    show();
    event.preventDefault();
  } else if (event.key === "Enter") {
    const link = results.querySelector(".chosen a");
    if (link) { location.href = link.href; results.hidden = true; }
  } else if (event.key === "Escape") {
    box.value = "";
    show();
  }
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== box) { box.focus(); event.preventDefault(); }
});
// `index.html?q=fold` searches at once.
const asked = new URLSearchParams(location.search).get("q");
if (asked) { box.value = asked; show(); }

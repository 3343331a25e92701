"use strict";
const profile = JSON.parse(document.getElementById("figures").textContent);
const kinds = profile.kinds.map(k => k.kind);
const used = profile.kinds.filter(k => k.allocated_objects > 0);

// ---- words and numbers

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; unit++) n /= 1024;
  return `${short(n)} ${units[unit]}`;
}
function time(ns) {
  if (ns < 1e3) return `${short(ns)} ns`;
  if (ns < 1e6) return `${short(ns / 1e3)} µs`;
  return ns < 1e9 ? `${short(ns / 1e6)} ms` : `${short(ns / 1e9)} s`;
}
function short(x) { return String(+x.toFixed(x >= 100 ? 0 : x >= 10 ? 1 : 2)); }
function count(n) { return n.toLocaleString("en"); }
function plural(n, word) { return `${count(n)} ${word}${n === 1 ? "" : "s"}`; }

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  made.append(...children);
  return made;
}
function dot(kind) { return element("i", { class: "dot", style: `--c: var(--${kind})` }); }

function place(at) {
  if (!at.file) return at.function || "?";
  return `${at.file}:${at.line}`;
}
// What the table shows, and what the filter reads.
function where(row) {
  const cell = element("td", { class: "where" }, element("code", {}, place(row)));
  let note = row.file ? row.function || "" : "";
  if (row.name) note += `, region ${row.name}`;
  if (row.via) note += `, by ${row.via.function}${row.via.file ? ` (${row.via.file.replace(/.*\//, "")}:${row.via.line})` : ""}`;
  if (note) cell.append(element("small", {}, note));
  return cell;
}

// ---- tables

function table(section, rows, columns, first) {
  const box = document.getElementById(section);
  const head = element("tr"), body = element("tbody");
  let by = columns[first], down = true, filter = "";
  const text = row => [row.kind, row.function, row.name, place(row), row.via ? row.via.function : ""].join(" ").toLowerCase();

  function draw() {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter(row => words.every(word => text(row).includes(word)));
    shown.sort((a, b) => {
      const x = by.key(a), y = by.key(b);
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
    });
    body.replaceChildren(...shown.map(row => element("tr", { "data-kind": row.kind }, ...columns.map(column => column.cell(row)))));
    if (!shown.length) body.append(element("tr", {}, element("td", { class: "none", colspan: columns.length }, "nothing fits")));
    for (const [i, cell] of [...head.children].entries()) {
      if (columns[i] === by) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  }
  for (const column of columns) {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      down = column === by ? !down : column.number === true;
      by = column;
      draw();
    });
    head.append(element("th", { class: column.number ? "n" : null }, button));
  }
  const search = box.querySelector("input");
  if (search) search.addEventListener("input", () => { filter = search.value; draw(); });
  box.querySelector("table").append(element("thead", {}, head), body);
  box.hidden = false;
  draw();
}

const kindColumn = { title: "Kind", key: row => row.kind, cell: row => element("td", {}, dot(row.kind), row.kind) };
const whereColumn = { title: "Where", key: row => `${row.file}\0${String(row.line).padStart(9)}\0${row.function}`, cell: where };
function numbers(title, key, show = count) {
  return { title, number: true, key, cell: row => element("td", { class: "n", title: count(key(row)) }, show(key(row))) };
}
function barred(title, key, most) {
  return {
    title, number: true, key,
    cell: row => element("td", { class: "n", title: `${count(key(row))} bytes` }, bytes(key(row)),
      element("i", { class: "bar", style: `--c: var(--${row.kind}); width: ${most ? 100 * key(row) / most : 0}%` })),
  };
}
function most(rows, key) { return rows.reduce((sum, row) => Math.max(sum, key(row)), 0); }

const sites = profile.sites;
const atPeak = row => row.at_peak_bytes, allocated = row => row.allocated_bytes;
table("sites", sites, [
  whereColumn, kindColumn,
  barred("At the peak", atPeak, most(sites, atPeak)),
  barred("Allocated", allocated, most(sites, allocated)),
  numbers("Objects", row => row.allocated_objects),
  numbers("At the end", row => row.live_bytes, bytes),
], 2);

const leaks = sites.filter(row => row.kind === "unique" || row.kind === "counted")
  .map(row => ({ ...row, bytes: row.live_bytes + row.lost_bytes, objects: row.live_objects + row.lost_objects }))
  .filter(row => row.objects > 0);
const leaked = row => row.bytes;
if (leaks.length)
  table("leaks", leaks, [
    whereColumn, kindColumn, barred("Bytes", leaked, most(leaks, leaked)), numbers("Objects", row => row.objects),
    numbers("Freed by the collector", row => row.lost_bytes, bytes),
  ], 2);

if (profile.regions.length)
  table("regions", profile.regions, [
    whereColumn, kindColumn,
    barred("Most in one", row => row.largest_bytes, most(profile.regions, row => row.largest_bytes)),
    barred("Allocated", allocated, most(profile.regions, allocated)),
    numbers("Objects", row => row.allocated_objects),
    numbers("Opened", row => row.opened),
    numbers("Still open", row => row.open),
  ], 2);

// ---- figures at the top

const sum = (rows, key) => rows.reduce((all, row) => all + row[key], 0);
function tile(figure, words, bad = false) {
  return element("div", { class: bad ? "tile bad" : "tile" }, element("b", {}, figure), element("span", {}, words));
}
const lost = sum(leaks, "bytes");
document.getElementById("tiles").append(
  tile(bytes(profile.peak.live_bytes), `live at the peak, after ${time(profile.peak.ns)}`),
  tile(bytes(profile.allocated_bytes), `allocated in ${plural(sum(profile.kinds, "allocated_objects"), "object")}`),
  tile(bytes(sum(profile.kinds, "live_bytes")), `live at the end, after ${time(profile.ns)}`),
  tile(lost ? bytes(lost) : "none", lost ? `never freed, in ${plural(sum(leaks, "objects"), "object")}` : "never freed", lost > 0),
);

// ---- the chart

const box = document.getElementById("charts"), tip = document.getElementById("tip");
const charts = [...box.querySelectorAll(".chart")];
function show(axis) {
  for (const chart of charts) chart.toggleAttribute("hidden", chart.dataset.axis !== axis);
  for (const button of document.querySelectorAll(".switch button"))
    button.setAttribute("aria-pressed", button.dataset.axis === axis);
}
for (const button of document.querySelectorAll(".switch button"))
  button.addEventListener("click", () => show(button.dataset.axis));
show("time");

for (const kind of used) {
  const item = element("li", { "data-kind": kind.kind }, dot(kind.kind), kind.kind,
    element("small", {}, `${bytes(kind.at_peak_bytes)} at the peak, ${bytes(kind.allocated_bytes)} in all`));
  item.addEventListener("mouseenter", () => {
    box.classList.add("lit");
    for (const layer of box.querySelectorAll(`.layer.${kind.kind}`)) layer.classList.add("on");
  });
  item.addEventListener("mouseleave", () => {
    box.classList.remove("lit");
    for (const layer of box.querySelectorAll(".layer.on")) layer.classList.remove("on");
  });
  document.getElementById("legend").append(item);
}

// The last sample that is not after `x`.
function sampleAt(x, column) {
  let low = 0, high = profile.samples.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (profile.samples[middle][column] <= x) low = middle;
    else high = middle - 1;
  }
  return profile.samples[low];
}

for (const chart of charts) {
  const { left, right, most: end, axis } = chart.dataset, cursor = chart.querySelector(".cursor");
  chart.addEventListener("mousemove", event => {
    const frame = chart.getBoundingClientRect(), scale = 1000 / frame.width;
    const x = (event.clientX - frame.left) * scale;
    const inside = x >= +left && x <= +right;
    tip.hidden = !inside;
    cursor.toggleAttribute("hidden", !inside);
    if (!inside) return;
    const sample = sampleAt((x - left) / (right - left) * end, axis === "time" ? 0 : 1);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    const lines = kinds.map((kind, i) => [kind, sample[i + 2]]).filter(([kind]) => used.some(k => k.kind === kind)).reverse();
    tip.replaceChildren(
      element("div", { class: "when" }, element("span", {}, time(sample[0])), element("span", {}, `${bytes(sample[1])} allocated`)),
      ...lines.map(([kind, n]) => element("div", {}, element("span", {}, dot(kind), kind), element("span", {}, bytes(n)))),
      element("div", { class: "sum" }, element("span", {}, "live"), element("span", {}, bytes(lines.reduce((all, [, n]) => all + n, 0)))),
    );
    const at = x / scale, width = tip.offsetWidth;
    tip.style.left = `${at + width + 24 > frame.width ? at - width - 14 : at + 14}px`;
  });
  chart.addEventListener("mouseleave", () => {
    tip.hidden = true;
    cursor.setAttribute("hidden", "");
  });
}

// ---- light and dark

const root = document.documentElement, themes = ["", "light", "dark"];
document.getElementById("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
});

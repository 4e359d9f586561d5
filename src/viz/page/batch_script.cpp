#include "viz/page/batch_script.h"

namespace skincells::page {

std::string_view batchStyle() {
  return R"css(
:root { --row: 92px; }
main { max-width: 1400px; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 12px; }
.tools input { flex: 1 1 220px; }
.tools input, .tools button, .tools select {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 7px 12px; min-height: 40px;
}
.tools button { cursor: pointer; }
.tools button[aria-pressed="true"] { border-color: var(--curve); box-shadow: inset 0 0 0 1px var(--curve); }
.shown { color: var(--soft); font-size: 13px; margin: 0 0 8px; }
.histogram { display: flex; align-items: flex-end; gap: 2px; height: 56px; }
.histogram i { flex: 1; background: var(--curve); min-height: 1px; border-radius: 2px 2px 0 0; }
.scale { display: flex; justify-content: space-between; color: var(--soft); font-size: 12px; margin: 4px 0 0; }
.list { position: relative; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.item {
  position: absolute; left: 0; right: 0; height: var(--row); padding: 6px 14px; border-bottom: 1px solid var(--line);
  display: grid; grid-template-columns: 84px minmax(0, 2fr) 110px minmax(0, 3fr) 170px; gap: 14px; align-items: center;
  content-visibility: auto; contain: strict;
}
.item img { width: 80px; height: 80px; object-fit: contain; background: #fff; border-radius: 6px; }
.item .none { width: 80px; height: 80px; border-radius: 6px; background: var(--stripe); }
.item b { display: block; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.item a { color: var(--curve); margin-right: 10px; font-size: 13px; }
.item .worst { display: block; color: var(--soft); font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.item .why { color: var(--soft); font-size: 13px; max-height: 78px; overflow: hidden; }
.item .pill { display: inline-block; padding: 1px 10px; border-radius: 99px; font-size: 13px; font-weight: 600; }
.pill.good { background: var(--good-back); } .pill.warning { background: var(--warning-back); }
.pill.bad { background: var(--bad-back); }
.item .cost { text-align: right; font-variant-numeric: tabular-nums; color: var(--soft); font-size: 13px; }
@media (max-width: 800px) {
  :root { --row: 136px; }
  .item { grid-template-columns: 84px minmax(0, 1fr) auto; grid-template-rows: auto 1fr; gap: 4px 10px; padding: 6px 10px; }
  .item > :first-child { grid-row: 1 / 3; }
  .item .why { grid-column: 2 / 4; max-height: 40px; }
  .item .cost { display: none; }
}
)css";
}

std::string_view batchScript() {
  return R"js(
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("rows").textContent);
  const [kName, kState, kWhy, kWarnings, kSeconds, kMemory, kFiles, kWorst] = [0, 1, 2, 3, 4, 5, 6, 7];
  const tones = { good: "good", done: "good", "look at it": "warning", bad: "bad", failed: "bad", "not run": "warning" };
  const marks = { good: "\u2713", warning: "\u26a0", bad: "\u2717" };
  const get = (id) => document.getElementById(id);
  const list = get("list");
  const collator = new Intl.Collator("en", { numeric: true });
  const severity = { failed: 0, "not run": 1, bad: 2, "look at it": 3, done: 4, good: 5 };
  const orders = {
    name: (a, b) => collator.compare(a[kName], b[kName]),
    verdict: (a, b) => severity[a[kState]] - severity[b[kState]] || b[kWarnings] - a[kWarnings],
    slowest: (a, b) => b[kSeconds] - a[kSeconds],
    memory: (a, b) => b[kMemory] - a[kMemory],
    warnings: (a, b) => b[kWarnings] - a[kWarnings],
  };
  // Sorted once for each order; equal rows by name.
  data.sort(orders.name);
  const sorted = { name: data };
  const lower = new Map(data.map((row) => [row, (row[kName] + " " + row[kWhy]).toLowerCase()]));
  let state = "";
  let rows = data;

  const element = (name, cls, text) => {
    const e = document.createElement(name);
    if (cls) e.className = cls;
    if (text) e.textContent = text;
    return e;
  };
  const place = (name, file) =>
    ["items", ...name.split("/"), file].map((part) => encodeURIComponent(part)).join("/");
  const link = (text, name, file) => {
    const a = element("a", "", text);
    a.href = place(name, file);
    return a;
  };

  function makeItem(row) {
    const item = element("div", "item");
    item.setAttribute("role", "listitem");
    const files = row[kFiles];
    if (files.includes("thumbnail.png")) {
      const image = element("img");
      image.alt = "worst pose of " + row[kName];
      image.decoding = "async";
      image.src = place(row[kName], "thumbnail.png");
      item.append(image);
    } else item.append(element("span", "none"));
    const title = element("div");
    const name = element("b", "", row[kName]);
    name.title = row[kName];
    title.append(name);
    for (const file of files) {
      if (file === "thumbnail.png") continue;
      const text = { "report.html": "report", "viewer.html": "viewer", "report.json": "data" }[file] || file.split(".").pop();
      title.append(link(text, row[kName], file));
    }
    title.append(element("span", "worst", row[kWorst] && "worst: " + row[kWorst]));
    const tone = tones[row[kState]] || "";
    const verdict = element("div");
    verdict.append(element("span", "pill " + tone, (marks[tone] || "") + " " + row[kState]));
    const warnings = row[kWarnings] ? row[kWarnings] + (row[kWarnings] > 1 ? " warnings" : " warning") : "";
    item.append(title, verdict, element("div", "why", [row[kWhy], warnings].filter(Boolean).join(" \u00b7 ")));
    item.append(element("div", "cost", row[kSeconds].toFixed(2) + " s, " + row[kMemory].toFixed(0) + " MB"));
    return item;
  }

  const made = new Map(); // row number -> element, only of rows near the window
  function draw() {
    const height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
    const top = -list.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / height) - 4);
    const last = Math.min(rows.length, Math.ceil((top + innerHeight) / height) + 4);
    for (const [i, e] of made)
      if (i < first || i >= last) {
        e.remove();
        made.delete(i);
      }
    for (let i = first; i < last; ++i) {
      if (made.has(i)) continue;
      const e = makeItem(rows[i]);
      e.style.top = i * height + "px";
      made.set(i, e);
      list.append(e);
    }
    list.style.height = rows.length * height + "px";
  }

  function histogram() {
    const times = rows.map((row) => row[kSeconds]).filter((s) => s > 0);
    const box = get("histogram");
    box.replaceChildren();
    if (times.length === 0) return;
    let low = Infinity, high = 0;
    for (const s of times) {
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    const count = new Array(32).fill(0);
    const span = Math.log(high / low) || 1;
    for (const s of times) ++count[Math.min(31, Math.floor((32 * Math.log(s / low)) / span))];
    const most = Math.max(...count);
    for (const n of count) {
      const bar = element("i");
      bar.style.height = (100 * n) / most + "%";
      bar.title = n + " items";
      box.append(bar);
    }
    get("least").textContent = low.toFixed(2) + " s";
    get("most").textContent = high.toFixed(2) + " s";
  }

  function update() {
    const order = get("order").value;
    sorted[order] ??= [...data].sort(orders[order]);
    const words = get("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    rows = sorted[order].filter(
      (row) => (!state || row[kState] === state) && words.every((word) => lower.get(row).includes(word)),
    );
    for (const e of made.values()) e.remove();
    made.clear();
    get("shown").textContent = rows.length.toLocaleString("en") + " of " + data.length.toLocaleString("en") + " items";
    histogram();
    draw();
  }

  for (const button of document.querySelectorAll("button[data-state]"))
    button.addEventListener("click", () => {
      state = button.dataset.state;
      for (const b of document.querySelectorAll("button[data-state]"))
        b.setAttribute("aria-pressed", String(b === button));
      update();
    });
  get("order").addEventListener("change", update);
  get("search").addEventListener("input", update);
  addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", () => {
    for (const e of made.values()) e.remove();
    made.clear();
    draw();
  });
  update();
})();
)js";
}

} // namespace skincells::page

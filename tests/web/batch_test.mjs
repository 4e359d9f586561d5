// The page over a batch in a real browser: a few real characters, and ten thousand rows. Usage: see harness.mjs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { at, examples, finish, kLaptop, kPhone, onPage, output, picture, program, run, test } from "./harness.mjs";

const kMany = 10000;
const kMostMilliseconds = 3000; // to show, filter or sort ten thousand rows, on a busy machine
const kMostRows = 60; // elements in the document at a time

function batch(expected, ...words) {
  const done = spawnSync(program, ["batch", ...words], { cwd: output, encoding: "utf8" });
  assert.equal(done.status, expected, done.stderr);
}

rmSync(at("few"), { recursive: true, force: true });
rmSync(at("many"), { recursive: true, force: true });
run(examples, at("examples"), "--only", "robot", "--splats", "1");
writeFileSync(at("examples/damaged.glb"), "no character");
batch(6, at("examples"), "-o", at("few"), "--pages", "--views", "--quiet", "--", "bind", "--quality", "draft");

// Lines as a batch would have written them; --merge makes the page.
const states = ["good", "look at it", "bad"];
const lines = [];
const manifest = [];
for (let i = 0; i < kMany; ++i) {
  const item = `crowd/person_${i}`;
  const failed = i % 50 === 7;
  manifest.push(JSON.stringify({ input: `${item}.glb`, name: item }));
  lines.push(
    JSON.stringify({
      item,
      status: failed ? "failed" : "done",
      verdict: failed ? "" : states[i % 3],
      reason: i % 3 ? `stretch_rms 0.${i} (elbow_${i % 10})` : "",
      worst_pose: failed ? "" : `pose ${i % 24}, stretch 0.${100 + (i % 900)}`,
      error: failed ? "crash" : "",
      message: failed ? "</script><b>signal</b>" : "",
      warnings: i % 7 ? [] : ["joints.idle"],
      seconds: 0.1 + (i % 997) / 100,
      cpu_seconds: 0.1,
      memory_mb: 40,
      finished: 1,
      input: `${item}.glb`,
      input_sha256: "",
      options_sha256: "",
      version: "",
      outputs: failed ? [] : [{ name: "report.json", bytes: 1, sha256: "" }],
    }),
  );
}
mkdirSync(at("many"));
writeFileSync(at("many.jsonl"), manifest.join("\n"));
writeFileSync(at("many/batch.jsonl"), lines.join("\n") + "\n");
batch(6, at("many.jsonl"), "-o", at("many"), "--merge", "--quiet");

const rowCount = (page) => page.locator(".item").count();
const shown = (page) => page.textContent("#shown");
const firstName = (page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll(".item")].sort((a, b) => a.offsetTop - b.offsetTop)[0].querySelector("b")
        .textContent,
  );

// Milliseconds that a change of the page takes until it is painted.
const timed = (page, change, argument) =>
  page.evaluate(
    async ([body, value]) => {
      const start = performance.now();
      new Function("value", body)(value);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - start;
    },
    [change, argument],
  );
const search = `const e = document.getElementById("search"); e.value = value; e.dispatchEvent(new Event("input"))`;
const order = `const e = document.getElementById("order"); e.value = value; e.dispatchEvent(new Event("change"))`;

for (const size of [kLaptop, kPhone])
  test(`a small batch at ${size.width} pixels`, () =>
    onPage("few/index.html", size, async (page) => {
      assert.equal(await shown(page), "5 of 5 items");
      const images = page.locator(".item img");
      assert.equal(await images.count(), 4);
      for (const image of await images.all()) {
        await image.evaluate((e) => e.decode());
        assert.ok(await image.evaluate((e) => e.naturalWidth > 50));
      }
      assert.match(await page.textContent(".list"), /invalid_file/);
      assert.equal(await page.locator(".item .worst", { hasText: /^worst: pose \d+, stretch 0\.\d+$/ }).count(), 4);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      await picture(page, `batch_${size.width}`);
    }));

for (const [link, content] of [
  ["report", "h2"],
  ["viewer", "canvas"],
])
  test(`the ${link} page of a character opens`, () =>
    onPage("few/index.html", kLaptop, async (page) => {
      await page.locator(".item", { hasText: "robot_lod2" }).getByText(link, { exact: true }).click();
      await page.waitForSelector(content);
      assert.ok(page.url().endsWith(`few/items/robot_lod2/${link}.html`), page.url());
    }));

test("ten thousand rows: fast, and few of them in the document", () =>
  onPage("many/index.html", kLaptop, async (page) => {
    assert.equal(await shown(page), "10,000 of 10,000 items");
    const times = {
      start: await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd),
      search: await timed(page, search, "person_99"),
    };
    assert.equal(await shown(page), "111 of 10,000 items");
    times.clear = await timed(page, search, "");
    times.sort = await timed(page, order, "slowest");
    assert.equal(await firstName(page), "crowd/person_996");
    times.scroll = await timed(page, "scrollTo(0, value)", 500000);
    assert.ok((await rowCount(page)) > 5);
    assert.ok((await rowCount(page)) < kMostRows);
    await picture(page, "batch_many");
    console.log(`milliseconds: ${JSON.stringify(times, (_, v) => (typeof v === "number" ? Math.round(v) : v))}`);
    for (const [what, time] of Object.entries(times)) assert.ok(time < kMostMilliseconds, `${what}: ${time} ms`);
  }));

test("verdicts filter, and text from files is text", () =>
  onPage("many/index.html", kLaptop, async (page) => {
    await page.locator("button", { hasText: "failed" }).click();
    assert.equal(await shown(page), "200 of 10,000 items");
    assert.match(await page.textContent(".item .why"), /crash: <\/script><b>signal<\/b>/);
    await page.locator("button", { hasText: "look at it" }).click();
    await page.locator("#search").fill("elbow_4");
    assert.match(await shown(page), /^\d+ of 10,000 items$/);
    assert.match(await page.textContent(".item .why"), /elbow_4/);
    assert.equal(await page.locator("#histogram i").count(), 32);
  }));

await finish();

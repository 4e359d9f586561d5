// Report pages in a real browser: complete, and nothing overflows. Usage: see harness.mjs.
import assert from "node:assert/strict";
import {
  at,
  examples,
  expectGolden,
  finish,
  kLaptop,
  kPhone,
  onPage,
  output,
  picture,
  program,
  run,
  test,
} from "./harness.mjs";

run(examples, output, "--only", "robot", "--splats", "1");
run(
  program,
  "bind",
  at("robot.glb"),
  "-o",
  at("bound.glb"),
  "--force",
  "--quiet",
  "--report-page",
  at("bind.html"),
  "--json-file",
  at("bind.json"),
);
run(program, "report", "robot_reference.glb", "-o", at("plain.html"), "--force", "--quiet");
run(
  program,
  "report",
  at("bound.glb"),
  at("robot_reference.glb"),
  "-o",
  at("two.html"),
  "--force",
  "--quiet",
  "--bind-json",
  at("bind.json"),
);

const kAlways = ["How it moves", "Verdict", "Joints", "Coverage"];
const kBindSections = ["Loss", "Ranges of motion", "Options and timings"];
const kPages = {
  "bind.html": [...kAlways, ...kBindSections],
  "plain.html": [...kAlways, "Defects"],
  "two.html": [...kAlways, ...kBindSections, "Defects", "Against the first skin"],
};

// Elements that overflow the window, except inside scroll boxes.
const overflow = (page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll("main *")].filter(
      (e) => !e.closest(".scroll") && e.getBoundingClientRect().right > innerWidth + 0.5,
    );
    return {
      page: document.documentElement.scrollWidth - innerWidth,
      boxes: boxes.map((e) => e.outerHTML.slice(0, 120)),
    };
  });

for (const [name, sections] of Object.entries(kPages))
  for (const size of [kLaptop, kPhone])
    test(`${name} at ${size.width} pixels`, () =>
      onPage(name, size, async (page) => {
        assert.deepEqual(
          await page
            .locator("h2")
            .allTextContents()
            .then((found) => sections.filter((s) => !found.includes(s))),
          [],
        );
        for (const details of await page.locator("details").all()) await details.evaluate((e) => (e.open = true));
        assert.deepEqual(await overflow(page), { page: 0, boxes: [] });
        for (const image of await page.locator("img").all()) {
          assert.ok(await image.evaluate((e) => e.complete && e.naturalWidth > 100));
          assert.ok((await image.getAttribute("alt")).length > 0);
        }
        await picture(page, `${name.replace(".html", "")}_${size.width}`, { fullPage: true });
      }));

test("on a phone only long tables of numbers scroll sideways", () =>
  onPage("two.html", kPhone, async (page) => {
    const sideways = await page.evaluate(() =>
      [...document.querySelectorAll(".scroll")]
        .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
        .map((e) => e.closest(".card").querySelector("h2").textContent),
    );
    assert.deepEqual(
      sideways.filter((heading) => heading !== "Against the first skin"),
      [],
    );
    const columns = await page.evaluate(() =>
      [...document.querySelectorAll(".grid")].map((e) => getComputedStyle(e).gridTemplateColumns.split(" ").length),
    );
    assert.ok(columns.length >= 5 && columns.every((n) => n === 2), `${columns}`);
  }));

test("metrics first, the loss visible, long tables folded", () =>
  onPage("bind.html", kLaptop, async (page) => {
    assert.equal(await page.locator("h2").first().textContent(), "Verdict");
    assert.ok(await page.locator("section", { hasText: "steps, loss from" }).locator("svg.plot").first().isVisible());
    assert.ok(await page.locator("summary", { hasText: "Deforming (" }).isVisible());
    assert.doesNotMatch(await page.textContent("main"), / 0 %/);
  }));

test("a verdict, thresholds, left-out joints, options and timings in words", () =>
  onPage("bind.html", kLaptop, async (page) => {
    assert.match(await page.textContent(".verdict"), /good|look at it|bad/);
    const text = await page.textContent("main");
    for (const wanted of [
      /good up to/,
      /bad beyond/,
      /Left out/,
      /ik_foot\.L/,
      /--max-influences/,
      /total/,
      /held-out poses/,
      /ranges of motion/,
    ])
      assert.match(text, wanted);
  }));

test("matches the golden picture", () =>
  onPage("plain.html", kPhone, async (page) => expectGolden(await picture(page, "report_phone"))));

await finish();

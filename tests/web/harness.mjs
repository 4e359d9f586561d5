// Shared by the browser tests: programs under test, pages and pictures.
//   node SOME_test.mjs SOURCE_DIR PROGRAM EXAMPLES_PROGRAM PROBE OUTPUT_DIR
// Pictures are written to OUTPUT_DIR. SKINCELLS_UPDATE_GOLDEN=1 updates the golden ones. SKINCELLS_WEB_TEST=REGEX runs
// only the tests whose names match.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, openPage, pictureDifference, settle } from "./browser.mjs";

export const kLaptop = { width: 1440, height: 900 };
export const kPhone = { width: 390, height: 844 };
const kPictureTolerance = 4; // mean difference, 0 .. 255

export const [source, program, examples, probe, output] = process.argv.slice(2).map((p) => path.resolve(p));
export const at = (name) => path.join(output, name);
mkdirSync(output, { recursive: true });
export const browser = await launch(source);

// Runs in OUTPUT_DIR, so that pages show file names without folders.
export function run(...words) {
  const done = spawnSync(words[0], words.slice(1), { cwd: output, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(done.status, 0, `${words.join(" ")}\n${done.stderr}`);
  return done.stdout;
}

// Opens a page of OUTPUT_DIR. Network requests and console messages fail the test.
export async function onPage(name, size, body, prepare) {
  const { page, troubles } = await openPage(browser, pathToFileURL(at(name)).href, size, prepare);
  await body(page, troubles);
  assert.deepEqual(troubles, []);
  await page.close();
}

// Calls a function in the page, with the viewer and an argument. It sees nothing of the test program.
export const viewer = (page, body, argument) =>
  page.evaluate(`(${body})(skincells.viewer, ${JSON.stringify(argument ?? null)})`);

// Share of each visible pane that its character takes, horizontally and vertically; above 1 where it is cut off.
export const extents = (page) =>
  page.evaluate(() => {
    const { characters, stage } = skincells.viewer;
    stage.camera.updateMatrixWorld();
    const product = stage.camera.projectionMatrix.clone().multiply(stage.camera.matrixWorldInverse).elements;
    return characters.visible.map((character) => {
      const p = character.model.posedPositions();
      const row = (i, r) => product[r] * p[i] + product[4 + r] * p[i + 1] + product[8 + r] * p[i + 2] + product[12 + r];
      const most = [0, 0];
      for (let i = 0; i < p.length; i += 3)
        for (const r of [0, 1]) most[r] = Math.max(most[r], Math.abs(row(i, r) / row(i, 3)));
      return most;
    });
  });

export async function drop(page, bytes, name, withShift = false) {
  await page.evaluate(
    ([text, n, shiftKey]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], n));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, shiftKey }));
    },
    [bytes.toString("base64"), name, withShift],
  );
}

export async function picture(page, name, options = {}) {
  await settle(page);
  await page.screenshot({ path: at(`${name}.png`), ...options });
  return at(`${name}.png`);
}

export async function expectGolden(file) {
  const golden = path.join(source, "tests/web/golden", path.basename(file));
  if (process.env.SKINCELLS_UPDATE_GOLDEN) return copyFileSync(file, golden);
  assert.ok(existsSync(golden), `${golden} is missing`);
  const difference = await pictureDifference(browser, golden, file);
  assert.ok(difference < kPictureTolerance, `${file} differs from the golden picture by ${difference.toFixed(2)}`);
}

// Compares posed positions and metrics of the page's first character with those of the library.
export async function expectLibrary(page, what, ...words) {
  const expected = JSON.parse(run(probe, ...words));
  const found = await page.evaluate(() => ({ sections: skincells.positions(0), metrics: skincells.metrics(0) }));
  assert.equal(found.sections.length, expected.sections.length);
  found.sections.forEach((section, i) => {
    assert.equal(section.positions.length, expected.sections[i].positions.length);
    let worst = 0;
    section.positions.forEach((x, k) => (worst = Math.max(worst, Math.abs(x - expected.sections[i].positions[k]))));
    assert.ok(worst < 2e-5 * expected.diagonal, `${what}: section ${i} is off by ${worst}`);
  });
  // One edge of the biped in one pose is 0.003 %: it may be rounded to the other side of a limit.
  const slack = (name, value) => Math.max(0.01 * Math.max(value, 0.05), name.endsWith("Percent") ? 0.004 : 0);
  for (const [name, value] of Object.entries(expected.numbers))
    assert.ok(
      Math.abs(found.metrics[name] - value) < slack(name, value),
      `${what} ${name}: ${found.metrics[name]} instead of ${value}`,
    );
}

const tests = [];
const wanted = new RegExp(process.env.SKINCELLS_WEB_TEST ?? "");
export const test = (name, body) => {
  if (wanted.test(name)) tests.push({ name, body });
};

// Runs the registered tests and exits.
export async function finish() {
  let failed = 0;
  for (const { name, body } of tests) {
    try {
      await body();
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  console.log(
    `${tests.length - failed} of ${tests.length} passed; pictures in ${path.relative(process.cwd(), output)}`,
  );
  process.exit(failed > 0 ? 1 : 0);
}

// A headless Chromium for the tests, and comparing pictures in it.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const kFlags = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];
const kPlaces = [process.env.SKINCELLS_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

// Exits the test program as skipped, or as failed in CI.
function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(process.env.CI ? 1 : 77);
}

export async function launch(source) {
  const program = kPlaces.find((p) => p && existsSync(p));
  if (!program) skip("there is no chromium (make setup installs it)");
  let playwright;
  try {
    playwright = createRequire(path.join(source, "web/package.json"))("playwright-core");
  } catch {
    skip("the npm package playwright-core is not installed in web/ (make setup)");
  }
  return playwright.chromium.launch({ executablePath: program, headless: true, args: kFlags, timeout: 120000 });
}

// A page that records problems: console messages and network requests. `prepare` is a function that runs in the page
// before its scripts.
export async function openPage(browser, address, size, prepare) {
  const phone = size.width < 600;
  const page = await browser.newPage({ viewport: size, hasTouch: phone, isMobile: phone });
  page.setDefaultTimeout(120000);
  if (prepare) await page.addInitScript(prepare);
  const troubles = [];
  page.on("console", (m) => {
    if (m.type() === "error" || m.type() === "warning") troubles.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => troubles.push(`error: ${e.message}`));
  page.on("request", (r) => {
    if (!/^(data|blob|file):/.test(r.url()) && r.url() !== address) troubles.push(`request: ${r.url()}`);
  });
  await page.goto(address);
  // Pages without characters, like reports, are ready at once.
  await page.waitForFunction(
    () => document.documentElement.dataset.state === "ready" || !document.getElementById("skincells-characters"),
  );
  return { page, troubles };
}

// Waits until the picture is up to date.
export async function settle(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
}

// Number of clearly different colors in a picture.
export async function colorCount(browser, file) {
  const page = await browser.newPage();
  const count = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4)
        seen.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
      return seen.size;
    },
    `data:image/png;base64,${readFileSync(file).toString("base64")}`,
  );
  await page.close();
  return count;
}

// Mean difference of two PNG files, 0 .. 255, compared at a small size to ignore edges and fonts.
export async function pictureDifference(browser, a, b) {
  const page = await browser.newPage();
  const sources = [a, b].map(
    (f) => `data:image/png;base64,${(typeof f === "string" ? readFileSync(f) : f).toString("base64")}`,
  );
  const difference = await page.evaluate(async ([one, two]) => {
    const pixels = async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = 160;
      canvas.height = Math.round((160 * image.height) / image.width);
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [p, q] = [await pixels(one), await pixels(two)];
    if (p.length !== q.length) return 255;
    let sum = 0;
    for (let i = 0; i < p.length; ++i) sum += Math.abs(p[i] - q[i]);
    return sum / p.length;
  }, sources);
  await page.close();
  return difference;
}

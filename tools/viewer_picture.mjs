// A picture of the viewer for the documentation: node viewer_picture.mjs PAGE.html OUTPUT.png
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage, settle } from "../tests/web/browser.mjs";

const [input, output] = process.argv.slice(2).map((p) => path.resolve(p));
const browser = await launch(path.resolve(path.dirname(fileURLToPath(import.meta.url)), ".."));
const { page } = await openPage(browser, pathToFileURL(input).href, { width: 1280, height: 760 });
await page.click("[data-mode=weights]");
await page.click("[data-tab=Joints]");
await page.click("[data-joint='thigh.L']");
await page.locator(".turn input").first().fill("-40");
await settle(page);
await page.screenshot({ path: output });
await browser.close();

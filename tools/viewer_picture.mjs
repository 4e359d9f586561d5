// Pictures of the viewer for the documentation: node viewer_picture.mjs PAGE.html VIEWER.png CELLS.png
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage, settle } from "../tests/web/browser.mjs";

const [input, viewer, cells] = process.argv.slice(2).map((p) => path.resolve(p));
const browser = await launch(path.resolve(path.dirname(fileURLToPath(import.meta.url)), ".."));
const { page } = await openPage(browser, pathToFileURL(input).href, { width: 1280, height: 760 });
await page.click("[data-mode=weights]");
await page.keyboard.press("l");
await page.click("[data-tab=Joints]");
await page.click("[data-joint='thigh.L']");
await page.locator(".turn input").first().fill("-40");
await settle(page);
await page.screenshot({ path: viewer });
// One cell and its sites: nothing but the character, in bind pose.
await page.locator("[data-tab=Show]").click();
for (const key of ["0", "s", "h", "b"]) await page.keyboard.press(key);
await page.click("[data-side=front]");
await settle(page);
const stage = await page.locator(".stage").boundingBox();
const width = 420;
await page.screenshot({
  path: cells,
  clip: { x: stage.x + (stage.width - width) / 2, y: stage.y, width, height: stage.height },
});
await browser.close();

// Compiles modules of the page for unit tests, which run in Node without a browser.
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../web");
export const source = path.join(web, "src");

// Exports of modules under web/src and of "three", all in one object: load("model/skinning", "three").
export async function load(...names) {
  const esbuild = createRequire(path.join(web, "package.json"))("esbuild");
  const specifiers = names.map((name) => (name === "three" ? name : `./src/${name}`));
  const built = await esbuild.build({
    stdin: { contents: specifiers.map((s) => `export * from "${s}";`).join("\n"), resolveDir: web, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}

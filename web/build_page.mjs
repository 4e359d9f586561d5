// Builds the viewer page and writes it as a C++ source: node build_page.mjs OUTPUT.cpp WORK_FOLDER
//
// Installs the npm packages first if node_modules does not match package-lock.json, for builds without tools/setup.sh.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const web = path.dirname(fileURLToPath(import.meta.url));
const [output, work] = process.argv.slice(2).map((p) => path.resolve(p));
const lock = path.join(web, "package-lock.json");
const stamp = path.join(web, "node_modules/.installed-lock.json");

function run(program, ...words) {
  const done = spawnSync(program, words, { cwd: web, stdio: ["ignore", "inherit", "inherit"] });
  if (done.status === 0) return;
  console.error(`web: '${program} ${words[0]}' failed; cmake -DSKINCELLS_BUILD_VIEWER=OFF builds without the viewer`);
  process.exit(1);
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

// Bytes as adjacent string literals. Octal escapes of three digits are safe before any character.
function literal(bytes) {
  const kLine = 1024;
  const lines = [];
  for (let at = 0; at < bytes.length; at += kLine) {
    let line = "";
    for (const byte of bytes.subarray(at, at + kLine)) {
      const c = String.fromCharCode(byte);
      const plain = byte >= 32 && byte < 127 && c !== '"' && c !== "\\" && c !== "?"; // "??" may start a trigraph
      line += plain ? c : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`    "${line}"`);
  }
  return lines.length > 0 ? lines.join("\n") : '""';
}

function source(page) {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  if (!policy) throw new Error("the page declares no content security policy");
  if (!page.includes('id="skincells-characters">null<')) throw new Error("the page has no place for characters");
  return `// Made by web/build_page.mjs from web/.
#include "viz/viewer/page_template.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace skincells::viewer {

std::string_view pageTemplate() {
  static constexpr char kPage[] =
${literal(Buffer.from(page))};
  return {kPage, sizeof kPage - 1};
}
std::string_view pagePolicy() {
  return
${literal(Buffer.from(policy))};
}

} // namespace skincells::viewer
`;
}

if (textOf(lock) !== textOf(stamp)) {
  run("npm", "install", "--no-save", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline");
  copyFileSync(lock, stamp);
}
mkdirSync(work, { recursive: true });
run(
  process.execPath,
  "node_modules/vite/bin/vite.js",
  "build",
  "--logLevel",
  "warn",
  "--emptyOutDir",
  "--outDir",
  work,
);
writeFileSync(output, source(readFileSync(path.join(work, "index.html"), "utf8")));

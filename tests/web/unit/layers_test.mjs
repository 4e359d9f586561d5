// Folders of the page import only from folders below them: panels use the state, the state uses no panel.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { source } from "./modules.mjs";

const kFolders = ["payload.ts", "model", "load", "paint", "state", "stage", "viewer.ts", "ui"]; // lowest first
const kTop = ["main.ts", "test_access.ts"]; // import everything

const rankOf = (file) => kFolders.findIndex((f) => f === file || file.startsWith(`${f}/`));

test("imports go down", () => {
  const files = readdirSync(source, { recursive: true }).filter((f) => f.endsWith(".ts"));
  assert.ok(files.length > 30);
  for (const file of files.filter((f) => !kTop.includes(f))) {
    assert.ok(rankOf(file) >= 0, `${file} is in no known folder`);
    for (const [, name] of readFileSync(path.join(source, file), "utf8").matchAll(/from "(\.[^"]*)"/g)) {
      const imported = `${path.join(path.dirname(file), name)}.ts`;
      assert.ok(rankOf(imported) <= rankOf(file), `${file} imports ${imported}`);
    }
  }
});

// Tests of tools/validator/validate.mjs: a valid file, a broken one, and the comparison with an input.
// Usage: node validate_test.mjs SOURCE_DIR
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const script = path.join(process.argv[2], "tools/validator/validate.mjs");
const probe = spawnSync(process.execPath, [script, "no-such-file.glb"], { encoding: "utf8" });
if (probe.status === 77) {
  console.log(probe.stderr);
  process.exit(77);
}
const folder = mkdtempSync(path.join(tmpdir(), "skincells_validate_"));

function validate(...words) {
  const run = spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: "utf8" });
  return { code: run.status, lines: run.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)) };
}

// One triangle in an external buffer; its bounds are wrong when `max_x` is not 1.
function triangle(max_x) {
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [max_x, 1, 0] },
    ],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ uri: "triangle%20points.bin", byteLength: 36 }],
  };
}

function write(name, document) {
  writeFileSync(path.join(folder, name), JSON.stringify(document));
}

try {
  const points = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  writeFileSync(path.join(folder, "triangle points.bin"), Buffer.from(points.buffer));
  write("good.gltf", triangle(1));
  write("bad.gltf", triangle(2));
  const worse = triangle(2);
  worse.nodes[0].mesh = 7;
  write("worse.gltf", worse);

  const good = validate("good.gltf");
  assert.equal(good.code, 0);
  assert.deepEqual(good.lines, [{ file: "good.gltf", errors: [], warnings: [] }]);

  const bad = validate("bad.gltf", "good.gltf");
  assert.equal(bad.code, 1);
  assert.equal(bad.lines.length, 2);
  assert.deepEqual(bad.lines[0].errors.map((issue) => issue.code), ["ACCESSOR_MAX_MISMATCH"]);
  assert.equal(bad.lines[0].errors[0].pointer, "/accessors/0/max/0");

  assert.equal(validate("--against", "bad.gltf", "bad.gltf").code, 0);
  const more = validate("--against", "bad.gltf", "worse.gltf");
  assert.equal(more.code, 1);
  assert.deepEqual(more.lines[0].errors.map((issue) => issue.code), ["UNRESOLVED_REFERENCE"]);

  // A second issue of a known code is new all the same.
  const twice = triangle(2);
  twice.accessors[0].max[1] = 3;
  write("twice.gltf", twice);
  assert.equal(validate("--against", "bad.gltf", "twice.gltf").lines[0].errors.length, 1);

  writeFileSync(path.join(folder, "pairs.txt"), "bad.gltf\tworse.gltf\n\tgood.gltf\nbad.gltf\tbad.gltf\n");
  const pairs = validate("--pairs", "pairs.txt");
  assert.equal(pairs.code, 1);
  assert.deepEqual(pairs.lines.map((line) => line.errors.length), [1, 0, 0]);

  assert.equal(validate("missing.glb").code, 2);
  assert.equal(validate().code, 2);
  assert.equal(validate("--against").code, 2);
  console.log("validate.mjs: all fine");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

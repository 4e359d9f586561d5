// Files of many kinds in the viewer, and the work for a large one. Usage: see harness.mjs.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pictureDifference, settle } from "./browser.mjs";
import { glbOf, partsOf, tubeGlb } from "./glb_maker.mjs";
import {
  at,
  browser,
  drop,
  examples,
  expectLibrary,
  finish,
  kLaptop,
  onPage,
  output,
  picture,
  probe,
  program,
  run,
  test,
  viewer,
} from "./harness.mjs";

run(path.join(path.dirname(probe), "web_samples"), output);
run(examples, output, "--only", "biped_apose", "--splats", "1");
run(
  program,
  "bind",
  at("biped_apose.glb"),
  "-o",
  at("eight.glb"),
  "--force",
  "--quiet",
  "--method",
  "heat",
  "--max-influences",
  "8",
);

const view = (name, ...words) =>
  run(program, "view", at(name), "-o", at(`${name}.html`), "--no-open", "--force", "--quiet", ...words);

// Opens a file through the program, turns a joint, compares with the library and checks that something is drawn.
async function expectOpens(name, joint) {
  view(name);
  await onPage(`${name}.html`, kLaptop, async (page) => {
    assert.ok(await page.locator(".message.error").isHidden());
    await page.evaluate((j) => skincells.turn(j, 0, 50), joint);
    await expectLibrary(page, name, at(name), joint, "0", "50");
    await viewer(page, (v) => {
      v.view.toggle("skeleton");
      v.view.toggle("handles");
      v.view.setMode("dominant");
    });
    const drawn = await picture(page, name);
    await viewer(page, (v) => {
      v.characters.all[0].model.root.visible = false;
      v.stage.invalidate();
    });
    assert.ok((await pictureDifference(browser, drawn, await picture(page, "without"))) > 0.3, "nothing is drawn");
  });
}

test("a file with Draco compression", () => expectOpens("draco.glb", "joint2"));
test("eight influences per vertex", async () => {
  await expectOpens("eight.glb", "upper_arm.L");
  const { json } = partsOf(readFileSync(at("eight.glb")));
  assert.ok("WEIGHTS_1" in json.meshes[0].primitives[0].attributes);
});
test("a skinned file of another format", () => expectOpens("tetrahedron.dae", "B"));
test("an FBX file", () => expectOpens("triangle.fbx", "bone"));

test("a VRM file", async () => {
  const { json, binary } = partsOf(tubeGlb({ joints: 4, levels: [{ rings: 20, sides: 12 }] }));
  json.extensionsUsed = ["VRM"];
  json.extensions = {
    VRM: {
      specVersion: "0.0",
      humanoid: {
        humanBones: [
          { bone: "hips", node: 0 },
          { bone: "spine", node: 1 },
        ],
      },
    },
  };
  writeFileSync(at("tube.vrm"), glbOf(json, binary));
  await expectOpens("tube.vrm", "joint2");
  await onPage("tube.vrm.html", kLaptop, async (page) => {
    assert.match(await viewer(page, (v) => v.characters.all[0].info.format), /VRM/);
  });
});

test("the scale of influences covers the largest number", async () => {
  for (const [name, most] of [
    ["draco.glb", 4],
    ["eight.glb", 8],
  ])
    await onPage(`${name}.html`, kLaptop, async (page) => {
      await page.click("[data-mode=influences]");
      assert.equal(await page.locator(".ticks span").count(), most);
    });
});

// Node transforms in files with clips are often those of a frame in mid-clip; here the character lies on its back.
test("a lying character opens upright in bind pose, and not all black", async () => {
  const { json, binary } = partsOf(tubeGlb({ joints: 4, levels: [{ rings: 20, sides: 12 }] }));
  json.nodes[0].rotation = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  ["foot", "hips", "spine", "head"].forEach((name, j) => (json.nodes[j].name = name));
  json.materials = [{ pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] } }];
  json.meshes[0].primitives[0].material = 0;
  writeFileSync(at("lying.glb"), glbOf(json, binary));
  await expectOpens("lying.glb", "spine");
  await onPage("lying.glb.html", kLaptop, async (page) => {
    const size = await viewer(page, (v) => {
      const b = v.characters.all[0].model.bounds();
      return b.max.clone().sub(b.min).toArray();
    });
    assert.ok(size[1] > 3.9 && size[2] < 1.1, `a box of ${size}`);
    assert.ok((await viewer(page, (v) => v.characters.all[0].model.sections[0].mesh.material.color.r)) > 0.1);
    await page.keyboard.press("n");
    assert.match(await page.textContent(".pose-label"), /rest pose/);
  });
});

test("a dozen separate parts", async () => {
  writeFileSync(at("dozen.glb"), tubeGlb({ joints: 4, levels: [{ rings: 12, sides: 10, tubes: 12 }] }));
  view("dozen.glb");
  await onPage("dozen.glb.html", kLaptop, async (page) => {
    await page.click("[data-mode=islands]");
    assert.match(await page.textContent(".legend"), /Connected parts: 12/);
    assert.equal(await page.locator(".legend li").count(), 8); // the largest
    await picture(page, "islands");
  });
});

test("levels of detail in one file and in several", () =>
  onPage("dozen.glb.html", kLaptop, async (page) => {
    await drop(
      page,
      tubeGlb({
        joints: 4,
        levels: [
          { rings: 40, sides: 20 },
          { rings: 20, sides: 10 },
          { rings: 10, sides: 5 },
        ],
      }),
      "levels.glb",
    );
    await page.waitForFunction(() => skincells.viewer.characters.all.length === 3);
    assert.deepEqual(await viewer(page, (v) => v.characters.all.map((p) => [p.info.name, p.model.vertexCount])), [
      ["levels.glb LOD 0", 800],
      ["levels.glb LOD 1", 200],
      ["levels.glb LOD 2", 50],
    ]);
    assert.match(
      await page.textContent(".characters"),
      /LOD 0.*800 vertices.*LOD 1.*200 vertices.*LOD 2.*50 vertices/s,
    );
    assert.match(await page.textContent(".top-bar"), /800 vertices/);
    await page.keyboard.press(".");
    assert.match(await page.textContent(".top-bar"), /200 vertices/);
    await page.keyboard.press("r");
    const reach = await viewer(page, (v) =>
      v.characters.all.map((p) =>
        p.model.rig
          .turnOf(2)
          .toArray()
          .map((x) => Math.round(1e5 * x)),
      ),
    );
    assert.notEqual(reach[1][3], 100000);
    await page.keyboard.press("c");
    assert.equal(await viewer(page, (v) => v.characters.visible.length), 3);
    const all = await viewer(page, (v) =>
      v.characters.all.map((p) =>
        p.model.rig
          .turnOf(2)
          .toArray()
          .map((x) => Math.round(1e5 * x)),
      ),
    );
    assert.deepEqual(all[0], all[2]); // one pose for all levels
    await picture(page, "levels");
    await drop(page, tubeGlb({ joints: 4, levels: [{ rings: 30, sides: 9 }] }), "other.glb", true);
    await page.waitForFunction(() => skincells.viewer.characters.all.length === 4);
    assert.match(await page.textContent(".characters"), /other\.glb.*270 vertices/s);
    await page.waitForFunction(() => skincells.viewer.characters.visible.length === 4); // Shift compares
  }));

// Counts uploads to the graphics card.
function countUploads() {
  const counts = { buffers: 0, textures: 0, draws: 0 };
  const prototype = WebGL2RenderingContext.prototype;
  const watch = (name, count) => {
    const original = prototype[name];
    prototype[name] = function (...words) {
      count(words);
      return original.apply(this, words);
    };
  };
  const bytes = (words) => words.reduce((n, w) => n + (ArrayBuffer.isView(w) ? w.byteLength : 0), 0);
  for (const name of ["bufferData", "bufferSubData"]) watch(name, (words) => (counts.buffers += bytes(words)));
  for (const name of ["texImage2D", "texSubImage2D"]) watch(name, (words) => (counts.textures += bytes(words)));
  for (const name of ["drawElements", "drawArrays"]) watch(name, () => ++counts.draws);
  window.uploads = counts;
}

test("100,000 vertices: the graphics card skins, and nothing is computed twice", () =>
  onPage(
    "dozen.glb.html",
    kLaptop,
    async (page) => {
      const kVertices = 100000;
      const kJoints = 20;
      const kPoses = 5;
      const kSmall = 65536; // bytes per pose, for skeleton and handles
      await drop(page, tubeGlb({ joints: kJoints, levels: [{ rings: 500, sides: 200 }] }), "large.glb");
      await page.waitForFunction((n) => skincells.viewer.characters.all[0]?.model.vertexCount === n, kVertices);
      await settle(page);
      // How often the page skinned on the CPU, and what it uploaded, over some poses.
      const work = (mode) =>
        page.evaluate(
          async ([m, poses]) => {
            const { viewer } = skincells;
            const { model } = viewer.characters.all[0];
            const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            viewer.view.setMode(m);
            await frame();
            let skinned = 0;
            const original = model.posedPositions.bind(model);
            model.posedPositions = () => {
              if (!model.fresh) ++skinned;
              return original();
            };
            const before = { ...window.uploads };
            for (let i = 1; i <= poses; ++i) {
              skincells.turn("joint3", 0, 5 * i);
              await frame();
            }
            delete model.posedPositions;
            return {
              skinned,
              buffers: window.uploads.buffers - before.buffers,
              textures: window.uploads.textures - before.textures,
            };
          },
          [mode, kPoses],
        );
      for (const mode of ["material", "weights", "dominant"]) {
        const done = await work(mode);
        assert.equal(done.skinned, 0, `${mode}: the page skinned ${done.skinned} times`);
        assert.ok(done.buffers < kPoses * kSmall, `${mode}: ${done.buffers} bytes of vertices uploaded`);
        assert.ok(
          done.textures > 0 && done.textures < kPoses * kSmall,
          `${mode}: ${done.textures} bytes of joints uploaded`,
        );
      }
      for (const mode of ["stretch", "flipped", "volume"]) {
        const done = await work(mode);
        assert.equal(done.skinned, kPoses, `${mode}: skinned ${done.skinned} times for ${kPoses} poses`);
        const colors = 12 * kVertices * kPoses; // three floats per vertex and pose
        assert.ok(
          done.buffers >= colors && done.buffers < colors + kPoses * kSmall,
          `${mode}: ${done.buffers} bytes uploaded instead of ${colors}`,
        );
      }
      // Measuring reuses its arrays.
      const kept = await page.evaluate(() => {
        const { model } = skincells.viewer.characters.all[0];
        const arrays = () => [
          model.posedPositions(),
          model.shape().edgeLog,
          model.shape().flipped,
          model.shape().vertexStretch(),
        ];
        const before = arrays();
        skincells.turn("joint3", 0, 33);
        return arrays().every((a, i) => a === before[i]);
      });
      assert.ok(kept, "vertex arrays were reallocated for a pose");
      // Without changes nothing is drawn.
      await settle(page);
      const idle = await page.evaluate(async () => {
        const before = window.uploads.draws;
        for (let i = 0; i < 5; ++i) await new Promise((done) => requestAnimationFrame(done));
        return window.uploads.draws - before;
      });
      assert.equal(idle, 0);
    },
    countUploads,
  ));

await finish();

// The viewer in a real browser. Usage: see harness.mjs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { colorCount, openPage, pictureDifference, settle } from "./browser.mjs";
import {
  at,
  browser,
  drop,
  examples,
  expectGolden,
  expectLibrary,
  extents,
  finish,
  kLaptop,
  kPhone,
  onPage,
  output,
  picture,
  program,
  run,
  test,
  viewer,
} from "./harness.mjs";

run(examples, output, "--only", "biped_apose", "--splats", "1");
run(program, "bind", at("biped_apose.glb"), "-o", at("bound.glb"), "--force", "--quiet", "--view", at("bound.html"));
run(program, "bind", at("biped_apose.glb"), "-o", at("nearest.glb"), "--force", "--quiet", "--method", "proximity");
run(program, "view", at("bound.glb"), at("nearest.glb"), "-o", at("two.html"), "--no-open", "--force", "--quiet");

test("opens from disk, makes no requests, and the canvas is not blank", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.keyboard.press("s");
    await settle(page);
    await page.locator(".stage").screenshot({ path: at("stage.png") });
    const drawn = await colorCount(browser, at("stage.png"));
    await viewer(page, (v) => {
      v.characters.all[0].model.root.visible = false;
      v.stage.invalidate();
    });
    await settle(page);
    await page.locator(".stage").screenshot({ path: at("empty.png") });
    const empty = await colorCount(browser, at("empty.png"));
    assert.ok(drawn > empty + 40, `${drawn} colors with the character, ${empty} without`);
    await viewer(page, (v) => {
      v.characters.all[0].model.root.visible = true;
      v.stage.invalidate();
    });
    await expectGolden(await picture(page, "material"));
  }));

test("choosing a joint changes the picture and the legend", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.click("[data-mode=weights]");
    await page.click("[data-tab=Joints]");
    await page.click("[data-joint='thigh.L']");
    assert.match(await page.textContent(".legend"), /Weight of thigh\.L/);
    // A negligible weight looks like none.
    await settle(page);
    const faint = await viewer(page, (v) => {
      const { model } = v.characters.all[0];
      const { slots, joints, weights } = model.rows;
      const colors = skincells.colors(0);
      const joint = model.rig.find("thigh.L");
      const seen = { none: [], faint: [] };
      for (let i = 0; i < model.vertexCount; ++i) {
        let w = 0;
        for (let k = i * slots; k < (i + 1) * slots; ++k) if (joints[k] === joint) w += weights[k];
        if (w < 0.002) seen[w > 0 ? "faint" : "none"].push(colors[3 * i + 1]);
      }
      return Math.max(...seen.faint.map((c) => Math.abs(c - seen.none[0])));
    });
    assert.ok(faint < 0.02, `differs by ${faint}`);
    const one = await picture(page, "weights_thigh");
    await page.click("[data-joint='upper_arm.R']");
    assert.match(await page.textContent(".legend"), /Weight of upper_arm\.R/);
    assert.match(await page.textContent(".detail"), /Deforms\./);
    const two = await picture(page, "weights_arm");
    assert.ok((await pictureDifference(browser, one, two)) > 0.5);
    await expectGolden(one);
    await page.click("[data-joint='head_end']");
    assert.match(await page.textContent(".detail"), /Left out\./);
  }));

test("clicking a joint in the picture selects it, hovering shows weights", () =>
  onPage("bound.html", kLaptop, async (page) => {
    const place = await page.evaluate(() => skincells.screenOf("forearm.L"));
    await page.mouse.click(place.x, place.y);
    assert.equal(await viewer(page, (v) => v.view.joint), "forearm.L");
    const chest = await page.evaluate(() => skincells.screenOf("chest"));
    await page.mouse.move(chest.x + 12, chest.y + 12);
    await page.waitForSelector(".tooltip:not([hidden])");
    const weights = (await page.locator(".tooltip .number").allTextContents()).map((text) =>
      Number(text.replace("<", "")),
    );
    assert.ok(weights.length >= 1 && weights.length <= 4);
    assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 0.003, `weights ${weights}`);
  }));

test("a turned joint moves vertices as in the library", () =>
  onPage("bound.html", kLaptop, async (page) => {
    for (const [joint, axis, degrees] of [
      ["upper_arm.L", 0, 60],
      ["shin.R", 2, -75],
      ["spine", 1, 40],
    ]) {
      await viewer(page, (v) => v.pose.reset());
      await page.evaluate(([j, a, d]) => skincells.turn(j, a, d), [joint, axis, degrees]);
      await expectLibrary(page, joint, at("bound.glb"), joint, String(axis), String(degrees));
    }
  }));

test("random poses equal those of the library", async () => {
  run(program, "view", at("biped_apose_reference.glb"), "-o", at("reference.html"), "--no-open", "--force", "--quiet");
  for (const [name, file, rom] of [
    ["reference.html", "biped_apose_reference.glb", "auto"],
    ["bound.html", "bound.glb", "generic"],
  ])
    await onPage(name, kLaptop, async (page) => {
      for (let index = 0; index < 3; ++index) {
        await page.keyboard.press("r");
        assert.equal(await page.textContent(".pose-label"), `random pose ${index}`);
        await expectLibrary(page, `${name} ${index}`, at(file), "--random", String(index), rom);
      }
    });
  await onPage("reference.html", kLaptop, async (page) => {
    await page.click("[data-tab=Joints]");
    await page.click("[data-joint='shin.L']");
    assert.match(await page.textContent(".detail"), /in random poses \(left lower leg\)/);
  });
});

test("skin cells of a field: given, inside the file, beside it", async () => {
  // The page evaluates points in space, which have no normals.
  const bindPlain = (name, ...words) =>
    run(program, "bind", at("biped_apose.glb"), "-o", at(name), "--force", "--quiet", "--normals", "false", ...words);
  bindPlain("holder.glb", "--field", at("apart.skc"), "--embed-field");
  bindPlain("beside.glb", "--field", at("beside.skc"));
  bindPlain("plain.glb");
  const page = (name, ...words) =>
    run(program, "view", at(name), "-o", at("cells.html"), "--no-open", "--force", "--quiet", ...words);
  for (const words of [["plain.glb", "--from-field", at("apart.skc")], ["holder.glb"], ["beside.glb"]]) {
    page(...words);
    await onPage("cells.html", kLaptop, async (p) => {
      await p.click("[data-mode=weights]");
      await p.click("[data-tab=Joints]");
      await p.click("[data-joint='thigh.L']");
      await p.click("[data-tab=Show]");
      assert.equal(await p.getAttribute("[data-overlay=cell]", "aria-pressed"), "false");
      await p.click("[data-overlay=cell]");
      await settle(p);
      assert.match(await p.textContent(".legend"), /sites.*above one half/s);
      const cell = await p.evaluate(() => skincells.cell(0));
      assert.ok(cell.sites >= 1 && cell.triangles > 100 && cell.span < 0.6, JSON.stringify(cell));
      // The field gives the weights of the file.
      const { close, count } = await p.evaluate(() => skincells.fieldAgainstWeights(0, "thigh.L"));
      assert.ok(close > 0.99 * count && count > 1000, `${close} of ${count} vertices`);
      // An unbounded region is drawn only around what the joint dominates.
      await viewer(p, (v) => v.view.selectJoint("head"));
      await settle(p);
      const head = await p.evaluate(() => skincells.cell(0));
      assert.ok(head.triangles > 100 && head.span < 0.5, JSON.stringify(head));
      await viewer(p, (v) => v.view.selectJoint("thigh.L"));
      const shown = await picture(p, "cell_on");
      await p.keyboard.press("l");
      const hidden = await picture(p, "cell_off");
      assert.ok((await pictureDifference(browser, shown, hidden)) > 0.2);
    });
  }
  page("bound.glb");
  await onPage("cells.html", kLaptop, async (p) => assert.ok(await p.locator("[data-overlay=cell]").isHidden()));
});

test("sliders and handles turn the selected joint", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.click("[data-tab=Joints]");
    await page.click("[data-joint='forearm.R']");
    const before = await page.evaluate(() => skincells.positions(0)[0].positions);
    await page.locator(".turn input").first().fill("50");
    const after = await page.evaluate(() => skincells.positions(0)[0].positions);
    assert.ok(before.some((x, i) => Math.abs(x - after[i]) > 0.01));
    assert.equal(
      await viewer(page, (v) => Math.round(v.pose.current.turns.get("forearm.R").x * 1000)),
      Math.round(1000 * Math.sin((25 * Math.PI) / 180)),
    );
    await page.keyboard.press("0");
    const reset = await page.evaluate(() => skincells.positions(0)[0].positions);
    assert.ok(before.every((x, i) => Math.abs(x - reset[i]) < 1e-6));
  }));

test("playback advances and the timeline seeks", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.click(".play");
    await page.waitForFunction(() => skincells.viewer.pose.time > 0.05);
    await page.click(".play");
    const time = await viewer(page, (v) => v.pose.time);
    await page.locator(".timeline").fill("0.5");
    assert.notEqual(time, 0.5);
    assert.equal(await viewer(page, (v) => v.pose.time), 0.5);
    const walking = await page.evaluate(() => skincells.positions(0)[0].positions);
    await viewer(page, (v) => v.pose.reset());
    const standing = await page.evaluate(() => skincells.positions(0)[0].positions);
    assert.ok(walking.some((x, i) => Math.abs(x - standing[i]) > 0.02));
  }));

test("the worst pose is found and jumped to", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.click("[data-tab=Quality]");
    await page.waitForSelector(".metrics td");
    assert.equal(await page.locator(".metrics td[title^='good up to']").count(), 5); // thresholds of the library
    assert.match(await page.textContent(".verdict strong"), /good|look at it|bad/); // and its verdict
    await page.click("[data-action=worst]");
    await page.waitForSelector("[data-rank='0']");
    const values = (await page.locator(".ranking .dim").allTextContents()).map(Number);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    await page.click("[data-rank='0']");
    assert.equal(await viewer(page, (v) => v.view.mode), "stretch");
    const metrics = await page.evaluate(() => skincells.metrics(0));
    assert.ok(Math.abs(metrics.stretchRms - values[0]) < 0.001);
    await picture(page, "worst");
  }));

test("confidence: colors and a list of the least sure places, after a bind only", async () => {
  await onPage("bound.html", kLaptop, async (page) => {
    const least = await viewer(page, (v) => {
      const { confidence } = v.characters.all[0].info;
      const sure = confidence.findIndex((c) => c > 0.9);
      confidence.fill(0.9);
      confidence[7] = 0.05; // the example leaves no doubt
      return sure;
    });
    assert.ok(least >= 0, "the bind is sure of some vertices");
    await page.keyboard.press("u");
    assert.match(await page.textContent(".legend"), /Confidence/);
    await settle(page);
    const colors = await page.evaluate(() => Array.from(skincells.colors(0).subarray(0, 30)));
    assert.notDeepEqual(colors.slice(21, 24), colors.slice(0, 3));
    await page.click("[data-tab=Quality]");
    await page.click("[data-list=unsure] button");
    assert.equal(await page.locator("[data-list=unsure] button").count(), 1);
    assert.equal(await viewer(page, (v) => v.view.joint), await page.textContent("[data-list=unsure] .name"));
  });
  await onPage("two.html", kLaptop, async (page) => {
    assert.ok(await page.locator("[data-mode=confidence]").isHidden());
  });
});

test("views, background, parts, test poses, mirror, and a link that shows the same again", async () => {
  let link = "";
  await onPage("bound.html", kLaptop, async (page) => {
    const sideOf = () => viewer(page, (v) => v.stage.camera.side().normalize().toArray());
    for (const [name, axis, sign] of [
      ["front", 2, 1],
      ["back", 2, -1],
      ["left", 0, 1],
      ["right", 0, -1],
      ["top", 1, 1],
    ]) {
      await page.click(`[data-side=${name}]`);
      assert.ok((await sideOf())[axis] * sign > 0.99, `${name}: ${await sideOf()}`);
    }
    const dark = await picture(page, "dark");
    await page.keyboard.press("b");
    assert.ok((await pictureDifference(browser, dark, await picture(page, "light"))) > 40);
    await page.selectOption("select[aria-label='test pose']", { label: "arms up" });
    const hands = () =>
      viewer(page, (v) =>
        ["hand.L", "hand.R"].map((n) => {
          const { rig } = v.characters.all[0].model;
          return rig.joints[rig.find(n)].bone.matrixWorld.elements.slice(12, 15);
        }),
      );
    const head = await viewer(page, (v) => {
      const { rig } = v.characters.all[0].model;
      return rig.joints[rig.find("head")].bone.matrixWorld.elements[13];
    });
    for (const hand of await hands()) assert.ok(hand[1] > head, "hands above the head");
    await page.keyboard.press("r");
    const [left, right] = await hands();
    await page.click("[data-action=mirror]");
    const [newLeft, newRight] = await hands();
    assert.ok(Math.hypot(left[0] + newRight[0], left[1] - newRight[1], left[2] - newRight[2]) < 0.05);
    assert.ok(Math.hypot(right[0] + newLeft[0], right[1] - newLeft[1], right[2] - newLeft[2]) < 0.05);
    await viewer(page, (v) => v.view.selectJoint("thigh.L"));
    await page.click("[data-mode=weights]");
    await viewer(page, (v) => v.stage.showPlace({ center: v.stage.camera.target, normal: v.stage.camera.target }));
    await page.waitForFunction(() => /joint=thigh\.L/.test(location.hash) && /eye=/.test(location.hash));
    await page.waitForTimeout(400);
    link = await page.evaluate(() => location.hash);
    await picture(page, "linked");
  });
  await onPage(`bound.html`, kLaptop, async (page) => {
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    const again = await picture(page, "linked_again");
    assert.ok((await pictureDifference(browser, at("linked.png"), again)) < 1);
    assert.equal(await viewer(page, (v) => v.view.joint), "thigh.L");
    const saved = page.waitForEvent("download");
    await page.keyboard.press("p");
    assert.match((await saved).suggestedFilename(), /\.png$/);
    await viewer(page, (v) => v.pose.reset());
    await page.click("[data-tab=Joints]");
    await page.click("[data-action=sway]");
    await page.waitForFunction(() => {
      const { rig } = skincells.viewer.characters.all[0].model;
      return Math.abs(rig.turnOf(rig.find("thigh.L")).w) < 0.99;
    });
  });
});

test("a body and its garment together in one place, with the joints of both and parts to hide", async () => {
  run(examples, output, "--only", "dancer", "--splats", "1");
  run(program, "bind", at("dancer.glb"), "-o", at("dressed.glb"), "--force", "--quiet", "--method", "proximity");
  const view = (...words) =>
    run(program, "view", ...words, "-o", at("together.html"), "--no-open", "--force", "--quiet");
  view(at("bound.glb"), at("dressed.glb"), "--arrange", "together");
  await onPage("together.html", kLaptop, async (page) => {
    assert.equal(await viewer(page, (v) => v.characters.arrangement), "together");
    const boxes = await page.locator(".pane:not([hidden])").evaluateAll((all) => all.map((e) => e.offsetWidth));
    assert.ok(boxes.length === 2 && boxes[0] === boxes[1] && boxes[0] > 800, `panes ${boxes}`);
    const own = await viewer(page, (v) => {
      const [first, second] = v.characters.all.map((c) => c.model.rig.joints.map((j) => j.name));
      return second.find((name) => !first.includes(name));
    });
    await page.click("[data-tab=Joints]");
    assert.equal(await page.locator(`[data-joint='${own}']`).count(), 1);
    // The dancer's limbs are inside the body in the same place; the first character is inside nothing.
    await page.keyboard.press("i");
    await settle(page);
    const painted = await page.evaluate(() =>
      [0, 1].map((i) => {
        const colors = skincells.colors(i);
        let wrong = 0;
        for (let v = 0; v < colors.length; v += 3) wrong += colors[v] > 0.9 ? 1 : 0;
        return (3 * wrong) / colors.length;
      }),
    );
    assert.ok(painted[0] === 0 && painted[1] > 0.01 && painted[1] < 0.99, `share inside: ${painted}`);
    await page.keyboard.press("1");
    const both = await picture(page, "together");
    await page.click("[data-tab=Show]");
    await page.click("details.group summary");
    assert.ok((await page.locator("[data-part]").count()) >= 2);
    await page.click(".part:last-child .row");
    const less = await picture(page, "part_hidden");
    assert.ok((await pictureDifference(browser, both, less)) > 0.3);
  });
});

test("a garment among the meshes of a character: its numbers, and painted where it is inside", async () => {
  run(examples, output, "--only", "knight");
  run(program, "bind", at("knight.glb"), "-o", at("caped.glb"), "--method", "proximity", "--force", "--quiet");
  const args = ["--garment", "cape", "-o", at("caped.html"), "--no-open", "--force", "--quiet"];
  run(program, "view", at("caped.glb"), ...args);
  await onPage("caped.html", kLaptop, async (page) => {
    await page.click("[data-tab=Quality]");
    const numbers = await page.textContent(".garments");
    assert.match(numbers, /Garment cape.*inside, %.*caped/s);
    // Legs turned aside go through the cape; the body is never painted.
    await viewer(page, (v) => {
      const { rig } = v.characters.active.model;
      for (const leg of ["thigh.L", "thigh.R"])
        v.pose.turnJoint(leg, rig.turnOf(rig.find(leg)).clone().set(0, 0, 0.5, 0.87));
    });
    await page.keyboard.press("i");
    await settle(page);
    const [body, cape] = await page.evaluate(() => {
      const { layers } = skincells.viewer.characters.all[0].info;
      const colors = skincells.colors(0);
      const wrong = [0, 0];
      layers.forEach((layer, v) => (wrong[layer] += colors[3 * v] > 0.9 ? 1 : 0));
      return wrong;
    });
    assert.equal(body, 0);
    assert.ok(cape > 0, `${cape} vertices of the cape are inside`);
  });
});

test("side by side: one camera, one pose", () =>
  onPage("two.html", kLaptop, async (page) => {
    assert.equal(await viewer(page, (v) => v.characters.visible.length), 2);
    const before = await page.evaluate(() => [...skincells.viewer.stage.camera.matrixWorld.elements]);
    const box = await page.locator(".pane").nth(1).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 120, box.y + 90, { steps: 4 });
    await page.mouse.up();
    assert.notDeepEqual(await page.evaluate(() => [...skincells.viewer.stage.camera.matrixWorld.elements]), before);
    const cameras = await viewer(page, (v) => v.stage.panes.map((p) => p.figure.handles.camera.uuid));
    assert.equal(new Set(cameras).size, 1);
    await page.keyboard.press("r");
    const turns = await viewer(page, (v) =>
      v.characters.all.map((p) =>
        p.model.rig
          .turnOf(p.model.rig.find("thigh.L"))
          .toArray()
          .map((x) => Math.round(1e5 * x)),
      ),
    );
    assert.deepEqual(turns[0], turns[1]);
    assert.notEqual(turns[0][3], 100000);
    await page.click("[data-mode=difference]");
    assert.match(await page.textContent(".legend"), /Difference/);
    assert.equal(
      await page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll(".tab-body:not([hidden])")].map((e) => e.scrollWidth - e.clientWidth),
        ),
      ),
      0,
    );
    await picture(page, "difference");
  }));

test("one or several characters fit the picture on every screen", async () => {
  const expectWhole = async (page, panes) => {
    await settle(page);
    const found = await extents(page);
    assert.equal(found.length, panes);
    for (const most of found.map((e) => Math.max(...e)))
      assert.ok(most < 0.95 && most > 0.75, `characters take ${found} of their panes`);
  };
  for (const size of [kLaptop, kPhone])
    await onPage("two.html", size, async (page) => {
      await expectWhole(page, 2);
      await page.keyboard.press("c");
      await expectWhole(page, 1);
      await page.setViewportSize({ width: size.height, height: size.width }); // rotated
      await expectWhole(page, 1);
      // A close-up is not framed again.
      await viewer(page, (v) =>
        v.stage.showPlace({ center: v.stage.camera.target, normal: v.stage.camera.target.setScalar(0) }),
      );
      const before = await viewer(page, (v) => v.stage.camera.position.toArray());
      await page.keyboard.press("c");
      assert.deepEqual(await viewer(page, (v) => v.stage.camera.position.toArray()), before);
      await viewer(page, (v) => v.pose.randomize());
      await page.keyboard.press("f");
      await expectWhole(page, 2); // as posed
    });
});

test("a jump shows the place from any previous side", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await page.click("[data-tab=Quality]");
    await page.click("[data-action=worst]");
    await page.waitForSelector("[data-rank='0']");
    const stage = await page.locator(".stage").boundingBox();
    for (const side of [
      [0, 0, 1],
      [0, 0, -1],
      [1, 0, 0],
      [-1, 0, 0],
    ]) {
      await viewer(
        page,
        (v, side) => {
          v.stage.frameCharacters();
          const { camera } = v.stage;
          camera.position.copy(camera.target);
          camera.position.x += 4 * side[0];
          camera.position.z += 4 * side[2];
          camera.controls.update();
        },
        side,
      );
      await page.click("[data-rank='0']");
      await settle(page);
      await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
      await settle(page);
      const away = await viewer(page, (v) => {
        const { model } = v.characters.all[0];
        const p = model.posedPositions();
        const i = 3 * v.pointer.hover.vertex;
        const t = v.stage.camera.target;
        const b = model.bounds();
        return Math.hypot(p[i] - t.x, p[i + 1] - t.y, p[i + 2] - t.z) / b.min.distanceTo(b.max);
      });
      assert.ok(away < 0.06, `from ${side} the visible surface is ${away} away from the place`);
    }
  }));

test("every listed key has an effect", () =>
  onPage("two.html", kLaptop, async (page) => {
    await page.keyboard.press("?");
    assert.ok(await page.locator(".help .keys").first().isVisible());
    await picture(page, "help");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".help").isHidden());
    await page.click(".help-button");
    await page.click(".help button");
    assert.ok(await page.locator(".help").isHidden());
    const listed = (await page.locator(".keys kbd").allTextContents()).join(" ");
    const state = () =>
      viewer(page, (v) =>
        JSON.stringify([
          v.view.mode,
          v.view.joint,
          v.characters.arrangement,
          v.characters.active.info.name,
          v.pose.playing,
          v.pose.label,
          v.view.overlays,
          v.stage.camera.position.toArray(),
        ]),
      );
    await viewer(page, (v) => {
      v.view.selectJoint("spine");
      v.stage.camera.position.x += 1;
    });
    for (const key of ["r", "m", "n", "r", "0", "3", "[", "]", "s", "h", "l", "w", "b", "t", "c", ".", ",", "c", "f"]) {
      assert.ok(/[0-9]/.test(key) || listed.toLowerCase().includes(key), `${key} is not listed`);
      const before = await state();
      await page.keyboard.press(key);
      assert.notEqual(await state(), before, `${key} did nothing`);
    }
    await page.keyboard.press(" ");
    assert.equal(await viewer(page, (v) => v.pose.playing), true);
  }));

test("a dropped file opens; broken ones give a reason", () =>
  onPage("bound.html", kLaptop, async (page) => {
    await drop(page, Buffer.from("this is not a character at all"), "garbage.glb");
    await page.waitForSelector(".message.error:not([hidden])");
    assert.match(await page.textContent(".message"), /Cannot open garbage\.glb.*not a \.glb/s);
    assert.equal(await viewer(page, (v) => v.characters.all.length), 1); // the open one stays
    await drop(page, readFileSync(at("bound.glb")).subarray(0, 5000), "cut.glb");
    await page.waitForFunction(() => /cut\.glb/.test(document.querySelector(".message").textContent));
    assert.match(await page.textContent(".message"), /truncated/);
    await picture(page, "message");
    await drop(page, readFileSync(at("nearest.glb")), "nearest.glb");
    await page.waitForFunction(() => skincells.viewer.characters.all[0]?.info.name === "nearest.glb");
    assert.ok(await page.locator(".message").isHidden());
  }));

test("fits a phone", () =>
  onPage("bound.html", kPhone, async (page) => {
    await page.click("[data-mode=dominant]");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    const [stage, legend] = [await page.locator(".stage").boundingBox(), await page.locator(".legend").boundingBox()];
    assert.ok(legend.y >= stage.y + stage.height - 1, "the legend hides the character");
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("button, select")]
          .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 39)
          .map((e) => e.textContent),
      );
    for (const tab of ["Joints", "Quality", "File", "Show"]) {
      await page.click(`[data-tab=${tab}]`);
      assert.deepEqual(await small(), [], "too small to touch");
      await picture(page, `phone_${tab.toLowerCase()}`);
    }
    await expectGolden(at("phone_show.png"));
  }));

test("served on this machine only", async () => {
  const server = spawn(program, ["view", at("bound.glb"), "--serve", "--no-open"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      server.stdout.once("data", (data) => resolve(String(data).trim()));
      server.once("exit", () => reject(new Error("the server ended")));
    });
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { page, troubles } = await openPage(browser, address, kLaptop);
    assert.equal(await viewer(page, (v) => v.characters.all.length), 1);
    assert.deepEqual(troubles, []);
    const answer = await fetch(address);
    assert.match(answer.headers.get("content-security-policy"), /default-src 'none'.*frame-ancestors 'none'/);
    for (const wrong of ["bound.glb", "../etc/passwd", "%2e%2e/etc/passwd", "?x"])
      assert.equal((await fetch(address + wrong)).status, 404);
    await page.close();
  } finally {
    server.kill();
  }
});

await finish();

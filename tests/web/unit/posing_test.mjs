// Names without prefixes, mirrored poses, a joint that bends back and forth, named poses.
import assert from "node:assert/strict";
import test from "node:test";
import { makeCharacter, page, turnAboutZ } from "./arm.mjs";
import { load } from "./modules.mjs";

const { CharacterList, PoseState, ViewState } = page;
const more = await load("model/mirror", "model/pose", "model/short_names", "three");

test("what all names begin with is left out, up to a separator", () => {
  const short = more.withoutCommonPrefix;
  assert.deepEqual(short(["mixamorig:Hips", "mixamorig:Spine"]), ["Hips", "Spine"]);
  assert.deepEqual(short(["Bip01", "Bip01 Pelvis", "Bip01 L Thigh"]), ["Bip01", "Pelvis", "L Thigh"]);
  assert.deepEqual(short(["spine1", "spine2"]), ["spine1", "spine2"]);
  assert.deepEqual(short(["arm_l", "leg_l"]), ["arm_l", "leg_l"]);
  assert.deepEqual(short([]), []);
});

test("names of the other side", () => {
  const other = more.mirroredName;
  assert.equal(other("LeftUpperArm"), "RightUpperArm");
  assert.equal(other("thigh.R"), "thigh.L");
  assert.equal(other("Bip01 L Hand"), "Bip01 R Hand");
  assert.equal(other("hand_l_2"), "hand_r_2");
  assert.equal(other("Skull"), null);
});

test("a mirrored pose is the mirror image, and mirrored again the pose itself", () => {
  const character = makeCharacter();
  const list = new CharacterList();
  const pose = new PoseState(list);
  list.add(character);
  pose.turnJoint("upper", turnAboutZ(30)); // leans to the left, in a character that faces +z
  const before = character.model.posedPositions().slice();
  pose.mirror();
  assert.equal(pose.label, "posed by hand, mirrored");
  const turn = character.model.rig.turnOf(character.model.rig.find("upper"));
  assert.ok(Math.abs(turn.z + Math.sin((15 * Math.PI) / 180)) < 1e-6, `turn ${turn.toArray()}`);
  pose.mirror();
  assert.equal(pose.label, "posed by hand");
  character.model.posedPositions().forEach((x, i) => assert.ok(Math.abs(x - before[i]) < 1e-6));
});

test("a joint bends back and forth within its range until another pose is taken", () => {
  const character = makeCharacter();
  const list = new CharacterList();
  const pose = new PoseState(list);
  list.add(character);
  const { rig } = character.model;
  pose.sway("nobody");
  assert.equal(pose.swaying, "");
  pose.sway("upper");
  const angles = [];
  for (let i = 0; i < 60; ++i) {
    pose.advance(0.1);
    angles.push(2 * Math.acos(Math.min(1, Math.abs(rig.turnOf(rig.find("upper")).w))) * (180 / Math.PI));
  }
  assert.ok(Math.max(...angles) > 33 && Math.max(...angles) < 35.01, `up to ${Math.max(...angles)}`);
  assert.ok(Math.min(...angles) < 4);
  pose.reset();
  assert.equal(pose.swaying, "");
});

test("a named pose turns joints about axes of bind space", () => {
  const { model } = makeCharacter();
  const pose = more.testPose(model, { name: "bent", turns: { upper: [0, 0, 90], nobody: [1, 0, 0] } });
  assert.equal(pose.label, "bent");
  assert.deepEqual([...pose.turns.keys()], ["upper"]);
  assert.ok(Math.abs(pose.turns.get("upper").z - Math.SQRT1_2) < 1e-6);
});

test("parts are hidden and shown again; a new character shows all", () => {
  const list = new CharacterList();
  const view = new ViewState(list);
  list.add(makeCharacter());
  assert.ok(!view.isHidden("/meshes/0/primitives/0"));
  view.setHidden(["/meshes/0/primitives/0"]);
  assert.ok(view.isHidden("/meshes/0/primitives/0"));
  list.clear();
  assert.equal(view.hidden.size, 0);
});

test("characters one at a time, side by side, together", () => {
  const list = new CharacterList();
  list.add(makeCharacter());
  list.arrange("together");
  assert.equal(list.arrangement, "single"); // there is nothing to put together
  list.add(makeCharacter());
  list.arrange("together");
  assert.equal(list.visible.length, 2);
  assert.ok(list.together && !list.sideBySide);
  list.show(1);
  assert.equal(list.visible.length, 1);
});

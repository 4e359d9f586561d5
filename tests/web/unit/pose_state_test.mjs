// The state of the page: characters, pose and view (web/src/state).
import assert from "node:assert/strict";
import test from "node:test";
import { makeCharacter, makeClip, page, turnAboutZ } from "./arm.mjs";

const { CharacterList, PoseState, ViewState } = page;

function open(...characters) {
  const list = new CharacterList();
  const state = { characters: list, pose: new PoseState(list), view: new ViewState(list) };
  for (const character of characters) list.add(character);
  return state;
}
const isTurned = ({ model }) => Math.abs(model.rig.turnOf(model.rig.find("upper")).z) > 0.01;

test("poses reach the visible characters before listeners hear of them", () => {
  const [a, b] = [makeCharacter(), makeCharacter()];
  const { characters, pose } = open(a, b);
  const heard = [];
  pose.subscribe(() => heard.push(isTurned(a)));
  pose.turnJoint("upper", turnAboutZ(30));
  assert.deepEqual(heard, [true]);
  assert.equal(pose.label, "posed by hand");
  assert.ok(!isTurned(b));
  characters.show(1);
  assert.ok(isTurned(b));
});

test("turning one joint keeps the others, also out of a clip", () => {
  const character = makeCharacter({ clips: [makeClip()] });
  const { pose } = open(character);
  pose.seek(2);
  assert.ok(isTurned(character));
  pose.turnJoint("lower", turnAboutZ(10));
  assert.equal(pose.clip, null);
  assert.ok(isTurned(character));
  pose.reset();
  assert.ok(!isTurned(character));
});

test("playback starts with the first clip, wraps around and ends with another kind of pose", () => {
  const { pose } = open(makeCharacter({ clips: [makeClip()] }));
  pose.advance(1);
  assert.equal(pose.time, 0); // paused
  pose.setPlaying(true);
  pose.advance(1.5);
  pose.advance(1);
  assert.equal(pose.time, 0.5);
  pose.seek(99);
  assert.equal(pose.time, 2);
  assert.ok(!pose.playing);
  pose.setPlaying(true);
  pose.randomize();
  assert.ok(!pose.playing);
  assert.equal(pose.label, "random pose 0");
});

test("nothing plays without clips", () => {
  const { pose } = open(makeCharacter());
  pose.setPlaying(true);
  pose.seek(1);
  assert.ok(!pose.playing);
  assert.equal(pose.current.kind, "bind");
});

test("a borrowed character gets its pose back, also after an error", async () => {
  const character = makeCharacter();
  const { pose } = open(character);
  pose.turnJoint("upper", turnAboutZ(30));
  const work = pose.borrow(async (borrowed) => {
    assert.ok(pose.measuring);
    borrowed.setPose({ kind: "bind" });
    throw new Error("expected");
  });
  await assert.rejects(work, /expected/);
  assert.ok(!pose.measuring && isTurned(character));
});

test("closing all characters resets pose and selection", () => {
  const { characters, pose, view } = open(makeCharacter(), makeCharacter());
  characters.setSideBySide(true);
  pose.turnJoint("upper", turnAboutZ(30));
  view.setMode("weights");
  assert.equal(view.joint, "lower"); // it dominates most vertices
  characters.clear();
  assert.equal(pose.current.kind, "bind");
  assert.equal(view.joint, "");
  assert.equal(view.paintRequest, null);
  assert.ok(!characters.sideBySide);
});

test("a single character is never side by side; stepping goes around", () => {
  const { characters } = open(makeCharacter({ name: "a" }));
  characters.setSideBySide(true);
  assert.ok(!characters.sideBySide);
  characters.add(makeCharacter({ name: "b" }));
  characters.setSideBySide(true);
  assert.equal(characters.visible.length, 2);
  characters.step(-1);
  assert.deepEqual(
    characters.visible.map((c) => c.info.name),
    ["b"],
  );
});

// Random numbers and random poses (web/src/model/random.ts, random_pose.ts).
import assert from "node:assert/strict";
import test from "node:test";
import { makeModel, page } from "./arm.mjs";

const { Random, randomPose, uniformMotions } = page;
const degrees = (q) => (2 * Math.acos(Math.min(Math.abs(q.w), 1)) * 180) / Math.PI;

// The reference values of PCG32's own demonstration program: seed 42, stream 54.
test("numbers are those of PCG32", () => {
  const random = new Random(42, 54);
  const expected = [0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e];
  assert.deepEqual(
    expected.map(() => random.nextBits()),
    expected,
  );
});

test("directions have length 1", () => {
  const random = new Random(1);
  for (let i = 0; i < 50; ++i) assert.ok(Math.abs(Math.hypot(...random.direction()) - 1) < 1e-12);
});

test("turns stay within the range, scaled by the share", () => {
  const model = makeModel();
  const motions = uniformMotions(model, [10, 35]);
  for (let index = 0; index < 50; ++index)
    for (const share of [1, 0.5])
      for (const turn of randomPose(model, motions, index, share).turns.values())
        assert.ok(degrees(turn) > 10 * share - 1e-6 && degrees(turn) < 35 * share + 1e-6, `${degrees(turn)}`);
});

test("a hinge turns about its axis only", () => {
  const model = makeModel();
  const hinge = { name: "upper", swing: [20, 40], twist: [0, 0], bone: [0, 1, 0], axis: [0, 0, 1] };
  const turn = randomPose(model, [hinge], 3).turns.get("upper");
  assert.ok(Math.hypot(turn.x, turn.y) < 1e-9 && turn.z > 0);
});

test("a pose depends on its index alone, not on which joints the model has", () => {
  const model = makeModel();
  const motions = uniformMotions(model, [0, 35]);
  const unknown = { ...motions[0], name: "not a joint" };
  const [upper, again] = [motions[1], { ...motions[1] }];
  const expected = randomPose(model, [unknown, upper], 7);
  const found = randomPose(model, [motions[0], again], 7);
  assert.deepEqual([...expected.turns.keys()], ["upper"]);
  assert.deepEqual(found.turns.get("upper").toArray(), expected.turns.get("upper").toArray());
  assert.notDeepEqual(randomPose(model, motions, 8).turns.get("upper").toArray(), found.turns.get("upper").toArray());
  assert.equal(found.label, "random pose 7");
});

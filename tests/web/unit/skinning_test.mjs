// Linear blend skinning and weight rows (web/src/model/skinning.ts).
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./modules.mjs";

const { carryDirection, dominantJoint, influenceCount, rowDistance, skinPositions, weightOf } =
  await load("model/skinning");

const rowsOf = (...rows) => ({
  slots: rows[0].length,
  joints: Uint16Array.from(rows.flat().map(([joint]) => joint)),
  weights: Float32Array.from(rows.flat().map(([, weight]) => weight)),
});
const kIdentity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const kQuarterTurnAboutZ = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 5]; // and 5 along z

test("positions are the weighted mean of the joints' images", () => {
  const rest = Float32Array.of(1, 0, 0, 1, 0, 0);
  const rows = rowsOf([[1, 1]].concat([[0, 0]]), [
    [0, 0.5],
    [1, 0.5],
  ]);
  const out = new Float32Array(6);
  skinPositions(rest, rows, Float64Array.of(...kIdentity, ...kQuarterTurnAboutZ), out);
  assert.deepEqual([...out], [0, 1, 5, 0.5, 0.5, 2.5]);
});

test("directions are rotated, not moved, and added to the output", () => {
  const out = Float64Array.of(1, 1, 1);
  carryDirection(rowsOf([[0, 1]]), Float64Array.from(kQuarterTurnAboutZ), 0, 1, 0, 0, out);
  assert.deepEqual([...out], [1, 2, 1]);
});

test("the dominant joint, and none without weights", () => {
  const rows = rowsOf(
    [
      [3, 0.2],
      [7, 0.8],
    ],
    [
      [3, 0],
      [7, 0],
    ],
  );
  assert.equal(dominantJoint(rows, 0), 7);
  assert.equal(dominantJoint(rows, 1), -1);
  assert.equal(influenceCount(rows, 0), 2);
  assert.equal(influenceCount(rows, 1), 0);
  assert.equal(weightOf(rows, 0, 5), 0);
});

test("the distance of rows is half their L1 distance, over matching joints", () => {
  const a = rowsOf([
    [0, 0.75],
    [1, 0.25],
  ]);
  const b = rowsOf([
    [0, 0.25],
    [1, 0.75],
  ]);
  assert.equal(rowDistance(a, a, Int32Array.of(0, 1), 0), 0);
  assert.equal(rowDistance(a, b, Int32Array.of(0, 1), 0), 0.5);
  assert.equal(rowDistance(a, b, Int32Array.of(1, 0), 0), 0); // the same joints in another order
  assert.equal(rowDistance(a, b, Int32Array.of(-1, -1), 0), 1); // no common joint
});

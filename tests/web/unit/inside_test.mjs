// Points inside a surface (web/src/model/inside.ts).
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./modules.mjs";

const { markInside, markInsideLayers } = await load("model/inside");

// A cube from -1 to 1; corner i has its coordinates in the bits of i.
const kCorners = Float32Array.from(
  [...Array(8).keys()].flatMap((i) => [0, 1, 2].map((bit) => ((i >> bit) & 1) * 2 - 1)),
);
const kFaces = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const trianglesOf = (faces) => Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
const inside = (points, triangles) => {
  const out = new Uint8Array(points.length);
  markInside(Float32Array.from(points.flat()), kCorners, triangles, out);
  return [...out];
};
// In the middle, in line with edges and corners, beyond each side, and beside the bounds.
const kPoints = [
  [0, 0, 0],
  [0.9, 0.9, -0.9],
  [0, 0, 0.99],
  [1.5, 0, 0],
  [0, -1.5, 0],
  [0, 0, 7],
  [5, 5, 5],
];

test("a closed surface, whichever way it faces", () => {
  assert.deepEqual(inside(kPoints, trianglesOf(kFaces)), [1, 1, 1, 0, 0, 0, 0]);
  assert.deepEqual(inside(kPoints, trianglesOf(kFaces.map((f) => [...f].reverse()))), [1, 1, 1, 0, 0, 0, 0]);
});

test("a surface with a hole: most of the rays decide", () =>
  assert.deepEqual(inside(kPoints, trianglesOf(kFaces.slice(1))), [1, 1, 1, 0, 0, 0, 0]));

test("nothing is inside of nothing, and points that are no numbers are outside", () => {
  assert.deepEqual(inside(kPoints, new Uint32Array()), [0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(inside([[NaN, NaN, NaN]], trianglesOf(kFaces)), [0]);
  assert.deepEqual(inside([], trianglesOf(kFaces)), []);
});

test("garments among the vertices of one mesh: inside the body or a layer below, never inside their own", () => {
  const points = [0, 0, 0, 5, 0, 0]; // one inside the cube, one outside
  const positions = Float32Array.from([...kCorners, ...points, ...points]);
  const layerOf = Uint8Array.from([...Array(8).fill(1), 0, 0, 2, 2]); // the cube is the inner layer
  const inside = new Uint8Array(12);
  markInsideLayers(positions, trianglesOf(kFaces), layerOf, inside);
  assert.deepEqual([...inside], [...Array(8).fill(0), 0, 0, 1, 0]);
});

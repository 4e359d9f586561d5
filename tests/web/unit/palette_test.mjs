// Color scales and distinct colors (web/src/paint/palette.ts).
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./modules.mjs";

const { cssOf, putColor, rgbOf, treeColors } = await load("paint/palette");

const colorAt = (scale, t) => {
  const out = new Float32Array(3);
  putColor(scale, t, out, 0);
  return cssOf([...out]);
};

test("colors survive the conversion to linear RGB and back", () => {
  assert.equal(cssOf(rgbOf("#0c80ff")), "rgb(12, 128, 255)");
});

test("scales begin and end with their first and last color, and clamp", () => {
  assert.equal(colorAt("viridis", 0), "rgb(68, 1, 84)");
  assert.equal(colorAt("viridis", 1), "rgb(253, 231, 37)");
  assert.equal(colorAt("cividis", -3), colorAt("cividis", 0));
  assert.equal(colorAt("diverging", 7), colorAt("diverging", 1));
});

test("scales of weights get brighter", () => {
  const brightness = (scale, t) => {
    const out = new Float32Array(3);
    putColor(scale, t, out, 0);
    return 0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2];
  };
  for (const scale of ["viridis", "cividis"])
    for (let i = 0; i < 16; ++i)
      assert.ok(brightness(scale, i / 16) < brightness(scale, (i + 1) / 16), `${scale} ${i}`);
});

test("joints differ in color from their ancestors and siblings", () => {
  const parents = [-1, 0, 1, 2, 0, 4, 4, 4];
  const colors = treeColors(parents).map(cssOf);
  assert.equal(new Set(colors).size, parents.length);
  const chain = treeColors(Array.from({ length: 100 }, (_, i) => i - 1)).map(cssOf); // more joints than colors
  for (let j = 3; j < chain.length; ++j) assert.equal(new Set(chain.slice(j - 3, j + 1)).size, 4, `joint ${j}`);
});

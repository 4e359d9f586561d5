// Color scales that are safe for color-blind readers. Colors are linear RGB, 0 .. 1.

export type Rgb = [number, number, number];
export type ScaleName = "viridis" | "cividis";
export const kScales: readonly { name: ScaleName; label: string }[] = [
  { name: "viridis", label: "Viridis" },
  { name: "cividis", label: "Cividis" },
];

const kViridis = [
  "#440154",
  "#482878",
  "#3e4a89",
  "#31688e",
  "#26828e",
  "#1f9e89",
  "#35b779",
  "#6ece58",
  "#b5de2b",
  "#fde725",
];
const kCividis = [
  "#00224e",
  "#123570",
  "#3b496c",
  "#575d6d",
  "#707173",
  "#8a8678",
  "#a59c74",
  "#c3b369",
  "#e1cc55",
  "#fee838",
];
const kDiverging = ["#08306b", "#2171b5", "#6baed6", "#dcdcdc", "#fd9a4e", "#e1640e", "#7f2704"]; // blue, gray, orange
// Okabe and Ito's colors, with gray for black; `distinct` adds a darker and a lighter version of each: 24 colors.
const kOkabeIto = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#b8b8b8"];

export const kUnaffected: Rgb = rgbOf("#5b6069");
export const kWrong: Rgb = rgbOf("#ff2d55");

function channel(value: number): number {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

export function rgbOf(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [channel(n >> 16), channel((n >> 8) & 255), channel(n & 255)];
}

export function cssOf([r, g, b]: Rgb): string {
  const encode = (c: number) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
  return `rgb(${encode(r)}, ${encode(g)}, ${encode(b)})`;
}

function stopsOf(name: ScaleName | "diverging"): string[] {
  return name === "viridis" ? kViridis : name === "cividis" ? kCividis : kDiverging;
}

function table(stops: string[]): Float32Array {
  const colors = stops.map(rgbOf);
  const out = new Float32Array(3 * 256);
  for (let i = 0; i < 256; ++i) {
    const at = (i / 255) * (colors.length - 1);
    const k = Math.min(Math.floor(at), colors.length - 2);
    for (let c = 0; c < 3; ++c) out[3 * i + c] = colors[k][c] + (colors[k + 1][c] - colors[k][c]) * (at - k);
  }
  return out;
}

const tables = { viridis: table(kViridis), cividis: table(kCividis), diverging: table(kDiverging) };

// Writes the color of t (clamped to 0 .. 1) to out[at .. at + 2].
export function putColor(name: ScaleName | "diverging", t: number, out: Float32Array, at: number): void {
  const i = 3 * Math.round(255 * Math.min(Math.max(t, 0), 1));
  out[at] = tables[name][i];
  out[at + 1] = tables[name][i + 1];
  out[at + 2] = tables[name][i + 2];
}

export function cssGradient(name: ScaleName | "diverging"): string {
  return `linear-gradient(90deg, ${stopsOf(name).join(", ")})`;
}

function shade(hex: string, factor: number): Rgb {
  const [r, g, b] = rgbOf(hex);
  const to = factor > 1 ? 1 : 0;
  const t = factor > 1 ? factor - 1 : 1 - factor;
  return [r + (to - r) * t, g + (to - g) * t, b + (to - b) * t];
}

const distinct: Rgb[] = [1, 0.55, 1.5].flatMap((f) => kOkabeIto.map((hex) => shade(hex, f)));

// One color per node of a tree; parents come first. A node differs from its next three ancestors and its siblings as
// long as there are enough colors.
export function treeColors(parents: readonly number[]): Rgb[] {
  const chosen = new Array<number>(parents.length).fill(-1);
  const uses = new Array<number>(distinct.length).fill(0);
  parents.forEach((parent, j) => {
    const taken = new Set<number>();
    for (let a = parent, steps = 0; a >= 0 && steps < 3; a = parents[a], ++steps) taken.add(chosen[a]);
    parents.forEach((p, s) => {
      if (s !== j && (p === parent || p === j)) taken.add(chosen[s]);
    });
    let best = 0;
    for (let c = 0; c < distinct.length; ++c) {
      const cost = (n: number) => uses[n] + (taken.has(n) ? 1000 : 0) + n * 0.01;
      if (cost(c) < cost(best)) best = c;
    }
    chosen[j] = best;
    ++uses[best];
  });
  return chosen.map((c) => distinct[c]);
}

export function islandColor(island: number): Rgb {
  return distinct[island % distinct.length];
}

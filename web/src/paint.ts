// Vertex colors for each view of the weights and of the quality.
import { cssGradient, cssOf, islandColor, kUnaffected, kWrong, putColor, treeColors, type Rgb, type ScaleName } from "./palette";
import type { SkinModel } from "./skin_model";
import { influenceCount, rowDistance, weightOf } from "./skinning";

export type ColorMode = "material" | "weights" | "dominant" | "influences" | "difference" | "stretch" | "flipped" | "volume" | "islands";

export const kModes: { mode: ColorMode; label: string; group: "Look" | "Weights" | "Quality"; help: string }[] = [
  { mode: "material", label: "Material", group: "Look", help: "as the file says" },
  { mode: "islands", label: "Islands", group: "Look", help: "separate parts of the mesh" },
  { mode: "weights", label: "Weight", group: "Weights", help: "how strongly the selected joint pulls" },
  { mode: "dominant", label: "Strongest joint", group: "Weights", help: "the joint that pulls most" },
  { mode: "influences", label: "Influences", group: "Weights", help: "joints per vertex" },
  { mode: "difference", label: "Difference", group: "Weights", help: "against the first skin, half the L1 distance of weights" },
  { mode: "stretch", label: "Stretch", group: "Quality", help: "mean change of edge lengths in this pose" },
  { mode: "flipped", label: "Flipped", group: "Quality", help: "triangles turned over or collapsed in this pose" },
  { mode: "volume", label: "Volume", group: "Quality", help: "change of closed parts in this pose" },
];

export const followsPose = (mode: ColorMode) => mode === "stretch" || mode === "flipped" || mode === "volume";

export interface PaintRequest {
  mode: ColorMode;
  joint: string;
  scale: ScaleName;
  reference: SkinModel; // the first skin, for differences
}

export interface LegendEntry {
  color: string;
  label: string;
}
export interface Legend {
  title: string;
  gradient?: string;
  ticks?: string[];
  entries?: LegendEntry[];
}

const kListed = 8; // entries of a legend
const kFaint = 0.02; // weights below it fade out, as in the pictures of `skincells render`

const paletteOf = new WeakMap<SkinModel, Rgb[]>();
export function jointColors(model: SkinModel): Rgb[] {
  let colors = paletteOf.get(model);
  if (!colors) paletteOf.set(model, (colors = treeColors(model.rig.joints.map((j) => j.parent))));
  return colors;
}

export function canCompare(a: SkinModel, b: SkinModel): boolean {
  return a.vertexCount === b.vertexCount;
}

// The end of the scale of influences: the usual four, or eight where a skin has more; one scale for skins side by side.
function mostShown(model: SkinModel, request: PaintRequest): number {
  return Math.max(model.mostInfluences, request.reference.mostInfluences) > 4 ? 8 : 4;
}

function put(out: Float32Array, v: number, color: Rgb): void {
  out[3 * v] = color[0];
  out[3 * v + 1] = color[1];
  out[3 * v + 2] = color[2];
}

// Between the color of what a joint does not move and the one that is there.
function fade(out: Float32Array, v: number, share: number): void {
  for (let c = 0; c < 3; ++c) out[3 * v + c] = kUnaffected[c] + (out[3 * v + c] - kUnaffected[c]) * share;
}

// Colors by vertex, or null for materials.
export function paint(model: SkinModel, request: PaintRequest, out: Float32Array): boolean {
  const { rows, vertexCount } = model;
  switch (request.mode) {
    case "material":
      return false;
    case "weights": {
      const joint = model.rig.find(request.joint);
      for (let v = 0; v < vertexCount; ++v) {
        const w = joint < 0 ? 0 : weightOf(rows, v, joint);
        putColor(request.scale, w, out, 3 * v);
        fade(out, v, Math.min(w / kFaint, 1));
      }
      return true;
    }
    case "dominant": {
      const colors = jointColors(model);
      for (let v = 0; v < vertexCount; ++v) put(out, v, model.dominant[v] < 0 ? kWrong : colors[model.dominant[v]]);
      return true;
    }
    case "influences":
      for (let v = 0; v < vertexCount; ++v) {
        const n = influenceCount(rows, v);
        if (n === 0) put(out, v, kWrong);
        else putColor(request.scale, (n - 1) / (mostShown(model, request) - 1), out, 3 * v);
      }
      return true;
    case "difference": {
      const reference = request.reference;
      const same = canCompare(reference, model);
      const match = Int32Array.from(model.rig.joints, (j) => reference.rig.find(j.name));
      for (let v = 0; v < vertexCount; ++v) {
        if (same) putColor(request.scale, rowDistance(reference.rows, rows, match, v), out, 3 * v);
        else put(out, v, kUnaffected);
      }
      return true;
    }
    case "stretch": {
      const stretch = model.shape().vertexStretch();
      for (let v = 0; v < vertexCount; ++v) putColor("diverging", 0.5 + stretch[v] / (2 * Math.LN2), out, 3 * v);
      return true;
    }
    case "flipped": {
      const flips = model.shape().vertexFlips();
      for (let v = 0; v < vertexCount; ++v) put(out, v, flips[v] > 0 ? kWrong : kUnaffected);
      return true;
    }
    case "volume": {
      const shape = model.shape();
      const { closed, islandOf, weldedOf } = model.topology;
      for (let v = 0; v < vertexCount; ++v) {
        const island = islandOf[weldedOf[v]];
        if (closed[island]) putColor("diverging", 0.5 + (shape.volumeRatio(island) - 1) / 0.4, out, 3 * v);
        else put(out, v, kUnaffected);
      }
      return true;
    }
    case "islands": {
      const { islandOf, weldedOf } = model.topology;
      for (let v = 0; v < vertexCount; ++v) put(out, v, islandColor(islandOf[weldedOf[v]]));
      return true;
    }
  }
}

// The parts with most vertices.
function largestIslands(model: SkinModel): LegendEntry[] {
  const { islandOf, weldedOf, islandCount } = model.topology;
  const sizes = new Uint32Array(islandCount);
  for (const w of weldedOf) ++sizes[islandOf[w]];
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a]);
  return order.slice(0, kListed).map((i) => ({ color: cssOf(islandColor(i)), label: `${sizes[i].toLocaleString("en-US")} vertices` }));
}

export function legendOf(model: SkinModel, request: PaintRequest): Legend | null {
  const unaffected = { color: cssOf(kUnaffected), label: "none" };
  switch (request.mode) {
    case "material":
      return null;
    case "weights":
      return { title: request.joint ? `Weight of ${request.joint}` : "Choose a joint", gradient: cssGradient(request.scale), ticks: ["0", "0.5", "1"], entries: [unaffected] };
    case "dominant": {
      const used = new Map<number, number>();
      for (const j of model.dominant) if (j >= 0) used.set(j, (used.get(j) ?? 0) + 1);
      const top = [...used].sort((a, b) => b[1] - a[1]).slice(0, kListed);
      return { title: `Strongest joint (${used.size} in use)`, entries: top.map(([j]) => ({ color: cssOf(jointColors(model)[j]), label: model.rig.joints[j].name })) };
    }
    case "influences":
      return { title: "Joints per vertex", gradient: cssGradient(request.scale), ticks: Array.from({ length: mostShown(model, request) }, (_, i) => String(i + 1)), entries: [{ color: cssOf(kWrong), label: "none" }] };
    case "difference":
      return { title: "Weights that differ from the first skin", gradient: cssGradient(request.scale), ticks: ["0", "50 %", "100 %"], entries: canCompare(request.reference, model) ? [] : [{ color: cssOf(kUnaffected), label: "another mesh" }] };
    case "stretch":
      return { title: "Edge length in this pose", gradient: cssGradient("diverging"), ticks: ["half", "same", "double"] };
    case "flipped":
      return { title: "Triangles in this pose", entries: [{ color: cssOf(kWrong), label: "turned over or collapsed" }, { color: cssOf(kUnaffected), label: "fine" }] };
    case "volume":
      return { title: "Volume in this pose", gradient: cssGradient("diverging"), ticks: ["−20 %", "same", "+20 %"], entries: [{ color: cssOf(kUnaffected), label: "open part" }] };
    case "islands":
      return { title: `Separate parts: ${model.topology.islandCount}`, entries: largestIslands(model) };
  }
}

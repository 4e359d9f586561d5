// The color modes: vertex colors that show weights or quality.
import { islandColor, kUnaffected, kWrong, putColor, treeColors, type Rgb, type ScaleName } from "./palette";
import { markInside, markInsideLayers } from "../model/inside";
import type { SkinModel } from "../model/skin_model";
import { influenceCount, rowDistance, weightOf } from "../model/skinning";

export type ColorMode =
  | "material"
  | "weights"
  | "dominant"
  | "influences"
  | "difference"
  | "stretch"
  | "flipped"
  | "volume"
  | "islands"
  | "confidence"
  | "inside";

export const kModes: { mode: ColorMode; label: string; group: "Appearance" | "Weights" | "Quality"; help: string }[] = [
  { mode: "material", label: "Material", group: "Appearance", help: "materials of the file" },
  { mode: "islands", label: "Islands", group: "Appearance", help: "connected parts of the mesh" },
  { mode: "weights", label: "Weight", group: "Weights", help: "weight of the selected joint" },
  { mode: "dominant", label: "Strongest joint", group: "Weights", help: "joint with the largest weight" },
  { mode: "influences", label: "Influences", group: "Weights", help: "number of joints per vertex" },
  {
    mode: "difference",
    label: "Difference",
    group: "Weights",
    help: "half the L1 distance to the weights of the first character",
  },
  { mode: "stretch", label: "Stretch", group: "Quality", help: "mean change of edge lengths in this pose" },
  { mode: "flipped", label: "Flipped", group: "Quality", help: "flipped or collapsed triangles in this pose" },
  { mode: "volume", label: "Volume", group: "Quality", help: "volume change of closed parts in this pose" },
  { mode: "confidence", label: "Confidence", group: "Quality", help: "how sure the bind is of each vertex" },
  {
    mode: "inside",
    label: "Inside",
    group: "Quality",
    help: "cloth that is inside what it is worn on, in this pose",
  },
];

// The key that selects a mode.
export const keyOf = (index: number) => (index < 9 ? String(index + 1) : index === 9 ? "u" : "i");

// Whether colors depend on the pose.
export const followsPose = (mode: ColorMode) =>
  mode === "stretch" || mode === "flipped" || mode === "volume" || mode === "inside";

export interface PaintRequest {
  mode: ColorMode;
  joint: string;
  scale: ScaleName;
  reference: SkinModel; // the first character, for differences
  confidence: ReadonlyMap<SkinModel, Float32Array>; // of the characters that have it
  layers: ReadonlyMap<SkinModel, Uint8Array>; // of the characters with garments: by vertex, 0 for the body
  together: readonly SkinModel[]; // shown in one place: a body and its garments, from the inner to the outer one
}

const kFaintWeight = 0.02; // weights below it fade out, as in `skincells render`

const paletteOf = new WeakMap<SkinModel, Rgb[]>();
export function jointColors(model: SkinModel): Rgb[] {
  const known = paletteOf.get(model);
  if (known) return known;
  const colors = treeColors(model.rig.joints.map((j) => j.parent));
  paletteOf.set(model, colors);
  return colors;
}

// Whether weights can be compared vertex by vertex.
export function canCompare(a: SkinModel, b: SkinModel): boolean {
  return a.vertexCount === b.vertexCount;
}

// Largest value of the scale of influences: the usual four, or eight if a character or the reference has more.
export function scaleEnd(model: SkinModel, request: PaintRequest): number {
  return Math.max(model.mostInfluences, request.reference.mostInfluences) > 4 ? 8 : 4;
}

// By vertex: 1 inside a character before this one, or a garment inside what is below it.
function insideOthers(model: SkinModel, { together, layers }: PaintRequest): Uint8Array {
  const inside = new Uint8Array(model.vertexCount);
  const posed = model.posedPositions();
  for (const other of together.slice(0, Math.max(together.indexOf(model), 0)))
    markInside(posed, other.posedPositions(), other.triangles, inside);
  const layerOf = layers.get(model);
  if (layerOf) markInsideLayers(posed, model.triangles, layerOf, inside);
  return inside;
}

function put(out: Float32Array, v: number, color: Rgb): void {
  out[3 * v] = color[0];
  out[3 * v + 1] = color[1];
  out[3 * v + 2] = color[2];
}

// Blends a vertex color with that of unaffected vertices.
function fade(out: Float32Array, v: number, share: number): void {
  for (let c = 0; c < 3; ++c) out[3 * v + c] = kUnaffected[c] + (out[3 * v + c] - kUnaffected[c]) * share;
}

// Fills the vertex colors `out`; false if the mode shows materials instead.
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
        fade(out, v, Math.min(w / kFaintWeight, 1));
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
        else putColor(request.scale, (n - 1) / (scaleEnd(model, request) - 1), out, 3 * v);
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
    case "confidence": {
      const confidence = request.confidence.get(model);
      for (let v = 0; v < vertexCount; ++v) {
        if (confidence) putColor(request.scale, 1 - confidence[v], out, 3 * v);
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
    case "inside": {
      const inside = insideOthers(model, request);
      for (let v = 0; v < vertexCount; ++v) put(out, v, inside[v] > 0 ? kWrong : kUnaffected);
      return true;
    }
    case "islands": {
      const { islandOf, weldedOf } = model.topology;
      for (let v = 0; v < vertexCount; ++v) put(out, v, islandColor(islandOf[weldedOf[v]]));
      return true;
    }
  }
}

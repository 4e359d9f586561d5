// Legends of the color modes.
import type { SkinModel } from "../model/skin_model";
import { canCompare, jointColors, scaleEnd, type PaintRequest } from "./color_modes";
import { cssGradient, cssOf, islandColor, kUnaffected, kWrong } from "./palette";

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

const kMostEntries = 8;

// The islands with most vertices.
function largestIslands(model: SkinModel): LegendEntry[] {
  const { islandOf, weldedOf, islandCount } = model.topology;
  const sizes = new Uint32Array(islandCount);
  for (const w of weldedOf) ++sizes[islandOf[w]];
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a]);
  return order
    .slice(0, kMostEntries)
    .map((i) => ({ color: cssOf(islandColor(i)), label: `${sizes[i].toLocaleString("en-US")} vertices` }));
}

// Null for modes without a legend.
export function legendOf(model: SkinModel, request: PaintRequest): Legend | null {
  const unaffected = { color: cssOf(kUnaffected), label: "none" };
  switch (request.mode) {
    case "material":
      return null;
    case "weights":
      return {
        title: request.joint ? `Weight of ${request.joint}` : "Select a joint",
        gradient: cssGradient(request.scale),
        ticks: ["0", "0.5", "1"],
        entries: [unaffected],
      };
    case "dominant": {
      const used = new Map<number, number>();
      for (const j of model.dominant) if (j >= 0) used.set(j, (used.get(j) ?? 0) + 1);
      const top = [...used].sort((a, b) => b[1] - a[1]).slice(0, kMostEntries);
      return {
        title: `Strongest joint (${used.size} in use)`,
        entries: top.map(([j]) => ({ color: cssOf(jointColors(model)[j]), label: model.rig.joints[j].name })),
      };
    }
    case "influences":
      return {
        title: "Joints per vertex",
        gradient: cssGradient(request.scale),
        ticks: Array.from({ length: scaleEnd(model, request) }, (_, i) => String(i + 1)),
        entries: [{ color: cssOf(kWrong), label: "none" }],
      };
    case "difference":
      return {
        title: "Difference from the first character",
        gradient: cssGradient(request.scale),
        ticks: ["0", "50 %", "100 %"],
        entries: canCompare(request.reference, model) ? [] : [{ color: cssOf(kUnaffected), label: "different mesh" }],
      };
    case "confidence":
      return {
        title: "Confidence of the bind",
        gradient: cssGradient(request.scale),
        ticks: ["sure", "0.5", "unsure"],
        entries: request.confidence.has(model) ? [] : [{ color: cssOf(kUnaffected), label: "not known" }],
      };
    case "stretch":
      return {
        title: "Edge length in this pose",
        gradient: cssGradient("diverging"),
        ticks: ["half", "same", "double"],
      };
    case "flipped":
      return {
        title: "Triangles in this pose",
        entries: [
          { color: cssOf(kWrong), label: "flipped or collapsed" },
          { color: cssOf(kUnaffected), label: "neither" },
        ],
      };
    case "inside":
      return {
        title: "In this pose",
        entries: [
          { color: cssOf(kWrong), label: "inside what it is worn on" },
          { color: cssOf(kUnaffected), label: "outside" },
        ],
      };
    case "volume":
      return {
        title: "Volume in this pose",
        gradient: cssGradient("diverging"),
        ticks: ["−20 %", "same", "+20 %"],
        entries: [{ color: cssOf(kUnaffected), label: "open part" }],
      };
    case "islands":
      return { title: `Connected parts: ${model.topology.islandCount}`, entries: largestIslands(model) };
  }
}

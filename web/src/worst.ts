// Where a skin is worst: poses ranked by how they stretch the mesh, and the places in one pose.
import { Vector3, type AnimationClip, type Quaternion } from "three";
import type { Pane } from "./pane";
import { randomPose } from "./random_pose";
import type { ShapeFigures } from "./shape";
import type { SkinModel } from "./skin_model";

export type PoseRef =
  | { kind: "random"; index: number; turns: Map<string, Quaternion> }
  | { kind: "clip"; clip: AnimationClip; time: number };

export interface Place {
  joint: string;
  stretch: number; // rms of the vertices' mean |ln| there
  center: Vector3; // of the most stretched vertices, posed
  normal: Vector3; // where the surface there faces, posed; short where it faces many ways
}

export interface RankedPose {
  label: string;
  pose: PoseRef;
  figures: ShapeFigures;
  place: Place | null;
}

const kClipPoses = 16;

// Unit normals of some vertices in the present pose.
function normalsAt(model: SkinModel, vertices: ReadonlySet<number>): Map<number, Vector3> {
  const posed = model.posedPositions();
  const normals = new Map<number, Vector3>();
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let t = 0; t < model.triangles.length; t += 3) {
    const corners = model.triangles.subarray(t, t + 3);
    if (!corners.some((v) => vertices.has(v))) continue;
    [a, b, c].forEach((p, i) => p.fromArray(posed, 3 * corners[i]));
    const normal = b.sub(a).cross(c.sub(a));
    for (const v of corners) if (vertices.has(v)) normals.set(v, (normals.get(v) ?? new Vector3()).add(normal));
  }
  for (const n of normals.values()) n.normalize();
  return normals;
}

function meanOf(normals: ReadonlyMap<number, Vector3>, vertices: readonly number[]): Vector3 {
  const sum = new Vector3();
  for (const v of vertices) sum.add(normals.get(v) ?? new Vector3());
  return sum.divideScalar(vertices.length);
}

// Regions of the strongest joints, most stretched first.
export function worstPlaces(model: SkinModel, count: number): Place[] {
  const stretch = model.shape().vertexStretch();
  const posed = model.posedPositions();
  const groups = new Map<number, number[]>();
  for (let v = 0; v < stretch.length; ++v) {
    const joint = model.dominant[v];
    if (joint < 0) continue;
    const group = groups.get(joint);
    if (group) group.push(v);
    else groups.set(joint, [v]);
  }
  const found: (Omit<Place, "normal"> & { vertices: number[] })[] = [];
  for (const [joint, vertices] of groups) {
    const mean = Math.sqrt(vertices.reduce((s, v) => s + stretch[v] ** 2, 0) / vertices.length);
    const top = vertices.sort((a, b) => Math.abs(stretch[b]) - Math.abs(stretch[a])).slice(0, Math.max(1, Math.ceil(vertices.length / 10)));
    const center = new Vector3();
    for (const v of top) center.add(new Vector3().fromArray(posed, 3 * v));
    found.push({ joint: model.rig.joints[joint].name, stretch: mean, center: center.divideScalar(top.length), vertices: top });
  }
  found.sort((a, b) => b.stretch - a.stretch).length = Math.min(found.length, count);
  const around = new Set(found.flatMap((p) => p.vertices));
  const normals = normalsAt(model, around);
  return found.map(({ vertices, ...place }) => ({ ...place, normal: meanOf(normals, vertices) }));
}

// Measures random poses and frames of the clips; poses the pane as it goes. `pause` lets the page breathe.
export async function rankPoses(
  pane: Pane, clips: readonly AnimationClip[], count: number, rangeShare: number, pause: (done: number, of: number) => Promise<void>,
): Promise<RankedPose[]> {
  const { model } = pane;
  const { motions } = pane;
  const poses: { label: string; pose: PoseRef }[] = [];
  for (let index = 0; index < count; ++index)
    poses.push({ label: `random pose ${index}`, pose: { kind: "random", index, turns: randomPose(model, motions, index, rangeShare) } });
  for (const clip of clips)
    for (let i = 0; i < kClipPoses / clips.length; ++i) {
      const time = (clip.duration * i) / Math.ceil(kClipPoses / clips.length);
      poses.push({ label: `${clip.name} ${time.toFixed(2)} s`, pose: { kind: "clip", clip, time } });
    }
  const ranked: RankedPose[] = [];
  for (const { label, pose } of poses) {
    if (pose.kind === "random") pane.setTurns(pose.turns);
    else pane.setClip(pose.clip, pose.time);
    ranked.push({ label, pose, figures: model.shape().figures, place: worstPlaces(model, 1)[0] ?? null });
    await pause(ranked.length, poses.length);
  }
  return ranked.sort((a, b) => b.figures.stretchRms - a.figures.stretchRms);
}

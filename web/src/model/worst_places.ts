// The places that a pose stretches most.
import { Vector3 } from "three";
import type { SkinModel } from "./skin_model";

export interface Place {
  joint: string; // that dominates the place
  stretch: number; // root mean square of its vertices' stretch (ShapeMeter.vertexStretch)
  center: Vector3; // mean of its most stretched vertices, posed
  normal: Vector3; // mean normal of these vertices, posed; short where normals differ
}

const kTopShare = 0.1; // of the vertices of a place: those that its center and normal come from

// Unit normals of some vertices, posed.
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

// One place per joint: the vertices that it dominates. Most stretched first, at most `count`.
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
    const rms = Math.sqrt(vertices.reduce((s, v) => s + stretch[v] ** 2, 0) / vertices.length);
    const byStretch = vertices.sort((a, b) => Math.abs(stretch[b]) - Math.abs(stretch[a]));
    const top = byStretch.slice(0, Math.ceil(kTopShare * vertices.length));
    const center = new Vector3();
    for (const v of top) center.add(new Vector3().fromArray(posed, 3 * v));
    found.push({
      joint: model.rig.joints[joint].name,
      stretch: rms,
      center: center.divideScalar(top.length),
      vertices: top,
    });
  }
  found.sort((a, b) => b.stretch - a.stretch);
  found.length = Math.min(found.length, count);
  const around = new Set(found.flatMap((p) => p.vertices));
  const normals = normalsAt(model, around);
  return found.map(({ vertices, ...place }) => ({ ...place, normal: meanOf(normals, vertices) }));
}

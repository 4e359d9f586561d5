// The places that a pose stretches most, and those that a bind is least sure of.
import { Vector3 } from "three";
import type { SkinModel } from "./skin_model";

export interface Place {
  joint: string; // that dominates the place
  value: number; // root mean square of its vertices' stretch (ShapeMeter.vertexStretch), or the least confidence
  center: Vector3; // mean of its most stretched vertices, posed
  normal: Vector3; // mean normal of these vertices, posed; short where normals differ
}

const kDoubtful = 0.33; // confidence below which a vertex is listed, as in reports of a bind
const kApart = 0.1; // of the diagonal: distance between places in bind pose
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
      value: rms,
      center: center.divideScalar(top.length),
      vertices: top,
    });
  }
  found.sort((a, b) => b.value - a.value);
  found.length = Math.min(found.length, count);
  const around = new Set(found.flatMap((p) => p.vertices));
  const normals = normalsAt(model, around);
  return found.map(({ vertices, ...place }) => ({ ...place, normal: meanOf(normals, vertices) }));
}

// Vertices that the bind is least sure of, as in its report: least sure first, at most `count`, apart from each other.
export function leastSurePlaces(model: SkinModel, confidence: Float32Array, count: number): Place[] {
  const doubtful = Array.from(confidence.keys()).filter((v) => confidence[v] < kDoubtful && model.dominant[v] >= 0);
  doubtful.sort((a, b) => confidence[a] - confidence[b]);
  const apart = kApart * model.bounds().getSize(new Vector3()).length();
  const chosen: { vertex: number; rest: Vector3 }[] = [];
  for (const vertex of doubtful) {
    if (chosen.length === count) break;
    const rest = new Vector3().fromArray(model.rest, 3 * vertex);
    if (chosen.every((c) => c.rest.distanceTo(rest) >= apart)) chosen.push({ vertex, rest });
  }
  const posed = model.posedPositions();
  const normals = normalsAt(model, new Set(chosen.map((c) => c.vertex)));
  return chosen.map(({ vertex }) => ({
    joint: model.rig.joints[model.dominant[vertex]].name,
    value: confidence[vertex],
    center: new Vector3().fromArray(posed, 3 * vertex),
    normal: normals.get(vertex) ?? new Vector3(),
  }));
}

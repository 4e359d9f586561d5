// The places that a pose stretches most, and those that a bind is least sure of.
import { Vector3 } from "three";
import type { SkinModel } from "./skin_model";

export interface Place {
  joint: string; // that dominates the place
  value: number; // root mean square of the stretch over its surface (ShapeMeter.vertexStretch), or the least confidence
  center: Vector3; // mean of its most stretched vertices, posed
  normal: Vector3; // mean normal of these vertices, posed; short where normals differ
}

const kDoubtful = 0.33; // confidence below which a vertex is listed, as in reports of a bind
const kApart = 0.1; // of the diagonal: distance between places in bind pose
const kSmallestRegion = 0.02; // of the surface
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

// By vertex: its share of the surface in bind pose.
function areasOf(model: SkinModel): Float32Array {
  const areas = new Float32Array(model.vertexCount);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let t = 0; t < model.triangles.length; t += 3) {
    const corners = model.triangles.subarray(t, t + 3);
    [a, b, c].forEach((p, i) => p.fromArray(model.rest, 3 * corners[i]));
    const area = b.sub(a).cross(c.sub(a)).length();
    for (const v of corners) areas[v] += area / 6;
  }
  return areas;
}

interface Region {
  joint: number;
  vertices: number[];
  area: number;
}

// The vertices that each joint dominates. Regions too small to be seen on the whole character, like those of finger
// joints, count as part of the region above them.
function regionsOf(model: SkinModel, areas: Float32Array): Region[] {
  const regions: (Region | null)[] = model.rig.joints.map((_, joint) => ({ joint, vertices: [], area: 0 }));
  let total = 0;
  model.dominant.forEach((joint, v) => {
    const region = regions[joint];
    if (!region) return;
    region.vertices.push(v);
    region.area += areas[v];
    total += areas[v];
  });
  for (let joint = regions.length - 1; joint >= 0; --joint) {
    const region = regions[joint]; // parents come before their children
    const above = regions[model.rig.joints[joint].parent];
    if (!region || !above || region.area >= kSmallestRegion * total) continue;
    for (const v of region.vertices) above.vertices.push(v);
    above.area += region.area;
    regions[joint] = null;
  }
  return regions.filter((r): r is Region => r !== null && r.vertices.length > 0);
}

// One place per region of a joint, at most `count`. Those with the most stretch over the most surface come first: that
// is what people see.
export function worstPlaces(model: SkinModel, count: number): Place[] {
  const stretch = model.shape().vertexStretch();
  const posed = model.posedPositions();
  const areas = areasOf(model);
  const found = regionsOf(model, areas).map(({ joint, vertices, area }) => {
    const seen = vertices.reduce((s, v) => s + areas[v] * stretch[v] ** 2, 0);
    const byStretch = vertices.sort((a, b) => Math.abs(stretch[b]) - Math.abs(stretch[a]));
    const top = byStretch.slice(0, Math.ceil(kTopShare * vertices.length));
    const center = new Vector3();
    for (const v of top) center.add(new Vector3().fromArray(posed, 3 * v));
    return {
      joint: model.rig.joints[joint].name,
      value: area > 0 ? Math.sqrt(seen / area) : 0,
      center: center.divideScalar(top.length),
      vertices: top,
      seen,
    };
  });
  found.sort((a, b) => b.seen - a.seen);
  found.length = Math.min(found.length, count);
  const around = new Set(found.flatMap((p) => p.vertices));
  const normals = normalsAt(model, around);
  return found.map(({ vertices, joint, value, center }) => ({
    joint,
    value,
    center,
    normal: meanOf(normals, vertices),
  }));
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

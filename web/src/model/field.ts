// The field of skin cells, evaluated point by point as in src/field/reference.h.
import type { FieldData } from "../payload";
import { surfaceNets, type Surface } from "./surface_nets";

export class Field {
  private readonly distances: Float64Array;
  private readonly nearest: Float64Array; // the smallest distances, one more than there are influences

  constructor(readonly data: FieldData) {
    this.distances = new Float64Array(data.joints.length);
    this.nearest = new Float64Array(data.maxInfluences + 1);
  }

  // Weight of one joint at a bind-space position.
  weightAt(joint: number, x: number, y: number, z: number): number {
    const { unitOrigin: o, unitScale: s } = this.data;
    return this.weight(joint, (x - o[0]) * s, (y - o[1]) * s, (z - o[2]) * s);
  }

  // The same at a position in the unit box.
  private weight(joint: number, x: number, y: number, z: number): number {
    const { joints, maxInfluences, falloffs } = this.data;
    this.nearest.fill(Infinity);
    for (let j = 0; j < joints.length; ++j) this.keepNearest((this.distances[j] = this.cellDistance(j, x, y, z)));
    const cuts = joints.length > maxInfluences;
    const reference = cuts ? this.nearest[maxInfluences] : 0;
    if (cuts && this.distances[joint] >= reference) return 0;
    let sum = 0;
    let own = 0;
    for (let j = 0; j < joints.length; ++j) {
      if (cuts && this.distances[j] >= reference) continue;
      const d = Math.max(this.distances[j], 1e-9);
      const above = cuts ? Math.max(0, reference - d) : 1;
      const raw = (above / d) ** falloffs[j];
      sum += raw;
      if (j === joint) own = raw;
    }
    return sum > 0 ? own / sum : 0;
  }

  // Inserts a distance into `nearest`, which is sorted.
  private keepNearest(distance: number): void {
    const { nearest } = this;
    let at = nearest.length - 1;
    if (distance >= nearest[at]) return;
    for (; at > 0 && nearest[at - 1] > distance; --at) nearest[at] = nearest[at - 1];
    nearest[at] = distance;
  }

  // The surface on which the joint's weight is one half, within a box; both in bind space.
  region(joint: number, lo: readonly number[], hi: readonly number[], cellsAcross: number): Surface {
    return surfaceNets(lo, hi, cellsAcross, (x, y, z) => this.weightAt(joint, x, y, z) - 0.5);
  }

  // Center of a site in bind space.
  center(site: number): [number, number, number] {
    const { centers, unitOrigin: o, unitScale: s } = this.data;
    return [centers[3 * site] / s + o[0], centers[3 * site + 1] / s + o[1], centers[3 * site + 2] / s + o[2]];
  }

  private cellDistance(joint: number, x: number, y: number, z: number): number {
    const { siteCount, centers, shapes, offsets } = this.data;
    let nearest = Infinity;
    for (let s = joint * siteCount; s < (joint + 1) * siteCount; ++s) {
      const u = x - centers[3 * s];
      const v = y - centers[3 * s + 1];
      const w = z - centers[3 * s + 2];
      const f = 9 * s;
      const a = shapes[f] * u + shapes[f + 1] * v + shapes[f + 2] * w;
      const b = shapes[f + 3] * u + shapes[f + 4] * v + shapes[f + 5] * w;
      const c = shapes[f + 6] * u + shapes[f + 7] * v + shapes[f + 8] * w;
      const squared = a * a + b * b + c * c;
      const t = offsets[s];
      nearest = Math.min(nearest, squared < t * t ? (squared / t + t) / 2 : Math.sqrt(squared));
    }
    return nearest;
  }
}

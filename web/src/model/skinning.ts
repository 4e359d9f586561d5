// Linear blend skinning on the CPU, for measuring and picking; the graphics card skins what is drawn.

// One row of `slots` (joint, weight) pairs per vertex; unused slots have weight 0.
export interface WeightRows {
  slots: number;
  joints: Uint16Array;
  weights: Float32Array;
}

// matrices: row-major 3x4 matrices [linear | translation], one per joint. Weights are not normalized.
export function skinPositions(rest: Float32Array, rows: WeightRows, matrices: Float64Array, out: Float32Array): void {
  const { slots, joints, weights } = rows;
  const count = rest.length / 3;
  for (let v = 0; v < count; ++v) {
    const px = rest[3 * v];
    const py = rest[3 * v + 1];
    const pz = rest[3 * v + 2];
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = v * slots, end = k + slots; k < end; ++k) {
      const w = weights[k];
      if (w === 0) continue;
      const m = 12 * joints[k];
      x += w * (matrices[m] * px + matrices[m + 1] * py + matrices[m + 2] * pz + matrices[m + 3]);
      y += w * (matrices[m + 4] * px + matrices[m + 5] * py + matrices[m + 6] * pz + matrices[m + 7]);
      z += w * (matrices[m + 8] * px + matrices[m + 9] * py + matrices[m + 10] * pz + matrices[m + 11]);
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
  }
}

// Adds to `out` a direction transformed by the linear part of a vertex's blended matrix.
export function carryDirection(
  rows: WeightRows,
  matrices: Float64Array,
  v: number,
  dx: number,
  dy: number,
  dz: number,
  out: Float64Array,
): void {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let k = v * rows.slots, end = k + rows.slots; k < end; ++k) {
    const w = rows.weights[k];
    if (w === 0) continue;
    const m = 12 * rows.joints[k];
    x += w * (matrices[m] * dx + matrices[m + 1] * dy + matrices[m + 2] * dz);
    y += w * (matrices[m + 4] * dx + matrices[m + 5] * dy + matrices[m + 6] * dz);
    z += w * (matrices[m + 8] * dx + matrices[m + 9] * dy + matrices[m + 10] * dz);
  }
  out[0] += x;
  out[1] += y;
  out[2] += z;
}

// The joint with the largest weight, or -1 for a vertex without weights.
export function dominantJoint(rows: WeightRows, v: number): number {
  let best = -1;
  let most = 0;
  for (let k = v * rows.slots, end = k + rows.slots; k < end; ++k)
    if (rows.weights[k] > most) {
      most = rows.weights[k];
      best = rows.joints[k];
    }
  return best;
}

// 0 for joints that do not influence the vertex.
export function weightOf(rows: WeightRows, v: number, joint: number): number {
  let sum = 0;
  for (let k = v * rows.slots, end = k + rows.slots; k < end; ++k) if (rows.joints[k] === joint) sum += rows.weights[k];
  return sum;
}

// Weights up to it do not count as influences.
export const kNegligibleWeight = 1e-4;

export function influenceCount(rows: WeightRows, v: number): number {
  let count = 0;
  for (let k = v * rows.slots, end = k + rows.slots; k < end; ++k) if (rows.weights[k] > kNegligibleWeight) ++count;
  return count;
}

// Half the L1 distance of the rows of a vertex, 0 .. 1. `match` maps joints of b to joints of a (-1: a has no such
// joint).
export function rowDistance(a: WeightRows, b: WeightRows, match: Int32Array, v: number): number {
  let sum = 0;
  for (let k = v * a.slots, end = k + a.slots; k < end; ++k) {
    if (a.weights[k] === 0) continue;
    let other = 0;
    for (let i = v * b.slots, last = i + b.slots; i < last; ++i)
      if (b.weights[i] > 0 && match[b.joints[i]] === a.joints[k]) other += b.weights[i];
    sum += Math.abs(a.weights[k] - other);
  }
  for (let i = v * b.slots, last = i + b.slots; i < last; ++i) {
    if (b.weights[i] === 0) continue;
    const joint = match[b.joints[i]];
    if (joint < 0 || weightOf(a, v, joint) === 0) sum += b.weights[i];
  }
  return sum / 2;
}

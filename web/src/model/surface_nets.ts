// Triangles of the surface on which a function is zero (naive surface nets, Gibson 1998).

export interface Surface {
  positions: Float32Array;
  indices: Uint32Array;
}

const kCorners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]);
const kEdges: [number, number][] = [];
for (let a = 0; a < 8; ++a) for (let bit = 1; bit < 8; bit <<= 1) if (!(a & bit)) kEdges.push([a, a | bit]);

// `value` is positive inside. The surface is closed at the border of the box.
export function surfaceNets(
  lo: readonly number[],
  hi: readonly number[],
  cellsAcross: number,
  value: (x: number, y: number, z: number) => number,
): Surface {
  const step = Math.max(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]) / cellsAcross;
  if (!(step > 0)) return { positions: new Float32Array(), indices: new Uint32Array() };
  // A layer of samples around the box counts as outside, which closes the surface.
  const n = [0, 1, 2].map((k) => Math.ceil((hi[k] - lo[k]) / step) + 3);
  const at = (i: number, j: number, k: number) => i + n[0] * (j + n[1] * k);
  const samples = new Float32Array(n[0] * n[1] * n[2]).fill(-1);
  for (let k = 1; k < n[2] - 1; ++k)
    for (let j = 1; j < n[1] - 1; ++j)
      for (let i = 1; i < n[0] - 1; ++i)
        samples[at(i, j, k)] = value(lo[0] + (i - 1) * step, lo[1] + (j - 1) * step, lo[2] + (k - 1) * step);

  const positions: number[] = [];
  const indices: number[] = [];
  const vertexOf = new Int32Array(samples.length).fill(-1);
  for (let k = 0; k + 1 < n[2]; ++k)
    for (let j = 0; j + 1 < n[1]; ++j)
      for (let i = 0; i + 1 < n[0]; ++i) {
        const corner = kCorners.map(([x, y, z]) => samples[at(i + x, j + y, k + z)]);
        const sum = [0, 0, 0];
        let crossings = 0;
        for (const [a, b] of kEdges) {
          if (corner[a] > 0 === corner[b] > 0) continue;
          const t = corner[a] / (corner[a] - corner[b]);
          for (let c = 0; c < 3; ++c) sum[c] += kCorners[a][c] + t * (kCorners[b][c] - kCorners[a][c]);
          ++crossings;
        }
        if (crossings === 0) continue;
        vertexOf[at(i, j, k)] = positions.length / 3;
        positions.push(...[i, j, k].map((cell, c) => lo[c] + (cell - 1 + sum[c] / crossings) * step));
      }
  // One quad per grid edge that crosses the surface, between the four cells around the edge.
  for (let k = 1; k + 1 < n[2]; ++k)
    for (let j = 1; j + 1 < n[1]; ++j)
      for (let i = 1; i + 1 < n[0]; ++i)
        for (let axis = 0; axis < 3; ++axis) {
          const next = [i, j, k];
          ++next[axis];
          const inside = samples[at(i, j, k)] > 0;
          if (inside === samples[at(next[0], next[1], next[2])] > 0) continue;
          const u = [0, 0, 0];
          const v = [0, 0, 0];
          u[(axis + 1) % 3] = 1;
          v[(axis + 2) % 3] = 1;
          const cell = (a: number, b: number) =>
            vertexOf[at(i - a * u[0] - b * v[0], j - a * u[1] - b * v[1], k - a * u[2] - b * v[2])];
          const quad = [cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)];
          if (quad.some((q) => q < 0)) continue;
          if (inside) indices.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
          else indices.push(quad[0], quad[2], quad[1], quad[0], quad[3], quad[2]);
        }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

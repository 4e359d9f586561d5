// Which points are inside a surface: by crossings of rays along the three axes in both directions.

const kShift = 1e-5; // of the surface's size: rays pass beside edges and corners, which often are in line with points

// Triangles by the cells of a grid in the plane across an axis.
interface Grid {
  low: [number, number];
  cell: number;
  columns: number;
  rows: number;
  first: Uint32Array; // by cell, with one more at the end
  triangles: Uint32Array; // by cell: index of the first corner
}

const clamp = (x: number, most: number) => Math.min(Math.max(Math.floor(x), 0), most);

function makeGrid(p: Float32Array, triangles: Uint32Array, u: number, v: number): Grid {
  const low: [number, number] = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const corner of triangles)
    [u, v].forEach((axis, i) => {
      low[i] = Math.min(low[i], p[3 * corner + axis]);
      high[i] = Math.max(high[i], p[3 * corner + axis]);
    });
  const cell = Math.max((high[0] - low[0]) / 64, (high[1] - low[1]) / 64, 1e-30);
  const columns = clamp((high[0] - low[0]) / cell, 64) + 1;
  const rows = clamp((high[1] - low[1]) / cell, 64) + 1;
  const covered = (t: number, visit: (cell: number) => void) => {
    const us = [0, 1, 2].map((i) => p[3 * triangles[t + i] + u]);
    const vs = [0, 1, 2].map((i) => p[3 * triangles[t + i] + v]);
    const lastRow = clamp((Math.max(...vs) - low[1]) / cell, rows - 1);
    const lastColumn = clamp((Math.max(...us) - low[0]) / cell, columns - 1);
    for (let row = clamp((Math.min(...vs) - low[1]) / cell, rows - 1); row <= lastRow; ++row)
      for (let c = clamp((Math.min(...us) - low[0]) / cell, columns - 1); c <= lastColumn; ++c)
        visit(row * columns + c);
  };
  const first = new Uint32Array(rows * columns + 1);
  for (let t = 0; t < triangles.length; t += 3) covered(t, (c) => ++first[c + 1]);
  for (let c = 0; c < rows * columns; ++c) first[c + 1] += first[c];
  const next = first.slice();
  const sorted = new Uint32Array(first[rows * columns]);
  for (let t = 0; t < triangles.length; t += 3) covered(t, (c) => (sorted[next[c]++] = t));
  return { low, cell, columns, rows, first, triangles: sorted };
}

// Marks the points inside the surface with 1. Both have 3 numbers per position; triangles index the surface. Where the
// surface is open or passes through itself, most of the six rays decide.
export function markInside(
  points: Float32Array,
  surface: Float32Array,
  triangles: Uint32Array,
  inside: Uint8Array,
): void {
  if (triangles.length === 0) return;
  const count = points.length / 3;
  const winding = new Float32Array(count); // times six
  for (let axis = 0; axis < 3; ++axis) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    const grid = makeGrid(surface, triangles, u, v);
    const shift = kShift * 64 * grid.cell;
    for (let i = 0; i < count; ++i) {
      const x = points[3 * i + u] + shift * 0.61;
      const y = points[3 * i + v] + shift * 0.83;
      const column = Math.floor((x - grid.low[0]) / grid.cell);
      const row = Math.floor((y - grid.low[1]) / grid.cell);
      if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) continue;
      const cell = row * grid.columns + column;
      for (let k = grid.first[cell]; k < grid.first[cell + 1]; ++k) {
        const [a, b, c] = [0, 1, 2].map((corner) => 3 * triangles[grid.triangles[k] + corner]);
        // Twice the areas that the ray makes with the edges; their sum is that of the triangle.
        const area = (p: number, q: number) =>
          (surface[p + u] - x) * (surface[q + v] - y) - (surface[q + u] - x) * (surface[p + v] - y);
        const [wa, wb, wc] = [area(b, c), area(c, a), area(a, b)];
        const isHit = (wa > 0 && wb > 0 && wc > 0) || (wa < 0 && wb < 0 && wc < 0);
        if (!isHit) continue;
        const height = (wa * surface[a + axis] + wb * surface[b + axis] + wc * surface[c + axis]) / (wa + wb + wc);
        winding[i] += height > points[3 * i + axis] === wa > 0 ? 1 : -1;
      }
    }
  }
  for (let i = 0; i < count; ++i) if (Math.abs(winding[i]) > 3) inside[i] = 1;
}

// Marks the vertices of garments that are inside the body or a layer below with 1. layerOf: by vertex, 0 for the body
// and 1 for the innermost garment.
export function markInsideLayers(
  positions: Float32Array,
  triangles: Uint32Array,
  layerOf: Uint8Array,
  inside: Uint8Array,
): void {
  const layers = layerOf.reduce((a, b) => Math.max(a, b), 0);
  for (let layer = 1; layer <= layers; ++layer) {
    const vertices = Uint32Array.from(layerOf.keys()).filter((v) => layerOf[v] === layer);
    const points = Float32Array.from({ length: 3 * vertices.length }, (_, i) => {
      return positions[3 * vertices[Math.floor(i / 3)] + (i % 3)];
    });
    const below = triangles.filter((_, i) => layerOf[triangles[i - (i % 3)]] < layer);
    const found = new Uint8Array(vertices.length);
    markInside(points, positions, below, found);
    vertices.forEach((v, i) => (inside[v] |= found[i]));
  }
}

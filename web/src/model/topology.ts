// What does not change with the pose: welded vertices, edges, islands (connected parts) and which of them are closed.

export interface Topology {
  weldedOf: Uint32Array; // vertex -> welded vertex
  firstOf: Uint32Array; // welded vertex -> its first vertex
  triangles: Uint32Array; // 3 welded vertices each; without degenerate ones
  edges: Uint32Array; // 2 welded vertices each
  islandOf: Uint32Array; // welded vertex -> island
  islandCount: number;
  closed: Uint8Array; // by island: 1 if every edge has two triangles
}

// Diagonal of the bounding box.
export function diagonalOf(positions: Float32Array): number {
  const lo = [Infinity, Infinity, Infinity];
  const hi = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const axis = i % 3;
    if (positions[i] < lo[axis]) lo[axis] = positions[i];
    if (positions[i] > hi[axis]) hi[axis] = positions[i];
  }
  return positions.length === 0 ? 0 : Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
}

function weld(positions: Float32Array): { weldedOf: Uint32Array; firstOf: Uint32Array } {
  const cell = Math.max(1e-6 * diagonalOf(positions), 1e-30);
  const count = positions.length / 3;
  const weldedOf = new Uint32Array(count);
  const first: number[] = [];
  const seen = new Map<string, number>();
  for (let v = 0; v < count; ++v) {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    const key = `${Math.round(x / cell)},${Math.round(y / cell)},${Math.round(z / cell)}`;
    let w = seen.get(key);
    if (w === undefined) {
      w = first.length;
      first.push(v);
      seen.set(key, w);
    }
    weldedOf[v] = w;
  }
  return { weldedOf, firstOf: Uint32Array.from(first) };
}

function weldTriangles(triangles: Uint32Array, weldedOf: Uint32Array): Uint32Array {
  const out = new Uint32Array(triangles.length);
  let n = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = weldedOf[triangles[t]];
    const b = weldedOf[triangles[t + 1]];
    const c = weldedOf[triangles[t + 2]];
    if (a === b || b === c || c === a) continue;
    out[n++] = a;
    out[n++] = b;
    out[n++] = c;
  }
  return out.slice(0, n);
}

// Edges, and the number of triangles at each.
function findEdges(triangles: Uint32Array, vertexCount: number): { edges: Uint32Array; uses: Uint8Array } {
  const keys = new Float64Array(triangles.length); // a * vertexCount + b is exact below 2^53
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      keys[t + k] = Math.min(a, b) * vertexCount + Math.max(a, b);
    }
  keys.sort();
  const edges: number[] = [];
  const uses: number[] = [];
  for (let i = 0; i < keys.length;) {
    let end = i + 1;
    while (end < keys.length && keys[end] === keys[i]) ++end;
    edges.push(Math.floor(keys[i] / vertexCount), keys[i] % vertexCount);
    uses.push(Math.min(end - i, 255));
    i = end;
  }
  return { edges: Uint32Array.from(edges), uses: Uint8Array.from(uses) };
}

function findIslands(edges: Uint32Array, vertexCount: number): { islandOf: Uint32Array; islandCount: number } {
  const parent = new Uint32Array(vertexCount).map((_, i) => i);
  const root = (v: number): number => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let e = 0; e < edges.length; e += 2) {
    const a = root(edges[e]);
    const b = root(edges[e + 1]);
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  const islandOf = new Uint32Array(vertexCount);
  let islandCount = 0;
  for (let v = 0; v < vertexCount; ++v) islandOf[v] = root(v) === v ? islandCount++ : islandOf[root(v)];
  return { islandOf, islandCount };
}

export function analyze(positions: Float32Array, meshTriangles: Uint32Array): Topology {
  const { weldedOf, firstOf } = weld(positions);
  const triangles = weldTriangles(meshTriangles, weldedOf);
  const { edges, uses } = findEdges(triangles, firstOf.length);
  const { islandOf, islandCount } = findIslands(edges, firstOf.length);
  const closed = new Uint8Array(islandCount);
  for (let e = 0; e < uses.length; ++e) closed[islandOf[edges[2 * e]]] |= uses[e] === 2 ? 1 : 2;
  for (let i = 0; i < islandCount; ++i) closed[i] = closed[i] === 1 ? 1 : 0;
  return { weldedOf, firstOf, triangles, edges, islandOf, islandCount, closed };
}

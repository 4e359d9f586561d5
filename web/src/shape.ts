// The shape of a posed mesh against its bind shape, by the library's definitions (src/metrics/shape_meter.cpp).
import { carryDirection, type WeightRows } from "./skinning";
import { diagonalOf, type Topology } from "./topology";

const kFactorOfTwo = Math.LN2;
const kCollapsedArea = 1e-3; // of the bind area
const kShortestRatio = 1e-6;

export interface ShapeFigures {
  stretchRms: number; // of |ln(posed edge length / bind edge length)|
  stretchP99: number;
  extremeEdgesPercent: number; // edges beyond a factor of two
  flippedPercent: number; // triangles turned over or collapsed
  volumePercent: number; // |posed / bind volume - 1| of the closed parts together
}

export interface ShapeOfPose {
  figures: ShapeFigures;
  edgeLog: Float32Array; // signed, by edge
  flipped: Uint8Array; // by welded triangle
  volumeRatio: Float32Array; // by island; 1 for open ones
}

export class ShapeMeter {
  private readonly bindLengths: Float64Array;
  private readonly bindNormals: Float64Array;
  private readonly bindVolumes: Float64Array;
  private readonly smallestVolume: number;

  constructor(rest: Float32Array, private readonly rows: WeightRows, readonly topology: Topology) {
    const { edges, firstOf } = topology;
    this.bindLengths = new Float64Array(edges.length / 2);
    for (let e = 0; e < this.bindLengths.length; ++e)
      this.bindLengths[e] = distance(rest, firstOf[edges[2 * e]], firstOf[edges[2 * e + 1]]);
    this.bindNormals = this.normals(rest);
    this.bindVolumes = this.volumes(rest);
    this.smallestVolume = 1e-12 * diagonalOf(rest) ** 3;
  }

  measure(posed: Float32Array, matrices: Float64Array): ShapeOfPose {
    const edgeLog = this.edgeLogs(posed);
    const flipped = this.flips(posed, matrices);
    const now = this.volumes(posed);
    const volumeRatio = now.map((v, i) => (this.topology.closed[i] && Math.abs(this.bindVolumes[i]) > this.smallestVolume ? v / this.bindVolumes[i] : 1));
    const bind = sum(this.bindVolumes);
    const volumePercent = Math.abs(bind) > this.smallestVolume ? 100 * Math.abs(sum(now) / bind - 1) : 0;
    const absolute = edgeLog.map(Math.abs).sort();
    const n = Math.max(absolute.length, 1);
    let squares = 0, extreme = 0, turned = 0;
    for (const a of absolute) {
      squares += a * a;
      if (a > kFactorOfTwo) ++extreme;
    }
    for (const f of flipped) turned += f;
    return {
      edgeLog,
      flipped,
      volumeRatio: Float32Array.from(volumeRatio),
      figures: {
        stretchRms: Math.sqrt(squares / n),
        stretchP99: absolute[Math.min(absolute.length - 1, Math.floor(0.99 * absolute.length))] ?? 0,
        extremeEdgesPercent: (100 * extreme) / n,
        flippedPercent: (100 * turned) / Math.max(flipped.length, 1),
        volumePercent,
      },
    };
  }

  // Mean of the edges' logarithms at each vertex.
  vertexStretch(shape: ShapeOfPose): Float32Array {
    const { edges, firstOf, weldedOf } = this.topology;
    const total = new Float32Array(firstOf.length), count = new Float32Array(firstOf.length);
    for (let e = 0; e < shape.edgeLog.length; ++e)
      for (const w of [edges[2 * e], edges[2 * e + 1]]) {
        total[w] += shape.edgeLog[e];
        count[w] += 1;
      }
    const out = new Float32Array(weldedOf.length);
    for (let v = 0; v < out.length; ++v) out[v] = count[weldedOf[v]] > 0 ? total[weldedOf[v]] / count[weldedOf[v]] : 0;
    return out;
  }

  // 1 at the corners of turned-over triangles.
  vertexFlips(shape: ShapeOfPose): Float32Array {
    const { triangles, weldedOf, firstOf } = this.topology;
    const welded = new Uint8Array(firstOf.length);
    for (let t = 0; t < shape.flipped.length; ++t)
      if (shape.flipped[t]) for (let k = 0; k < 3; ++k) welded[triangles[3 * t + k]] = 1;
    return Float32Array.from(weldedOf, (w) => welded[w]);
  }

  private edgeLogs(posed: Float32Array): Float32Array {
    const { edges, firstOf } = this.topology;
    const out = new Float32Array(this.bindLengths.length);
    for (let e = 0; e < out.length; ++e) {
      const bind = this.bindLengths[e];
      const ratio = bind > 0 ? distance(posed, firstOf[edges[2 * e]], firstOf[edges[2 * e + 1]]) / bind : 1;
      out[e] = Math.log(Math.max(ratio, kShortestRatio));
    }
    return out;
  }

  private flips(posed: Float32Array, matrices: Float64Array): Uint8Array {
    const { triangles, firstOf } = this.topology;
    const normals = this.normals(posed);
    const out = new Uint8Array(triangles.length / 3);
    const carried = new Float64Array(3);
    for (let t = 0; t < out.length; ++t) {
      const [x, y, z] = [this.bindNormals[3 * t], this.bindNormals[3 * t + 1], this.bindNormals[3 * t + 2]];
      carried.fill(0);
      for (let k = 0; k < 3; ++k) carryDirection(this.rows, matrices, firstOf[triangles[3 * t + k]], x, y, z, carried);
      const dot = normals[3 * t] * carried[0] + normals[3 * t + 1] * carried[1] + normals[3 * t + 2] * carried[2];
      const area = Math.hypot(normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]);
      out[t] = dot < 0 || area < kCollapsedArea * Math.hypot(x, y, z) ? 1 : 0;
    }
    return out;
  }

  // Area normals of the welded triangles, twice the area long.
  private normals(positions: Float32Array): Float64Array {
    const { triangles, firstOf } = this.topology;
    const out = new Float64Array(triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * firstOf[triangles[t]], b = 3 * firstOf[triangles[t + 1]], c = 3 * firstOf[triangles[t + 2]];
      const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
      const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
      out[t] = uy * vz - uz * vy;
      out[t + 1] = uz * vx - ux * vz;
      out[t + 2] = ux * vy - uy * vx;
    }
    return out;
  }

  // Signed volumes of the closed islands; 0 for the open ones.
  private volumes(positions: Float32Array): Float64Array {
    const { triangles, firstOf, islandOf, closed, islandCount } = this.topology;
    const out = new Float64Array(islandCount);
    const origin = new Int32Array(islandCount).fill(-1); // near it, products do not cancel
    for (let t = 0; t < triangles.length; t += 3) {
      const island = islandOf[triangles[t]];
      if (!closed[island]) continue;
      if (origin[island] < 0) origin[island] = 3 * firstOf[triangles[t]];
      const o = origin[island];
      const p = [0, 1, 2].map((k) => {
        const i = 3 * firstOf[triangles[t + k]];
        return [positions[i] - positions[o], positions[i + 1] - positions[o + 1], positions[i + 2] - positions[o + 2]];
      });
      out[island] += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
        p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) / 6;
    }
    return out;
  }
}

function distance(p: Float32Array, a: number, b: number): number {
  return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
}

function sum(values: Float64Array): number {
  let s = 0;
  for (const v of values) s += v;
  return s;
}

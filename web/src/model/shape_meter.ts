// The shape of a posed mesh against its bind shape, by the library's definitions (src/metrics/shape_meter.cpp).
import { carryDirection, type WeightRows } from "./skinning";
import { diagonalOf, type Topology } from "./topology";

const kFactorOfTwo = Math.LN2;
const kCollapsedArea = 1e-3; // share of the bind area
const kSmallestRatio = 1e-6; // of edge lengths

export interface ShapeMetrics {
  stretchRms: number; // root mean square of ln(posed / bind edge length)
  stretchP99: number; // 99th percentile of its magnitude
  extremeEdgesPercent: number; // edges that changed by more than a factor of two
  flippedPercent: number; // flipped or collapsed triangles
  volumePercent: number; // |posed / bind volume - 1| of all closed parts together
}

// Measures one pose after another. Each metric is computed on first use, into arrays that are reused for every pose: a
// view pays only for what it shows, and playback allocates nothing.
export class ShapeMeter {
  private readonly bindLengths: Float64Array;
  private readonly bindNormals: Float64Array;
  private readonly bindVolumes: Float64Array;
  private readonly degrees: Uint16Array; // edges per welded vertex
  private readonly smallestVolume: number;
  private readonly edgeLogs: Float32Array;
  private readonly sortedLogs: Float32Array;
  private readonly normals: Float64Array;
  private readonly flips: Uint8Array;
  private readonly volumes: Float64Array;
  private readonly weldedValues: Float32Array;
  private readonly vertexValues: Float32Array;
  private readonly known = { edges: false, flips: false, volumes: false };
  private metrics_: ShapeMetrics | null = null;
  private posed: Float32Array;
  private matrices: Float64Array = new Float64Array();

  constructor(
    rest: Float32Array,
    private readonly rows: WeightRows,
    private readonly topology: Topology,
  ) {
    const { edges, firstOf, triangles, weldedOf, islandCount } = topology;
    this.posed = rest;
    this.bindLengths = new Float64Array(edges.length / 2);
    this.degrees = new Uint16Array(firstOf.length);
    for (let e = 0; e < this.bindLengths.length; ++e) {
      this.bindLengths[e] = distance(rest, firstOf[edges[2 * e]], firstOf[edges[2 * e + 1]]);
      ++this.degrees[edges[2 * e]];
      ++this.degrees[edges[2 * e + 1]];
    }
    this.bindNormals = new Float64Array(triangles.length);
    this.bindVolumes = new Float64Array(islandCount);
    this.putNormals(rest, this.bindNormals);
    this.putVolumes(rest, this.bindVolumes);
    this.smallestVolume = 1e-12 * diagonalOf(rest) ** 3;
    this.edgeLogs = new Float32Array(edges.length / 2);
    this.sortedLogs = new Float32Array(edges.length / 2);
    this.normals = new Float64Array(triangles.length);
    this.flips = new Uint8Array(triangles.length / 3);
    this.volumes = new Float64Array(islandCount);
    this.weldedValues = new Float32Array(firstOf.length);
    this.vertexValues = new Float32Array(weldedOf.length);
  }

  // Sets the pose to measure: positions and joint matrices. Both arrays are read until the next call.
  setPose(posed: Float32Array, matrices: Float64Array): void {
    this.posed = posed;
    this.matrices = matrices;
    this.known.edges = this.known.flips = this.known.volumes = false;
    this.metrics_ = null;
  }

  // ln(posed / bind length) by edge.
  get edgeLog(): Float32Array {
    if (!this.known.edges) this.putEdgeLogs();
    this.known.edges = true;
    return this.edgeLogs;
  }
  // 1 for each welded triangle that is flipped or collapsed.
  get flipped(): Uint8Array {
    if (!this.known.flips) this.putFlips();
    this.known.flips = true;
    return this.flips;
  }
  // Posed / bind volume of an island; 1 for open ones.
  volumeRatio(island: number): number {
    const bind = this.bindVolumes[island];
    return this.topology.closed[island] && Math.abs(bind) > this.smallestVolume ? this.posedVolumes[island] / bind : 1;
  }
  get metrics(): ShapeMetrics {
    return (this.metrics_ ??= this.findMetrics());
  }

  // Mean of `edgeLog` over the edges at each vertex; valid until the next call of this or `vertexFlips`.
  vertexStretch(): Float32Array {
    const { edges, weldedOf } = this.topology;
    const { edgeLog, weldedValues, vertexValues, degrees } = this;
    weldedValues.fill(0);
    for (let e = 0; e < edgeLog.length; ++e) {
      weldedValues[edges[2 * e]] += edgeLog[e];
      weldedValues[edges[2 * e + 1]] += edgeLog[e];
    }
    for (let v = 0; v < vertexValues.length; ++v)
      vertexValues[v] = weldedValues[weldedOf[v]] / Math.max(degrees[weldedOf[v]], 1);
    return vertexValues;
  }

  // 1 at the corners of flipped triangles; valid as long as `vertexStretch`.
  vertexFlips(): Float32Array {
    const { triangles, weldedOf } = this.topology;
    const { flipped, weldedValues, vertexValues } = this;
    weldedValues.fill(0);
    for (let t = 0; t < flipped.length; ++t)
      if (flipped[t]) for (let k = 0; k < 3; ++k) weldedValues[triangles[3 * t + k]] = 1;
    for (let v = 0; v < vertexValues.length; ++v) vertexValues[v] = weldedValues[weldedOf[v]];
    return vertexValues;
  }

  private get posedVolumes(): Float64Array {
    if (!this.known.volumes) this.putVolumes(this.posed, this.volumes);
    this.known.volumes = true;
    return this.volumes;
  }

  private findMetrics(): ShapeMetrics {
    const { edgeLog, flipped, sortedLogs } = this;
    const n = Math.max(edgeLog.length, 1);
    let squares = 0;
    let extreme = 0;
    let turned = 0;
    for (let e = 0; e < edgeLog.length; ++e) {
      const a = Math.abs(edgeLog[e]);
      sortedLogs[e] = a;
      squares += a * a;
      if (a > kFactorOfTwo) ++extreme;
    }
    sortedLogs.sort();
    for (const f of flipped) turned += f;
    const bind = sum(this.bindVolumes);
    return {
      stretchRms: Math.sqrt(squares / n),
      stretchP99: percentile(sortedLogs, 0.99),
      extremeEdgesPercent: (100 * extreme) / n,
      flippedPercent: (100 * turned) / Math.max(flipped.length, 1),
      volumePercent: Math.abs(bind) > this.smallestVolume ? 100 * Math.abs(sum(this.posedVolumes) / bind - 1) : 0,
    };
  }

  private putEdgeLogs(): void {
    const { edges, firstOf } = this.topology;
    for (let e = 0; e < this.edgeLogs.length; ++e) {
      const bind = this.bindLengths[e];
      const ratio = bind > 0 ? distance(this.posed, firstOf[edges[2 * e]], firstOf[edges[2 * e + 1]]) / bind : 1;
      this.edgeLogs[e] = Math.log(Math.max(ratio, kSmallestRatio));
    }
  }

  private putFlips(): void {
    const { triangles, firstOf } = this.topology;
    const { normals, bindNormals } = this;
    this.putNormals(this.posed, normals);
    const carried = new Float64Array(3);
    for (let t = 0; t < this.flips.length; ++t) {
      const x = bindNormals[3 * t];
      const y = bindNormals[3 * t + 1];
      const z = bindNormals[3 * t + 2];
      carried.fill(0);
      for (let k = 0; k < 3; ++k)
        carryDirection(this.rows, this.matrices, firstOf[triangles[3 * t + k]], x, y, z, carried);
      const dot = normals[3 * t] * carried[0] + normals[3 * t + 1] * carried[1] + normals[3 * t + 2] * carried[2];
      const area = Math.hypot(normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]);
      this.flips[t] = dot < 0 || area < kCollapsedArea * Math.hypot(x, y, z) ? 1 : 0;
    }
  }

  // Normals of the welded triangles; their length is twice the area.
  private putNormals(p: Float32Array, out: Float64Array): void {
    const { triangles, firstOf } = this.topology;
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * firstOf[triangles[t]];
      const b = 3 * firstOf[triangles[t + 1]];
      const c = 3 * firstOf[triangles[t + 2]];
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      out[t] = uy * vz - uz * vy;
      out[t + 1] = uz * vx - ux * vz;
      out[t + 2] = ux * vy - uy * vx;
    }
  }

  // Signed volumes of the closed islands; 0 for the open ones.
  private putVolumes(p: Float32Array, out: Float64Array): void {
    const { triangles, firstOf, islandOf, closed, islandCount } = this.topology;
    const origin = new Int32Array(islandCount).fill(-1); // a vertex of each island, to avoid cancellation
    out.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const island = islandOf[triangles[t]];
      if (!closed[island]) continue;
      const a = 3 * firstOf[triangles[t]];
      const b = 3 * firstOf[triangles[t + 1]];
      const c = 3 * firstOf[triangles[t + 2]];
      if (origin[island] < 0) origin[island] = a;
      const o = origin[island];
      const ax = p[a] - p[o];
      const ay = p[a + 1] - p[o + 1];
      const az = p[a + 2] - p[o + 2];
      const bx = p[b] - p[o];
      const by = p[b + 1] - p[o + 1];
      const bz = p[b + 2] - p[o + 2];
      const cx = p[c] - p[o];
      const cy = p[c + 1] - p[o + 1];
      const cz = p[c + 2] - p[o + 2];
      out[island] += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    }
  }
}

function distance(p: Float32Array, a: number, b: number): number {
  return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
}

// Interpolates between neighbors, as the library does (src/metrics/samples.cpp).
function percentile(sorted: Float32Array, share: number): number {
  if (sorted.length === 0) return 0;
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const next = sorted[Math.min(below + 1, sorted.length - 1)];
  return sorted[below] + (next - sorted[below]) * (place - below);
}

function sum(values: Float64Array): number {
  let s = 0;
  for (const v of values) s += v;
  return s;
}

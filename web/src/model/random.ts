// PCG32 (O'Neill 2014). Gives the same numbers as the library (src/base/random.h).

const kMask = (1n << 64n) - 1n;
const kMultiplier = 6364136223846793005n;

export class Random {
  private state = 0n;
  private readonly increment: bigint;

  constructor(seed: number, stream = 0) {
    this.increment = ((BigInt(stream) << 1n) | 1n) & kMask;
    this.nextBits();
    this.state = (this.state + BigInt(seed)) & kMask;
    this.nextBits();
  }

  nextBits(): number {
    const old = this.state;
    this.state = (old * kMultiplier + this.increment) & kMask;
    const shifted = Number((((old >> 18n) ^ old) >> 27n) & 0xffffffffn);
    const rotation = Number(old >> 59n);
    return ((shifted >>> rotation) | (shifted << ((32 - rotation) & 31))) >>> 0;
  }
  // Uniform in [lo, hi).
  uniform(lo = 0, hi = 1): number {
    return lo + (hi - lo) * (this.nextBits() / 4294967296);
  }
  // Uniform on the unit sphere.
  direction(): [number, number, number] {
    const z = this.uniform(-1, 1);
    const a = this.uniform(0, 6.283185307179586);
    const r = Math.sqrt(Math.max(0, 1 - z * z));
    return [r * Math.cos(a), r * Math.sin(a), z];
  }
}

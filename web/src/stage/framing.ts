// Camera distance and target with which points fill the picture.
import { Vector3 } from "three";

const kFill = 0.84; // share of the picture in the tighter direction; legend and labels cover the border

export interface Framing {
  target: Vector3;
  distance: number;
}

// `side` points from the target to the camera; `slope` is the tangent of half the vertical field of view. Null without
// points.
export function fitPoints(
  clouds: readonly Float32Array[],
  side: Vector3,
  slope: number,
  aspect: number,
): Framing | null {
  const back = side.clone().normalize();
  const right = new Vector3(0, 1, 0).cross(back);
  if (right.lengthSq() < 1e-8) right.set(1, 0, 0);
  right.normalize();
  const up = back.clone().cross(right);
  const axes = [right, up, back];
  const lo = [Infinity, Infinity, Infinity];
  const hi = [-Infinity, -Infinity, -Infinity];
  const along = (axis: Vector3, p: Float32Array, i: number) => axis.x * p[i] + axis.y * p[i + 1] + axis.z * p[i + 2];
  for (const p of clouds)
    for (let i = 0; i < p.length; i += 3)
      axes.forEach((axis, a) => {
        const x = along(axis, p, i);
        if (x < lo[a]) lo[a] = x;
        if (x > hi[a]) hi[a] = x;
      });
  if (!(hi[0] >= lo[0])) return null;
  const middle = lo.map((x, a) => (x + hi[a]) / 2);
  let distance = 0;
  for (const p of clouds)
    for (let i = 0; i < p.length; i += 3) {
      const x = Math.abs(along(right, p, i) - middle[0]);
      const y = Math.abs(along(up, p, i) - middle[1]);
      distance = Math.max(distance, along(back, p, i) - middle[2] + Math.max(x / aspect, y) / (slope * kFill));
    }
  const target = new Vector3();
  axes.forEach((axis, a) => target.addScaledVector(axis, middle[a]));
  return { target, distance: Math.max(distance, 1e-6) };
}

// Random poses, as the library makes them (src/rig/poses.cpp).
import { type Quaternion, Vector3 } from "three";
import { Random } from "./random";
import type { Rig } from "./rig";

// The first `count` poses of a seed: every joint turns by up to `angle` degrees about a random axis.
// `order` lists the joints as the file's skin does, which is the order in which numbers are drawn.
export function randomPoses(rig: Rig, order: readonly number[], count: number, angle: number, seed: number): Map<string, Quaternion>[] {
  const random = new Random(seed);
  const poses: Map<string, Quaternion>[] = [];
  for (let p = 0; p < count; ++p) {
    const turns = new Map<string, Quaternion>();
    for (const joint of order) {
      const axis = new Vector3(...random.direction());
      const turn = (random.uniform(0, angle) * Math.PI) / 180;
      turns.set(rig.joints[joint].name, rig.localTurn(joint, axis, turn));
    }
    poses.push(turns);
  }
  return poses;
}

// Random poses within ranges of motion, number for number those of the library (src/rig/pose_sampler.cpp), so that
// "random pose 7" is the same pose here, in `skincells render` and in the report.
import { type Quaternion, Vector3 } from "three";
import type { JointMotion } from "./payload";
import { Random } from "./random";
import type { SkinModel } from "./skin_model";

const kRadians = Math.PI / 180;
const kCone = 35; // degrees

// One cone for every joint, where nothing is known about its range.
export function coneMotions(model: SkinModel): JointMotion[] {
  return model.skinOrder.map((j) => ({ name: model.rig.joints[j].name, source: "generic", detail: "", swing: [0, kCone], twist: [0, 0], bone: [0, 0, 0] }));
}

// Pose `index` of a seed, as turns in the joints' own axes; `share` scales all angles.
export function randomPose(model: SkinModel, motions: readonly JointMotion[], index: number, share = 1, seed = 0): Map<string, Quaternion> {
  const random = new Random(seed, index);
  const turns = new Map<string, Quaternion>();
  for (const motion of motions) {
    const direction = new Vector3(...random.direction()), bone = new Vector3(...motion.bone);
    const swing = share * kRadians * random.uniform(...motion.swing);
    const twist = share * kRadians * random.uniform(...motion.twist);
    const joint = model.rig.find(motion.name);
    if (joint < 0) continue;
    let axis = motion.axis ? new Vector3(...motion.axis) : bone.clone().cross(direction);
    if (axis.length() < 1e-6) axis = direction;
    const turn = model.rig.localTurn(joint, axis.transformDirection(model.frame), swing);
    if (bone.length() > 0) turn.multiply(model.rig.localTurn(joint, bone.transformDirection(model.frame), twist));
    turns.set(motion.name, turn);
  }
  return turns;
}

export function describeMotion(m: JointMotion): string {
  const angles = ([lo, hi]: [number, number]) => `${Math.round(lo)}° to ${Math.round(hi)}°`;
  const kind = { "rom-file": "range file", clip: "as its clips turn it", humanoid: m.detail || "human anatomy", generic: "one cone for all" }[m.source];
  const twist = m.twist[0] === 0 && m.twist[1] === 0 ? "" : `, twists ${angles(m.twist)}`;
  return `${m.axis ? "A hinge: turns" : "Swings"} ${angles(m.swing)}${twist} in random poses (${kind}).`;
}

// Random poses within ranges of motion. They equal those of the library (src/rig/motion/pose_sampler.cpp) number for
// number, so "random pose 7" is the same pose here, in `skincells render` and in the report.
import { type Quaternion, Vector3 } from "three";
import type { JointMotion } from "../payload";
import type { Pose } from "./pose";
import { Random } from "./random";
import type { SkinModel } from "./skin_model";

const kRadians = Math.PI / 180;

// The same range for every joint of the first skin, for characters of which no ranges are known.
export function uniformMotions(model: SkinModel, swing: [number, number]): JointMotion[] {
  return model.skinOrder.map((j) => ({
    name: model.rig.joints[j].name,
    source: "generic",
    detail: "",
    swing,
    twist: [0, 0],
    bone: [0, 0, 0],
  }));
}

// Random pose `index` of a seed; `share` scales all angles.
export function randomPose(
  model: SkinModel,
  motions: readonly JointMotion[],
  index: number,
  share = 1,
  seed = 0,
): Pose & { kind: "turns" } {
  const random = new Random(seed, index);
  const turns = new Map<string, Quaternion>();
  for (const motion of motions) {
    // Numbers are drawn for joints that this model lacks, too: the sequence must not depend on them.
    const direction = new Vector3(...random.direction());
    const bone = new Vector3(...motion.bone);
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
  return { kind: "turns", label: `random pose ${index}`, turns };
}

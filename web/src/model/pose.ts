// A pose that any character with the right joint names can take.
import { Vector3, type AnimationClip, type Quaternion } from "three";
import type { TestPose } from "../payload";
import type { SkinModel } from "./skin_model";

// `turns` are rotations from the bind pose, in the joints' local axes, by joint name.
export type Pose =
  | { kind: "bind" }
  | { kind: "rest" } // the node transforms of the file, which may differ from the bind pose
  | { kind: "turns"; label: string; turns: ReadonlyMap<string, Quaternion> }
  | { kind: "clip"; clip: AnimationClip; time: number }; // time in seconds

export const kBindPose: Pose = { kind: "bind" };

export function labelOf(pose: Pose): string {
  switch (pose.kind) {
    case "bind":
      return "bind pose";
    case "rest":
      return "rest pose of the nodes";
    case "turns":
      return pose.label;
    case "clip":
      return pose.clip.name;
  }
}

// A named pose of the library.
export function testPose(model: SkinModel, { name, turns }: TestPose): Pose & { kind: "turns" } {
  const out = new Map<string, Quaternion>();
  for (const [joint, turn] of Object.entries(turns)) {
    const axis = new Vector3(...turn);
    const index = model.rig.find(joint);
    const angle = (axis.length() * Math.PI) / 180;
    if (index >= 0) out.set(joint, model.rig.localTurn(index, axis.transformDirection(model.frame), angle));
  }
  return { kind: "turns", label: name, turns: out };
}

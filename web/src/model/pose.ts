// A pose that any character with the right joint names can take.
import type { AnimationClip, Quaternion } from "three";

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

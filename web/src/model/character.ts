// An open character: its skin and skeleton, its clips, and what the library says about it.
import { AnimationMixer, type AnimationClip } from "three";
import type { Garment, JointMotion, JointNote, Message, TestPose, Verdict } from "../payload";
import type { Field } from "./field";
import type { Pose } from "./pose";
import type { SkinModel } from "./skin_model";

export interface CharacterInfo {
  name: string;
  path: string;
  format: string;
  notes: ReadonlyMap<string, JointNote>; // by joint name
  warnings: readonly Message[];
  motions: readonly JointMotion[]; // ranges of motion for random poses
  testPoses: readonly TestPose[];
  field: Field | null;
  verdict: Verdict | null; // null: not judged
  confidence: Float32Array | null; // by vertex, 0 .. 1; null: not known
  garments: readonly Garment[]; // that the library measured, inner layers first
  layers: Uint8Array | null; // by vertex: 0 for the body, 1 for the innermost garment, ...; null: no garments
}

export class Character {
  private readonly mixer: AnimationMixer;

  constructor(
    readonly info: CharacterInfo,
    readonly model: SkinModel,
    readonly clips: readonly AnimationClip[],
  ) {
    this.mixer = new AnimationMixer(model.root);
  }

  // Whether the joint may have weights. Joints without a note may.
  deforms(joint: number): boolean {
    return this.info.notes.get(this.model.rig.joints[joint].name)?.deforms ?? true;
  }

  // Name of the joint that dominates most vertices; empty without joints.
  strongestJoint(): string {
    const counts = this.model.rig.joints.map(() => 0);
    for (const j of this.model.dominant) if (j >= 0) ++counts[j];
    return this.model.rig.joints[counts.indexOf(Math.max(...counts))]?.name ?? "";
  }

  setPose(pose: Pose): void {
    if (pose.kind === "clip") this.playClip(this.clips.find((c) => c.name === pose.clip.name) ?? pose.clip, pose.time);
    else {
      this.mixer.stopAllAction();
      if (pose.kind === "rest") this.model.rig.setRestPose();
      else this.model.rig.setTurns(pose.kind === "turns" ? pose.turns : new Map());
    }
    this.model.poseChanged();
  }

  private playClip(clip: AnimationClip, time: number): void {
    const action = this.mixer.clipAction(clip);
    if (!action.isRunning()) {
      this.mixer.stopAllAction();
      this.model.rig.setRestPose(); // for joints that the clip does not animate
      action.reset().play();
    }
    action.time = time;
    this.mixer.update(0);
    this.model.root.updateMatrixWorld(true);
  }
}

// The pose of all visible characters, and playback. Poses are applied to the characters before listeners are notified.
import type { AnimationClip, Quaternion } from "three";
import type { Character } from "../model/character";
import { mirroredTurns } from "../model/mirror";
import { kBindPose, labelOf, type Pose } from "../model/pose";
import { randomPose } from "../model/random_pose";
import { swayTurn } from "../model/sway";
import type { CharacterList } from "./character_list";
import { Observable } from "./observable";

export class PoseState extends Observable<void> {
  private pose: Pose = kBindPose;
  private playing_ = false;
  private measuring_ = false;
  private rangeShare_ = 1;
  private nextRandom = 0;
  private swaying_ = ""; // name of the joint
  private swayed = 0; // seconds

  constructor(private readonly characters: CharacterList) {
    super();
    characters.subscribe(() => {
      this.swaying_ = "";
      if (characters.all.length === 0) this.set(kBindPose);
      else this.refresh();
    });
  }

  get current(): Pose {
    return this.pose;
  }
  get label(): string {
    return labelOf(this.pose);
  }
  // The clip that the pose comes from; null for other poses.
  get clip(): AnimationClip | null {
    return this.pose.kind === "clip" ? this.pose.clip : null;
  }
  // Seconds since the start of the clip.
  get time(): number {
    return this.pose.kind === "clip" ? this.pose.time : 0;
  }
  get playing(): boolean {
    return this.playing_;
  }
  // Whether `borrow` is at work.
  get measuring(): boolean {
    return this.measuring_;
  }
  // Scale of the ranges of motion in random poses.
  get rangeShare(): number {
    return this.rangeShare_;
  }

  // Name of the joint that bends back and forth; empty: none.
  get swaying(): string {
    return this.swaying_;
  }

  // Playback goes on only from clip to clip.
  set(pose: Pose): void {
    this.swaying_ = "";
    this.put(pose);
  }
  private put(pose: Pose): void {
    this.pose = pose;
    if (pose.kind !== "clip") this.playing_ = false;
    this.refresh();
  }
  reset(): void {
    this.set(kBindPose);
  }
  // Sets a joint's rotation from the bind pose, in its local axes; the other joints keep theirs.
  turnJoint(name: string, turn: Quaternion): void {
    const turns = new Map(this.currentTurns()).set(name, turn.clone());
    this.set({ kind: "turns", label: "posed by hand", turns });
  }
  // What the left side does, the right side does, and the reverse.
  mirror(): void {
    const model = this.characters.active?.model;
    if (!model) return;
    const label = this.label.endsWith(", mirrored") ? this.label.slice(0, -10) : `${this.label}, mirrored`;
    this.set({ kind: "turns", label, turns: mirroredTurns(model, this.currentTurns()) });
  }
  // Bends a joint back and forth within its range, until any other pose is taken; without effect if the active character
  // has no range for it.
  sway(joint: string): void {
    const isOff = joint === "" || !this.motionOf(joint);
    this.playing_ = false;
    this.swaying_ = isOff ? "" : joint;
    this.swayed = 0;
    this.notify();
  }
  private motionOf(joint: string) {
    return this.characters.active?.info.motions.find((m) => m.name === joint);
  }

  // The next random pose within the active character's ranges of motion.
  randomize(): void {
    const character = this.characters.active;
    if (character) this.set(randomPose(character.model, character.info.motions, this.nextRandom++, this.rangeShare_));
  }
  setRangeShare(share: number): void {
    this.rangeShare_ = share;
    this.notify();
  }

  // Plays or pauses the current clip, or the first one.
  setPlaying(on: boolean): void {
    const clip = this.clip ?? this.characters.clips[0];
    if (on && !clip) return;
    this.playing_ = on;
    if (on && !this.clip) this.set({ kind: "clip", clip, time: 0 });
    else this.notify();
  }
  // Pauses the current clip, or the first one, at a time in seconds.
  seek(time: number): void {
    const clip = this.clip ?? this.characters.clips[0];
    if (!clip) return;
    this.playing_ = false;
    this.set({ kind: "clip", clip, time: Math.min(Math.max(time, 0), clip.duration) });
  }
  // Moves playback and a swaying joint on by some seconds; without effect while paused.
  advance(seconds: number): void {
    const motion = this.motionOf(this.swaying_);
    const model = this.characters.active?.model;
    if (motion && model) {
      this.swayed += seconds;
      const turns = new Map(this.currentTurns()).set(motion.name, swayTurn(model, motion, this.swayed));
      this.put({ kind: "turns", label: `${model.rig.labelOf(motion.name)} back and forth`, turns });
      return;
    }
    if (!this.playing_ || !this.clip || this.clip.duration === 0) return;
    this.set({ kind: "clip", clip: this.clip, time: (this.time + seconds) % this.clip.duration });
  }

  // Runs `work`, which may pose the active character freely. Nothing is drawn meanwhile; afterwards the pose is
  // restored.
  async borrow(work: (character: Character) => Promise<void>): Promise<void> {
    const character = this.characters.active;
    if (!character || this.measuring_) return;
    this.playing_ = false;
    this.measuring_ = true;
    this.notify();
    try {
      await work(character);
    } finally {
      this.measuring_ = false;
      this.refresh();
    }
  }

  private refresh(): void {
    for (const character of this.characters.visible) character.setPose(this.pose);
    this.notify();
  }

  private currentTurns(): ReadonlyMap<string, Quaternion> {
    if (this.pose.kind === "turns") return this.pose.turns;
    return this.pose.kind === "bind" ? new Map() : (this.characters.active?.model.rig.turns() ?? new Map());
  }
}

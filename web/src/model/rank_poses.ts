// Poses ranked by how much they stretch the mesh.
import type { Character } from "./character";
import type { Pose } from "./pose";
import { randomPose } from "./random_pose";
import type { ShapeMetrics } from "./shape_meter";
import { worstPlaces, type Place } from "./worst_places";
import type { AnimationClip } from "three";

export interface RankedPose {
  label: string;
  pose: Pose;
  metrics: ShapeMetrics;
  place: Place | null; // the most stretched one
}

export interface PoseCandidate {
  label: string;
  pose: Pose;
}

const kClipPoses = 16; // over all clips together

// The first random poses, and frames evenly spread over the clips.
export function candidatePoses(
  character: Character,
  clips: readonly AnimationClip[],
  randomCount: number,
  rangeShare: number,
): PoseCandidate[] {
  const candidates: PoseCandidate[] = [];
  for (let index = 0; index < randomCount; ++index) {
    const pose = randomPose(character.model, character.info.motions, index, rangeShare);
    candidates.push({ label: pose.label, pose });
  }
  const framesPerClip = Math.ceil(kClipPoses / clips.length);
  for (const clip of clips)
    for (let i = 0; i < framesPerClip; ++i) {
      const time = (clip.duration * i) / framesPerClip;
      candidates.push({ label: `${clip.name} ${time.toFixed(2)} s`, pose: { kind: "clip", clip, time } });
    }
  return candidates;
}

// Most stretched first. Poses the character in turn and leaves it in the last pose; `pause` is awaited after each, so
// that the page stays responsive.
export async function rankPoses(
  character: Character,
  candidates: readonly PoseCandidate[],
  pause: (done: number) => Promise<void>,
): Promise<RankedPose[]> {
  const { model } = character;
  const ranked: RankedPose[] = [];
  for (const candidate of candidates) {
    character.setPose(candidate.pose);
    ranked.push({ ...candidate, metrics: model.shape().metrics, place: worstPlaces(model, 1)[0] ?? null });
    await pause(ranked.length);
  }
  return ranked.sort((a, b) => b.metrics.stretchRms - a.metrics.stretchRms);
}

// The state of the page in its address, so that a link shows the same: pose, camera, joint, colors, hidden parts.
import { Quaternion, Vector3 } from "three";
import { randomPose } from "../model/random_pose";
import type { Pose } from "../model/pose";
import { kModes } from "../paint/color_modes";
import type { Arrangement } from "../state/character_list";
import type { Overlays } from "../state/view_state";
import type { Viewer } from "../viewer";

const kDelay = 300; // milliseconds after the last change
const kOverlays = ["skeleton", "handles", "cell", "wireframe", "light"] as const satisfies (keyof Overlays)[];

// Short enough for an address, exact enough for the eye.
const short = (x: number) => String(Number(x.toPrecision(4)));
const listed = (v: { toArray(): number[] }) => v.toArray().map(short).join(",");
const numbersOf = (text: string | null, count: number): number[] | null => {
  const numbers = (text ?? "").split(",").map(Number);
  return text !== null && numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
};

export function stateText(viewer: Viewer): string {
  const { characters, pose, view, stage } = viewer;
  const { active } = characters;
  const out = new URLSearchParams();
  if (active && characters.arrangement === "single") out.set("show", String(characters.all.indexOf(active)));
  else out.set("show", characters.arrangement);
  out.set("color", view.mode);
  if (view.joint) out.set("joint", view.joint);
  out.set("overlays", kOverlays.filter((o) => view.overlays[o]).join(","));
  if (view.hidden.size > 0) out.set("hidden", [...view.hidden].join(","));
  out.set("pose", poseText(viewer, pose.current));
  if (!stage.camera.isFramed) {
    out.set("target", listed(stage.camera.target));
    out.set("eye", listed(stage.camera.position));
  }
  return out.toString();
}

function poseText({ characters, pose }: Viewer, current: Pose): string {
  if (current.kind === "clip") return `clip:${characters.clips.indexOf(current.clip)}@${short(current.time)}`;
  if (current.kind !== "turns") return current.kind;
  const random = /^random pose (\d+)$/.exec(current.label);
  if (random) return `random:${random[1]}@${short(pose.rangeShare)}`;
  const turns = [...current.turns].filter(([, q]) => Math.abs(q.w) < 1 - 1e-7);
  return `turns:${turns.map(([name, q]) => `${encodeURIComponent(name)}=${listed(q)}`).join(";")}`;
}

function poseOf({ characters }: Viewer, text: string): Pose | null {
  const [kind, value] = [text.split(":", 1)[0], text.slice(text.indexOf(":") + 1)];
  if (kind === "bind" || kind === "rest") return { kind };
  const [index, amount] = value.split("@").map(Number);
  const character = characters.active;
  if (kind === "clip" && characters.clips[index])
    return { kind: "clip", clip: characters.clips[index], time: amount || 0 };
  if (kind === "random" && character && index >= 0)
    return randomPose(character.model, character.info.motions, index, amount || 1);
  if (kind !== "turns") return null;
  const turns = new Map<string, Quaternion>();
  for (const entry of value.split(";")) {
    const [name, numbers] = entry.split("=");
    const q = numbersOf(numbers ?? null, 4);
    if (q) turns.set(decodeURIComponent(name), new Quaternion(...q).normalize());
  }
  return { kind: "turns", label: "posed by hand", turns };
}

// What the text does not mention, or mentions wrongly, stays as it is.
export function restoreState(viewer: Viewer, text: string): void {
  const { characters, pose, view, stage } = viewer;
  const state = new URLSearchParams(text);
  const show = state.get("show");
  if (show === "side by side" || show === "together") characters.arrange(show satisfies Arrangement);
  else if (show !== null && characters.all[Number(show)]) characters.show(Number(show));
  const mode = kModes.find((m) => m.mode === state.get("color"))?.mode;
  const joint = state.get("joint");
  if (joint) view.selectJoint(joint);
  if (mode) view.setMode(mode);
  const overlays = state.get("overlays");
  if (overlays !== null)
    for (const o of kOverlays) if (view.overlays[o] !== overlays.split(",").includes(o)) view.toggle(o);
  const hidden = state.get("hidden");
  if (hidden) view.setHidden(hidden.split(","));
  const taken = poseOf(viewer, state.get("pose") ?? "");
  if (taken) pose.set(taken);
  const target = numbersOf(state.get("target"), 3);
  const eye = numbersOf(state.get("eye"), 3);
  if (target && eye) stage.camera.place(new Vector3(...target), new Vector3(...eye));
  else stage.frameCharacters();
}

// Keeps the address up to date from now on.
export function followState(viewer: Viewer): void {
  let timer = 0;
  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (viewer.characters.active && !viewer.pose.playing && !viewer.pose.swaying)
        history.replaceState(null, "", `#${stateText(viewer)}`);
    }, kDelay);
  };
  viewer.characters.subscribe(later);
  viewer.pose.subscribe(later);
  viewer.view.subscribe(later);
  viewer.stage.camera.onMoved(later);
}

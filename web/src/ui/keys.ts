// Keyboard shortcuts; `help.ts` lists them.
import { keyOf, kModes } from "../paint/color_modes";
import type { Viewer } from "../viewer";
import { savePicture } from "./page";

export function listenToKeys(viewer: Viewer, toggleHelp: () => void): void {
  const { characters, pose, view, stage } = viewer;
  const actions: Record<string, () => void> = {
    " ": () => pose.setPlaying(!pose.playing),
    "[": () => stepJoint(viewer, -1),
    "]": () => stepJoint(viewer, 1),
    "0": () => pose.reset(),
    "?": toggleHelp,
    ",": () => characters.step(-1),
    ".": () => characters.step(1),
    c: () => characters.setSideBySide(!characters.sideBySide),
    b: () => view.toggle("light"),
    f: () => stage.frameCharacters(),
    h: () => view.toggle("handles"),
    l: () => view.toggle("cell"),
    m: () => pose.mirror(),
    n: () => pose.set({ kind: "rest" }),
    p: () => void savePicture(viewer),
    r: () => pose.randomize(),
    t: () => characters.arrange(characters.together ? "single" : "together"),
    s: () => view.toggle("skeleton"),
    w: () => view.toggle("wireframe"),
  };
  kModes.forEach(({ mode }, i) => (actions[keyOf(i)] = () => view.setMode(mode)));
  window.addEventListener("keydown", (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (target.matches("input:not([type=range]), select, textarea")) return;
    const action = actions[e.key.toLowerCase()];
    if (!action || (!characters.active && action !== toggleHelp)) return;
    if (e.key === " " && target.matches("button")) target.blur(); // or Space would press the button, too
    e.preventDefault();
    action();
  });
}

function stepJoint({ characters, view }: Viewer, by: 1 | -1): void {
  const joints = characters.active?.model.rig.joints ?? [];
  if (joints.length === 0) return;
  const at = joints.findIndex((j) => j.name === view.joint);
  view.selectJoint(joints[(at + by + joints.length) % joints.length].name);
}

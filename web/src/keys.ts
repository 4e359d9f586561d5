// Keyboard shortcuts.
import { kModes } from "./paint";
import type { Viewer } from "./viewer";

function stepJoint(viewer: Viewer, by: number): void {
  const joints = viewer.activePane?.model.rig.joints ?? [];
  if (joints.length === 0) return;
  const at = joints.findIndex((j) => j.name === viewer.joint);
  viewer.selectJoint(joints[(at + by + joints.length) % joints.length].name);
}

export function listenToKeys(viewer: Viewer, help: () => void): void {
  const actions: Record<string, () => void> = {
    " ": () => viewer.setPlaying(!viewer.playing),
    "[": () => stepJoint(viewer, -1),
    "]": () => stepJoint(viewer, 1),
    "0": () => viewer.resetPose(),
    "?": help,
    ",": () => viewer.stepActive(-1),
    ".": () => viewer.stepActive(1),
    c: () => viewer.setCompare(!viewer.compare),
    f: () => viewer.resetCamera(),
    h: () => viewer.toggle("handles"),
    l: () => viewer.toggle("cell"),
    n: () => viewer.restPose(),
    r: () => viewer.randomPose(),
    s: () => viewer.toggle("skeleton"),
    w: () => viewer.toggle("wireframe"),
  };
  kModes.forEach(({ mode }, i) => (actions[String(i + 1)] = () => viewer.setMode(mode)));
  window.addEventListener("keydown", (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || target.matches("input:not([type=range]), select, textarea")) return;
    const action = actions[e.key.toLowerCase()];
    if (!action || (viewer.panes.length === 0 && action !== help)) return;
    if (e.key === " " && target.matches("button")) target.blur();
    e.preventDefault();
    action();
  });
}

// The tab "Joints": find a joint, see why it deforms, turn it.
import { Euler, Quaternion } from "three";
import type { Character } from "../model/character";
import { kNegligibleWeight } from "../model/skinning";
import type { JointMotion } from "../payload";
import type { Viewer } from "../viewer";
import { button, count, h, setPressed, slider } from "./dom";

const kDegrees = 180 / Math.PI;
const kLargestTurn = 150; // degrees
const kDeepestIndent = 12; // levels of the skeleton

export function jointPanel(viewer: Viewer): HTMLElement {
  const { characters, pose, view } = viewer;
  const list = jointList(viewer);
  const detail = h("div", { class: "detail" });
  const turn = turnSliders(viewer);
  const refresh = () => {
    const has = (c: Character) => c.model.rig.find(view.joint) >= 0;
    const { active, visible } = characters;
    detail.replaceChildren(...describe(active && has(active) ? active : (visible.find(has) ?? active), view.joint));
    turn.element.hidden = view.joint === "";
    turn.refresh();
  };
  characters.subscribe(() => {
    list.rebuild();
    refresh();
  });
  view.subscribe((change) => {
    if (change !== "joint") return;
    list.showSelection();
    refresh();
  });
  pose.subscribe(() => turn.refresh());
  return h("section", { class: "tab-body joint-tab" }, detail, turn.element, list.search, list.element);
}

interface JointList {
  search: HTMLElement;
  element: HTMLElement;
  rebuild(): void;
  showSelection(): void;
}
function jointList({ characters, view }: Viewer): JointList {
  const element = h("div", { class: "joints", attributes: { role: "listbox", "aria-label": "joints" } });
  const rows = () => [...element.children] as HTMLElement[];
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows()) row.hidden = !(row.dataset.joint ?? "").toLowerCase().includes(wanted);
  };
  const search = h("input", {
    type: "search",
    attributes: { placeholder: "Find a joint", "aria-label": "find a joint" },
    on: { input: filter },
  });
  const showSelection = () => {
    for (const row of rows()) {
      if (row.dataset.joint === undefined) continue;
      const isSelected = row.dataset.joint === view.joint;
      setPressed(row, isSelected);
      if (isSelected && row.offsetParent) row.scrollIntoView({ block: "nearest" });
    }
  };
  const rebuild = () => {
    const select = (name: string) => view.selectJoint(name);
    const { active, visible } = characters;
    const rows = active ? jointRows(active, select) : [];
    const known = new Set(active?.model.rig.joints.map((j) => j.name));
    for (const character of visible) {
      // Joints that only another character has.
      const more = jointRows(character, select).filter((row) => !known.has(row.dataset.joint ?? ""));
      for (const row of more) known.add(row.dataset.joint ?? "");
      if (more.length > 0) rows.push(h("h4", { class: "joint-group" }, character.info.name), ...more);
    }
    element.replaceChildren(...rows);
    filter();
    showSelection();
  };
  return { search, element, rebuild, showSelection };
}

function jointRows(character: Character, select: (name: string) => void): HTMLElement[] {
  const { joints } = character.model.rig;
  const used = vertexCounts(character);
  return joints.map((j, i) => {
    let depth = 0;
    for (let p = j.parent; p >= 0; p = joints[p].parent) ++depth;
    const deforms = character.deforms(i);
    const title = deforms ? j.name : `${j.name}: left out`;
    const row = button("", title, () => select(j.name), deforms ? "joint" : "joint left-out");
    row.dataset.joint = j.name;
    row.setAttribute("role", "option");
    row.style.paddingLeft = `${0.6 + Math.min(depth, kDeepestIndent) * 0.55}rem`;
    row.append(h("span", { class: "name" }, j.label), h("span", { class: "dim" }, used[i] > 0 ? count(used[i]) : "–"));
    return row;
  });
}

function turnSliders({ characters, pose, view }: Viewer): { element: HTMLElement; refresh(): void } {
  const angles: [number, number, number] = [0, 0, 0]; // degrees
  const apply = () => {
    const [x, y, z] = angles.map((a) => a / kDegrees);
    pose.turnJoint(view.joint, new Quaternion().setFromEuler(new Euler(x, y, z)));
  };
  const sliders = ["X", "Y", "Z"].map((axis, i) =>
    slider(axis, -kLargestTurn, kLargestTurn, 1, 0, "°", (value) => {
      angles[i] = value;
      apply();
    }),
  );
  const refresh = () => {
    setPressed(sway, pose.swaying !== "" && pose.swaying === view.joint);
    sway.disabled = !characters.active?.info.motions.some((m) => m.name === view.joint);
    const rig = characters.active?.model.rig;
    const joint = rig?.find(view.joint) ?? -1;
    if (!rig || joint < 0) return;
    const e = new Euler().setFromQuaternion(rig.turnOf(joint));
    [e.x, e.y, e.z].forEach((a, i) => {
      // A slider that is dragged keeps its value: Euler angles are not unique.
      if (sliders[i].row.matches(":focus-within")) return;
      angles[i] = Math.round(a * kDegrees * 10) / 10;
      sliders[i].set(angles[i]);
    });
  };
  const sway = button("Bend", "Bend this joint back and forth within its range", () =>
    pose.sway(pose.swaying === view.joint ? "" : view.joint),
  );
  sway.dataset.action = "sway";
  const straighten = button("Straighten", "Undo this joint's turn", () => pose.turnJoint(view.joint, new Quaternion()));
  const reset = button("Reset pose", "Back to the bind pose (0)", () => pose.reset());
  const buttons = h("div", { class: "choices" }, sway, straighten, reset);
  return { element: h("div", { class: "turn" }, ...sliders.map((s) => s.row), buttons), refresh };
}

// By joint: the number of vertices that it influences.
function vertexCounts({ model }: Character): number[] {
  const { joints, weights } = model.rows;
  const counts = model.rig.joints.map(() => 0);
  for (let i = 0; i < weights.length; ++i) if (weights[i] > kNegligibleWeight) ++counts[joints[i]];
  return counts;
}

function describe(character: Character | null, name: string): HTMLElement[] {
  if (!character || name === "") return [h("p", { class: "dim" }, "Click a joint or the character.")];
  const { info, model } = character;
  const rows: HTMLElement[] = [h("h3", { class: "selected-joint", title: name }, model.rig.labelOf(name))];
  const note = info.notes.get(name);
  if (note) {
    const verdict = h("strong", {}, note.deforms ? "Deforms. " : "Left out. ");
    rows.push(h("p", { class: note.deforms ? "note" : "note left-out" }, verdict, note.reason));
  }
  const vertices = vertexCounts(character)[model.rig.find(name)] ?? 0;
  rows.push(h("p", { class: "dim" }, `Influences ${count(vertices)} vertices.`));
  const motion = info.motions.find((m) => m.name === name);
  if (motion) rows.push(h("p", { class: "dim" }, describeMotion(motion)));
  return rows;
}

function describeMotion(m: JointMotion): string {
  const angle = (a: number) => `${Number(a.toFixed(1))}°`;
  const angles = ([lo, hi]: [number, number]) => `${angle(lo)} to ${angle(hi)}`;
  const source = {
    "rom-file": "range file",
    clip: "from its clips",
    humanoid: m.detail || "human anatomy",
    garment: "as the body pushes it",
    generic: "same range for all joints",
  }[m.source];
  const twist = m.twist[0] === 0 && m.twist[1] === 0 ? "" : `, twists ${angles(m.twist)}`;
  return `${m.axis ? "Hinge: turns" : "Swings"} ${angles(m.swing)}${twist} in random poses (${source}).`;
}

// The joints: find one, see why it deforms, turn it.
import { Euler, Quaternion } from "three";
import { describeMotion } from "../random_pose";
import type { Viewer } from "../viewer";
import { button, count, h, setPressed, slider } from "./dom";

const kDegrees = 180 / Math.PI;

export function jointPanel(viewer: Viewer): HTMLElement {
  const search = h("input", { type: "search", attributes: { placeholder: "Find a joint", "aria-label": "find a joint" }, on: { input: () => filter() } });
  const list = h("div", { class: "joints", attributes: { role: "listbox", "aria-label": "joints" } });
  const detail = h("div", { class: "detail" });
  const angles = [0, 0, 0];
  const sliders = ["X", "Y", "Z"].map((axis, i) => slider(axis, -150, 150, 1, 0, "°", (value) => {
    angles[i] = value;
    viewer.setTurn(viewer.joint, new Quaternion().setFromEuler(new Euler(...angles.map((a) => a / kDegrees) as [number, number, number])));
  }));
  const turn = h("div", { class: "turn" }, ...sliders.map((s) => s.row),
    h("div", { class: "choices" },
      button("Straighten", "Undo this joint's turn", () => viewer.setTurn(viewer.joint, new Quaternion())),
      button("Reset pose", "Back to the bind pose (0)", () => viewer.resetPose())));

  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of list.children as HTMLCollectionOf<HTMLElement>) row.hidden = wanted !== "" && !row.dataset.joint?.toLowerCase().includes(wanted);
  };
  const refreshList = () => {
    const pane = viewer.activePane;
    const used = pane ? vertexCounts(viewer) : [];
    list.replaceChildren(...(pane?.model.rig.joints ?? []).map((j, i) => {
      let depth = 0;
      for (let p = j.parent; p >= 0 && pane; p = pane.model.rig.joints[p].parent) ++depth;
      const row = button("", pane?.deforms(i) ? j.name : `${j.name}: left out`, () => viewer.selectJoint(j.name), pane?.deforms(i) ? "joint" : "joint left-out");
      row.dataset.joint = j.name;
      row.setAttribute("role", "option");
      row.style.paddingLeft = `${0.6 + Math.min(depth, 12) * 0.55}rem`;
      row.append(h("span", { class: "name" }, j.name), h("span", { class: "dim" }, used[i] > 0 ? count(used[i]) : "–"));
      return row;
    }));
    filter();
    refreshSelection();
  };
  const refreshSelection = () => {
    for (const row of list.children as HTMLCollectionOf<HTMLElement>) {
      const selected = row.dataset.joint === viewer.joint;
      setPressed(row, selected);
      if (selected && row.offsetParent) row.scrollIntoView({ block: "nearest" });
    }
    detail.replaceChildren(...describe(viewer));
    turn.hidden = viewer.joint === "";
    refreshTurn();
  };
  const refreshTurn = () => {
    const rig = viewer.activePane?.model.rig;
    const joint = rig?.find(viewer.joint) ?? -1;
    if (!rig || joint < 0) return;
    const e = new Euler().setFromQuaternion(rig.turnOf(joint));
    [e.x, e.y, e.z].forEach((a, i) => {
      const now = Math.round(a * kDegrees * 10) / 10;
      // While a slider is dragged its own reading stands: Euler angles are not unique.
      if (!sliders[i].row.matches(":focus-within")) {
        angles[i] = now;
        sliders[i].set(now);
      }
    });
  };
  viewer.listen((change) => {
    if (change === "panes") refreshList();
    if (change === "joint") refreshSelection();
    if (change === "pose") refreshTurn();
  });
  return h("section", { class: "tab-body joint-tab" }, detail, turn, search, list);
}

function vertexCounts(viewer: Viewer): number[] {
  const pane = viewer.activePane;
  if (!pane) return [];
  const { slots, joints, weights } = pane.model.rows;
  const counts = new Array<number>(pane.model.rig.joints.length).fill(0);
  for (let i = 0; i < slots * pane.model.vertexCount; ++i) if (weights[i] > 1e-4) ++counts[joints[i]];
  return counts;
}

function describe(viewer: Viewer): HTMLElement[] {
  const pane = viewer.activePane;
  if (!pane || viewer.joint === "") return [h("p", { class: "dim" }, "Click a joint or the character.")];
  const joint = pane.model.rig.find(viewer.joint);
  const note = pane.info.notes.get(viewer.joint);
  const vertices = vertexCounts(viewer)[joint] ?? 0;
  const rows = [h("h3", { class: "selected-joint" }, viewer.joint)];
  if (note) rows.push(h("p", { class: note.deforms ? "note" : "note left-out" }, h("strong", {}, note.deforms ? "Deforms. " : "Left out. "), note.reason));
  rows.push(h("p", { class: "dim" }, `${count(vertices)} vertices follow it`));
  const motion = pane.info.motions.find((m) => m.name === viewer.joint);
  if (motion) rows.push(h("p", { class: "dim" }, describeMotion(motion)));
  return rows;
}

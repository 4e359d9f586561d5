// What the file holds and what the library says about it.
import { influenceCount } from "../skinning";
import type { Viewer } from "../viewer";
import { count, h } from "./dom";

export function filePanel(viewer: Viewer, generator: () => string): HTMLElement {
  const content = h("div");
  const refresh = () => content.replaceChildren(...viewer.panes.map((p) => characterFacts(viewer, p)));
  viewer.listen((change) => {
    if (change === "panes") refresh();
  });
  return h("section", { class: "tab-body" }, content, h("p", { class: "dim" }, "Drop another .glb anywhere on the page to open it; hold Shift to add it for comparison."), h("p", { class: "dim" }, generator()));
}

function characterFacts(viewer: Viewer, pane: Viewer["panes"][number]): HTMLElement {
  const { model, info } = pane;
  let most = 0, total = 0;
  for (let v = 0; v < model.vertexCount; ++v) {
    const n = influenceCount(model.rows, v);
    most = Math.max(most, n);
    total += n;
  }
  const deforming = model.rig.joints.filter((_, j) => pane.deforms(j)).length;
  const facts: [string, string][] = [
    ["File", info.path || info.name], ["Format", info.format], ["Vertices", count(model.vertexCount)], ["Triangles", count(model.triangleCount)],
    ["Joints", `${model.rig.joints.length}, ${deforming} may deform`],
    ["Influences", model.vertexCount > 0 ? `at most ${most}, mean ${(total / model.vertexCount).toFixed(2)}` : "no skin"],
    ["Separate parts", model.vertexCount > 0 ? count(model.topology.islandCount) : "–"], ["Clips", count(pane.loaded.clips.length)],
  ];
  const leftOut = model.rig.joints.flatMap((j) => {
    const note = info.notes.get(j.name);
    return note && !note.deforms ? [h("li", {}, h("strong", {}, j.name), `: ${note.reason}`)] : [];
  });
  return h("div", { class: "file" }, h("h3", {}, viewer.panes.length > 1 ? `${viewer.panes.indexOf(pane) + 1}: ${info.name}` : info.name),
    h("dl", { class: "facts" }, ...facts.filter(([, value]) => value !== "").flatMap(([k, v]) => [h("dt", {}, k), h("dd", {}, v)])),
    leftOut.length > 0 ? h("details", {}, h("summary", {}, `Joints left out: ${leftOut.length}`), h("ul", {}, ...leftOut)) : null,
    ...info.warnings.map((w) => h("p", { class: "note warning" }, w.where ? `${w.where}: ${w.message}` : w.message)));
}

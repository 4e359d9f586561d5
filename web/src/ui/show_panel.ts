// What is shown and in which colors.
import { canCompare, kModes } from "../paint";
import type { Overlays } from "../pane";
import type { Viewer } from "../viewer";
import { button, count, h, setPressed } from "./dom";

const kOverlays: { key: keyof Overlays; label: string; title: string }[] = [
  { key: "skeleton", label: "Skeleton", title: "Draw the skeleton (S)" },
  { key: "handles", label: "Handles", title: "Rings that turn the selected joint (H)" },
  { key: "cell", label: "Skin cell", title: "With colors by weight: sites and region of the selected joint's cell (L)" },
  { key: "wireframe", label: "Wireframe", title: "Draw edges only (W)" },
];

export function showPanel(viewer: Viewer): HTMLElement {
  const panel = h("section", { class: "tab-body" });
  const characters = h("div", { class: "characters" });
  const groups = (["Look", "Weights", "Quality"] as const).map((group) =>
    h("div", { class: "group" }, h("h3", {}, group), h("div", { class: "choices" }, ...kModes.filter((m) => m.group === group).map((m) => {
      const b = button(m.label, `${m.help} (${kModes.indexOf(m) + 1})`, () => viewer.setMode(m.mode), "choice");
      b.dataset.mode = m.mode;
      return b;
    }))));
  const scale = h("select", { attributes: { "aria-label": "color scale" }, on: { change: () => viewer.setScale(scale.value === "cividis" ? "cividis" : "viridis") } },
    h("option", { attributes: { value: "viridis" } }, "Viridis"), h("option", { attributes: { value: "cividis" } }, "Cividis"));
  const overlays = kOverlays.map((o) => {
    const b = button(o.label, o.title, () => viewer.toggle(o.key), "choice");
    b.dataset.overlay = o.key;
    return b;
  });
  panel.append(characters, ...groups, h("div", { class: "group" }, h("h3", {}, "Over it"), h("div", { class: "choices" }, ...overlays)),
    h("label", { class: "field" }, h("span", {}, "Color scale"), scale));

  const refresh = () => {
    const [first, ...others] = viewer.panes.map((p) => p.model);
    for (const b of panel.querySelectorAll<HTMLElement>("[data-mode]")) {
      setPressed(b, b.dataset.mode === viewer.mode);
      b.hidden = b.dataset.mode === "difference" && !others.some((m) => canCompare(first, m));
    }
    for (const b of overlays) {
      setPressed(b, viewer.overlays[b.dataset.overlay as keyof Overlays]);
      b.hidden = b.dataset.overlay === "cell" && !viewer.activePane?.info.field;
    }
  };
  const refreshCharacters = () => {
    characters.replaceChildren(...characterRows(viewer));
    characters.hidden = characters.children.length === 0;
  };
  viewer.listen((change) => {
    if (change === "panes") refreshCharacters();
    if (change === "mode" || change === "panes") refresh();
  });
  refresh();
  return panel;
}

// The characters, or levels of detail of one, to switch between.
function characterRows(viewer: Viewer): HTMLElement[] {
  const rows: HTMLElement[] = [];
  if (viewer.panes.length > 1) {
    rows.push(h("h3", {}, "Characters"));
    viewer.panes.forEach((pane, i) => {
      const b = button("", pane.info.path || pane.info.name, () => {
        viewer.setCompare(false);
        viewer.setActive(i);
      }, "row");
      b.append(h("span", { class: "name" }, pane.info.name), h("span", { class: "dim" }, `${count(pane.model.vertexCount)} vertices`));
      setPressed(b, !viewer.compare && i === viewer.active);
      rows.push(b);
    });
    const side = button("Side by side", "All of them, camera and pose locked together (C)", () => viewer.setCompare(!viewer.compare), "row");
    side.dataset.action = "compare";
    setPressed(side, viewer.compare);
    rows.push(side);
  }
  return rows;
}

// The page: picture, bar below it, panel with tabs beside it (below it on a phone).
import type { Viewer } from "../viewer";
import { button, h, setPressed } from "./dom";

export interface Tab {
  name: string;
  body: HTMLElement;
}

export function tabs(list: Tab[]): HTMLElement {
  const heads = list.map((tab, i) => {
    const head = button(tab.name, tab.name, () => choose(i), "tab");
    head.setAttribute("role", "tab");
    head.dataset.tab = tab.name;
    return head;
  });
  const choose = (index: number) => {
    list.forEach((tab, i) => {
      tab.body.hidden = i !== index;
      heads[i].setAttribute("aria-selected", String(i === index));
    });
    list[index].body.dispatchEvent(new Event("shown"));
  };
  const panel = h("aside", { class: "panel" }, h("nav", { class: "tabs", attributes: { role: "tablist" } }, ...heads), ...list.map((t) => t.body));
  choose(0);
  return panel;
}

export function topBar(viewer: Viewer, open: () => void, help: () => void): HTMLElement {
  const name = h("h1", {}, "skincells");
  const facts = h("span", { class: "dim" }, "");
  const side = button("Side by side", "All characters, camera and pose locked together (C)", () => viewer.setCompare(!viewer.compare));
  const refresh = () => {
    const pane = viewer.activePane;
    name.textContent = viewer.compare ? viewer.panes.map((p) => p.info.name).join(" · ") : (pane?.info.name ?? "skincells viewer");
    facts.textContent = pane && !viewer.compare ? `${pane.model.vertexCount.toLocaleString("en-US")} vertices · ${pane.model.rig.joints.length} joints` : "";
    side.hidden = viewer.panes.length < 2;
    setPressed(side, viewer.compare);
    document.title = pane ? `${pane.info.name} – skincells` : "skincells viewer";
  };
  viewer.listen((change) => {
    if (change === "panes") refresh();
  });
  refresh();
  return h("header", { class: "top-bar" }, name, facts, h("span", { class: "spring" }), side,
    button("Frame", "Look at the whole character (F)", () => viewer.resetCamera()), button("Open…", "Open a .glb file", open),
    button("?", "Keys and gestures (?)", help, "icon help-button"));
}

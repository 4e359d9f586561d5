// What lies over the picture: legend, names of the panes, the tooltip, messages.
import { kRegionColor, kSiteColor } from "../cell_overlay";
import { jointColors, legendOf, type Legend } from "../paint";
import { cssOf } from "../palette";
import type { Viewer } from "../viewer";
import { h } from "./dom";

export function legendBox(viewer: Viewer): HTMLElement {
  const box = h("aside", { class: "legend", attributes: { "aria-label": "legend" } });
  const refresh = () => {
    const pane = viewer.activePane;
    const legend = pane && pane.model.vertexCount > 0 ? legendOf(pane.model, viewer.paintRequest()) : null;
    if (legend && viewer.showsCell)
      legend.entries = [...(legend.entries ?? []), { color: kSiteColor, label: "sites of its skin cell" }, { color: kRegionColor, label: "where its weight is above one half" }];
    box.hidden = !legend;
    if (legend) box.replaceChildren(...legendContent(legend));
  };
  viewer.listen((change) => {
    if (change === "mode" || change === "panes" || change === "joint") refresh();
  });
  box.hidden = true;
  return box;
}

function legendContent(legend: Legend): HTMLElement[] {
  const out: HTMLElement[] = [h("h4", {}, legend.title)];
  if (legend.gradient) {
    const bar = h("div", { class: "gradient" });
    bar.style.background = legend.gradient;
    out.push(bar, h("div", { class: "ticks" }, ...(legend.ticks ?? []).map((t) => h("span", {}, t))));
  }
  if (legend.entries?.length) out.push(h("ul", {}, ...legend.entries.map((e) => h("li", {}, swatch(e.color), e.label))));
  return out;
}

function swatch(color: string): HTMLElement {
  const dot = h("i", { class: "swatch" });
  dot.style.background = color;
  return dot;
}

// Joints and weights of the vertex under the pointer.
export function tooltip(viewer: Viewer): HTMLElement {
  const tip = h("div", { class: "tooltip", attributes: { role: "status" } });
  tip.hidden = true;
  viewer.listen((change) => {
    if (change !== "hover") return;
    tip.hidden = viewer.hover === null;
    if (viewer.hover) fill(viewer, tip);
  });
  return tip;
}

function fill(viewer: Viewer, tip: HTMLElement): void {
  const hover = viewer.hover;
  if (!hover) return;
  const { model } = hover.pane;
  const { slots, joints, weights } = model.rows;
  const rows: [number, number][] = [];
  for (let k = hover.vertex * slots; k < (hover.vertex + 1) * slots; ++k) if (weights[k] > 0) rows.push([joints[k], weights[k]]);
  rows.sort((a, b) => b[1] - a[1]);
  const section = model.sections.find((s) => hover.vertex < s.firstVertex + s.vertexCount);
  tip.replaceChildren(h("div", { class: "dim" }, `${section?.name ?? ""} vertex ${hover.vertex - (section?.firstVertex ?? 0)}`), ...rows.map(([j, w]) => {
    const bar = h("i", { class: "bar" });
    bar.style.width = `${100 * w}%`;
    bar.style.background = cssOf(jointColors(model)[j]);
    return h("div", { class: "influence" }, h("span", { class: "name" }, model.rig.joints[j].name), h("span", { class: "number" }, w < 0.001 ? "<0.001" : w.toFixed(3)), h("span", { class: "track" }, bar));
  }));
  if (rows.length === 0) tip.append(h("div", { class: "bad" }, "no weight at all"));
  const area = viewer.stage.getBoundingClientRect();
  tip.style.left = `${Math.min(hover.clientX - area.left + 16, Math.max(area.width - 230, 0))}px`;
  tip.style.top = `${Math.min(hover.clientY - area.top + 16, Math.max(area.height - 60 - 24 * rows.length, 0))}px`;
}

// Names in the panes' corners when there are several.
export function labelPanes(viewer: Viewer): void {
  viewer.listen((change) => {
    if (change !== "panes") return;
    viewer.panes.forEach((pane, i) => {
      const text = viewer.compare ? `${i + 1}: ${pane.info.name}` : "";
      pane.element.replaceChildren(...(text ? [h("span", { class: "pane-label" }, text)] : []));
    });
  });
}

export class MessageBox {
  readonly element = h("div", { class: "message", attributes: { role: "alert" } });

  constructor() {
    this.element.hidden = true;
  }
  show(title: string, text: string, kind: "error" | "note"): void {
    this.element.className = `message ${kind}`;
    this.element.replaceChildren(h("div", {}, h("strong", {}, title), h("p", {}, text)),
      h("button", { type: "button", title: "Close", attributes: { "aria-label": "close" }, on: { click: () => this.hide() } }, "✕"));
    this.element.hidden = false;
  }
  hide(): void {
    this.element.hidden = true;
  }
}

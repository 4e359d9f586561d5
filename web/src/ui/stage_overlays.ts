// Elements over the picture: the legend, the tooltip and messages.
import { kRegionColor, kSiteColor } from "../stage/cell_overlay";
import type { Hover } from "../stage/pointer";
import { jointColors } from "../paint/color_modes";
import { legendOf, type Legend } from "../paint/legend";
import { cssOf } from "../paint/palette";
import type { Viewer } from "../viewer";
import { h } from "./dom";

export function legendBox({ characters, view }: Viewer): HTMLElement {
  const box = h("aside", { class: "legend", attributes: { "aria-label": "legend" } });
  box.hidden = true;
  const refresh = () => {
    const model = characters.active?.model;
    const request = view.paintRequest;
    const legend = model && request && model.vertexCount > 0 ? legendOf(model, request) : null;
    box.hidden = !legend;
    if (legend) box.replaceChildren(...legendContent(view.showsCell ? withCell(legend) : legend));
  };
  characters.subscribe(refresh);
  view.subscribe(refresh);
  return box;
}

function withCell(legend: Legend): Legend {
  const sites = { color: kSiteColor, label: "sites of its skin cell" };
  const region = { color: kRegionColor, label: "where its weight is above one half" };
  return { ...legend, entries: [...(legend.entries ?? []), sites, region] };
}

function legendContent(legend: Legend): HTMLElement[] {
  const out: HTMLElement[] = [h("h4", {}, legend.title)];
  if (legend.gradient) {
    const bar = h("div", { class: "gradient" });
    bar.style.background = legend.gradient;
    out.push(bar, h("div", { class: "ticks" }, ...(legend.ticks ?? []).map((t) => h("span", {}, t))));
  }
  const entries = (legend.entries ?? []).map((e) => h("li", {}, swatch(e.color), e.label));
  if (entries.length > 0) out.push(h("ul", {}, ...entries));
  return out;
}

function swatch(color: string): HTMLElement {
  const dot = h("i", { class: "swatch" });
  dot.style.background = color;
  return dot;
}

const kTooltipOffset = 16; // pixels from the pointer
const kTooltipWidth = 230; // pixels, with a margin
const kTooltipHead = 60; // pixels
const kTooltipRow = 24; // pixels

// Joints and weights of the vertex under the pointer.
export function tooltip({ pointer, stage }: Viewer): HTMLElement {
  const tip = h("div", { class: "tooltip", attributes: { role: "status" } });
  tip.hidden = true;
  pointer.subscribe(() => {
    const { hover } = pointer;
    tip.hidden = hover === null;
    if (!hover) return;
    const rows = influenceRows(hover);
    tip.replaceChildren(h("div", { class: "dim" }, vertexName(hover)), ...rows);
    if (rows.length === 0) tip.append(h("div", { class: "bad" }, "no weights"));
    const area = stage.element.getBoundingClientRect();
    const right = Math.max(area.width - kTooltipWidth, 0);
    const bottom = Math.max(area.height - kTooltipHead - kTooltipRow * rows.length, 0);
    tip.style.left = `${Math.min(hover.clientX - area.left + kTooltipOffset, right)}px`;
    tip.style.top = `${Math.min(hover.clientY - area.top + kTooltipOffset, bottom)}px`;
  });
  return tip;
}

// The mesh and the index in it.
function vertexName({ character, vertex }: Hover): string {
  const section = character.model.sections.find((s) => vertex < s.firstVertex + s.vertexCount);
  return `${section?.name ?? ""} vertex ${vertex - (section?.firstVertex ?? 0)}`;
}

// Largest weight first.
function influenceRows({ character, vertex }: Hover): HTMLElement[] {
  const { model } = character;
  const { slots, joints, weights } = model.rows;
  const influences: [number, number][] = [];
  for (let k = vertex * slots; k < (vertex + 1) * slots; ++k)
    if (weights[k] > 0) influences.push([joints[k], weights[k]]);
  influences.sort((a, b) => b[1] - a[1]);
  return influences.map(([joint, weight]) => {
    const bar = h("i", { class: "bar" });
    bar.style.width = `${100 * weight}%`;
    bar.style.background = cssOf(jointColors(model)[joint]);
    return h(
      "div",
      { class: "influence" },
      h("span", { class: "name" }, model.rig.joints[joint].label),
      h("span", { class: "number" }, weight < 0.001 ? "<0.001" : weight.toFixed(3)),
      h("span", { class: "track" }, bar),
    );
  });
}

export class MessageBox {
  readonly element = h("div", { class: "message", attributes: { role: "alert" } });

  constructor() {
    this.element.hidden = true;
  }
  show(title: string, text: string, kind: "error" | "note"): void {
    const close = h(
      "button",
      { type: "button", title: "Close", attributes: { "aria-label": "close" }, on: { click: () => this.hide() } },
      "✕",
    );
    this.element.className = `message ${kind}`;
    this.element.replaceChildren(h("div", {}, h("strong", {}, title), h("p", {}, text)), close);
    this.element.hidden = false;
  }
  hide(): void {
    this.element.hidden = true;
  }
}

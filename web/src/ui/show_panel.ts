// The tab "Show": characters, color modes and overlays.
import type { Character } from "../model/character";
import { canCompare, keyOf, kModes } from "../paint/color_modes";
import { kScales } from "../paint/palette";
import type { ViewSide } from "../stage/stage";
import type { Overlays } from "../state/view_state";
import type { Viewer } from "../viewer";
import { button, count, h, setPressed } from "./dom";
import { partsList } from "./parts_list";

const kSides: { side: ViewSide; label: string }[] = [
  { side: "front", label: "Front" },
  { side: "left", label: "Left" },
  { side: "right", label: "Right" },
  { side: "back", label: "Back" },
  { side: "top", label: "Top" },
];

const kOverlays: { key: keyof Overlays; label: string; title: string }[] = [
  { key: "skeleton", label: "Skeleton", title: "Draw the skeleton (S)" },
  { key: "handles", label: "Handles", title: "Rings that turn the selected joint (H)" },
  { key: "cell", label: "Skin cell", title: "In color mode Weight: sites and region of the selected joint's cell (L)" },
  { key: "light", label: "Light background", title: "Light instead of dark surroundings (B)" },
  { key: "wireframe", label: "Wireframe", title: "Draw edges only (W)" },
];

export function showPanel(viewer: Viewer): HTMLElement {
  const { characters, view } = viewer;
  const list = h("div", { class: "characters" });
  const modes = kModes.map((m, i) => {
    const element = button(m.label, `${m.help} (${keyOf(i)})`, () => view.setMode(m.mode), "choice");
    element.dataset.mode = m.mode;
    return { ...m, element };
  });
  const overlays = kOverlays.map((o) => {
    const element = button(o.label, o.title, () => view.toggle(o.key), "choice");
    element.dataset.overlay = o.key;
    return { ...o, element };
  });
  const refresh = () => {
    for (const { mode, element } of modes) {
      setPressed(element, mode === view.mode);
      element.hidden =
        (mode === "difference" && !hasComparable(characters.all)) ||
        (mode === "confidence" && !characters.all.some((c) => c.info.confidence)) ||
        (mode === "inside" && !characters.together && !characters.all.some((c) => c.info.layers));
    }
    for (const { key, element } of overlays) {
      setPressed(element, view.overlays[key]);
      element.hidden = key === "cell" && !characters.active?.info.field;
    }
  };
  characters.subscribe(() => {
    list.replaceChildren(...characterRows(viewer));
    list.hidden = list.children.length === 0;
    refresh();
  });
  view.subscribe(refresh);
  refresh();
  const groups = (["Appearance", "Weights", "Quality"] as const).map((name) =>
    group(
      name,
      modes.filter((m) => m.group === name).map((m) => m.element),
    ),
  );
  const overlayGroup = group(
    "Overlays",
    overlays.map((o) => o.element),
  );
  const sides = kSides.map(({ side, label }) => {
    const element = button(
      label,
      `The whole character from here: ${side}`,
      () => viewer.stage.frameFrom(side),
      "choice",
    );
    element.dataset.side = side;
    return element;
  });
  return h(
    "section",
    { class: "tab-body" },
    list,
    ...groups,
    group("View", sides),
    overlayGroup,
    partsList(viewer),
    scaleChoice(viewer),
  );
}

function group(name: string, buttons: HTMLElement[]): HTMLElement {
  return h("div", { class: "group" }, h("h3", {}, name), h("div", { class: "choices" }, ...buttons));
}

function hasComparable([first, ...others]: readonly Character[]): boolean {
  return others.some((c) => canCompare(first.model, c.model));
}

function scaleChoice({ view }: Viewer): HTMLElement {
  const select = h(
    "select",
    {
      attributes: { "aria-label": "color scale" },
      on: { change: () => view.setScale(kScales[select.selectedIndex].name) },
    },
    ...kScales.map((s) => h("option", {}, s.label)),
  );
  return h("label", { class: "field" }, h("span", {}, "Color scale"), select);
}

// The characters, or the levels of detail of one, to switch between; empty for a single one.
function characterRows({ characters }: Viewer): HTMLElement[] {
  if (characters.all.length < 2) return [];
  const rows = characters.all.map((character, i) => {
    const { info, model } = character;
    const row = button("", info.path || info.name, () => characters.show(i), "row");
    const vertices = h("span", { class: "dim" }, `${count(model.vertexCount)} vertices`);
    row.append(h("span", { class: "name" }, info.name), vertices);
    setPressed(row, characters.arrangement === "single" && character === characters.active);
    return row;
  });
  const title = "All characters with one camera and one pose (C)";
  const all = button("Side by side", title, () => characters.setSideBySide(!characters.sideBySide), "row");
  all.dataset.action = "compare";
  setPressed(all, characters.sideBySide);
  return [h("h3", {}, "Characters"), ...rows, all];
}

// The parts of the visible characters (primitives of their meshes), to hide or to show alone.
import type { Viewer } from "../viewer";
import { button, count, h, setPressed } from "./dom";

const kFewestParts = 2;

export function partsList({ characters, view }: Viewer): HTMLElement {
  const rows = h("div", { class: "parts" });
  const all = button("Show all", "Show all parts", () => view.setHidden([]));
  const box = h("details", { class: "group" }, h("summary", {}, "Parts"), rows, h("div", { class: "choices" }, all));
  const sections = () => characters.visible.flatMap((c) => c.model.sections);
  const refresh = () => {
    const parts = sections();
    box.hidden = parts.length < kFewestParts;
    all.disabled = view.hidden.size === 0;
    rows.replaceChildren(
      ...parts.map(({ name, where, triangleCount }) => {
        const toggle = () => {
          const hidden = new Set(view.hidden);
          if (!hidden.delete(where)) hidden.add(where);
          view.setHidden(hidden);
        };
        const others = () => parts.map((p) => p.where).filter((w) => w !== where);
        const row = button("", `${where}: hide or show`, toggle, "row");
        row.append(h("span", { class: "name" }, name), h("span", { class: "dim" }, count(triangleCount)));
        row.dataset.part = where;
        setPressed(row, !view.isHidden(where));
        const only = button("only", `Show ${name} alone`, () => view.setHidden(others()), "only");
        return h("div", { class: "part" }, row, only);
      }),
    );
  };
  characters.subscribe(refresh);
  view.subscribe((change) => {
    if (change === "parts") refresh();
  });
  refresh();
  return box;
}

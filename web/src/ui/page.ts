// The frame of the page: the bar at the top, and the panel with tabs beside the picture (below it on a phone).
import type { Viewer } from "../viewer";
import { button, count, h, setPressed } from "./dom";

export interface Tab {
  name: string;
  body: HTMLElement; // gets an event "shown" when it is chosen
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
  choose(0);
  const bar = h("nav", { class: "tabs", attributes: { role: "tablist" } }, ...heads);
  return h("aside", { class: "panel" }, bar, ...list.map((t) => t.body));
}

// Downloads the picture as a PNG file.
export async function savePicture({ characters, stage }: Viewer): Promise<void> {
  const blob = await stage.screenshot();
  if (!blob) return;
  const address = URL.createObjectURL(blob);
  const link = h("a", {
    attributes: { href: address, download: `${characters.active?.info.name ?? "skincells"}.png` },
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function topBar(viewer: Viewer, open: () => void, toggleHelp: () => void): HTMLElement {
  const { characters, stage } = viewer;
  const name = h("h1");
  const facts = h("span", { class: "dim" });
  const sideBySide = button("Side by side", "All characters with one camera and one pose (C)", () =>
    characters.setSideBySide(!characters.sideBySide),
  );
  const together = button("Together", "All characters in one place: a body and its garments (T)", () =>
    characters.arrange(characters.together ? "single" : "together"),
  );
  together.dataset.action = "together";
  const refresh = () => {
    const { active, visible } = characters;
    const names = visible.map((c) => c.info.name);
    name.textContent = active ? names.join(" · ") : "skincells viewer";
    facts.textContent =
      active && visible.length === 1
        ? `${count(active.model.vertexCount)} vertices · ${active.model.rig.joints.length} joints`
        : "";
    sideBySide.hidden = characters.all.length < 2;
    setPressed(sideBySide, characters.sideBySide);
    together.hidden = characters.all.length < 2;
    setPressed(together, characters.together);
    document.title = active ? `${active.info.name} – skincells` : "skincells viewer";
  };
  characters.subscribe(refresh);
  refresh();
  return h(
    "header",
    { class: "top-bar" },
    name,
    facts,
    h("span", { class: "spring" }),
    sideBySide,
    together,
    button("Frame", "Show the whole character (F)", () => stage.frameCharacters()),
    button("Picture", "Save the picture as a PNG file (P)", () => void savePicture(viewer), "picture-button"),
    button("Open…", "Open a .glb file", open),
    button("?", "Keys and gestures (?)", toggleHelp, "icon help-button"),
  );
}

// The list of keys and gestures, in a dialog over the page.
import { button, h } from "./dom";

const kKeys: [string, string][] = [
  ["Space", "play or pause"],
  ["R", "random pose"],
  ["0", "bind pose"],
  ["N", "rest pose of the nodes"],
  ["M", "mirror the pose"],
  ["1 – 9", "color mode, in the order of the panel"],
  ["U", "color mode Confidence"],
  ["I", "color mode Inside: cloth that is inside its body"],
  ["[ ]", "previous or next joint"],
  ["S", "skeleton"],
  ["H", "handles"],
  ["L", "skin cell"],
  ["W", "wireframe"],
  ["B", "light background"],
  [", .", "previous or next character or level of detail"],
  ["C", "side by side"],
  ["T", "together in one place"],
  ["P", "save the picture"],
  ["F", "show the whole character"],
  ["?", "this list"],
];
const kGestures: [string, string][] = [
  ["Drag", "orbit; with the right button or two fingers, pan"],
  ["Wheel", "zoom; pinch with two fingers"],
  ["Click", "select a joint, or the strongest joint of a vertex"],
  ["Rings", "drag to turn the selected joint"],
  ["Hover", "show joints and weights of a vertex"],
  ["Drop", "open a .glb; with Shift, compare it with the open one"],
];

export class HelpBox {
  readonly element = h("dialog", { class: "help", attributes: { "aria-label": "keys and gestures" } });

  constructor() {
    const close = button("Close", "Close (Esc)", () => this.element.close());
    this.element.append(section("Keys", kKeys), section("Pointer", kGestures), close);
    this.element.addEventListener("click", (e) => {
      if (e.target === this.element) this.element.close(); // on the backdrop
    });
  }
  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

function section(title: string, entries: [string, string][]): HTMLElement {
  const list = entries.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...list));
}

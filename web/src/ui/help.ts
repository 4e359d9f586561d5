// The keys and gestures, over the picture.
import { button, h } from "./dom";

const kKeys: [string, string][] = [
  ["Space", "play or pause"], ["R", "random pose"], ["0", "bind pose"], ["N", "rest pose of the nodes"], ["1 – 9", "colors, in the order of the panel"], ["[ ]", "previous, next joint"],
  ["S", "skeleton"], ["H", "handles"], ["L", "skin cell"], ["W", "wireframe"], [", .", "previous, next character or level"], ["C", "side by side"], ["F", "whole character"], ["?", "this list"],
];
const kGestures: [string, string][] = [
  ["Drag", "turn around the character; with the right button or two fingers, move"], ["Wheel", "nearer and farther; two fingers do the same"],
  ["Click", "select a joint, or the joint that moves what is clicked"], ["Rings", "turn the selected joint"], ["Point", "joints and weights of a vertex"],
  ["Drop", "a .glb opens; with Shift it stands beside what is open"],
];

export class HelpBox {
  readonly element = h("dialog", { class: "help", attributes: { "aria-label": "keys and gestures" } });

  constructor() {
    const list = (title: string, of: [string, string][]) =>
      h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...of.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])));
    this.element.append(list("Keys", kKeys), list("Pointer", kGestures), button("Close", "Close (Esc)", () => this.element.close()));
    this.element.addEventListener("click", (e) => {
      if (e.target === this.element) this.element.close(); // beside the box
    });
  }
  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

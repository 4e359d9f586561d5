// The tab "File": facts about the open files, and warnings of the library.
import type { Character } from "../model/character";
import { influenceCount } from "../model/skinning";
import type { Viewer } from "../viewer";
import { count, h } from "./dom";

export function filePanel({ characters }: Viewer, generator: string): HTMLElement {
  const content = h("div");
  characters.subscribe(() => {
    const isOnly = characters.all.length === 1;
    content.replaceChildren(
      ...characters.all.map((c, i) => describe(c, isOnly ? c.info.name : `${i + 1}: ${c.info.name}`)),
    );
  });
  const hint = "Drop another .glb anywhere on the page to open it. Hold Shift to compare it with the open one.";
  return h(
    "section",
    { class: "tab-body" },
    content,
    h("p", { class: "dim" }, hint),
    h("p", { class: "dim" }, generator),
  );
}

function describe(character: Character, title: string): HTMLElement {
  const facts = factsOf(character).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  const warnings = character.info.warnings.map((w) => (w.where ? `${w.where}: ${w.message}` : w.message));
  return h(
    "div",
    { class: "file" },
    h("h3", {}, title),
    h("dl", { class: "facts" }, ...facts),
    excludedJoints(character),
    ...warnings.map((text) => h("p", { class: "note warning" }, text)),
  );
}

function factsOf(character: Character): [string, string][] {
  const { model, info } = character;
  let total = 0;
  for (let v = 0; v < model.vertexCount; ++v) total += influenceCount(model.rows, v);
  const mean = (total / model.vertexCount).toFixed(2);
  const deforming = model.rig.joints.filter((_, j) => character.deforms(j)).length;
  const hasSkin = model.vertexCount > 0;
  return [
    ["File", info.path || info.name],
    ["Format", info.format],
    ["Vertices", count(model.vertexCount)],
    ["Triangles", count(model.triangleCount)],
    ["Joints", `${model.rig.joints.length}, ${deforming} may deform`],
    ["Influences", hasSkin ? `at most ${model.mostInfluences}, mean ${mean}` : "no skin"],
    ["Connected parts", hasSkin ? count(model.topology.islandCount) : "–"],
    ["Clips", count(character.clips.length)],
  ];
}

function excludedJoints({ model, info }: Character): HTMLElement | null {
  const items = model.rig.joints.flatMap((j) => {
    const note = info.notes.get(j.name);
    return note && !note.deforms ? [h("li", {}, h("strong", {}, j.name), `: ${note.reason}`)] : [];
  });
  if (items.length === 0) return null;
  return h("details", {}, h("summary", {}, `Joints left out: ${items.length}`), h("ul", {}, ...items));
}

// The tab "Quality": the verdict, metrics of the present pose, its most stretched places, the least sure
// places of a bind, and a search for the worst poses.
import type { Character } from "../model/character";
import { candidatePoses, rankPoses, type RankedPose } from "../model/rank_poses";
import type { ShapeMetrics } from "../model/shape_meter";
import { leastSurePlaces, worstPlaces, type Place } from "../model/worst_places";
import type { ColorMode } from "../paint/color_modes";
import type { Finding, Garment, Settings, Threshold, Verdict } from "../payload";
import type { Viewer } from "../viewer";
import { button, h, slider } from "./dom";

const kShownPlaces = 5;
const kShownPoses = 10;
const kSearchLabel = "Find the worst poses";
const kMarks = { good: "✓", warning: "!", bad: "✗" };
const kTones = { good: "good", "look at it": "warning", bad: "bad" } as const;

export function qualityPanel(viewer: Viewer, settings: Settings): HTMLElement {
  const { characters, pose } = viewer;
  const verdict = h("div", { class: "verdicts" });
  const garments = h("div", { class: "garments" });
  const table = h("table", { class: "metrics" });
  const places = h("div", { class: "places" });
  const unsure = h("div", { class: "places", attributes: { "data-list": "unsure" } });
  const unsureHead = h("h3", { title: "Where the bind is least sure; color mode Confidence" }, "Least sure places");
  const ranking = h("div", { class: "ranking" });
  const find = button(kSearchLabel, "Measure random poses and frames of the clips", () => void search(), "primary");
  find.dataset.action = "worst";
  const range = slider("Range of motion", 25, 200, 25, 100 * pose.rangeShare, " %", (value) =>
    pose.setRangeShare(value / 100),
  );

  const search = async () => {
    find.disabled = true;
    try {
      await pose.borrow(async (character) => {
        const candidates = candidatePoses(character, characters.clips, settings.randomPoses, pose.rangeShare);
        const ranked = await rankPoses(character, candidates, async (done) => {
          find.textContent = `Measuring ${done} of ${candidates.length}`;
          await new Promise((resolve) => setTimeout(resolve));
        });
        ranking.replaceChildren(...ranked.slice(0, kShownPoses).map((r, i) => poseRow(viewer, r, i)));
      });
    } finally {
      find.disabled = false;
      find.textContent = kSearchLabel;
    }
  };

  let isScheduled = false;
  const refresh = () => {
    if (isScheduled || pose.measuring || table.offsetParent === null) return;
    isScheduled = true;
    // At most once per frame: measuring a large mesh takes longer than the time between pointer events.
    requestAnimationFrame(() => {
      isScheduled = false;
      if (pose.measuring) return;
      table.replaceChildren(...metricRows(characters.visible, settings.thresholds));
      const model = pose.playing ? null : characters.active?.model;
      places.replaceChildren(...(model ? worstPlaces(model, kShownPlaces).map((p) => placeRow(viewer, p, 3)) : []));
      const confidence = characters.active?.info.confidence;
      const doubts = model && confidence ? leastSurePlaces(model, confidence, kShownPlaces) : [];
      unsure.replaceChildren(...doubts.map((p) => placeRow(viewer, p, 2, "confidence")));
      unsureHead.hidden = doubts.length === 0;
    });
  };
  const showVerdicts = () => {
    verdict.replaceChildren(...verdictRows(characters.visible, settings.thresholds));
    garments.replaceChildren(...characters.visible.flatMap(({ info }) => info.garments.flatMap(garmentTable)));
  };
  characters.subscribe(() => {
    ranking.replaceChildren();
    showVerdicts();
    refresh();
  });
  pose.subscribe(refresh);
  const panel = h(
    "section",
    { class: "tab-body" },
    verdict,
    garments,
    h("h3", {}, "This pose"),
    table,
    h("h3", {}, "Most stretched places"),
    places,
    unsureHead,
    unsure,
    h("h3", {}, "Worst poses"),
    range.row,
    find,
    ranking,
  );
  panel.addEventListener("shown", refresh);
  showVerdicts();
  return panel;
}

// The library's verdict on each character and the findings that are not good, worst first.
function verdictRows(characters: readonly Character[], thresholds: readonly Threshold[]): HTMLElement[] {
  const judged = characters.flatMap(({ info }) => (info.verdict ? [{ info, verdict: info.verdict }] : []));
  return judged.map(({ info, verdict }) => {
    const name = judged.length > 1 ? `${info.name}: ` : "";
    const title = h("strong", { class: kTones[verdict.grade] }, `${kMarks[kTones[verdict.grade]]} ${verdict.grade}`);
    const reasons = reasonsOf(verdict).map((f) => h("li", { class: kTones[f.grade] }, reasonText(f, thresholds)));
    return h(
      "div",
      { class: "verdict" },
      h("h3", {}, `${name}Verdict`),
      h("p", { title: `measured in ${verdict.poses}` }, title),
      h("ul", {}, ...reasons),
    );
  });
}

// How a garment moves over its body: the result, before it was kept out of the body, and simpler methods.
function garmentTable({ name, poses, skins }: Garment): HTMLElement[] {
  const help = `Vertices inside what it is worn on, deeper than at rest, in ${poses} poses`;
  const title = h("h3", { title: help }, `Garment ${name}`);
  const head = ["", "inside, %", "depth, %", "stretch"].map((text) => h("th", { class: text && "number" }, text));
  const rows = skins.map((s) => {
    const values = [s.inside_percent, s.mean_depth_percent, s.stretch_p99].map((x) => x.toFixed(2));
    const cells = values.map((text) => h("td", { class: "number" }, text));
    return h("tr", {}, h("th", { attributes: { scope: "row" } }, s.method), ...cells);
  });
  return [title, h("table", { class: "metrics" }, h("tr", {}, ...head), ...rows)];
}

function reasonsOf({ findings }: Verdict): Finding[] {
  return [...findings.filter((f) => f.grade === "bad"), ...findings.filter((f) => f.grade === "look at it")];
}

function reasonText(finding: Finding, thresholds: readonly Threshold[]): string {
  const threshold = thresholds.find((t) => t.metric === finding.measure);
  const value = finding.value.toFixed(threshold?.digits ?? 2);
  return `${threshold?.label ?? finding.measure}: ${value}${finding.where ? `, most at ${finding.where}` : ""}`;
}

function goTo({ view, stage }: Viewer, place: Place): void {
  view.selectJoint(place.joint);
  stage.showPlace(place);
}

// mode: colors that show the place best; without it, they stay.
function placeRow(viewer: Viewer, place: Place, digits: number, mode?: ColorMode): HTMLElement {
  const show = () => {
    if (mode) viewer.view.setMode(mode);
    goTo(viewer, place);
  };
  const row = button("", `Look at ${place.joint}`, show, "row");
  const label = viewer.characters.active?.model.rig.labelOf(place.joint) ?? place.joint;
  row.append(h("span", { class: "name" }, label), h("span", { class: "dim" }, place.value.toFixed(digits)));
  return row;
}

function poseRow(viewer: Viewer, ranked: RankedPose, index: number): HTMLElement {
  const { pose, view } = viewer;
  const show = () => {
    pose.setPlaying(false);
    pose.set(ranked.pose);
    if (view.mode !== "flipped") view.setMode("stretch");
    if (ranked.place) goTo(viewer, ranked.place);
  };
  const row = button("", "Take this pose and look at its worst place", show, "row");
  row.dataset.rank = String(index);
  const place = h(
    "small",
    {},
    ranked.place ? `worst at ${viewer.characters.active?.model.rig.labelOf(ranked.place.joint) ?? ""}` : "",
  );
  const stretch = h("span", { class: "dim" }, ranked.metrics.stretchRms.toFixed(3));
  row.append(h("span", { class: "name" }, ranked.label, place), stretch);
  return row;
}

// One column per character that has a skin. Metrics that only the library measures are left out.
function metricRows(characters: readonly Character[], thresholds: readonly Threshold[]): HTMLElement[] {
  const metrics = characters.filter((c) => c.model.vertexCount > 0).map((c) => c.model.shape().metrics);
  const numbers = metrics.map((_, i) => h("th", { class: "number" }, String(i + 1)));
  const head = metrics.length > 1 ? [h("tr", {}, h("th"), ...numbers)] : [];
  const rows = thresholds.map((t) => {
    const key = camelCase(t.metric);
    const cells = metrics.flatMap((m) => (isMetric(m, key) ? [metricCell(m[key], t)] : []));
    return cells.length > 0 ? h("tr", {}, h("th", { attributes: { scope: "row" } }, t.label), ...cells) : null;
  });
  return [...head, ...rows.filter((r) => r !== null)];
}

function isMetric(metrics: ShapeMetrics, name: string): name is keyof ShapeMetrics {
  return name in metrics;
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function metricCell(value: number, { good, bad, digits }: Threshold): HTMLElement {
  const tone = value <= good ? "good" : value <= bad ? "warning" : "bad";
  const mark = kMarks[tone];
  const title = `good up to ${good}, bad above ${bad}`;
  return h("td", { class: `number ${tone}`, title }, `${mark} ${value.toFixed(digits)}`);
}

// The tab "Quality": metrics of the present pose, its most stretched places, and a search for the worst poses.
import type { Character } from "../model/character";
import { candidatePoses, rankPoses, type RankedPose } from "../model/rank_poses";
import type { ShapeMetrics } from "../model/shape_meter";
import { worstPlaces, type Place } from "../model/worst_places";
import type { Settings, ShapeThreshold } from "../payload";
import type { Viewer } from "../viewer";
import { button, h, slider } from "./dom";

const kShownPlaces = 5;
const kShownPoses = 10;
const kSearchLabel = "Find the worst poses";

export function qualityPanel(viewer: Viewer, settings: Settings): HTMLElement {
  const { characters, pose } = viewer;
  const table = h("table", { class: "metrics" });
  const places = h("div", { class: "places" });
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
      table.replaceChildren(...metricRows(characters.visible, settings.shapeThresholds));
      const model = pose.playing ? null : characters.active?.model;
      places.replaceChildren(...(model ? worstPlaces(model, kShownPlaces).map((p) => placeRow(viewer, p)) : []));
    });
  };
  characters.subscribe(() => {
    ranking.replaceChildren();
    refresh();
  });
  pose.subscribe(refresh);
  const panel = h(
    "section",
    { class: "tab-body" },
    h("h3", {}, "This pose"),
    table,
    h("h3", {}, "Most stretched places"),
    places,
    h("h3", {}, "Worst poses"),
    range.row,
    find,
    ranking,
  );
  panel.addEventListener("shown", refresh);
  return panel;
}

function goTo({ view, stage }: Viewer, place: Place): void {
  view.selectJoint(place.joint);
  stage.showPlace(place);
}

function placeRow(viewer: Viewer, place: Place): HTMLElement {
  const row = button("", `Look at ${place.joint}`, () => goTo(viewer, place), "row");
  row.append(h("span", { class: "name" }, place.joint), h("span", { class: "dim" }, place.stretch.toFixed(3)));
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
  const place = h("small", {}, ranked.place ? `worst at ${ranked.place.joint}` : "");
  const stretch = h("span", { class: "dim" }, ranked.metrics.stretchRms.toFixed(3));
  row.append(h("span", { class: "name" }, ranked.label, place), stretch);
  return row;
}

// One column per character that has a skin. Metrics that only the library measures are left out.
function metricRows(characters: readonly Character[], thresholds: readonly ShapeThreshold[]): HTMLElement[] {
  const metrics = characters.filter((c) => c.model.vertexCount > 0).map((c) => c.model.shape().metrics);
  const numbers = metrics.map((_, i) => h("th", { class: "number" }, String(i + 1)));
  const head = metrics.length > 1 ? [h("tr", {}, h("th"), ...numbers)] : [];
  const rows = thresholds.map((t) => {
    const cells = metrics.flatMap((m) => (isMetric(m, t.metric) ? [metricCell(m[t.metric], t)] : []));
    return cells.length > 0 ? h("tr", {}, h("th", { attributes: { scope: "row" } }, t.label), ...cells) : null;
  });
  return [...head, ...rows.filter((r) => r !== null)];
}

function isMetric(metrics: ShapeMetrics, name: string): name is keyof ShapeMetrics {
  return name in metrics;
}

function metricCell(value: number, { good, bad, digits }: ShapeThreshold): HTMLElement {
  const tone = value <= good ? "good" : value <= bad ? "warning" : "bad";
  const mark = { good: "✓", warning: "!", bad: "✗" }[tone];
  const title = `good up to ${good}, bad above ${bad}`;
  return h("td", { class: `number ${tone}`, title }, `${mark} ${value.toFixed(digits)}`);
}

// Figures of the present pose, and the worst poses and places to jump to.
import type { ShapeFigures } from "../shape";
import type { Viewer } from "../viewer";
import { rankPoses, worstPlaces, type RankedPose } from "../worst";
import { button, h, slider } from "./dom";

const kRandomPoses = 24;
const kShown = 10;

// The thresholds of the report page.
const kFigures: { label: string; of: (f: ShapeFigures) => number; digits: number; good: number; bad: number }[] = [
  { label: "Stretch, rms of |ln|", of: (f) => f.stretchRms, digits: 3, good: 0.15, bad: 0.3 },
  { label: "Stretch, 99th percentile", of: (f) => f.stretchP99, digits: 2, good: 0.7, bad: 1.2 },
  { label: "Edges beyond double, %", of: (f) => f.extremeEdgesPercent, digits: 2, good: 1, bad: 3 },
  { label: "Flipped triangles, %", of: (f) => f.flippedPercent, digits: 2, good: 1, bad: 3 },
  { label: "Volume change, %", of: (f) => f.volumePercent, digits: 1, good: 6, bad: 12 },
];

export function qualityPanel(viewer: Viewer): HTMLElement {
  const table = h("table", { class: "figures" });
  const places = h("div", { class: "places" });
  const ranking = h("div", { class: "ranking" });
  const find = button("Find the worst poses", "Measure random poses and frames of the clips", () => void search(), "primary");
  find.dataset.action = "worst";
  const amount = slider("Range of motion", 25, 200, 25, 100 * viewer.rangeShare, " %", (value) => (viewer.rangeShare = value / 100));

  const search = async () => {
    const pane = viewer.activePane;
    if (!pane || viewer.suspended) return;
    viewer.setPlaying(false);
    viewer.suspended = true;
    find.disabled = true;
    try {
      const ranked = await rankPoses(pane, viewer.clips, kRandomPoses, viewer.rangeShare, async (done, of) => {
        find.textContent = `Measuring ${done} of ${of}`;
        await new Promise((resolve) => setTimeout(resolve));
      });
      ranking.replaceChildren(...ranked.slice(0, kShown).map((r, i) => rankedRow(viewer, r, i)));
    } finally {
      viewer.suspended = false;
      find.disabled = false;
      find.textContent = "Find the worst poses";
      viewer.refreshPose();
      viewer.invalidate();
    }
  };

  let scheduled = false;
  const refresh = () => {
    if (scheduled || viewer.suspended || table.offsetParent === null) return;
    scheduled = true;
    // Once a frame at most: measuring a large mesh takes longer than a pointer event.
    requestAnimationFrame(() => {
      scheduled = false;
      if (viewer.suspended) return;
      fillTable(viewer, table);
      const pane = viewer.activePane;
      places.replaceChildren(...(pane && !viewer.playing ? worstPlaces(pane.model, 5).map((p) => {
        const row = button("", `Look at ${p.joint}`, () => {
          viewer.selectJoint(p.joint);
          viewer.lookAtPlace(p.center, p.normal);
        }, "row");
        row.append(h("span", { class: "name" }, p.joint), h("span", { class: "dim" }, p.stretch.toFixed(3)));
        return row;
      }) : []));
    });
  };
  viewer.listen((change) => {
    if (change === "panes") ranking.replaceChildren();
    if (change === "panes" || change === "pose" || change === "mode") refresh();
  });
  const panel = h("section", { class: "tab-body" }, h("h3", {}, "This pose"), table, h("h3", {}, "Most stretched places"), places,
    h("h3", {}, "Worst poses"), amount.row, find, ranking);
  panel.addEventListener("shown", refresh);
  return panel;
}

function rankedRow(viewer: Viewer, ranked: RankedPose, index: number): HTMLElement {
  const row = button("", "Take this pose and look at its worst place", () => {
    viewer.applyRanked(ranked.pose, ranked.label);
    if (viewer.mode !== "flipped") viewer.setMode("stretch");
    if (ranked.place) {
      viewer.selectJoint(ranked.place.joint);
      viewer.lookAtPlace(ranked.place.center, ranked.place.normal);
    }
  }, "row");
  row.dataset.rank = String(index);
  row.append(h("span", { class: "name" }, ranked.label, h("small", {}, ranked.place ? `worst at ${ranked.place.joint}` : "")),
    h("span", { class: "dim" }, ranked.figures.stretchRms.toFixed(3)));
  return row;
}

function fillTable(viewer: Viewer, table: HTMLTableElement): void {
  const shown = viewer.visiblePanes.filter((p) => p.model.vertexCount > 0);
  const figures = shown.map((p) => p.model.shape().figures);
  const head = shown.length > 1 ? [h("tr", {}, h("th"), ...shown.map((_, i) => h("th", { class: "number" }, String(i + 1))))] : [];
  table.replaceChildren(...head, ...kFigures.map((row) => h("tr", {}, h("th", { attributes: { scope: "row" } }, row.label), ...figures.map((f) => {
    const value = row.of(f);
    const tone = value <= row.good ? "good" : value <= row.bad ? "warning" : "bad";
    const mark = tone === "good" ? "✓" : tone === "warning" ? "!" : "✗";
    return h("td", { class: `number ${tone}`, title: `good up to ${row.good}, bad beyond ${row.bad}` }, `${mark} ${value.toFixed(row.digits)}`);
  }))));
}

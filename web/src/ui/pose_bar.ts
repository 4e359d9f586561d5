// The bar below the picture: poses and clips.
import type { Viewer } from "../viewer";
import { button, h } from "./dom";

export function poseBar(viewer: Viewer): HTMLElement {
  const play = button("▶", "Play or pause (Space)", () => viewer.setPlaying(!viewer.playing), "icon play");
  const clips = h("select", { attributes: { "aria-label": "clip" }, on: { change: () => viewer.setClip(viewer.clips[Number(clips.value)] ?? null) } });
  const timeline = h("input", { type: "range", class: "timeline", attributes: { min: "0", max: "1", step: "0.001", "aria-label": "time" } });
  timeline.addEventListener("input", () => {
    const time = timeline.valueAsNumber; // before the calls below set it back
    viewer.setPlaying(false);
    if (!viewer.clip && viewer.clips[0]) viewer.setClip(viewer.clips[0]);
    viewer.seek(time);
  });
  const clock = h("output", { class: "clock" }, "");
  const label = h("span", { class: "pose-label" }, "");
  const random = button("Random pose", "Another random pose (R)", () => viewer.randomPose());
  const reset = button("Reset", "Back to the bind pose (0)", () => viewer.resetPose());
  const clipPart = h("div", { class: "clip-part" }, play, clips, timeline, clock);

  const refreshClips = () => {
    clipPart.hidden = viewer.clips.length === 0;
    clips.replaceChildren(h("option", { attributes: { value: "-1" } }, "no clip"), ...viewer.clips.map((c, i) => h("option", { attributes: { value: String(i) } }, c.name || `clip ${i}`)));
    refreshTime();
  };
  const refreshTime = () => {
    play.textContent = viewer.playing ? "❚❚" : "▶";
    clips.value = String(viewer.clip ? viewer.clips.indexOf(viewer.clip) : -1);
    const duration = (viewer.clip ?? viewer.clips[0])?.duration ?? 1;
    timeline.max = String(duration);
    timeline.value = String(viewer.clip ? viewer.time : 0);
    clock.textContent = viewer.clip ? `${viewer.time.toFixed(2)} / ${duration.toFixed(2)} s` : "";
    label.textContent = viewer.poseLabel;
  };
  viewer.listen((change) => {
    if (change === "panes") refreshClips();
    if (change === "time" || change === "pose") refreshTime();
  });
  return h("footer", { class: "pose-bar" }, clipPart, h("div", { class: "pose-part" }, label, random, reset));
}

// The bar below the picture: poses and clips.
import type { Viewer } from "../viewer";
import { kBindPose, testPose } from "../model/pose";
import { button, h } from "./dom";

export function poseBar({ characters, pose }: Viewer): HTMLElement {
  const play = button("▶", "Play or pause (Space)", () => pose.setPlaying(!pose.playing), "icon play");
  const choose = () => {
    const clip = characters.clips[Number(clips.value)];
    pose.set(clip ? { kind: "clip", clip, time: 0 } : kBindPose);
  };
  const clips = h("select", { attributes: { "aria-label": "clip" }, on: { change: choose } });
  const timeline = h("input", {
    type: "range",
    class: "timeline",
    attributes: { min: "0", max: "1", step: "0.001", "aria-label": "time" },
    on: { input: () => pose.seek(timeline.valueAsNumber) },
  });
  const clock = h("output", { class: "clock" });
  const label = h("span", { class: "pose-label" });
  const tests = h("select", { attributes: { "aria-label": "test pose" }, on: { change: () => takeTest() } });
  const takeTest = () => {
    const character = characters.active;
    const chosen = character?.info.testPoses[Number(tests.value)];
    if (character && chosen) pose.set(testPose(character.model, chosen));
    else pose.reset();
  };
  const random = button("Random pose", "Next random pose (R)", () => pose.randomize());
  const mirror = button("Mirror", "Swap left and right in the pose (M)", () => pose.mirror());
  mirror.dataset.action = "mirror";
  const reset = button("Reset", "Back to the bind pose (0)", () => pose.reset());
  const clipPart = h("div", { class: "clip-part" }, play, clips, timeline, clock);

  const refreshClips = () => {
    clipPart.hidden = characters.clips.length === 0;
    const options = characters.clips.map((c, i) => clipOption(String(i), c.name || `clip ${i}`));
    clips.replaceChildren(clipOption("-1", "no clip"), ...options);
    const names = characters.active?.info.testPoses.map((t, i) => clipOption(String(i), t.name)) ?? [];
    tests.replaceChildren(clipOption("-1", "test pose…"), ...names);
    tests.hidden = names.length === 0;
    refreshPose();
  };
  const refreshPose = () => {
    play.textContent = pose.playing ? "❚❚" : "▶";
    clips.value = String(pose.clip ? characters.clips.indexOf(pose.clip) : -1);
    const duration = (pose.clip ?? characters.clips[0])?.duration ?? 1;
    timeline.max = String(duration);
    timeline.value = String(pose.time);
    clock.textContent = pose.clip ? `${pose.time.toFixed(2)} / ${duration.toFixed(2)} s` : "";
    label.textContent = pose.label;
    tests.value = String(characters.active?.info.testPoses.findIndex((t) => t.name === pose.label) ?? -1);
  };
  characters.subscribe(refreshClips);
  pose.subscribe(refreshPose);
  return h(
    "footer",
    { class: "pose-bar" },
    clipPart,
    h("div", { class: "pose-part" }, label, tests, random, mirror, reset),
  );
}

function clipOption(value: string, name: string): HTMLElement {
  return h("option", { attributes: { value } }, name);
}

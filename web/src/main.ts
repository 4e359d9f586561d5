// Puts the page together and opens the characters inside it, and files that are dropped on it or chosen.
import "./style.css";
import { openEmbedded, openFile } from "./load/open_character";
import type { Character } from "./model/character";
import { readPayload, type Payload } from "./payload";
import { exposeForTests } from "./test_access";
import { followState, restoreState } from "./ui/address";
import { h } from "./ui/dom";
import { filePanel } from "./ui/file_panel";
import { HelpBox } from "./ui/help";
import { jointPanel } from "./ui/joint_panel";
import { listenToKeys } from "./ui/keys";
import { tabs, topBar } from "./ui/page";
import { poseBar } from "./ui/pose_bar";
import { qualityPanel } from "./ui/quality_panel";
import { showPanel } from "./ui/show_panel";
import { legendBox, MessageBox, tooltip } from "./ui/stage_overlays";
import { Viewer } from "./viewer";

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const setState = (state: "ready" | "failed") => (document.documentElement.dataset.state = state);

function start(app: HTMLElement): void {
  const message = new MessageBox();
  const stage = h("div", { class: "stage" });
  app.append(stage, message.element);
  try {
    const payload = readPayload();
    const viewer = startViewer(stage);
    assemble(app, viewer, payload, message);
  } catch (error) {
    message.show("Cannot show this page", textOf(error), "error");
    setState("failed");
  }
}

function startViewer(stage: HTMLElement): Viewer {
  try {
    return new Viewer(stage);
  } catch (error) {
    throw new Error(`this browser has no WebGL (${textOf(error)}); try another browser, or \`skincells render\``);
  }
}

function assemble(app: HTMLElement, viewer: Viewer, payload: Payload, message: MessageBox): void {
  const { characters, stage } = viewer;
  const hint = h("p", { class: "hint" }, "Drop a skinned .glb here, or open one.");
  characters.subscribe(() => (hint.hidden = characters.all.length > 0));
  stage.element.append(tooltip(viewer), hint);

  // Replaces the open characters, or adds to them.
  const open = async (name: string, load: () => Promise<Character[]>, adding: boolean) => {
    try {
      const loaded = await load();
      if (!adding) characters.clear();
      message.hide();
      for (const character of loaded) characters.add(character);
      if (loaded.every((c) => c.model.vertexCount === 0))
        message.show("No skin", `${name} has no skin; run \`skincells bind\` on it first.`, "note");
    } catch (error) {
      message.show(`Cannot open ${name}`, textOf(error), "error");
    }
  };
  const openDropped = async (file: File, adding: boolean) => {
    await open(file.name, () => openFile(file, payload.settings), adding);
    if (adding) characters.setSideBySide(true);
  };
  const openAll = async () => {
    for (const c of payload.characters) await open(c.name, () => openEmbedded(c), true);
    const { arrangement } = payload.settings;
    const counts = new Set(characters.all.map((c) => c.model.vertexCount));
    if (arrangement !== "auto") characters.arrange(arrangement);
    else if (counts.size === 1) characters.setSideBySide(true); // skins of one mesh
    stage.frameCharacters();
    if (location.hash.length > 1) restoreState(viewer, location.hash.slice(1));
    followState(viewer);
  };

  const panel = tabs([
    { name: "Show", body: showPanel(viewer) },
    { name: "Joints", body: jointPanel(viewer) },
    { name: "Quality", body: qualityPanel(viewer, payload.settings) },
    { name: "File", body: filePanel(viewer, payload.generator) },
  ]);
  const help = new HelpBox();
  const toggleHelp = () => help.toggle();
  const chooser = fileChooser((file) => void openDropped(file, false));
  app.prepend(topBar(viewer, () => chooser.click(), toggleHelp));
  app.append(legendBox(viewer), panel, poseBar(viewer), chooser, help.element);
  listenToKeys(viewer, toggleHelp);
  listenToDrops(openDropped);
  exposeForTests(viewer);
  void openAll().finally(() => setState("ready"));
}

function fileChooser(open: (file: File) => void): HTMLInputElement {
  const chooser = h("input", { type: "file", attributes: { accept: ".glb,.vrm", hidden: "" } });
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file) open(file);
    chooser.value = ""; // so that the same file can be chosen again
  });
  return chooser;
}

function listenToDrops(open: (file: File, adding: boolean) => Promise<void>): void {
  window.addEventListener("dragover", (e) => {
    e.preventDefault();
    document.body.classList.add("dropping");
  });
  window.addEventListener("dragleave", (e) => {
    if (!e.relatedTarget) document.body.classList.remove("dropping");
  });
  window.addEventListener("drop", (e) => {
    e.preventDefault();
    document.body.classList.remove("dropping");
    const files = [...(e.dataTransfer?.files ?? [])];
    void (async () => {
      for (const [i, file] of files.entries()) await open(file, e.shiftKey || i > 0);
    })();
  });
}

const app = document.getElementById("app");
if (app) start(app);

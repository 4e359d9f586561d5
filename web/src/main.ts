// Puts the page together and opens what is inside it or dropped on it.
import "./style.css";
import { listenToKeys } from "./keys";
import { loadCharacters } from "./loader";
import { infoOf, type CharacterInfo } from "./pane";
import { bytesOfBase64, readPayload, type Payload, type Stance } from "./payload";
import { exposeForTests } from "./test_access";
import { h } from "./ui/dom";
import { filePanel } from "./ui/file_panel";
import { HelpBox } from "./ui/help";
import { jointPanel } from "./ui/joint_panel";
import { tabs, topBar } from "./ui/layout";
import { labelPanes, legendBox, MessageBox, tooltip } from "./ui/overlay";
import { poseBar } from "./ui/pose_bar";
import { qualityPanel } from "./ui/quality_panel";
import { showPanel } from "./ui/show_panel";
import { Viewer } from "./viewer";

const kPlain: Omit<CharacterInfo, "name" | "path"> = { format: "GLB", notes: new Map(), warnings: [], motions: [], field: null };

function start(app: HTMLElement): void {
  const message = new MessageBox();
  const stage = h("div", { class: "stage" });
  app.append(stage, message.element);
  let viewer: Viewer;
  try {
    viewer = new Viewer(stage);
  } catch (error) {
    message.show("No picture", `This browser cannot draw with WebGL (${String(error)}). Try another browser, or \`skincells render\`.`, "error");
    document.documentElement.dataset.state = "failed";
    return;
  }
  let payload: Payload | null = null;
  const hint = h("p", { class: "hint" }, "Drop a skinned .glb here, or open one.");
  stage.append(tooltip(viewer), hint);
  app.append(legendBox(viewer));
  const add = async (bytes: () => ArrayBuffer | Promise<ArrayBuffer>, info: CharacterInfo, keep: boolean, stance?: Stance) => {
    try {
      const loaded = await loadCharacters(await bytes(), stance);
      if (!keep) viewer.clear();
      message.hide();
      hint.hidden = true;
      for (const level of loaded) viewer.addCharacter(level.level === null ? info : { ...info, name: `${info.name} LOD ${level.level}` }, level);
      if (loaded.every((level) => level.model.vertexCount === 0))
        message.show("No skin", `${info.name} has no skin to look at; run \`skincells bind\` on it first.`, "note");
    } catch (error) {
      message.show(`Cannot open ${info.name}`, error instanceof Error ? error.message : String(error), "error");
    }
  };
  const openFile = async (file: File, keep: boolean) => {
    await add(() => file.arrayBuffer(), { ...kPlain, name: file.name, path: "" }, keep);
    if (keep) viewer.setCompare(true);
  };
  const chooser = h("input", { type: "file", attributes: { accept: ".glb,.vrm", hidden: "" } });
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file) void openFile(file, false);
    chooser.value = "";
  });
  const panel = tabs([
    { name: "Show", body: showPanel(viewer) }, { name: "Joints", body: jointPanel(viewer) },
    { name: "Quality", body: qualityPanel(viewer) }, { name: "File", body: filePanel(viewer, () => payload?.generator ?? "") },
  ]);
  labelPanes(viewer);
  const help = new HelpBox();
  app.prepend(topBar(viewer, () => chooser.click(), () => help.toggle()));
  app.append(panel, poseBar(viewer), chooser, help.element);
  listenToKeys(viewer, () => help.toggle());
  listenToDrops(openFile);

  const openAll = async () => {
    payload = readPayload();
    for (const c of payload?.characters ?? []) await add(() => bytesOfBase64(c.glb), infoOf(c), true, c.stance);
    if (viewer.panes.length > 1 && viewer.panes.every((p) => p.model.vertexCount === viewer.panes[0].model.vertexCount)) viewer.setCompare(true);
    viewer.resetCamera();
  };
  openAll()
    .catch((error: unknown) => message.show("Cannot show this page", String(error), "error"))
    .finally(() => (document.documentElement.dataset.state = "ready"));
  exposeForTests(viewer);
}

function listenToDrops(open: (file: File, keep: boolean) => Promise<void>): void {
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

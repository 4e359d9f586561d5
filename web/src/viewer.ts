// The state of the page: which characters, which pose, which colors. The UI calls its methods and listens to it.
import { PerspectiveCamera, Quaternion, Vector3, WebGLRenderer, type AnimationClip } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { frame } from "./framing";
import type { LoadedCharacter } from "./loader";
import { followsPose, type ColorMode, type PaintRequest } from "./paint";
import type { ScaleName } from "./palette";
import { Pane, type CharacterInfo, type Overlays } from "./pane";
import { pickJoint, pickVertex } from "./picking";
import { randomPose } from "./random_pose";
import type { PoseRef } from "./worst";

export type Change = "panes" | "mode" | "joint" | "pose" | "time" | "hover";

export interface Hover {
  pane: Pane;
  vertex: number;
  clientX: number;
  clientY: number;
}

const kJointReach = 14; // pixels
const kClickReach = 5; // pixels that a pointer may move and still click

export class Viewer {
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly overlays: Overlays = { skeleton: true, cell: true, wireframe: false, handles: true };
  readonly turns = new Map<string, Quaternion>();
  panes: Pane[] = [];
  active = 0;
  compare = false;
  mode: ColorMode = "material";
  scale: ScaleName = "viridis";
  joint = "";
  clip: AnimationClip | null = null; // the pose comes from it while set
  time = 0;
  playing = false;
  speed = 1;
  rangeShare = 1; // of the ranges of motion, in random poses
  poseLabel = "bind pose";
  hover: Hover | null = null;
  suspended = false; // nothing is drawn while poses are measured
  private framed = true; // whole characters are in view, and stay so when the picture changes its shape
  private nextRandom = 0;
  private readonly renderer: WebGLRenderer;
  private readonly listeners: ((change: Change) => void)[] = [];
  private dirty = true;
  private lastFrame = 0;
  private downAt: [number, number] = [0, 0];

  constructor(readonly stage: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setScissorTest(true);
    this.renderer.domElement.setAttribute("aria-label", "the character");
    stage.append(this.renderer.domElement);
    this.controls = new OrbitControls(this.camera, stage);
    let steering = false; // by hand; a mere click moves nothing
    this.controls.addEventListener("start", () => (steering = true));
    this.controls.addEventListener("end", () => (steering = false));
    this.controls.addEventListener("change", () => {
      if (steering) this.framed = false;
      this.invalidate();
    });
    // On the stage, not on panes: the camera's controls capture the pointer, and the stage gets what follows.
    stage.addEventListener("pointerdown", (e) => (this.downAt = [e.clientX, e.clientY]), { capture: true });
    stage.addEventListener("pointerup", (e) => this.clicked(e));
    new ResizeObserver(() => this.layOut()).observe(stage);
    requestAnimationFrame((now) => this.frame(now));
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }
  private notify(...changes: Change[]): void {
    for (const change of changes) for (const listener of this.listeners) listener(change);
    this.invalidate();
  }
  invalidate(): void {
    this.dirty = true;
  }

  get activePane(): Pane | null {
    return this.panes[this.active] ?? null;
  }
  get visiblePanes(): Pane[] {
    return this.compare ? this.panes : this.panes.slice(this.active, this.active + 1);
  }
  // Clips of the character in view; where it has none, those of the others, by the names of their joints.
  get clips(): AnimationClip[] {
    const own = this.activePane?.loaded.clips ?? [];
    return own.length > 0 ? own : (this.panes.find((p) => p.loaded.clips.length > 0)?.loaded.clips ?? []);
  }

  addCharacter(info: CharacterInfo, loaded: LoadedCharacter): void {
    const pane = new Pane(info, loaded, this.camera);
    this.panes.push(pane);
    this.stage.append(pane.element);
    this.listenToPane(pane);
    if (this.panes.length === 1) this.resetCamera();
    this.applyPose(pane);
    pane.recolor(this.paintRequest());
    this.layOut();
    this.notify("panes", "joint", "mode", "pose");
  }

  clear(): void {
    for (const pane of this.panes) {
      pane.handles.detach();
      pane.handles.dispose();
      pane.element.remove();
    }
    this.panes = [];
    this.active = 0;
    this.compare = false;
    this.turns.clear();
    this.clip = null;
    this.playing = false;
    this.joint = "";
    this.poseLabel = "bind pose";
    this.notify("panes", "mode", "pose");
  }

  setActive(index: number): void {
    this.active = index;
    this.showChosen();
    this.notify("panes", "mode", "pose");
  }
  setCompare(on: boolean): void {
    this.compare = on && this.panes.length > 1;
    this.showChosen();
    this.notify("panes", "mode", "pose");
  }
  private showChosen(): void {
    this.refreshPose();
    this.recolor();
    this.layOut();
  }
  // The next character, or level of detail, in place of the present one.
  stepActive(by: number): void {
    if (this.panes.length === 0) return;
    this.compare = false;
    this.setActive((this.active + by + this.panes.length) % this.panes.length);
  }

  setMode(mode: ColorMode): void {
    this.mode = mode;
    if (mode === "weights" && this.joint === "") this.joint = this.strongestJoint();
    this.recolor();
    this.notify("mode", "joint");
  }
  // The joint that pulls most at the largest number of vertices.
  private strongestJoint(): string {
    const model = this.activePane?.model;
    if (!model) return "";
    const counts = new Array<number>(model.rig.joints.length).fill(0);
    for (const j of model.dominant) if (j >= 0) ++counts[j];
    return model.rig.joints[counts.indexOf(Math.max(...counts))]?.name ?? "";
  }
  setScale(scale: ScaleName): void {
    this.scale = scale;
    this.recolor();
    this.notify("mode");
  }
  toggle(overlay: keyof Overlays): void {
    this.overlays[overlay] = !this.overlays[overlay];
    this.notify("mode");
  }
  selectJoint(name: string): void {
    this.joint = name;
    if (this.mode === "weights") this.recolor();
    this.notify("joint", "mode");
  }
  paintRequest(): PaintRequest {
    const reference = this.panes[0]?.model;
    return { mode: this.mode, joint: this.joint, scale: this.scale, reference };
  }

  // Are a cell's sites and region in the picture?
  get showsCell(): boolean {
    return this.overlays.cell && this.mode === "weights" && (this.activePane?.info.field?.data.joints.includes(this.joint) ?? false);
  }

  // Turns a joint against its bind pose, in its own axes.
  setTurn(name: string, turn: Quaternion): void {
    this.leaveClip();
    this.turns.set(name, turn.clone());
    this.poseLabel = "posed by hand";
    this.refreshPose();
    this.notify("pose");
  }
  setTurns(turns: ReadonlyMap<string, Quaternion>, label: string): void {
    this.clip = null;
    this.playing = false;
    this.turns.clear();
    for (const [name, turn] of turns) this.turns.set(name, turn.clone());
    this.poseLabel = label;
    this.refreshPose();
    this.notify("pose", "time");
  }
  resetPose(): void {
    this.setTurns(new Map(), "bind pose");
  }
  // As the nodes of the file stand, which may differ from the bind pose.
  restPose(): void {
    this.resetPose();
    for (const pane of this.visiblePanes) pane.setRestPose();
    this.poseLabel = "rest pose of the nodes";
    if (followsPose(this.mode)) this.recolor();
    this.notify("pose");
  }
  randomPose(): void {
    const pane = this.activePane;
    if (!pane) return;
    const index = this.nextRandom++;
    this.setTurns(randomPose(pane.model, pane.motions, index, this.rangeShare), `random pose ${index}`);
  }
  applyRanked(pose: PoseRef, label: string): void {
    if (pose.kind === "random") this.setTurns(pose.turns, label);
    else {
      this.playing = false;
      this.setClip(pose.clip, pose.time);
    }
  }

  setClip(clip: AnimationClip | null, time = 0): void {
    if (!clip) return this.resetPose();
    this.clip = clip;
    this.turns.clear();
    this.poseLabel = clip.name;
    this.seek(time);
  }
  seek(time: number): void {
    if (!this.clip) return;
    this.time = Math.min(Math.max(time, 0), this.clip.duration);
    this.refreshPose();
    this.notify("pose", "time");
  }
  setPlaying(on: boolean): void {
    if (on && !this.clip) {
      const first = this.clips[0];
      if (!first) return;
      this.setClip(first);
    }
    this.playing = on;
    this.notify("time");
  }

  // Whole characters as they are posed, from the front and a little to the side.
  resetCamera(): void {
    const ahead = this.activePane?.model.forward ?? new Vector3(0, 0, 1);
    this.showWhole(new Vector3(ahead.x + 0.45 * ahead.z, 0.16, ahead.z - 0.45 * ahead.x));
  }
  private showWhole(side: Vector3): void {
    const clouds = this.visiblePanes.map((p) => p.model.outline());
    const fit = frame(clouds, side, Math.tan((this.camera.fov * Math.PI) / 360), this.camera.aspect);
    if (!fit) return;
    this.lookAt(fit.target, fit.distance, side);
    this.framed = true;
  }
  // Close up; from where the place faces, else from the present side.
  lookAtPlace(center: Vector3, normal = new Vector3()): void {
    const model = this.activePane?.model;
    if (!model) return;
    const side = this.camera.position.clone().sub(this.controls.target).normalize();
    if (normal.lengthSq() > 1e-8) side.lerp(normal.clone().normalize(), 0.75).setY(Math.min(Math.max(side.y, -0.4), 0.8));
    this.lookAt(center, 0.9 * model.bounds().getSize(new Vector3()).length(), side);
  }
  private lookAt(target: Vector3, distance: number, side: Vector3): void {
    this.framed = false;
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(side.normalize(), distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  recolor(): void {
    for (const pane of this.visiblePanes) pane.recolor(this.paintRequest());
    this.invalidate();
  }

  private leaveClip(): void {
    if (!this.clip) return;
    this.playing = false;
    const rig = this.activePane?.model.rig;
    rig?.joints.forEach((j, i) => this.turns.set(j.name, rig.turnOf(i)));
    this.clip = null;
    this.notify("time");
  }
  refreshPose(): void {
    for (const pane of this.visiblePanes) this.applyPose(pane);
    if (followsPose(this.mode)) this.recolor();
  }
  private applyPose(pane: Pane): void {
    if (this.clip) pane.setClip(pane.loaded.clips.find((c) => c.name === this.clip?.name) ?? this.clip, this.time);
    else pane.setTurns(this.turns);
  }

  private layOut(): void {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    const shown = this.visiblePanes;
    const columns = width >= height ? Math.min(shown.length, 3) : Math.ceil(shown.length / 3);
    const rows = Math.ceil(shown.length / Math.max(columns, 1));
    for (const pane of this.panes) pane.element.hidden = !shown.includes(pane);
    shown.forEach((pane, i) => {
      const style = pane.element.style;
      style.left = `${(100 * (i % columns)) / columns}%`;
      style.top = `${(100 * Math.floor(i / columns)) / rows}%`;
      style.width = `${100 / columns}%`;
      style.height = `${100 / rows}%`;
    });
    this.camera.aspect = width / Math.max(columns, 1) / (height / Math.max(rows, 1));
    this.camera.updateProjectionMatrix();
    if (this.framed) this.showWhole(this.camera.position.clone().sub(this.controls.target));
    this.invalidate();
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const elapsed = Math.min((now - this.lastFrame) / 1000, 0.1);
    this.lastFrame = now;
    if (this.suspended) return;
    if (this.playing && this.clip && this.clip.duration > 0) this.seek((this.time + elapsed * this.speed) % this.clip.duration);
    if (!this.dirty) return;
    this.dirty = false;
    const canvas = this.stage.getBoundingClientRect();
    for (const pane of this.visiblePanes) {
      pane.prepare(this.camera, { ...this.overlays, cell: this.showsCell }, this.joint);
      const r = pane.element.getBoundingClientRect();
      const bottom = canvas.bottom - r.bottom;
      this.renderer.setViewport(r.left - canvas.left, bottom, r.width, r.height);
      this.renderer.setScissor(r.left - canvas.left, bottom, r.width, r.height);
      this.renderer.render(pane.scene, this.camera);
    }
  }

  private listenToPane(pane: Pane): void {
    pane.handles.addEventListener("dragging-changed", (event) => (this.controls.enabled = !event.value));
    pane.handles.addEventListener("change", () => this.invalidate());
    pane.handles.addEventListener("objectChange", () => {
      const joint = pane.model.rig.find(this.joint);
      if (joint >= 0) this.setTurn(this.joint, pane.model.rig.turnOf(joint));
    });
    pane.element.addEventListener("pointermove", (e) => this.pointerMoved(pane, e));
    pane.element.addEventListener("pointerleave", () => this.setHover(null));
  }
  private setHover(hover: Hover | null): void {
    if (hover === null && this.hover === null) return;
    this.hover = hover;
    for (const listener of this.listeners) listener("hover");
  }
  private place(pane: Pane, e: MouseEvent): { x: number; y: number; aspect: number; reach: number } {
    const r = pane.element.getBoundingClientRect();
    return { x: (2 * (e.clientX - r.left)) / r.width - 1, y: 1 - (2 * (e.clientY - r.top)) / r.height, aspect: r.width / r.height, reach: (2 * kJointReach) / r.height };
  }
  private pointerMoved(pane: Pane, e: PointerEvent): void {
    if (e.buttons !== 0 || e.pointerType === "touch" || this.playing) return this.setHover(null);
    const { x, y } = this.place(pane, e);
    const vertex = pickVertex(pane.model, this.camera, x, y);
    this.setHover(vertex >= 0 ? { pane, vertex, clientX: e.clientX, clientY: e.clientY } : null);
  }
  private clicked(e: PointerEvent): void {
    const pane = this.visiblePanes.find((p) => {
      const r = p.element.getBoundingClientRect();
      return e.clientX >= r.left && e.clientX < r.right && e.clientY >= r.top && e.clientY < r.bottom;
    });
    if (!pane || Math.hypot(e.clientX - this.downAt[0], e.clientY - this.downAt[1]) > kClickReach) return;
    const { x, y, aspect, reach } = this.place(pane, e);
    let joint = this.overlays.skeleton ? pickJoint(pane.model, this.camera, x, y, aspect, reach) : -1;
    if (joint < 0) {
      const vertex = pickVertex(pane.model, this.camera, x, y);
      if (vertex >= 0) joint = pane.model.dominant[vertex];
    }
    if (joint >= 0) this.selectJoint(pane.model.rig.joints[joint].name);
  }
}

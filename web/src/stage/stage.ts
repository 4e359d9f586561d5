// The picture: one pane for each visible character, drawn on one canvas with one camera. Draws only after changes.
import { Vector3, WebGLRenderer } from "three";
import type { Character } from "../model/character";
import type { Place } from "../model/worst_places";
import { followsPose } from "../paint/color_modes";
import type { CharacterList } from "../state/character_list";
import type { PoseState } from "../state/pose_state";
import type { ViewState } from "../state/view_state";
import { OrbitCamera } from "./orbit_camera";
import { Pane } from "./pane";
import { pickSurface } from "./picking";

const kLongestStep = 0.1; // seconds that playback moves on per frame, however long the last one took
const kMostColumns = 3;

export type ViewSide = "front" | "back" | "left" | "right" | "top";

export class Stage {
  readonly camera: OrbitCamera;
  private readonly renderer: WebGLRenderer;
  private panes: readonly Pane[] = []; // in the order of the characters
  private needsFrame = true;
  private needsColors = true;
  private lastFrame = 0;

  // Throws where the browser has no WebGL.
  constructor(
    readonly element: HTMLElement,
    private readonly characters: CharacterList,
    private readonly pose: PoseState,
    private readonly view: ViewState,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.renderer.domElement.setAttribute("aria-label", "3D view of the character");
    element.append(this.renderer.domElement);
    this.camera = new OrbitCamera(element, () => this.invalidate());
    characters.subscribe(() => this.updatePanes());
    pose.subscribe(() => this.invalidate(followsPose(view.mode)));
    view.subscribe((change) => this.invalidate(change === "colors" || (change === "joint" && view.mode === "weights")));
    new ResizeObserver(() => this.arrangePanes()).observe(element);
    requestAnimationFrame((now) => this.frame(now));
  }

  // Draws at the next frame, with new vertex colors if they changed.
  invalidate(colors = false): void {
    this.needsFrame = true;
    this.needsColors ||= colors;
  }

  get visiblePanes(): readonly Pane[] {
    const visible = this.characters.visible;
    return this.panes.filter((p) => visible.includes(p.character));
  }
  paneOf(character: Character): Pane | null {
    return this.panes.find((p) => p.character === character) ?? null;
  }
  // The visible pane at a place of the window.
  paneAt(clientX: number, clientY: number): Pane | null {
    const covers = (r: DOMRect) => clientX >= r.left && clientX < r.right && clientY >= r.top && clientY < r.bottom;
    const found = this.visiblePanes.filter((p) => covers(p.element.getBoundingClientRect()));
    if (found.length < 2) return found[0] ?? null;
    // Characters in one place: the one in front.
    const r = found[0].element.getBoundingClientRect();
    const x = (2 * (clientX - r.left)) / r.width - 1;
    const y = 1 - (2 * (clientY - r.top)) / r.height;
    const depths = found.map((p) => pickSurface(p.character.model, this.camera, x, y).distance);
    return found[depths.indexOf(Math.min(...depths))];
  }

  // Shows the visible characters whole, as they are posed, from the front and a little to the side.
  frameCharacters(): void {
    const ahead = this.characters.active?.model.forward ?? new Vector3(0, 0, 1);
    this.camera.frame(this.outlines(), new Vector3(ahead.x + 0.45 * ahead.z, 0.16, ahead.z - 0.45 * ahead.x));
  }
  // The same from one of the sides of the character.
  frameFrom(side: ViewSide): void {
    const ahead = this.characters.active?.model.forward ?? new Vector3(0, 0, 1);
    const left = new Vector3(0, 1, 0).cross(ahead);
    const sides: Record<ViewSide, Vector3> = {
      front: ahead.clone(),
      back: ahead.clone().negate(),
      left,
      right: left.clone().negate(),
      top: new Vector3(0, 1, 0).addScaledVector(ahead, 1e-3),
    };
    this.camera.frame(this.outlines(), sides[side]);
  }
  // The picture as a PNG file, as it is on the screen.
  screenshot(): Promise<Blob | null> {
    this.draw();
    return new Promise((done) => this.renderer.domElement.toBlob(done));
  }
  // A close-up of a place, seen from the direction that its surface faces.
  showPlace(place: Pick<Place, "center" | "normal">): void {
    const model = this.characters.active?.model;
    if (model)
      this.camera.lookAtSurface(place.center, place.normal, 0.9 * model.bounds().getSize(new Vector3()).length());
  }

  private outlines(): Float32Array[] {
    return this.characters.visible.map((c) => c.model.outline());
  }

  // Makes panes for new characters and removes those of closed ones.
  private updatePanes(): void {
    const isFirst = this.panes.length === 0;
    for (const pane of this.panes) if (!this.characters.all.includes(pane.character)) pane.dispose();
    this.panes = this.characters.all.map((c) => this.paneOf(c) ?? this.addPane(c));
    if (isFirst) this.frameCharacters();
    this.arrangePanes();
    this.invalidate(true);
  }
  private addPane(character: Character): Pane {
    const pane = new Pane(character, this.camera, {
      redraw: () => this.invalidate(),
      dragging: (on) => this.camera.setSteering(!on),
      turned: (joint) => this.pose.turnJoint(character.model.rig.joints[joint].name, character.model.rig.turnOf(joint)),
    });
    this.element.append(pane.element);
    return pane;
  }

  // Panes in a grid: rows first in a wide picture, columns first in a tall one.
  private arrangePanes(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    const shown = this.visiblePanes;
    const columns = this.characters.together
      ? 1
      : Math.max(width >= height ? Math.min(shown.length, kMostColumns) : Math.ceil(shown.length / kMostColumns), 1);
    const rows = this.characters.together ? 1 : Math.max(Math.ceil(shown.length / columns), 1);
    for (const pane of this.panes) pane.element.hidden = !shown.includes(pane);
    shown.forEach((pane, i) => {
      pane.setLabel(shown.length > 1 && rows * columns > 1 ? `${i + 1}: ${pane.character.info.name}` : "");
      const style = pane.element.style;
      style.left = `${(100 * (i % columns)) / columns}%`;
      style.top = rows * columns > 1 ? `${(100 * Math.floor(i / columns)) / rows}%` : "0";
      style.width = `${100 / columns}%`;
      style.height = `${100 / rows}%`;
    });
    this.camera.setAspect(width / columns / (height / rows));
    if (this.camera.isFramed) this.camera.frame(this.outlines(), this.camera.side());
    this.invalidate();
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const elapsed = Math.min((now - this.lastFrame) / 1000, kLongestStep);
    this.lastFrame = now;
    if (this.pose.measuring) return;
    this.pose.advance(elapsed);
    if (!this.needsFrame) return;
    if (this.needsColors) this.paintPanes();
    this.needsFrame = false;
    this.needsColors = false;
    this.draw();
  }
  private draw(): void {
    const canvas = this.element.getBoundingClientRect();
    this.visiblePanes.forEach((pane, i) => {
      const isOver = i > 0 && this.characters.together; // in the same place, over what is there
      pane.prepare(this.camera, { ...this.view.overlays, cell: this.view.showsCell }, this.view, isOver);
      const r = pane.element.getBoundingClientRect();
      const bottom = canvas.bottom - r.bottom;
      this.renderer.setViewport(r.left - canvas.left, bottom, r.width, r.height);
      this.renderer.setScissor(r.left - canvas.left, bottom, r.width, r.height);
      if (!isOver) this.renderer.clear();
      this.renderer.render(pane.scene, this.camera);
    });
  }
  private paintPanes(): void {
    const request = this.view.paintRequest;
    if (request) for (const pane of this.visiblePanes) pane.figure.paint(request);
  }
}

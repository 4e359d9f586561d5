// The pointer over the picture: hovering finds a vertex, a click selects a joint.
import type { Character } from "../model/character";
import { Observable } from "../state/observable";
import type { PoseState } from "../state/pose_state";
import type { ViewState } from "../state/view_state";
import type { Pane } from "./pane";
import { pickJoint, pickVertex } from "./picking";
import type { Stage } from "./stage";

export interface Hover {
  character: Character;
  vertex: number;
  clientX: number;
  clientY: number;
}

const kJointRadius = 14; // pixels around a joint in which a click selects it
const kClickTolerance = 5; // pixels that the pointer may move between press and release of a click

// Notifies when `hover` changes.
export class Pointer extends Observable<void> {
  private hover_: Hover | null = null;
  private pressedAt: [number, number] = [0, 0];

  constructor(
    private readonly stage: Stage,
    private readonly pose: PoseState,
    private readonly view: ViewState,
  ) {
    super();
    // On the stage, not on its panes: the camera's controls capture the pointer, and the stage gets the events that
    // follow.
    const { element } = stage;
    element.addEventListener("pointerdown", (e) => (this.pressedAt = [e.clientX, e.clientY]), { capture: true });
    element.addEventListener("pointerup", (e) => this.released(e));
    element.addEventListener("pointermove", (e) => this.setHover(this.find(e)));
    element.addEventListener("pointerleave", () => this.setHover(null));
  }

  // The vertex under the pointer, if any.
  get hover(): Hover | null {
    return this.hover_;
  }

  private setHover(hover: Hover | null): void {
    if (hover === null && this.hover_ === null) return;
    this.hover_ = hover;
    this.notify();
  }
  private find(e: PointerEvent): Hover | null {
    if (e.buttons !== 0 || e.pointerType === "touch" || this.pose.playing) return null;
    const pane = this.stage.paneAt(e.clientX, e.clientY);
    if (!pane) return null;
    const { x, y } = placeIn(pane, e);
    const vertex = pickVertex(pane.character.model, this.stage.camera, x, y);
    return vertex >= 0 ? { character: pane.character, vertex, clientX: e.clientX, clientY: e.clientY } : null;
  }

  private released(e: PointerEvent): void {
    const isClick = Math.hypot(e.clientX - this.pressedAt[0], e.clientY - this.pressedAt[1]) <= kClickTolerance;
    const pane = this.stage.paneAt(e.clientX, e.clientY);
    if (!pane || !isClick) return;
    const joint = this.jointAt(pane, e);
    if (joint >= 0) this.view.selectJoint(pane.character.model.rig.joints[joint].name);
  }
  // The joint drawn there, else the one that dominates the vertex there, else -1.
  private jointAt(pane: Pane, e: PointerEvent): number {
    const { model } = pane.character;
    const { camera } = this.stage;
    const { x, y, aspect, pixel } = placeIn(pane, e);
    const joint = this.view.overlays.skeleton ? pickJoint(model, camera, x, y, aspect, kJointRadius * pixel) : -1;
    if (joint >= 0) return joint;
    const vertex = pickVertex(model, camera, x, y);
    return vertex >= 0 ? model.dominant[vertex] : -1;
  }
}

// Normalized device coordinates in a pane; `pixel` is the height of one pixel in them.
function placeIn(pane: Pane, e: MouseEvent): { x: number; y: number; aspect: number; pixel: number } {
  const r = pane.element.getBoundingClientRect();
  return {
    x: (2 * (e.clientX - r.left)) / r.width - 1,
    y: 1 - (2 * (e.clientY - r.top)) / r.height,
    aspect: r.width / r.height,
    pixel: 2 / r.height,
  };
}

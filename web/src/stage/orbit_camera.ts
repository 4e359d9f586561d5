// The camera that all panes share: steered with the pointer, or moved to show something.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { fitPoints } from "./framing";

const kFieldOfView = 28; // vertical, degrees
const kTurnTowardSurface = 0.75; // 0 keeps the direction of view, 1 looks along the surface normal
const kLowest = -0.4; // vertical components of the direction from a place to the camera
const kHighest = 0.8;

export class OrbitCamera extends PerspectiveCamera {
  private readonly controls: OrbitControls;
  private framed = true;
  private readonly listeners: (() => void)[] = [];

  constructor(element: HTMLElement, moved: () => void) {
    super(kFieldOfView);
    this.controls = new OrbitControls(this, element);
    let steering = false; // controls also report changes that code made
    this.controls.addEventListener("start", () => (steering = true));
    this.controls.addEventListener("end", () => (steering = false));
    this.controls.addEventListener("change", () => {
      if (steering) this.framed = false;
      moved();
      for (const listener of this.listeners) listener();
    });
  }

  // Called after every move.
  onMoved(listener: () => void): void {
    this.listeners.push(listener);
  }

  // Whether the camera still shows what `frame` showed last. The stage then frames again when the picture changes
  // shape.
  get isFramed(): boolean {
    return this.framed;
  }
  get target(): Vector3 {
    return this.controls.target.clone();
  }
  // From the target to the camera.
  side(): Vector3 {
    return this.position.clone().sub(this.target);
  }

  setSteering(on: boolean): void {
    this.controls.enabled = on;
  }
  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.updateProjectionMatrix();
  }

  // Fits point clouds into the picture, seen from a side (from the target to the camera, of any length).
  frame(clouds: readonly Float32Array[], side: Vector3): void {
    const fit = fitPoints(clouds, side, Math.tan((this.fov * Math.PI) / 360), this.aspect);
    if (!fit) return;
    this.look(fit.target, fit.distance, side);
    this.framed = true;
  }

  // Puts the camera back to where it was (`target` and `position`).
  place(target: Vector3, position: Vector3): void {
    this.look(target, position.distanceTo(target), position.clone().sub(target));
    this.framed = false;
  }

  // Looks at a place from a distance, from the present side turned toward the surface normal. A zero normal keeps the
  // side.
  lookAtSurface(target: Vector3, normal: Vector3, distance: number): void {
    const side = this.side().normalize();
    if (normal.lengthSq() > 1e-8) {
      side.lerp(normal.clone().normalize(), kTurnTowardSurface);
      side.setY(Math.min(Math.max(side.y, kLowest), kHighest));
    }
    this.look(target, distance, side);
    this.framed = false;
  }

  private look(target: Vector3, distance: number, side: Vector3): void {
    this.controls.target.copy(target);
    this.position.copy(target).addScaledVector(side.clone().normalize(), distance);
    this.near = distance / 200;
    this.far = distance * 20;
    this.updateProjectionMatrix();
    this.controls.update();
  }
}

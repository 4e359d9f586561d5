// One area of the picture: a scene with lights, a floor and a character.
import {
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Scene,
  Vector3,
  type PerspectiveCamera,
} from "three";
import type { Character } from "../model/character";
import type { Overlays } from "../state/view_state";
import { Figure, type FigureEvents } from "./figure";

export class Pane {
  readonly scene = new Scene();
  readonly element = document.createElement("div"); // covers the pane's area of the canvas
  readonly figure: Figure;
  private readonly label = document.createElement("span");
  private readonly lights = cameraLights();

  constructor(
    readonly character: Character,
    camera: PerspectiveCamera,
    events: FigureEvents,
  ) {
    this.element.className = "pane";
    this.label.className = "pane-label";
    this.element.append(this.label);
    this.setLabel("");
    this.figure = new Figure(character, camera, this.element, events);
    this.scene.background = new Color("#23272e");
    this.scene.add(new HemisphereLight("#ffffff", "#7b8594", 0.95), this.lights, this.figure);
    this.addFloor();
  }

  // To be called before each drawing. The lights turn with the camera, so that a character is lit alike from every
  // side.
  prepare(camera: PerspectiveCamera, overlays: Overlays, joint: string): void {
    this.lights.quaternion.copy(camera.quaternion);
    this.figure.showOverlays(overlays, joint);
  }

  // A name in the corner; empty for none.
  setLabel(text: string): void {
    this.label.textContent = text;
    this.label.hidden = text === "";
  }

  dispose(): void {
    this.figure.dispose();
    this.element.remove();
  }

  private addFloor(): void {
    const box = this.character.model.bounds();
    if (box.isEmpty()) return;
    const size = box.getSize(new Vector3()).length();
    const center = box.getCenter(new Vector3());
    const floor = new GridHelper(3 * size, 24, "#4a515c", "#363c45");
    floor.position.set(center.x, box.min.y - 0.002 * size, center.z);
    this.scene.add(floor);
  }
}

// A key light from the upper right of the camera and a weak fill light from the other side.
function cameraLights(): Group {
  const key = new DirectionalLight("#fffaf2", 1.9);
  const fill = new DirectionalLight("#e6eeff", 0.4);
  key.position.set(0.6, 1, 0.9);
  fill.position.set(-1, 0.25, 0.4);
  return new Group().add(key, fill);
}

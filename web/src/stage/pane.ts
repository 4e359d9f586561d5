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
import type { Overlays, ViewState } from "../state/view_state";
import { Figure, type FigureEvents } from "./figure";

interface Surroundings {
  background: Color;
  middle: string; // of the floor
  lines: string;
}
const kDark: Surroundings = { background: new Color("#23272e"), middle: "#4a515c", lines: "#363c45" };
const kLight: Surroundings = { background: new Color("#eef0f3"), middle: "#b3bac4", lines: "#d3d8df" };

export class Pane {
  readonly scene = new Scene();
  readonly element = document.createElement("div"); // covers the pane's area of the canvas
  readonly figure: Figure;
  private readonly label = document.createElement("span");
  private readonly lights = cameraLights();
  private readonly floors: [GridHelper, Surroundings][] = [];

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
    this.scene.add(new HemisphereLight("#ffffff", "#7b8594", 0.95), this.lights, this.figure);
    this.addFloor();
  }

  // To be called before each drawing. The lights turn with the camera, so that a character is lit alike from every
  // side.
  // isOver: drawn over another pane, without floor and background.
  prepare(camera: PerspectiveCamera, overlays: Overlays, view: ViewState, isOver: boolean): void {
    this.lights.quaternion.copy(camera.quaternion);
    this.figure.showOverlays(overlays, view.joint);
    this.figure.hideParts((part) => view.isHidden(part));
    const colors = overlays.light ? kLight : kDark;
    this.scene.background = isOver ? null : colors.background;
    for (const [floor, shown] of this.floors) floor.visible = !isOver && shown === colors;
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
    for (const colors of [kDark, kLight]) {
      const floor = new GridHelper(3 * size, 24, colors.middle, colors.lines);
      floor.position.set(center.x, box.min.y - 0.002 * size, center.z);
      this.floors.push([floor, colors]);
      this.scene.add(floor);
    }
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

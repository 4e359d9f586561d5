// A character in a scene: its meshes in materials or vertex colors, its overlays, and the handles that turn a joint.
import {
  BufferAttribute,
  DoubleSide,
  Group,
  MeshLambertMaterial,
  type Camera,
  type Material,
  type MeshStandardMaterial,
} from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Character } from "../model/character";
import type { SkinModel } from "../model/skin_model";
import { paint, type PaintRequest } from "../paint/color_modes";
import type { Overlays } from "../state/view_state";
import { CellOverlay } from "./cell_overlay";
import { addEightInfluences } from "./eight_influences";
import { SkeletonOverlay } from "./skeleton_overlay";

export interface FigureEvents {
  redraw(): void; // the handles look different
  dragging(on: boolean): void; // a drag of the handles begins or ends
  turned(joint: number): void; // the handles turned a joint
}

const kHighestMetalness = 0.35;
const kBlack = 0.004; // linear; colors below it count as black
const kGray = 0.2; // linear

export class Figure extends Group {
  readonly cell: CellOverlay | null;
  readonly colors: Float32Array; // of the last `paint`, 3 per vertex
  private readonly model: SkinModel;
  private readonly handles: TransformControls;
  private readonly skeleton: SkeletonOverlay;
  private readonly materials: readonly (Material | Material[])[]; // those of the file, by section
  private readonly fileColors: readonly (BufferAttribute | null)[]; // vertex colors of the file, by section
  private readonly painted: readonly MeshLambertMaterial[]; // for vertex colors of ours, by section

  // The handles react to the pointer over `element`.
  constructor(character: Character, camera: Camera, element: HTMLElement, events: FigureEvents) {
    super();
    this.model = character.model;
    this.skeleton = new SkeletonOverlay(this.model.rig, (j) => character.deforms(j));
    this.cell = character.info.field ? new CellOverlay(this.model, character.info.field) : null;
    const meshes = this.model.sections.map((s) => s.mesh);
    this.materials = meshes.map((m) => m.material);
    this.fileColors = meshes.map((m) => (m.geometry.getAttribute("color") as BufferAttribute | undefined) ?? null);
    this.painted = meshes.map(() => new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    this.colors = new Float32Array(3 * this.model.vertexCount);
    makeReadable(this.materials.flat());
    meshes.forEach((m, i) => {
      m.frustumCulled = false;
      if (!m.geometry.hasAttribute("weights_1")) return;
      for (const material of [m.material, this.painted[i]].flat()) addEightInfluences(material);
    });
    this.handles = this.makeHandles(camera, element, events);
    this.add(this.model.root, this.skeleton, this.handles.getHelper());
    if (this.cell) this.add(this.cell);
  }

  paint(request: PaintRequest): void {
    const isPainted = paint(this.model, request, this.colors);
    this.model.sections.forEach((s, i) => {
      const geometry = s.mesh.geometry;
      const fileColors = this.fileColors[i];
      if (!isPainted) {
        s.mesh.material = this.materials[i];
        if (fileColors) geometry.setAttribute("color", fileColors);
        else geometry.deleteAttribute("color");
        return;
      }
      s.mesh.material = this.painted[i];
      let attribute = geometry.getAttribute("color") as BufferAttribute | undefined;
      if (!attribute || attribute === fileColors) {
        attribute = new BufferAttribute(new Float32Array(3 * s.vertexCount), 3);
        geometry.setAttribute("color", attribute);
      }
      (attribute.array as Float32Array).set(
        this.colors.subarray(3 * s.firstVertex, 3 * (s.firstVertex + s.vertexCount)),
      );
      attribute.needsUpdate = true;
    });
  }

  showOverlays(overlays: Overlays, joint: string): void {
    const index = this.model.rig.find(joint);
    this.skeleton.visible = overlays.skeleton;
    if (overlays.skeleton) this.skeleton.update(index);
    if (this.cell) {
      this.cell.visible = overlays.cell && index >= 0;
      if (this.cell.visible) this.cell.show(joint);
    }
    for (const material of [this.materials, this.painted].flat(2))
      (material as Material & { wireframe?: boolean }).wireframe = overlays.wireframe;
    const bone = overlays.handles && index >= 0 ? this.model.rig.joints[index].bone : undefined;
    if (bone === this.handles.object) return;
    if (bone) this.handles.attach(bone);
    else this.handles.detach();
  }

  hideParts(isHidden: (where: string) => boolean): void {
    for (const s of this.model.sections) s.mesh.visible = !isHidden(s.where);
  }

  dispose(): void {
    this.handles.detach();
    this.handles.dispose();
  }

  private makeHandles(camera: Camera, element: HTMLElement, events: FigureEvents): TransformControls {
    const handles = new TransformControls(camera, element);
    handles.setMode("rotate");
    handles.setSpace("local");
    handles.setSize(0.7);
    handles.addEventListener("dragging-changed", (event) => events.dragging(event.value === true));
    handles.addEventListener("change", () => events.redraw());
    handles.addEventListener("objectChange", () => {
      const joint = this.model.rig.joints.findIndex((j) => j.bone === handles.object);
      if (joint >= 0) events.turned(joint);
    });
    return handles;
  }
}

// Makes materials show shape. The scene has nothing that metal could reflect, so metal would look black; and a
// character that is black all over has lost its textures.
function makeReadable(materials: Material[]): void {
  const standard = materials.filter(
    (m): m is MeshStandardMaterial => (m as MeshStandardMaterial).isMeshStandardMaterial,
  );
  for (const m of standard) m.metalness = Math.min(m.metalness, kHighestMetalness);
  const brightest = (m: MeshStandardMaterial) => Math.max(...m.color.toArray(), ...m.emissive.toArray());
  const isBlack = (m: MeshStandardMaterial) => !m.map && brightest(m) < kBlack;
  if (standard.length === materials.length && standard.every(isBlack))
    for (const m of standard) m.color.setScalar(kGray);
}

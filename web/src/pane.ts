// One character on the screen: its scene, its overlays, the handles that turn a joint.
import {
  AnimationMixer, BufferAttribute, Color, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight, MeshLambertMaterial, Scene, Vector3,
  type AnimationClip, type Camera, type Material, type MeshStandardMaterial, type PerspectiveCamera, type Quaternion,
} from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { CellOverlay } from "./cell_overlay";
import { addEightInfluences } from "./eight_influences";
import { Field } from "./field";
import type { LoadedCharacter } from "./loader";
import { paint, type PaintRequest } from "./paint";
import type { EmbeddedCharacter, JointMotion, JointNote } from "./payload";
import { coneMotions } from "./random_pose";
import type { SkinModel } from "./skin_model";
import { SkeletonOverlay } from "./skeleton_overlay";

export interface CharacterInfo {
  name: string;
  path: string;
  format: string;
  notes: Map<string, JointNote>;
  warnings: EmbeddedCharacter["warnings"];
  motions: JointMotion[]; // empty: nothing is known
  field: Field | null;
}

export function infoOf(c: EmbeddedCharacter): CharacterInfo {
  return { name: c.name, path: c.path, format: c.format, warnings: c.warnings, notes: new Map(c.joints.map((j) => [j.name, j])), motions: c.motions, field: c.field ? new Field(c.field) : null };
}

// A key light from the upper right of the camera and a weak one from the other side.
function lamps(): Group {
  const key = new DirectionalLight("#fffaf2", 1.9), fill = new DirectionalLight("#e6eeff", 0.4);
  key.position.set(0.6, 1, 0.9);
  fill.position.set(-1, 0.25, 0.4);
  return new Group().add(key, fill);
}

const kBlack = 0.004, kGray = 0.2; // linear

// Makes materials show shape: there is nothing around the character for metal to mirror, which would leave it black, and
// a character that is black all over has lost its pictures on the way.
function makeReadable(materials: Material[]): void {
  const standard = materials.filter((m): m is MeshStandardMaterial => (m as MeshStandardMaterial).isMeshStandardMaterial);
  for (const m of standard) m.metalness = Math.min(m.metalness, 0.35);
  const isBlack = (m: MeshStandardMaterial) => !m.map && Math.max(m.color.r, m.color.g, m.color.b, m.emissive.r, m.emissive.g, m.emissive.b) < kBlack;
  if (standard.length === materials.length && standard.every(isBlack)) for (const m of standard) m.color.setScalar(kGray);
}

export interface Overlays {
  skeleton: boolean;
  cell: boolean;
  wireframe: boolean;
  handles: boolean;
}

export class Pane {
  readonly scene = new Scene();
  readonly model: SkinModel;
  readonly element = document.createElement("div"); // covers the pane's part of the canvas
  readonly handles: TransformControls;
  private readonly mixer: AnimationMixer;
  private readonly skeleton: SkeletonOverlay;
  readonly cell: CellOverlay | null;
  private readonly lamps = lamps();
  private readonly materials: (Material | Material[])[];
  private readonly ownColors: (BufferAttribute | null)[];
  private readonly painted: MeshLambertMaterial[];
  private readonly colors: Float32Array;

  constructor(readonly info: CharacterInfo, readonly loaded: LoadedCharacter, camera: PerspectiveCamera) {
    this.model = loaded.model;
    this.element.className = "pane";
    this.scene.background = new Color("#23272e");
    this.scene.add(new HemisphereLight("#ffffff", "#7b8594", 0.95), this.lamps, this.model.root);
    this.addFloor();
    this.mixer = new AnimationMixer(this.model.root);
    this.skeleton = new SkeletonOverlay(this.model.rig, (j) => this.deforms(j));
    this.cell = info.field ? new CellOverlay(this.model, info.field) : null;
    this.scene.add(this.skeleton);
    if (this.cell) this.scene.add(this.cell);
    const meshes = this.model.sections.map((s) => s.mesh);
    this.materials = meshes.map((m) => m.material);
    this.ownColors = meshes.map((m) => (m.geometry.getAttribute("color") as BufferAttribute | undefined) ?? null);
    this.painted = meshes.map(() => new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    this.colors = new Float32Array(3 * this.model.vertexCount);
    makeReadable(this.materials.flat());
    meshes.forEach((m, i) => {
      m.frustumCulled = false;
      if (!m.geometry.hasAttribute("weights_1")) return;
      for (const material of [m.material, this.painted[i]].flat()) addEightInfluences(material);
    });
    this.handles = new TransformControls(camera as Camera, this.element);
    this.handles.setMode("rotate");
    this.handles.setSpace("local");
    this.handles.setSize(0.7);
    this.scene.add(this.handles.getHelper());
  }

  // Ranges of motion for random poses.
  get motions(): JointMotion[] {
    return this.info.motions.length > 0 ? this.info.motions : coneMotions(this.model);
  }

  deforms(joint: number): boolean {
    const name = this.model.rig.joints[joint].name;
    return this.info.notes.get(name)?.deforms ?? true;
  }

  recolor(request: PaintRequest): void {
    const usesColors = paint(this.model, request, this.colors);
    this.model.sections.forEach((s, i) => {
      const geometry = s.mesh.geometry;
      if (!usesColors) {
        s.mesh.material = this.materials[i];
        if (this.ownColors[i]) geometry.setAttribute("color", this.ownColors[i]);
        else geometry.deleteAttribute("color");
        return;
      }
      s.mesh.material = this.painted[i];
      let attribute = geometry.getAttribute("color") as BufferAttribute | undefined;
      if (!attribute || attribute === this.ownColors[i]) geometry.setAttribute("color", (attribute = new BufferAttribute(new Float32Array(3 * s.vertexCount), 3)));
      (attribute.array as Float32Array).set(this.colors.subarray(3 * s.firstVertex, 3 * (s.firstVertex + s.vertexCount)));
      attribute.needsUpdate = true;
    });
  }

  // The lamps go with the camera: a character is lit alike from every side.
  prepare(camera: Camera, overlays: Overlays, joint: string): void {
    this.lamps.quaternion.copy(camera.quaternion);
    this.showOverlays(overlays, joint);
  }

  private showOverlays(overlays: Overlays, joint: string): void {
    const index = this.model.rig.find(joint);
    this.skeleton.visible = overlays.skeleton;
    if (overlays.skeleton) this.skeleton.update(index);
    if (this.cell) {
      this.cell.visible = overlays.cell && index >= 0;
      if (this.cell.visible) this.cell.show(joint);
    }
    for (const material of [this.materials, this.painted].flat(2)) (material as Material & { wireframe?: boolean }).wireframe = overlays.wireframe;
    const bone = overlays.handles && index >= 0 ? this.model.rig.joints[index].bone : undefined;
    if (bone === this.handles.object) return;
    if (bone) this.handles.attach(bone);
    else this.handles.detach();
  }

  setTurns(turns: ReadonlyMap<string, Quaternion>): void {
    this.mixer.stopAllAction();
    this.model.rig.setTurns(turns);
    this.model.poseChanged();
  }
  setRestPose(): void {
    this.mixer.stopAllAction();
    this.model.rig.setRestPose();
    this.model.poseChanged();
  }
  setClip(clip: AnimationClip, time: number): void {
    const action = this.mixer.clipAction(clip);
    if (!action.isRunning()) {
      this.mixer.stopAllAction();
      this.model.rig.setRestPose(); // joints that the clip leaves alone stand as the nodes do
      action.reset().play();
    }
    action.time = time;
    this.mixer.update(0);
    this.model.root.updateMatrixWorld(true);
    this.model.poseChanged();
  }

  private addFloor(): void {
    const box = this.model.bounds();
    if (box.isEmpty()) return;
    const size = box.getSize(new Vector3()).length();
    const floor = new GridHelper(3 * size, 24, "#4a515c", "#363c45");
    floor.position.set(box.getCenter(new Vector3()).x, box.min.y - 0.002 * size, box.getCenter(new Vector3()).z);
    this.scene.add(floor);
  }
}

// The skin and skeleton of a character as plain arrays, for measuring, painting and picking.
import {
  Box3,
  Matrix4,
  type BufferAttribute,
  type InterleavedBufferAttribute,
  type Object3D,
  Quaternion,
  type SkinnedMesh,
  Vector3,
} from "three";
import type { Stance } from "../payload";
import { Rig, type Joint } from "./rig";
import { ShapeMeter } from "./shape_meter";
import { dominantJoint, influenceCount, skinPositions, type WeightRows } from "./skinning";
import { analyze, type Topology } from "./topology";

type Attribute = BufferAttribute | InterleavedBufferAttribute;

// One primitive of the file.
export interface Section {
  name: string;
  where: string; // JSON pointer
  mesh: SkinnedMesh;
  firstVertex: number;
  vertexCount: number;
  triangleCount: number;
}

export interface SectionSource {
  mesh: SkinnedMesh;
  name: string;
  where: string;
}

export class SkinModel {
  readonly sections: Section[] = [];
  readonly rig: Rig;
  readonly skinOrder: number[]; // joints in the order of the first skin
  readonly frame = new Matrix4(); // bind space of the first skin -> scene
  readonly forward = new Vector3(0, 0, 1); // the direction it faces in bind pose, horizontal
  readonly rest: Float32Array; // bind positions in the scene
  readonly rows: WeightRows;
  readonly triangles: Uint32Array;
  readonly dominant: Int32Array; // by vertex: joint with the largest weight, or -1
  private readonly posed: Float32Array;
  private mostInfluences_: number | null = null;
  private topology_: Topology | null = null;
  private meter_: ShapeMeter | null = null;
  private fresh = false; // whether `posed` is up to date
  private measured = false; // whether the meter measures the present pose

  constructor(
    readonly root: Object3D,
    sources: SectionSource[],
    nameOf: (bone: Object3D) => string,
    stance?: Stance,
  ) {
    root.updateMatrixWorld(true);
    const collected = collectJoints(root, sources, nameOf, stance?.up);
    this.frame.copy(collected.frames[0] ?? this.frame);
    if (stance) this.face(new Vector3(...stance.forward).transformDirection(this.frame));
    this.skinOrder = collected.firstSkin;
    let vertices = 0;
    let corners = 0;
    let slots = 4;
    for (const s of sources) {
      const geometry = s.mesh.geometry;
      const vertexCount = geometry.getAttribute("position").count;
      const cornerCount = geometry.index ? geometry.index.count : vertexCount;
      this.sections.push({ ...s, firstVertex: vertices, vertexCount, triangleCount: Math.floor(cornerCount / 3) });
      vertices += vertexCount;
      corners += 3 * Math.floor(cornerCount / 3);
      if (geometry.hasAttribute("weights_1")) slots = 8;
    }
    this.rest = new Float32Array(3 * vertices);
    this.posed = new Float32Array(3 * vertices);
    this.rows = { slots, joints: new Uint16Array(slots * vertices), weights: new Float32Array(slots * vertices) };
    this.triangles = new Uint32Array(corners);
    let corner = 0;
    this.sections.forEach((s, i) => {
      this.readPositions(s, collected.frames[i]);
      this.readWeights(s, collected.indices[i]);
      corner = this.readTriangles(s, corner);
    });
    this.rig = new Rig(collected.joints, root); // sets the bind pose
    this.dominant = Int32Array.from({ length: vertices }, (_, v) => dominantJoint(this.rows, v));
  }

  get vertexCount(): number {
    return this.rest.length / 3;
  }
  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  // The largest number of influences of a vertex.
  get mostInfluences(): number {
    return (this.mostInfluences_ ??= Array.from({ length: this.vertexCount }, (_, v) =>
      influenceCount(this.rows, v),
    ).reduce((a, b) => Math.max(a, b), 0));
  }

  get topology(): Topology {
    return (this.topology_ ??= analyze(this.rest, this.triangles));
  }
  // To be called after bones moved.
  poseChanged(): void {
    this.fresh = this.measured = false;
  }
  posedPositions(): Float32Array {
    if (!this.fresh) skinPositions(this.rest, this.rows, this.rig.jointMatrices(), this.posed);
    this.fresh = true;
    return this.posed;
  }
  // Measures the present pose.
  shape(): ShapeMeter {
    this.meter_ ??= new ShapeMeter(this.rest, this.rows, this.topology);
    if (!this.measured) this.meter_.setPose(this.posedPositions(), this.rig.jointMatrices());
    this.measured = true;
    return this.meter_;
  }

  // In bind pose; of the whole scene where there is no skin.
  bounds(): Box3 {
    const box = new Box3();
    if (this.vertexCount > 0) box.setFromArray(this.rest);
    else box.setFromObject(this.root);
    return box;
  }

  // Positions that span the space of the character as it is posed.
  outline(): Float32Array {
    if (this.vertexCount > 0) return this.posedPositions();
    const { min, max } = this.bounds();
    return min.x <= max.x ? Float32Array.of(...min.toArray(), ...max.toArray()) : new Float32Array();
  }

  private face(direction: Vector3): void {
    const flat = new Vector3(direction.x, 0, direction.z);
    if (flat.length() > 0.5) this.forward.copy(flat.normalize());
  }

  private readPositions(s: Section, frame: Matrix4): void {
    const attribute = s.mesh.geometry.getAttribute("position");
    const p = new Vector3();
    for (let v = 0; v < s.vertexCount; ++v) {
      p.fromBufferAttribute(attribute, v).applyMatrix4(frame);
      p.toArray(this.rest, 3 * (s.firstVertex + v));
    }
  }

  private readWeights(s: Section, indexOf: Int32Array): void {
    const geometry = s.mesh.geometry;
    const { slots, joints, weights } = this.rows;
    const sets: [Attribute | undefined, Attribute | undefined][] = [
      [geometry.getAttribute("skinIndex"), geometry.getAttribute("skinWeight")],
      [geometry.getAttribute("joints_1"), geometry.getAttribute("weights_1")],
    ];
    sets.forEach(([index, weight], set) => {
      if (!index || !weight) return;
      for (let v = 0; v < s.vertexCount; ++v)
        for (let k = 0; k < 4; ++k) {
          const at = (s.firstVertex + v) * slots + 4 * set + k;
          weights[at] = weight.getComponent(v, k);
          joints[at] = weights[at] > 0 ? Math.max(indexOf[index.getComponent(v, k)] ?? 0, 0) : 0;
        }
    });
  }

  private readTriangles(s: Section, corner: number): number {
    const index = s.mesh.geometry.index;
    for (let i = 0; i < 3 * s.triangleCount; ++i)
      this.triangles[corner++] = s.firstVertex + (index ? index.getX(i) : i);
    return corner;
  }
}

interface CollectedJoints {
  joints: Joint[]; // parents first
  firstSkin: number[];
  indices: Int32Array[]; // by section: joint index of the skin -> joint
  frames: Matrix4[]; // by section: mesh space -> scene
}

const depthOf = (o: Object3D): number => (o.parent ? 1 + depthOf(o.parent) : 0);
const isUsable = (m: Matrix4) => m.elements.every(Number.isFinite) && Math.abs(m.determinant()) > 1e-30;

// The map from the space of the inverse bind matrices to the scene: files often keep meshes in other units or with
// another up-axis than their nodes. It maps the skin's topmost joint to its node.
function frameOf(mesh: SkinnedMesh): { frame: Matrix4; top: Vector3 } {
  const { bones, boneInverses } = mesh.skeleton;
  let top = -1;
  bones.forEach((b, i) => {
    if (isUsable(boneInverses[i]) && (top < 0 || depthOf(b) < depthOf(bones[top]))) top = i;
  });
  if (top < 0) return { frame: new Matrix4(), top: new Vector3() };
  return {
    frame: bones[top].matrixWorld.clone().multiply(boneInverses[top]),
    top: new Vector3().setFromMatrixPosition(bones[top].matrixWorld),
  };
}

// A rotation about `top` that makes a lying character stand; the identity for others. Node transforms in files with
// clips are often those of a frame in mid-clip, including the topmost joint.
function upright(frame: Matrix4, top: Vector3, up: Stance["up"]): Matrix4 {
  const kLying = Math.cos(Math.PI / 4);
  const now = new Vector3(...(up ?? [0, 1, 0])).transformDirection(frame);
  if (!up || now.y > kLying) return new Matrix4();
  const turn = new Matrix4().makeRotationFromQuaternion(new Quaternion().setFromUnitVectors(now, new Vector3(0, 1, 0)));
  return new Matrix4()
    .makeTranslation(top)
    .multiply(turn)
    .multiply(new Matrix4().makeTranslation(top.clone().negate()));
}

function isSame(a: Matrix4, b: Matrix4): boolean {
  const size = Math.max(...a.elements.map(Math.abs), 1e-12);
  return a.elements.every((x, i) => Math.abs(x - b.elements[i]) < 1e-4 * size);
}

// One joint per bone; a bone that two skins bind at different places becomes two joints.
function collectJoints(
  root: Object3D,
  sources: SectionSource[],
  nameOf: (bone: Object3D) => string,
  up: Stance["up"],
): CollectedJoints {
  const found: Joint[] = [];
  const perSource: number[][] = [];
  const places = sources.map(({ mesh }) => frameOf(mesh));
  const turn = places.length > 0 ? upright(places[0].frame, places[0].top, up) : new Matrix4();
  const frames = places.map((p) => p.frame.premultiply(turn));
  sources.forEach(({ mesh }, s) => {
    const frame = frames[s];
    perSource.push(
      mesh.skeleton.bones.map((bone, i) => {
        const inverse = mesh.skeleton.boneInverses[i];
        const bindWorld = isUsable(inverse)
          ? frame.clone().multiply(inverse.clone().invert())
          : bone.matrixWorld.clone();
        const known = found.findIndex((j) => j.bone === bone && isSame(j.bindWorld, bindWorld));
        if (known >= 0) return known;
        return (
          found.push({
            name: nameOf(bone),
            label: "",
            bone,
            parent: -1,
            bindWorld,
            bindInverse: bindWorld.clone().invert(),
          }) - 1
        );
      }),
    );
  });
  const visited = new Map<Object3D, number>(); // depth-first order: parents before children, limbs together
  root.traverse((o) => visited.set(o, visited.size));
  const rank = (i: number) => visited.get(found[i].bone) ?? 0;
  const order = found.map((_, i) => i).sort((a, b) => rank(a) - rank(b) || a - b);
  const place = new Int32Array(found.length);
  order.forEach((old, now) => (place[old] = now));
  const joints = order.map((i) => found[i]);
  for (const j of joints) {
    for (let a = j.bone.parent; a && j.parent < 0; a = a.parent)
      j.parent = joints.findIndex((other) => other.bone === a);
  }
  return {
    joints,
    firstSkin: (perSource[0] ?? []).map((i) => place[i]),
    indices: perSource.map((list) => Int32Array.from(list, (i) => place[i])),
    frames,
  };
}

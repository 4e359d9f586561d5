// The skeleton drawn over the character: a dot a joint, a line a bone, the selected one bright.
import { BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial, Vector3 } from "three";
import type { Rig } from "./rig";

// A white disc with a soft rim.
function disc(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "#fff";
    context.arc(16, 16, 14, 0, 2 * Math.PI);
    context.fill();
  }
  return new CanvasTexture(canvas);
}

const kDeforming = new Color("#f4f7fb");
const kLeftOut = new Color("#8b95a5");
const kSelected = new Color("#ffb000");

export class SkeletonOverlay extends Group {
  private readonly dots: Points;
  private readonly bones: LineSegments;
  private readonly links: number[] = []; // child joints, one a line

  constructor(private readonly rig: Rig, private readonly deforms: (joint: number) => boolean) {
    super();
    const count = rig.joints.length;
    rig.joints.forEach((j, i) => {
      if (j.parent >= 0) this.links.push(i);
    });
    const dots = new BufferGeometry();
    dots.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    dots.setAttribute("color", new BufferAttribute(new Float32Array(3 * count), 3));
    const bones = new BufferGeometry();
    bones.setAttribute("position", new BufferAttribute(new Float32Array(6 * this.links.length), 3));
    bones.setAttribute("color", new BufferAttribute(new Float32Array(6 * this.links.length), 3));
    const onTop = { depthTest: false, depthWrite: false, transparent: true, vertexColors: true } as const;
    this.dots = new Points(dots, new PointsMaterial({ size: 8, sizeAttenuation: false, map: disc(), ...onTop }));
    this.bones = new LineSegments(bones, new LineBasicMaterial({ opacity: 0.75, ...onTop }));
    this.dots.renderOrder = 11;
    this.bones.renderOrder = 10;
    for (const o of [this.dots, this.bones]) o.frustumCulled = false;
    this.add(this.bones, this.dots);
  }

  update(selected: number): void {
    const dots = this.dots.geometry, bones = this.bones.geometry;
    const places = this.rig.joints.map((j) => new Vector3().setFromMatrixPosition(j.bone.matrixWorld));
    const colorOf = (j: number) => (j === selected ? kSelected : this.deforms(j) ? kDeforming : kLeftOut);
    places.forEach((p, i) => {
      dots.attributes.position.setXYZ(i, p.x, p.y, p.z);
      const c = colorOf(i);
      dots.attributes.color.setXYZ(i, c.r, c.g, c.b);
    });
    this.links.forEach((child, i) => {
      const parent = this.rig.joints[child].parent;
      const c = colorOf(parent);
      [parent, child].forEach((j, end) => {
        bones.attributes.position.setXYZ(2 * i + end, places[j].x, places[j].y, places[j].z);
        bones.attributes.color.setXYZ(2 * i + end, c.r, c.g, c.b);
      });
    });
    for (const g of [dots, bones]) for (const name of ["position", "color"]) g.getAttribute(name).needsUpdate = true;
  }
}

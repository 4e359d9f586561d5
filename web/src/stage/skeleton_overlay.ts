// The skeleton drawn over the character: a dot per joint and a line per bone; the selected joint is highlighted.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Group,
  Points,
  PointsMaterial,
  Vector3,
  type InterleavedBufferAttribute,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Rig } from "../model/rig";

// A white disc with a dark rim, visible on light and on dark characters.
function disc(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const context = canvas.getContext("2d");
  if (context) {
    const circle = (color: string, radius: number) => {
      context.fillStyle = color;
      context.beginPath();
      context.arc(16, 16, radius, 0, 2 * Math.PI);
      context.fill();
    };
    circle("rgb(12 14 18 / 85%)", 15);
    circle("#fff", 10);
  }
  return new CanvasTexture(canvas);
}

const kDeforming = new Color("#f4f7fb");
const kNotDeforming = new Color("#8b95a5");
const kSelected = new Color("#ffb000");
const kOnTop = { depthTest: false, depthWrite: false, transparent: true } as const;
const kDotSize = 9.5;
const kBoneWidth = 1.5;
const kRimWidth = 3.2; // pixels

export class SkeletonOverlay extends Group {
  private readonly dots: Points;
  private readonly bones = new LineSegmentsGeometry(); // drawn twice: dark rims, then the bones
  private readonly links: number[] = []; // child joint of each line

  constructor(
    private readonly rig: Rig,
    private readonly deforms: (joint: number) => boolean,
  ) {
    super();
    const count = rig.joints.length;
    rig.joints.forEach((j, i) => {
      if (j.parent >= 0) this.links.push(i);
    });
    const dots = new BufferGeometry();
    dots.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    dots.setAttribute("color", new BufferAttribute(new Float32Array(3 * count), 3));
    this.dots = new Points(
      dots,
      new PointsMaterial({ size: kDotSize, sizeAttenuation: false, map: disc(), vertexColors: true, ...kOnTop }),
    );
    this.bones.setPositions(new Float32Array(6 * this.links.length));
    this.bones.setColors(new Float32Array(6 * this.links.length));
    const rims = new LineSegments2(
      this.bones,
      new LineMaterial({ linewidth: kRimWidth, color: "#0c0e12", opacity: 0.6, ...kOnTop }),
    );
    const lines = new LineSegments2(
      this.bones,
      new LineMaterial({ linewidth: kBoneWidth, vertexColors: true, opacity: 0.9, ...kOnTop }),
    );
    [rims, lines, this.dots].forEach((o, i) => {
      o.renderOrder = 10 + i;
      o.frustumCulled = false;
    });
    if (this.links.length > 0) this.add(rims, lines);
    this.add(this.dots);
  }

  update(selected: number): void {
    const dots = this.dots.geometry;
    const places = this.rig.joints.map((j) => new Vector3().setFromMatrixPosition(j.bone.matrixWorld));
    const colorOf = (j: number) => (j === selected ? kSelected : this.deforms(j) ? kDeforming : kNotDeforming);
    places.forEach((p, i) => {
      dots.attributes.position.setXYZ(i, p.x, p.y, p.z);
      const c = colorOf(i);
      dots.attributes.color.setXYZ(i, c.r, c.g, c.b);
    });
    for (const name of ["position", "color"]) dots.getAttribute(name).needsUpdate = true;
    this.updateBones(places, colorOf);
  }

  private updateBones(places: Vector3[], colorOf: (joint: number) => Color): void {
    if (this.links.length === 0) return;
    const ends = ["instanceStart", "instanceEnd"].map((n) => this.bones.getAttribute(n) as InterleavedBufferAttribute);
    const colors = ["instanceColorStart", "instanceColorEnd"].map(
      (n) => this.bones.getAttribute(n) as InterleavedBufferAttribute,
    );
    this.links.forEach((child, i) => {
      const parent = this.rig.joints[child].parent;
      const c = colorOf(parent);
      [parent, child].forEach((j, end) => {
        ends[end].setXYZ(i, places[j].x, places[j].y, places[j].z);
        colors[end].setXYZ(i, c.r, c.g, c.b);
      });
    });
    for (const attribute of [ends[0], colors[0]]) attribute.data.needsUpdate = true;
  }
}

// The sites of one skin cell and the region where its weight is above one half. Both are made in bind pose and move
// rigidly with their joint.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Matrix3,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { Field } from "../model/field";
import type { SkinModel } from "../model/skin_model";
import { weightOf } from "../model/skinning";

export const kSiteColor = "#ffb000";
export const kRegionColor = "#56b4e9";
const kCellsAcross = 40;
const kSiteSize = 0.009; // share of the character's diagonal
const kRegionMargin = 0.05; // share of the diagonal drawn beyond what the joint dominates; many regions are unbounded

export class CellOverlay extends Group {
  private shown = -2;
  private joint = -1;
  private readonly frame = new Group();

  constructor(
    private readonly model: SkinModel,
    private readonly field: Field,
  ) {
    super();
    this.matrixAutoUpdate = false;
    this.frame.matrixAutoUpdate = false;
    this.frame.matrix.copy(model.frame);
    this.add(this.frame);
  }

  show(jointName: string): void {
    const cell = this.field.data.joints.indexOf(jointName);
    this.joint = this.model.rig.find(jointName);
    if (cell !== this.shown) this.rebuild(cell);
    this.shown = cell;
    this.follow();
  }

  // Number of sites, triangles of the region, and its diagonal as a share of the character's.
  get content(): { sites: number; triangles: number; span: number } {
    const [region, ...sites] = this.frame.children as Mesh[];
    const sizeOf = (box: Box3) => box.getSize(new Vector3()).length();
    const span = region ? sizeOf(new Box3().setFromObject(region)) / sizeOf(this.model.bounds()) : 0;
    return { sites: sites.length, triangles: (region?.geometry.index?.count ?? 0) / 3, span };
  }

  private follow(): void {
    if (this.joint < 0) return;
    const j = this.model.rig.joints[this.joint];
    this.matrix.multiplyMatrices(j.bone.matrixWorld, j.bindInverse);
    this.matrixWorldNeedsUpdate = true;
  }

  private rebuild(cell: number): void {
    for (const child of [...this.frame.children] as Mesh[]) {
      child.geometry.dispose();
      this.frame.remove(child);
    }
    if (cell < 0) return;
    const whole = this.model.bounds().applyMatrix4(this.model.frame.clone().invert());
    const size = whole.getSize(new Vector3()).length();
    const box = this.dominatedBox(whole).expandByScalar(kRegionMargin * size);
    const surface = this.field.region(cell, box.min.toArray(), box.max.toArray(), kCellsAcross);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(surface.positions, 3));
    geometry.setIndex(new BufferAttribute(surface.indices, 1));
    geometry.computeVertexNormals();
    const region = new Mesh(
      geometry,
      new MeshLambertMaterial({
        color: new Color(kRegionColor),
        transparent: true,
        opacity: 0.28,
        side: DoubleSide,
        depthWrite: false,
      }),
    );
    region.renderOrder = 5;
    this.frame.add(region);
    for (let s = cell * this.field.data.siteCount; s < (cell + 1) * this.field.data.siteCount; ++s)
      this.frame.add(this.site(s, kSiteSize * size));
  }

  // Bounds of the vertices with more than half their weight on the joint, in bind space; `whole` without such vertices.
  private dominatedBox(whole: Box3): Box3 {
    const box = new Box3();
    const p = new Vector3();
    const bindOf = this.model.frame.clone().invert();
    for (let v = 0; v < this.model.vertexCount; ++v)
      if (weightOf(this.model.rows, v, this.joint) > 0.5)
        box.expandByPoint(p.fromArray(this.model.rest, 3 * v).applyMatrix4(bindOf));
    return box.isEmpty() ? whole : box;
  }

  // An ellipsoid of the site's shape: the distance grows slowly along its long axes.
  private site(site: number, size: number): Mesh {
    const f = this.field.data.shapes.slice(9 * site, 9 * site + 9);
    const inverse = new Matrix3().set(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]).invert();
    const scale = size / Math.max(Math.cbrt(Math.abs(inverse.determinant())), 1e-12);
    const e = inverse.elements.map((x) => x * scale);
    const [x, y, z] = this.field.center(site);
    const mesh = new Mesh(
      new SphereGeometry(1, 16, 12),
      new MeshBasicMaterial({ color: new Color(kSiteColor), depthTest: false, transparent: true, opacity: 0.8 }),
    );
    mesh.renderOrder = 9;
    mesh.matrixAutoUpdate = false;
    mesh.matrix = new Matrix4().set(e[0], e[3], e[6], x, e[1], e[4], e[7], y, e[2], e[5], e[8], z, 0, 0, 0, 1);
    return mesh;
  }
}

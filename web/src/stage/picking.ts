// The vertex or joint under the pointer, found on the posed positions.
import { Vector3, type Camera } from "three";
import type { SkinModel } from "../model/skin_model";

// The vertex nearest to where the pointer meets the surface, or -1; `x`, `y` in normalized device coordinates.
export function pickVertex(model: SkinModel, camera: Camera, x: number, y: number): number {
  return pickSurface(model, camera, x, y).vertex;
}

// The same with the distance from the camera; parts that are not drawn are not there.
export function pickSurface(
  model: SkinModel,
  camera: Camera,
  x: number,
  y: number,
): { vertex: number; distance: number } {
  const origin = new Vector3().setFromMatrixPosition(camera.matrixWorld);
  const direction = new Vector3(x, y, 0.5).unproject(camera).sub(origin).normalize();
  const [ox, oy, oz] = origin.toArray();
  const [dx, dy, dz] = direction.toArray();
  const p = model.posedPositions();
  const { triangles } = model;
  const isDrawn = drawnVertices(model);
  let nearest = Infinity;
  let hit = -1;
  let hitU = 0;
  let hitV = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    if (!isDrawn(triangles[t])) continue;
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const e1x = p[b] - p[a];
    const e1y = p[b + 1] - p[a + 1];
    const e1z = p[b + 2] - p[a + 2];
    const e2x = p[c] - p[a];
    const e2y = p[c + 1] - p[a + 1];
    const e2z = p[c + 2] - p[a + 2];
    const hx = dy * e2z - dz * e2y;
    const hy = dz * e2x - dx * e2z;
    const hz = dx * e2y - dy * e2x;
    const det = e1x * hx + e1y * hy + e1z * hz;
    if (det === 0) continue;
    const sx = ox - p[a];
    const sy = oy - p[a + 1];
    const sz = oz - p[a + 2];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * e1z - sz * e1y;
    const qy = sz * e1x - sx * e1z;
    const qz = sx * e1y - sy * e1x;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
    if (distance > 0 && distance < nearest) {
      nearest = distance;
      hit = t;
      hitU = u;
      hitV = v;
    }
  }
  if (hit < 0) return { vertex: -1, distance: Infinity };
  const shares = [1 - hitU - hitV, hitU, hitV];
  return { vertex: triangles[hit + shares.indexOf(Math.max(...shares))], distance: nearest };
}

function drawnVertices({ sections }: SkinModel): (vertex: number) => boolean {
  const hidden = sections.filter((s) => !s.mesh.visible);
  return (v) => !hidden.some((s) => v >= s.firstVertex && v < s.firstVertex + s.vertexCount);
}

// The joint drawn nearest to the pointer within a radius (in normalized device coordinates of the height), or -1.
export function pickJoint(
  model: SkinModel,
  camera: Camera,
  x: number,
  y: number,
  aspect: number,
  radius: number,
): number {
  const p = new Vector3();
  let best = -1;
  let nearest = radius;
  model.rig.joints.forEach((joint, i) => {
    p.setFromMatrixPosition(joint.bone.matrixWorld).project(camera);
    const distance = Math.hypot((p.x - x) * aspect, p.y - y);
    if (p.z < 1 && distance < nearest) {
      nearest = distance;
      best = i;
    }
  });
  return best;
}

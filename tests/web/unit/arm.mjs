// A small character for unit tests, made from three.js objects: a strip of triangles along y with two joints, "lower" at
// y = 0 and "upper" at y = 1. Vertices up to y = 1 follow the lower joint, the others the upper one.
import { load } from "./modules.mjs";

export const page = await load(
  "model/character",
  "model/pose",
  "model/random",
  "model/random_pose",
  "model/rank_poses",
  "model/skin_model",
  "model/worst_places",
  "state/character_list",
  "state/pose_state",
  "state/view_state",
  "three",
);

const kRows = 5; // of two vertices each, y = 0 .. 2

export function makeModel() {
  const positions = [];
  const joints = [];
  const weights = [];
  const triangles = [];
  for (let row = 0; row < kRows; ++row) {
    const y = (2 * row) / (kRows - 1);
    for (const x of [0, 0.5]) {
      positions.push(x, y, 0);
      joints.push(y <= 1 ? 0 : 1, 0, 0, 0);
      weights.push(1, 0, 0, 0);
    }
    const v = 2 * row;
    if (row + 1 < kRows) triangles.push(v, v + 1, v + 2, v + 1, v + 3, v + 2);
  }
  const geometry = new page.BufferGeometry();
  geometry.setAttribute("position", new page.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("skinIndex", new page.Uint16BufferAttribute(joints, 4));
  geometry.setAttribute("skinWeight", new page.Float32BufferAttribute(weights, 4));
  geometry.setIndex(triangles);
  const [lower, upper] = ["lower", "upper"].map((name) => Object.assign(new page.Bone(), { name }));
  upper.position.y = 1;
  lower.add(upper);
  const mesh = new page.SkinnedMesh(geometry, new page.MeshBasicMaterial());
  const root = new page.Group().add(lower, mesh);
  root.updateMatrixWorld(true);
  mesh.bind(new page.Skeleton([lower, upper]));
  return new page.SkinModel(root, [{ mesh, name: "arm", where: "/meshes/0/primitives/0" }], (bone) => bone.name);
}

export function makeCharacter({ name = "arm", clips = [] } = {}) {
  const model = makeModel();
  const motions = page.uniformMotions(model, [0, 35]);
  const info = { name, path: "", format: "GLB", notes: new Map(), warnings: [], motions, testPoses: [], field: null };
  return new page.Character(info, model, clips);
}

// A clip of two seconds that turns the upper joint about z by 90 degrees.
export function makeClip(name = "bend") {
  const half = Math.SQRT1_2;
  const track = new page.QuaternionKeyframeTrack("upper.quaternion", [0, 2], [0, 0, 0, 1, 0, 0, half, half]);
  return new page.AnimationClip(name, 2, [track]);
}

export const turnAboutZ = (degrees) =>
  new page.Quaternion().setFromAxisAngle(new page.Vector3(0, 0, 1), (degrees * Math.PI) / 180);

// Reads .glb files. Errors have messages for users.
import type { AnimationClip, Object3D, SkinnedMesh } from "three";
import { GLTFLoader, type GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
import { dracoLoader } from "./draco";
import type { Stance } from "../payload";
import { SkinModel, type SectionSource } from "../model/skin_model";

export interface LoadedCharacter {
  model: SkinModel;
  clips: AnimationClip[];
  level: number | null; // level of detail; null if the file has only one
}

interface NodeJson {
  name?: string;
  mesh?: number;
  extensions?: { MSFT_lod?: { ids?: number[] } };
}

interface Place {
  meshes?: number;
  primitives?: number;
  nodes?: number;
}

function checkContainer(bytes: ArrayBuffer): void {
  if (bytes.byteLength < 20) throw new Error("the file is too short to be a .glb; it may be truncated");
  const view = new DataView(bytes);
  if (view.getUint32(0, true) !== 0x46546c67)
    throw new Error("this is not a .glb file; `skincells view` opens .gltf, .fbx and other formats");
  if (view.getUint32(4, true) !== 2) throw new Error("this .glb is not glTF 2.0; export it as glTF 2.0");
  if (view.getUint32(8, true) > bytes.byteLength)
    throw new Error("the file is truncated: it is shorter than its header says");
}

// GLTFLoader normalizes the first four weights even where a second set follows; this undoes it.
function repairEightWeights(mesh: SkinnedMesh): void {
  const second = mesh.geometry.getAttribute("weights_1");
  if (!second) return;
  const first = mesh.geometry.getAttribute("skinWeight");
  for (let v = 0; v < first.count; ++v) {
    let rest = 0;
    for (let k = 0; k < 4; ++k) rest += second.getComponent(v, k);
    for (let k = 0; k < 4; ++k) first.setComponent(v, k, first.getComponent(v, k) * (1 - rest));
  }
}

const placeOf = (gltf: GLTF, object: Object3D | null) =>
  object ? (gltf.parser.associations.get(object) as Place | undefined) : undefined;
const nodesOf = (gltf: GLTF) => (gltf.parser.json.nodes ?? []) as NodeJson[];

function nameOf(gltf: GLTF, object: Object3D): string {
  const node = placeOf(gltf, object)?.nodes ?? placeOf(gltf, object.parent)?.nodes;
  return (node !== undefined ? nodesOf(gltf)[node]?.name : undefined) ?? object.name;
}

interface LevelSection extends SectionSource {
  level: number;
}

function sectionsOf(gltf: GLTF, levelOf: (object: Object3D) => number): LevelSection[] {
  const sources: LevelSection[] = [];
  gltf.scene.traverse((object) => {
    const mesh = object as SkinnedMesh;
    if (!mesh.isSkinnedMesh) return;
    const at = placeOf(gltf, mesh);
    sources.push({
      mesh,
      name: nameOf(gltf, mesh),
      where: `/meshes/${at?.meshes ?? 0}/primitives/${at?.primitives ?? 0}`,
      level: levelOf(mesh),
    });
  });
  return sources;
}

// Finds the level of detail of a mesh: from MSFT_lod, else from its name. Adds the coarser levels of MSFT_lod, which
// are not part of the scene, to it.
async function findLevels(gltf: GLTF): Promise<(object: Object3D) => number> {
  const levels = new Map<Object3D, number>();
  for (const [index, node] of nodesOf(gltf).entries())
    for (const [i, id] of (node.extensions?.MSFT_lod?.ids ?? []).entries()) {
      const [base, lower] = (await Promise.all(
        [index, id].map((n) => gltf.parser.getDependency("node", n)),
      )) as Object3D[];
      if (!lower.parent) (base.parent ?? gltf.scene).add(lower);
      levels.set(lower, i + 1);
    }
  return (object) => {
    for (let o: Object3D | null = object; o; o = o.parent) {
      const level = levels.get(o);
      if (level !== undefined) return level;
    }
    const named = /[_.\- ]lod[_ ]?(\d+)$/i.exec(nameOf(gltf, object));
    return named ? Number(named[1]) : 0;
  };
}

async function parse(bytes: ArrayBuffer): Promise<GLTF> {
  const draco = dracoLoader();
  try {
    return await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(draco).parseAsync(bytes, "");
  } catch (error) {
    throw new Error(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    draco.dispose();
  }
}

function modelOf(gltf: GLTF, sections: SectionSource[], stance?: Stance): SkinModel {
  for (const s of sections) {
    if (s.mesh.geometry.getAttribute("position").count > 0 && !s.mesh.geometry.hasAttribute("skinWeight"))
      throw new Error(`'${s.name}' has a skin but no weights; run \`skincells bind\` on the file first`);
    repairEightWeights(s.mesh);
  }
  const model = new SkinModel(gltf.scene, sections, (bone) => nameOf(gltf, bone), stance);
  if (model.rest.some((x) => !Number.isFinite(x)))
    throw new Error("the file has positions that are not finite; run `skincells check` on it");
  return model;
}

// One character for each level of detail in the file, finest first. The file is parsed once per level: each needs
// separate joints.
export async function loadCharacters(bytes: ArrayBuffer, stance?: Stance): Promise<LoadedCharacter[]> {
  checkContainer(bytes);
  const characters: LoadedCharacter[] = [];
  for (let at = 0, count = 1; at < count; ++at) {
    const gltf = await parse(bytes.slice(0));
    const sections = sectionsOf(gltf, await findLevels(gltf));
    const levels = [...new Set(sections.map((s) => s.level))].sort((a, b) => a - b);
    count = Math.max(levels.length, 1);
    for (const s of sections) if (s.level !== levels[at]) s.mesh.removeFromParent();
    const model = modelOf(
      gltf,
      sections.filter((s) => s.level === levels[at]),
      stance,
    );
    characters.push({ model, clips: gltf.animations, level: count > 1 ? levels[at] : null });
  }
  return characters;
}

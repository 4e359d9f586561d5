// Bytes of a .glb file in, a character out; errors in words for people.
import { type AnimationClip, type Object3D, type SkinnedMesh } from "three";
import { GLTFLoader, type GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
import { dracoLoader } from "./draco";
import { SkinModel, type SectionSource } from "./skin_model";

export interface LoadedCharacter {
  model: SkinModel;
  clips: AnimationClip[];
  levels: number[]; // of detail, ascending; [0] where there is one only
}

interface NodeJson {
  name?: string;
  mesh?: number;
}

function checkContainer(bytes: ArrayBuffer): void {
  if (bytes.byteLength < 20) throw new Error("the file is too short to be a .glb; is it cut off?");
  const view = new DataView(bytes);
  if (view.getUint32(0, true) !== 0x46546c67) throw new Error("this is not a .glb file; `skincells view` opens .gltf, .fbx and others");
  if (view.getUint32(4, true) !== 2) throw new Error("this .glb is of an old version; export it as glTF 2.0");
  if (view.getUint32(8, true) > bytes.byteLength) throw new Error("the file is cut off: it should be longer than it is");
}

function levelOf(name: string): number {
  const match = /[_.\- ]lod[_ ]?(\d+)$/i.exec(name);
  return match ? Number(match[1]) : -1;
}

// GLTFLoader scales the first four weights to sum to 1 even where a second set of four follows; scale them back.
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

function sectionsOf(gltf: GLTF): SectionSource[] {
  const nodes = (gltf.parser.json.nodes ?? []) as NodeJson[];
  const sources: SectionSource[] = [];
  gltf.scene.traverse((object) => {
    const mesh = object as SkinnedMesh;
    if (!mesh.isSkinnedMesh) return;
    repairEightWeights(mesh);
    const at = gltf.parser.associations.get(mesh) as { meshes?: number; primitives?: number; nodes?: number } | undefined;
    const holder = at?.nodes ?? (gltf.parser.associations.get(mesh.parent as Object3D) as { nodes?: number } | undefined)?.nodes;
    const name = (holder !== undefined ? nodes[holder]?.name : undefined) ?? mesh.name;
    sources.push({ mesh, name, where: `/meshes/${at?.meshes ?? 0}/primitives/${at?.primitives ?? 0}`, level: Math.max(levelOf(name), 0) });
  });
  return sources;
}

export async function loadCharacter(bytes: ArrayBuffer): Promise<LoadedCharacter> {
  checkContainer(bytes);
  const draco = dracoLoader();
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(draco);
  let gltf: GLTF;
  try {
    gltf = await loader.parseAsync(bytes, "");
  } catch (error) {
    throw new Error(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    draco.dispose();
  }
  const nodes = (gltf.parser.json.nodes ?? []) as NodeJson[];
  const nameOf = (bone: Object3D): string => {
    const at = gltf.parser.associations.get(bone) as { nodes?: number } | undefined;
    return (at?.nodes !== undefined ? nodes[at.nodes]?.name : undefined) ?? bone.name;
  };
  const sources = sectionsOf(gltf);
  for (const s of sources)
    if (s.mesh.geometry.getAttribute("position").count > 0 && !s.mesh.geometry.hasAttribute("skinWeight"))
      throw new Error(`'${s.name}' has a skin but no weights; run \`skincells bind\` on the file first`);
  const model = new SkinModel(gltf.scene, sources, nameOf);
  if (model.rest.some((x) => !Number.isFinite(x))) throw new Error("the file holds positions that are not numbers; run `skincells check` on it");
  const levels = [...new Set(sources.map((s) => s.level))].sort((a, b) => a - b);
  return { model, clips: gltf.animations, levels: levels.length > 0 ? levels : [0] };
}

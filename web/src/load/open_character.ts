// Opens characters: those inside the page and files that the user drops or chooses.
import { Character, type CharacterInfo } from "../model/character";
import { Field } from "../model/field";
import { uniformMotions } from "../model/random_pose";
import type { SkinModel } from "../model/skin_model";
import { bytesOfBase64, type EmbeddedCharacter, type Garment, type SectionConfidence, type Settings } from "../payload";
import { loadCharacters, type LoadedCharacter } from "./loader";

// One character for each level of detail, finest first, like all functions here.
export async function openEmbedded(c: EmbeddedCharacter): Promise<Character[]> {
  const info = {
    name: c.name,
    path: c.path,
    format: c.format,
    notes: new Map(c.joints.map((j) => [j.name, j])),
    warnings: c.warnings,
    motions: c.motions,
    testPoses: c.testPoses,
    field: c.field ? new Field(c.field) : null,
    verdict: c.verdict ?? null,
    garments: c.garments ?? [],
  };
  return charactersOf(await loadCharacters(bytesOfBase64(c.glb), c.stance), ({ model, level }) => ({
    ...info,
    confidence: c.confidence && !level ? confidenceOf(model, c.confidence) : null,
    layers: layersOf(model, info.garments),
  }));
}

function layersOf(model: SkinModel, garments: readonly Garment[]): Uint8Array | null {
  if (garments.length === 0) return null;
  const out = new Uint8Array(model.vertexCount);
  for (const { where, firstVertex, vertexCount } of model.sections)
    out.fill(garments.findIndex((g) => g.places.includes(where)) + 1, firstVertex, firstVertex + vertexCount);
  return out;
}

// Null if a primitive has none, or another number of vertices.
function confidenceOf(model: SkinModel, sections: readonly SectionConfidence[]): Float32Array | null {
  const out = new Float32Array(model.vertexCount);
  const left = [...sections]; // a primitive that is used twice is there twice
  for (const { where, firstVertex, vertexCount } of model.sections) {
    const at = left.findIndex((s) => s.where === where);
    const bytes = at < 0 ? null : new Uint8Array(bytesOfBase64(left.splice(at, 1)[0].values));
    if (bytes?.length !== vertexCount) return null;
    out.set(
      Array.from(bytes, (b) => b / 255),
      firstVertex,
    );
  }
  return out;
}

// Nothing is known about a file's ranges of motion: all joints get the default one.
export async function openFile(file: File, settings: Settings): Promise<Character[]> {
  const info = {
    name: file.name,
    path: "",
    format: "GLB",
    notes: new Map(),
    warnings: [],
    testPoses: [],
    field: null,
    verdict: null,
    confidence: null,
    garments: [],
    layers: null,
  };
  return charactersOf(await loadCharacters(await file.arrayBuffer()), ({ model }) => ({
    ...info,
    motions: uniformMotions(model, settings.defaultSwing),
  }));
}

function charactersOf(levels: LoadedCharacter[], infoOf: (level: LoadedCharacter) => CharacterInfo): Character[] {
  return levels.map((loaded) => {
    const info = infoOf(loaded);
    const name = loaded.level === null ? info.name : `${info.name} LOD ${loaded.level}`;
    const verdict = loaded.level === null || loaded.level === 0 ? info.verdict : null; // the library judged level 0
    return new Character({ ...info, name, verdict }, loaded.model, loaded.clips);
  });
}

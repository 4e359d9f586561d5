// three.js skins with four joints per vertex; this adds the second set of four to a material's shader.
import { ShaderChunk, type Material } from "three";

const kNames = ["x", "y", "z", "w"];
const lines = (line: (c: string) => string) => kNames.map(line).join("\n");

const kAttributes = "attribute vec4 joints_1;\nattribute vec4 weights_1;\n";
const kMatrices = lines((c) => `mat4 boneMat1${c} = getBoneMatrix( joints_1.${c} );`);
const kNormal = lines((c) => `skinMatrix += weights_1.${c} * boneMat1${c};`);
const kVertex = lines((c) => `skinned += boneMat1${c} * skinVertex * weights_1.${c};`);

// Inserts lines after an anchor; throws if three.js changed its shaders.
function insertAfter(chunk: string, anchor: string, more: string): string {
  if (!chunk.includes(anchor)) throw new Error(`three.js has no '${anchor}' to extend`);
  return chunk.replace(anchor, `${anchor}\n${more}`);
}

export function addEightInfluences(material: Material): void {
  material.onBeforeCompile = (shader) => {
    const replace = (name: keyof typeof ShaderChunk, anchor: string, more: string) => {
      shader.vertexShader = shader.vertexShader.replace(
        `#include <${name}>`,
        insertAfter(ShaderChunk[name], anchor, more),
      );
    };
    replace("skinning_pars_vertex", "#ifdef USE_SKINNING", kAttributes);
    replace("skinbase_vertex", "mat4 boneMatW = getBoneMatrix( skinIndex.w );", kMatrices);
    replace("skinnormal_vertex", "skinMatrix += skinWeight.w * boneMatW;", kNormal);
    replace("skinning_vertex", "skinned += boneMatW * skinVertex * skinWeight.w;", kVertex);
  };
  material.customProgramCacheKey = () => "eight-influences";
}

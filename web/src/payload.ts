// What `skincells view` puts into the page: character files and what the library says about them.

export interface JointNote {
  name: string;
  deforms: boolean;
  rule: string;
  reason: string;
}

// The skin cells in the unit box of the field: x_unit = (x - unitOrigin) * unitScale for a bind-space position x.
// Sites stand joint by joint, `siteCount` to a joint.
export interface FieldData {
  joints: string[];
  siteCount: number;
  maxInfluences: number;
  unitOrigin: [number, number, number];
  unitScale: number;
  centers: number[]; // 3 a site
  offsets: number[]; // 1 a site
  shapes: number[]; // 9 a site: F, row by row
  falloffs: number[]; // 1 a joint
}

// How far a joint turns from the bind pose, in degrees; directions in bind space (src/rig/pose_sampler.h).
export interface JointMotion {
  name: string;
  source: "rom-file" | "clip" | "humanoid" | "generic";
  detail: string;
  swing: [number, number];
  twist: [number, number];
  bone: [number, number, number]; // zero: it has none
  axis?: [number, number, number]; // of a hinge
}

export interface Message {
  code: string;
  where: string;
  message: string;
}

// How a character stands, in bind space.
export interface Stance {
  forward: [number, number, number];
  up?: [number, number, number]; // where it is known
}

export interface EmbeddedCharacter {
  name: string;
  path: string;
  format: string;
  glb: string; // base 64
  stance: Stance;
  joints: JointNote[];
  motions: JointMotion[]; // in the order of the skin
  warnings: Message[];
  field?: FieldData;
}

export interface Payload {
  version: 1;
  generator: string;
  characters: EmbeddedCharacter[];
}

// The payload of this page, or null for a page that waits for a file.
export function readPayload(): Payload | null {
  const text = document.getElementById("skincells-characters")?.textContent ?? "null";
  const payload = JSON.parse(text) as Payload | null;
  if (payload && payload.version !== 1) throw new Error(`this page cannot read data of version ${String(payload.version)}`);
  return payload;
}

export function bytesOfBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

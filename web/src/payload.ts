// What `skincells view` writes into the page (src/viz/viewer/payload.cpp): character files, what the library says about
// them, and settings that page and library share.

export interface JointNote {
  name: string;
  deforms: boolean;
  rule: string;
  reason: string;
}

// The skin cells in the unit box of the field: x_unit = (x - unitOrigin) * unitScale for a bind-space position x.
// Sites are sorted by joint, `siteCount` per joint.
export interface FieldData {
  joints: string[];
  siteCount: number;
  maxInfluences: number;
  unitOrigin: [number, number, number];
  unitScale: number;
  centers: number[]; // 3 per site
  offsets: number[]; // 1 per site
  shapes: number[]; // 9 per site: F, row-major
  falloffs: number[]; // 1 per joint
}

// How far a joint turns from the bind pose, in degrees; directions in bind space (src/rig/motion/pose_sampler.h).
export interface JointMotion {
  name: string;
  source: "rom-file" | "clip" | "humanoid" | "garment" | "generic";
  detail: string;
  swing: [number, number];
  twist: [number, number];
  bone: [number, number, number]; // zero for joints without a bone
  axis?: [number, number, number]; // of a hinge
}

// A named pose: rotations from the bind pose in bind space by joint name, axis times angle in degrees.
export interface TestPose {
  name: string;
  turns: Record<string, [number, number, number]>;
}

export interface Message {
  code: string;
  where: string;
  message: string;
}

// Orientation of a character, in bind space.
export interface Stance {
  forward: [number, number, number];
  up?: [number, number, number]; // if known
}

// How sure the bind is of each vertex of one primitive.
export interface SectionConfidence {
  where: string; // JSON pointer of the primitive
  values: string; // base64, one byte per vertex: 255 is 1
}

export type Grade = "good" | "look at it" | "bad";

export interface Finding {
  measure: string; // names a threshold
  value: number;
  good: number;
  bad: number;
  grade: Grade;
  where: string;
}

// The library's verdict on a skin, over its own poses.
export interface Verdict {
  grade: Grade;
  poses: string;
  findings: Finding[];
}

// A skin of a garment over its body, in poses of its own; percentages.
export interface GarmentSkin {
  method: string;
  inside_percent: number; // of the vertices, deeper than at rest
  mean_depth_percent: number; // of the body's largest side
  max_depth_percent: number;
  stretch_p99: number;
  asymmetry: number;
}

export interface Garment {
  name: string;
  places: string[]; // JSON pointers of its primitives
  poses: number;
  own_joints: number;
  skins: GarmentSkin[]; // the result first
}

export interface EmbeddedCharacter {
  name: string;
  path: string;
  format: string;
  glb: string; // base64
  stance: Stance;
  joints: JointNote[];
  motions: JointMotion[]; // in the order of the skin
  testPoses: TestPose[];
  warnings: Message[];
  field?: FieldData;
  verdict?: Verdict; // of a character with weights
  garments?: Garment[]; // that were measured, inner layers first
  confidence?: SectionConfidence[]; // of a character that was bound just now
}

// How a measure is judged: good up to `good`, bad beyond `bad`.
export interface Threshold {
  metric: string; // the library's name of a metric in ShapeMetrics ("stretch_rms"), or one that only it measures
  label: string;
  digits: number; // after the decimal point
  good: number;
  bad: number;
}

export interface Settings {
  thresholds: Threshold[];
  randomPoses: number; // random poses to search for bad ones
  defaultSwing: [number, number]; // range of joints of which nothing is known, degrees
  arrangement: "auto" | "single" | "side by side" | "together"; // of several characters at first
}

export interface Payload {
  version: 1;
  generator: string;
  settings: Settings;
  characters: EmbeddedCharacter[];
}

// The payload of this page. Throws if there is none.
export function readPayload(): Payload {
  const text = document.getElementById("skincells-characters")?.textContent ?? "null";
  const payload = JSON.parse(text) as Payload | null;
  if (!payload) throw new Error("this page has no data; `skincells view` writes complete pages");
  if (payload.version !== 1) throw new Error(`this page cannot read data of version ${String(payload.version)}`);
  return payload;
}

export function bytesOfBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

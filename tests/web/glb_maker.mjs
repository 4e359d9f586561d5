// Makes small character files for the browser tests.

// A .glb from a glTF document and its only buffer.
export function glbOf(json, binary) {
  const padded = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  const body = Buffer.concat([
    chunk("JSON", padded(Buffer.from(JSON.stringify(json)), 0x20)),
    chunk("BIN\0", padded(binary, 0)),
  ]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

// The document and the buffer of a .glb.
export function partsOf(glb) {
  const length = glb.readUInt32LE(12);
  return { json: JSON.parse(glb.subarray(20, 20 + length).toString()), binary: glb.subarray(20 + length + 8) };
}

class Maker {
  json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: [],
    meshes: [],
    skins: [],
    accessors: [],
    bufferViews: [],
    buffers: [{}],
  };
  pieces = [];
  length = 0;

  accessor(array, componentType, type, extra = {}) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    const view = this.json.bufferViews.push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length }) - 1;
    this.pieces.push(bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4));
    this.length += bytes.length + ((4 - (bytes.length % 4)) % 4);
    return (
      this.json.accessors.push({ bufferView: view, componentType, type, count: array.length / width, ...extra }) - 1
    );
  }
  glb() {
    this.json.buffers[0].byteLength = this.length;
    return glbOf(this.json, Buffer.concat(this.pieces));
  }
}

// Tubes along y from 0 to 4, side by side, with a chain of joints: each vertex follows the two joints nearest in
// height.
function tubeArrays(rings, sides, tubes, joints) {
  const count = tubes * rings * sides;
  const position = new Float32Array(3 * count);
  const joint = new Uint8Array(4 * count);
  const weight = new Float32Array(4 * count);
  const index = [];
  for (let tube = 0, v = 0; tube < tubes; ++tube)
    for (let ring = 0; ring < rings; ++ring)
      for (let side = 0; side < sides; ++side, ++v) {
        const turn = (2 * Math.PI * side) / sides;
        const y = (4 * ring) / (rings - 1);
        position.set([1.5 * tube + 0.5 * Math.cos(turn), y, 0.5 * Math.sin(turn)], 3 * v);
        const at = Math.min((y / 4) * joints, joints - 1);
        const below = Math.min(Math.floor(at), joints - 2);
        joint.set([below, below + 1], 4 * v);
        weight.set([1 - (at - below), at - below], 4 * v);
        if (ring + 1 === rings) continue;
        const next = side + 1 < sides ? v + 1 : v + 1 - sides;
        index.push(v, v + sides, next, next, v + sides, next + sides);
      }
  return { position, joint, weight, index: Uint32Array.from(index), width: 1.5 * (tubes - 1) + 0.5 };
}

function addTubes(maker, name, { rings, sides, tubes = 1, joints }) {
  const a = tubeArrays(rings, sides, tubes, joints);
  const mesh =
    maker.json.meshes.push({
      name,
      primitives: [
        {
          attributes: {
            POSITION: maker.accessor(a.position, 5126, "VEC3", { min: [-0.5, 0, -0.5], max: [a.width, 4, 0.5] }),
            JOINTS_0: maker.accessor(a.joint, 5121, "VEC4"),
            WEIGHTS_0: maker.accessor(a.weight, 5126, "VEC4"),
          },
          indices: maker.accessor(a.index, 5125, "SCALAR"),
        },
      ],
    }) - 1;
  return maker.json.nodes.push({ name, mesh, skin: 0 }) - 1;
}

// A character made of tubes. `levels` lists its levels of detail, finest first (MSFT_lod).
export function tubeGlb({ joints, levels }) {
  const maker = new Maker();
  const inverse = new Float32Array(16 * joints);
  for (let j = 0; j < joints; ++j) {
    inverse.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, (-4 * j) / joints, 0, 1], 16 * j);
    maker.json.nodes.push({
      name: `joint${j}`,
      translation: [0, j === 0 ? 0 : 4 / joints, 0],
      ...(j + 1 < joints ? { children: [j + 1] } : {}),
    });
  }
  maker.json.skins.push({
    joints: Array.from({ length: joints }, (_, j) => j),
    inverseBindMatrices: maker.accessor(inverse, 5126, "MAT4"),
  });
  const nodes = levels.map((level, i) => addTubes(maker, i === 0 ? "body" : `coarse ${i}`, { ...level, joints }));
  maker.json.scenes[0].nodes = [0, nodes[0]];
  if (nodes.length > 1) {
    maker.json.extensionsUsed = ["MSFT_lod"];
    maker.json.nodes[nodes[0]].extensions = { MSFT_lod: { ids: nodes.slice(1) } };
  }
  return maker.glb();
}

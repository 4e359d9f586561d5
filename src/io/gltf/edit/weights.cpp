#include "io/gltf/edit/weights.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/assert.h"
#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/constants.h"
#include "io/gltf/edit/usage.h"

namespace skincells::io {
namespace {

constexpr int kMaxSets = 8; // attribute sets beyond the written ones are removed

template <class T> std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// The data of one attribute: four numbers per vertex.
struct AttributeData {
  Component component = Component::U8;
  bool normalized = false;
  std::vector<std::uint8_t> bytes;

  std::size_t elementSize() const { return 4 * componentSize(component); }
};

// The influences of a stream as the file will hold them, `slots` per vertex.
struct EncodedRows {
  std::size_t vertex_count = 0, slots = 0;
  Quantization quantization = Quantization::F32;
  std::vector<std::uint16_t> joints;   // positions in the skin's joint list; 0 under zero weight
  std::vector<float> weights;          // for F32
  std::vector<std::uint32_t> integers; // for U8 and U16

  AttributeData jointSet(int set) const;
  AttributeData weightSet(int set) const;
};

AttributeData EncodedRows::jointSet(int set) const {
  const auto data = attributeSet<std::uint16_t>(
      vertex_count, slots, set, [&](std::size_t v, std::size_t slot) { return joints[v * slots + slot]; });
  const bool wide = std::any_of(data.begin(), data.end(), [](std::uint16_t j) { return j > 255; });
  AttributeData out;
  out.component = wide ? Component::U16 : Component::U8;
  out.bytes = wide ? bytesOf(data) : std::vector<std::uint8_t>(data.begin(), data.end());
  return out;
}

AttributeData EncodedRows::weightSet(int set) const {
  const auto integer = [&](std::size_t v, std::size_t slot) { return integers[v * slots + slot]; };
  AttributeData out;
  out.normalized = quantization != Quantization::F32;
  switch (quantization) {
  case Quantization::F32:
    out.component = Component::F32;
    out.bytes = bytesOf(attributeSet<float>(
        vertex_count, slots, set, [&](std::size_t v, std::size_t slot) { return weights[v * slots + slot]; }));
    break;
  case Quantization::U16:
    out.component = Component::U16;
    out.bytes = bytesOf(attributeSet<std::uint16_t>(vertex_count, slots, set, [&](std::size_t v, std::size_t slot) {
      return static_cast<std::uint16_t>(integer(v, slot));
    }));
    break;
  case Quantization::U8:
    out.component = Component::U8;
    out.bytes = attributeSet<std::uint8_t>(vertex_count, slots, set, [&](std::size_t v, std::size_t slot) {
      return static_cast<std::uint8_t>(integer(v, slot));
    });
    break;
  }
  return out;
}

class Editor {
public:
  Editor(const GltfDocument& doc, const GltfCharacter& c)
      : doc_(doc), c_(c), out_{doc.json, doc.model.buffers}, usage_(doc.model) {
    const auto& buffers = out_.buffers;
    const bool has_chunk = !buffers.empty() && buffers[0].kind == GltfBuffer::Kind::Binary;
    out_.skin_buffer = has_chunk ? 0 : usage_.skinningBuffer();
  }

  Result<void> editBinding(std::size_t b, const std::vector<bool>& joint_used);
  void editInstance(std::size_t i);
  void editStream(const VertexStream& stream, const SparseWeights& weights, Quantization quantization);
  EditedDocument finish() &&;

private:
  int targetBuffer();
  int appendView(const std::vector<std::uint8_t>& bytes, bool vertex_data);
  bool writeInPlace(int accessor, const AttributeData& data);
  int storeAttribute(const VertexStream& stream, const std::string& name, const AttributeData& data);
  bool belongsToStream(int accessor, const std::string& name, const VertexStream& stream) const;
  EncodedRows encodeRows(const VertexStream& stream, const SparseWeights& weights, Quantization quantization) const;
  std::vector<int> listJoints(std::size_t b, const std::vector<bool>& joint_used);
  Result<std::vector<float>> inverseBinds(const SkinBinding& binding, const std::vector<int>& joints) const;
  void dropWrongSkeletonRoot(Json& skin, const std::vector<int>& joints) const;
  void moveToSkinnedNode(int node, int mesh, int skin);
  void retargetMorphChannels(int from, int to);

  const GltfDocument& doc_;
  const GltfCharacter& c_;
  EditedDocument out_;
  AccessorUsage usage_;
  std::vector<int> skin_of_binding_ = std::vector<int>(c_.bindings.size(), -1);
  std::vector<std::vector<int>> slot_of_joint_ = std::vector<std::vector<int>>(c_.bindings.size()); // by binding
  std::vector<int> mesh_of_instance_ = std::vector<int>(c_.instances.size(), -1);
};

// New data goes to the end of the GLB chunk, or of the buffer that an earlier bind added; files with neither get a new
// buffer.
int Editor::targetBuffer() {
  if (out_.skin_buffer >= 0) return out_.skin_buffer;
  auto& buffers = out_.buffers;
  const bool all_inline = !buffers.empty() && std::all_of(buffers.begin(), buffers.end(), [](const GltfBuffer& b) {
    return b.kind == GltfBuffer::Kind::Data;
  });
  GltfBuffer fresh;
  fresh.kind = all_inline ? GltfBuffer::Kind::Data : GltfBuffer::Kind::External;
  buffers.push_back(std::move(fresh));
  out_.json["buffers"].push_back(Json::object());
  return out_.skin_buffer = static_cast<int>(buffers.size()) - 1;
}

int Editor::appendView(const std::vector<std::uint8_t>& bytes, bool vertex_data) {
  const int buffer = targetBuffer();
  auto& data = out_.buffers[buffer].bytes;
  data.resize(alignTo4(data.size()));
  Json view{{"buffer", buffer}, {"byteOffset", data.size()}, {"byteLength", bytes.size()}};
  if (vertex_data) view["target"] = kArrayBuffer;
  data.insert(data.end(), bytes.begin(), bytes.end());
  out_.json["bufferViews"].push_back(std::move(view));
  return static_cast<int>(out_.json["bufferViews"].size()) - 1;
}

// Whether the accessor is used only as this attribute of this stream's primitives.
bool Editor::belongsToStream(int accessor, const std::string& name, const VertexStream& stream) const {
  const MeshInstance& instance = c_.instances[stream.instance];
  if (accessor < 0 || instance.needs_copy) return false;
  int own_uses = 0;
  for (int p : stream.primitives)
    own_uses += doc_.model.meshes[instance.mesh].primitives[p].attribute(name) == accessor;
  return own_uses == usage_.uses(accessor);
}

// Overwrites elements in place if the new ones have the same layout. Only in the buffer that is written: other files of
// the input must not change.
bool Editor::writeInPlace(int accessor, const AttributeData& data) {
  const GltfAccessor& a = doc_.model.accessors[accessor];
  if (a.view < 0 || a.sparse || a.component != data.component || a.normalized != data.normalized || a.columns != 4)
    return false;
  const GltfView& view = doc_.model.views[a.view];
  GltfBuffer& buffer = out_.buffers[view.buffer];
  if (view.meshopt || view.buffer != out_.skin_buffer) return false;
  const std::size_t size = data.elementSize(), stride = view.stride != 0 ? view.stride : size;
  for (std::size_t v = 0; v * size < data.bytes.size(); ++v)
    std::memcpy(buffer.bytes.data() + view.offset + a.offset + v * stride, data.bytes.data() + v * size, size);
  Json& json = out_.json["accessors"][accessor];
  json.erase("min");
  json.erase("max");
  return true;
}

int Editor::storeAttribute(const VertexStream& stream, const std::string& name, const AttributeData& data) {
  const GltfPrimitive& first = doc_.model.meshes[c_.instances[stream.instance].mesh].primitives[stream.primitives[0]];
  int accessor = first.attribute(name);
  const bool own = belongsToStream(accessor, name, stream);
  if (own && writeInPlace(accessor, data)) return accessor;
  if (!own) {
    accessor = static_cast<int>(out_.json["accessors"].size());
    out_.json["accessors"].push_back(Json::object());
  }
  const int view = appendView(data.bytes, true);
  Json& json = out_.json["accessors"][accessor];
  for (const char* key : {"byteOffset", "min", "max", "sparse", "normalized"}) json.erase(key);
  json["bufferView"] = view;
  json["componentType"] = static_cast<int>(data.component);
  json["count"] = stream.vertex_count;
  json["type"] = "VEC4";
  if (data.normalized) json["normalized"] = true;
  return accessor;
}

EncodedRows Editor::encodeRows(const VertexStream& stream, const SparseWeights& weights,
                               Quantization quantization) const {
  const auto& slot_of_joint = slot_of_joint_[c_.instances[stream.instance].binding];
  EncodedRows out;
  out.vertex_count = stream.vertex_count;
  out.slots = weights.slots;
  out.quantization = quantization;
  const bool quantized = quantization != Quantization::F32;
  const std::size_t total = out.vertex_count * out.slots;
  out.joints.resize(total);
  if (quantized)
    out.integers.resize(total);
  else
    out.weights.resize(total);
  for (std::size_t v = 0; v < out.vertex_count; ++v) {
    const auto joints = weights.jointRow(stream.first_vertex + v);
    const auto row = weights.weightRow(stream.first_vertex + v);
    const std::size_t begin = v * out.slots;
    if (quantized)
      quantizeRow(row, quantization == Quantization::U8 ? 255 : 65535,
                  std::span(out.integers).subspan(begin, out.slots));
    else
      std::copy(row.begin(), row.end(), out.weights.begin() + static_cast<std::ptrdiff_t>(begin));
    for (std::size_t k = 0; k < out.slots; ++k)
      if (quantized ? out.integers[begin + k] > 0 : row[k] > 0)
        out.joints[begin + k] = static_cast<std::uint16_t>(slot_of_joint[joints[k]]);
  }
  return out;
}

void Editor::editStream(const VertexStream& stream, const SparseWeights& weights, Quantization quantization) {
  const int sets = weights.slots > 4 ? 2 : 1;
  Json& primitives = out_.json["meshes"][mesh_of_instance_[stream.instance]]["primitives"];
  std::vector<std::pair<std::string, int>> stored;
  const EncodedRows rows = encodeRows(stream, weights, quantization);
  for (int set = 0; set < sets; ++set) {
    const std::string joints_name = jointsAttribute(set), weights_name = weightsAttribute(set);
    stored.emplace_back(joints_name, storeAttribute(stream, joints_name, rows.jointSet(set)));
    stored.emplace_back(weights_name, storeAttribute(stream, weights_name, rows.weightSet(set)));
  }
  for (int p : stream.primitives) {
    Json& primitive = primitives[p];
    Json& attributes = primitive["attributes"];
    for (int set = sets; set < kMaxSets; ++set) {
      attributes.erase(jointsAttribute(set));
      attributes.erase(weightsAttribute(set));
    }
    for (const auto& [name, accessor] : stored) attributes[name] = accessor;
    // A Draco-compressed primitive keeps its compressed geometry; readers take attributes that the extension does not
    // list from their accessors.
    if (doc_.model.meshes[c_.instances[stream.instance].mesh].primitives[p].draco_view < 0) continue;
    Json& compressed = primitive["extensions"][kDracoExtension]["attributes"];
    for (int set = 0; set < kMaxSets; ++set) {
      compressed.erase(jointsAttribute(set));
      compressed.erase(weightsAttribute(set));
    }
  }
}

// A skin may name a common root of its joints. It is removed if an added joint is not below it.
void Editor::dropWrongSkeletonRoot(Json& skin, const std::vector<int>& joints) const {
  if (!skin.contains("skeleton")) return;
  for (int j : joints) {
    int n = c_.node_of_joint[j];
    while (n >= 0 && skin["skeleton"] != n) n = doc_.model.nodes[n].parent;
    if (n >= 0) continue;
    skin.erase("skeleton");
    return;
  }
}

// The joints of the binding's skin: those that it has, then those that its vertices use. Fills slot_of_joint_.
std::vector<int> Editor::listJoints(std::size_t b, const std::vector<bool>& joint_used) {
  std::vector<int> joints = c_.bindings[b].joint_of_slot;
  auto& slot_of_joint = slot_of_joint_[b];
  slot_of_joint.assign(c_.character.skeleton.joints.size(), -1);
  for (std::size_t k = 0; k < joints.size(); ++k) slot_of_joint[joints[k]] = static_cast<int>(k);
  for (std::size_t j = 0; j < joint_used.size(); ++j) {
    if (!joint_used[j] || slot_of_joint[j] >= 0) continue;
    slot_of_joint[j] = static_cast<int>(joints.size());
    joints.push_back(static_cast<int>(j));
  }
  return joints;
}

// Usable matrices of the file are kept; the others come from the character.
Result<std::vector<float>> Editor::inverseBinds(const SkinBinding& binding, const std::vector<int>& joints) const {
  std::vector<float> matrices;
  if (binding.skin >= 0 && !binding.matrices_unusable) {
    AccessorReader reader(doc_.model, doc_.path);
    SKINCELLS_TRY(original, reader.floats(doc_.model.skins[binding.skin].inverse_bind_matrices, 16));
    matrices = std::move(original);
    matrices.resize(16 * binding.joint_of_slot.size());
  }
  for (std::size_t k = matrices.size() / 16; k < joints.size(); ++k) {
    const Affine& bind = c_.character.skeleton.joints[joints[k]].bind;
    const auto m = toColumnMajor(bind.inverse() * binding.bind_from_mesh);
    matrices.insert(matrices.end(), m.begin(), m.end());
  }
  return matrices;
}

// Makes sure that the binding's skin exists and lists every joint that its vertices use.
Result<void> Editor::editBinding(std::size_t b, const std::vector<bool>& joint_used) {
  const SkinBinding& binding = c_.bindings[b];
  const std::vector<int> joints = listJoints(b, joint_used);
  skin_of_binding_[b] = binding.skin;
  if (binding.skin >= 0 && !binding.matrices_unusable && joints.size() == binding.joint_of_slot.size()) return {};
  SKINCELLS_TRY(matrices, inverseBinds(binding, joints));
  if (binding.skin < 0) {
    skin_of_binding_[b] = out_.json.contains("skins") ? static_cast<int>(out_.json["skins"].size()) : 0;
    out_.json["skins"].push_back(Json::object());
  }
  const int view = appendView(bytesOf(matrices), false);
  Json& accessors = out_.json["accessors"];
  Json& skin = out_.json["skins"][skin_of_binding_[b]];
  skin["inverseBindMatrices"] = accessors.size();
  accessors.push_back({{"bufferView", view},
                       {"componentType", static_cast<int>(Component::F32)},
                       {"count", joints.size()},
                       {"type", "MAT4"}});
  skin["joints"] = Json::array();
  for (int j : joints) skin["joints"].push_back(c_.node_of_joint[j]);
  dropWrongSkeletonRoot(skin, joints);
  return {};
}

// A skinned mesh ignores the transform of its node, and validators warn about one: such a mesh moves to a new node at
// the root of the scene.
void Editor::moveToSkinnedNode(int node, int mesh, int skin) {
  const GltfNode& source = doc_.model.nodes[node];
  Json& json = out_.json["nodes"][node];
  const bool transformed =
      source.matrix || json.contains("translation") || json.contains("rotation") || json.contains("scale");
  if (source.parent < 0 && !transformed) {
    json["mesh"] = mesh;
    json["skin"] = skin;
    return;
  }
  Json fresh;
  fresh["name"] = (source.name.empty() ? "mesh_" + std::to_string(source.mesh) : source.name) + "_skinned";
  fresh["mesh"] = mesh;
  fresh["skin"] = skin;
  if (json.contains("weights")) fresh["weights"] = json["weights"];
  json.erase("mesh");
  json.erase("weights");
  const std::size_t index = out_.json["nodes"].size();
  out_.json["nodes"].push_back(std::move(fresh));
  int root = node;
  while (doc_.model.nodes[root].parent >= 0) root = doc_.model.nodes[root].parent;
  retargetMorphChannels(node, static_cast<int>(index));
  if (!out_.json.contains("scenes") || !out_.json["scenes"].is_array()) return;
  for (Json& scene : out_.json["scenes"])
    if (scene.is_object() && scene.contains("nodes") && scene["nodes"].is_array() &&
        std::find(scene["nodes"].begin(), scene["nodes"].end(), Json(root)) != scene["nodes"].end())
      scene["nodes"].push_back(index);
}

// Animated morph weights move to the new node of the mesh.
void Editor::retargetMorphChannels(int from, int to) {
  for (std::size_t a = 0; a < doc_.model.animations.size(); ++a) {
    Json& animation = out_.json["animations"][a];
    if (!animation.contains("channels")) continue;
    for (Json& channel : animation["channels"]) {
      if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) continue;
      Json& target = channel["target"];
      if (target.value("node", Json()) == from && target.value("path", Json()) == "weights") target["node"] = to;
    }
  }
}

void Editor::editInstance(std::size_t i) {
  const MeshInstance& instance = c_.instances[i];
  mesh_of_instance_[i] = instance.mesh;
  if (instance.needs_copy) {
    mesh_of_instance_[i] = static_cast<int>(out_.json["meshes"].size());
    const Json copy = out_.json["meshes"][instance.mesh];
    out_.json["meshes"].push_back(copy);
  }
  const SkinBinding& binding = c_.bindings[instance.binding];
  for (int node : instance.nodes) {
    if (binding.skin < 0)
      moveToSkinnedNode(node, mesh_of_instance_[i], skin_of_binding_[instance.binding]);
    else if (instance.needs_copy)
      out_.json["nodes"][node]["mesh"] = mesh_of_instance_[i];
  }
}

EditedDocument Editor::finish() && {
  for (std::size_t b = 0; b < out_.buffers.size(); ++b)
    if (out_.buffers[b].kind != GltfBuffer::Kind::Fallback)
      out_.json["buffers"][b]["byteLength"] = out_.buffers[b].bytes.size();
  return std::move(out_);
}

// By binding: the joints that its skin has to list. Skins of the same mesh instance list the same joints, because they
// share its joint indices.
std::vector<std::vector<bool>> jointsUsed(const GltfDocument& doc, const GltfCharacter& c,
                                          const SparseWeights& weights) {
  std::vector<std::vector<bool>> used(c.bindings.size(), std::vector<bool>(c.character.skeleton.joints.size(), false));
  for (const VertexStream& s : c.streams) {
    auto& mine = used[c.instances[s.instance].binding];
    for (std::size_t v = s.first_vertex; v < std::size_t{s.first_vertex} + s.vertex_count; ++v)
      for (int k = 0; k < weights.slots; ++k)
        if (weights.weightRow(v)[k] > 0) mine[weights.jointRow(v)[k]] = true;
  }
  const auto shareJoints = [&](std::size_t a, std::size_t b) {
    if (used[a] == used[b]) return false;
    for (std::size_t j = 0; j < used[a].size(); ++j) used[a][j] = used[b][j] = used[a][j] || used[b][j];
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const MeshInstance& i : c.instances)
      for (int node : i.nodes)
        for (std::size_t b = 0; b < c.bindings.size(); ++b)
          if (c.bindings[b].skin >= 0 && c.bindings[b].skin == doc.model.nodes[node].skin)
            changed = shareJoints(i.binding, b) || changed;
  }
  return used;
}

} // namespace

Result<EditedDocument> applyWeights(const GltfDocument& doc, const GltfCharacter& c, const SparseWeights& weights,
                                    Quantization quantization) {
  SKINCELLS_ASSERT(weights.vertexCount() == c.character.mesh.positions.size());
  Editor editor(doc, c);
  const auto used = jointsUsed(doc, c, weights);
  for (std::size_t b = 0; b < c.bindings.size(); ++b) SKINCELLS_CHECK(editor.editBinding(b, used[b]));
  for (std::size_t i = 0; i < c.instances.size(); ++i) editor.editInstance(i);
  for (const VertexStream& s : c.streams) editor.editStream(s, weights, quantization);
  return std::move(editor).finish();
}

} // namespace skincells::io

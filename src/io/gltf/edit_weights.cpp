#include "io/gltf/edit_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/assert.h"
#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/usage.h"

namespace skincells::io {
namespace {

constexpr int kArrayBuffer = 34962;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

template <class T> std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// Elements of one accessor to be written: four numbers each.
struct AttributeData {
  Component component = Component::U8;
  bool normalized = false;
  std::vector<std::uint8_t> bytes;

  std::size_t elementSize() const { return 4 * componentSize(component); }
};

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
  std::array<AttributeData, 2> encodeSet(const VertexStream& stream, const SparseWeights& weights,
                                         Quantization quantization, int set) const;
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

// New data goes to the end of the GLB chunk, or of the buffer that an earlier bind added; files with neither get a
// buffer of their own.
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
  auto& data = out_.buffers[at(buffer)].bytes;
  data.resize((data.size() + 3) & ~std::size_t{3});
  Json view{{"buffer", buffer}, {"byteOffset", data.size()}, {"byteLength", bytes.size()}};
  if (vertex_data) view["target"] = kArrayBuffer;
  data.insert(data.end(), bytes.begin(), bytes.end());
  out_.json["bufferViews"].push_back(std::move(view));
  return static_cast<int>(out_.json["bufferViews"].size()) - 1;
}

// Is the accessor used as this attribute of this stream's primitives, and nowhere else?
bool Editor::belongsToStream(int accessor, const std::string& name, const VertexStream& stream) const {
  const MeshInstance& instance = c_.instances[at(stream.instance)];
  if (accessor < 0 || instance.needs_copy) return false;
  int own_uses = 0;
  for (int p : stream.primitives)
    own_uses += doc_.model.meshes[at(instance.mesh)].primitives[at(p)].attribute(name) == accessor;
  return own_uses == usage_.uses(accessor);
}

// Overwrites elements where they are when the new ones have the same layout; only in the buffer that is written anew,
// because files beside the input are not ours to change.
bool Editor::writeInPlace(int accessor, const AttributeData& data) {
  const GltfAccessor& a = doc_.model.accessors[at(accessor)];
  if (a.view < 0 || a.sparse || a.component != data.component || a.normalized != data.normalized || a.columns != 4)
    return false;
  const GltfView& view = doc_.model.views[at(a.view)];
  GltfBuffer& buffer = out_.buffers[at(view.buffer)];
  if (view.meshopt || view.buffer != out_.skin_buffer) return false;
  const std::size_t size = data.elementSize(), stride = view.stride != 0 ? view.stride : size;
  for (std::size_t v = 0; v * size < data.bytes.size(); ++v)
    std::memcpy(buffer.bytes.data() + view.offset + a.offset + v * stride, data.bytes.data() + v * size, size);
  Json& json = out_.json["accessors"][at(accessor)];
  json.erase("min");
  json.erase("max");
  return true;
}

int Editor::storeAttribute(const VertexStream& stream, const std::string& name, const AttributeData& data) {
  const GltfPrimitive& first =
      doc_.model.meshes[at(c_.instances[at(stream.instance)].mesh)].primitives[at(stream.primitives[0])];
  int accessor = first.attribute(name);
  const bool own = belongsToStream(accessor, name, stream);
  if (own && writeInPlace(accessor, data)) return accessor;
  if (!own) {
    accessor = static_cast<int>(out_.json["accessors"].size());
    out_.json["accessors"].push_back(Json::object());
  }
  const int view = appendView(data.bytes, true);
  Json& json = out_.json["accessors"][at(accessor)];
  for (const char* key : {"byteOffset", "min", "max", "sparse", "normalized"}) json.erase(key);
  json["bufferView"] = view;
  json["componentType"] = static_cast<int>(data.component);
  json["count"] = stream.vertex_count;
  json["type"] = "VEC4";
  if (data.normalized) json["normalized"] = true;
  return accessor;
}

// Joints and weights of slots 4*set .. 4*set+3 as the file holds them.
std::array<AttributeData, 2> Editor::encodeSet(const VertexStream& stream, const SparseWeights& weights,
                                               Quantization quantization, int set) const {
  const auto& slot_of_joint = slot_of_joint_[at(c_.instances[at(stream.instance)].binding)];
  const std::size_t slots = at(weights.slots), n = stream.vertex_count;
  std::vector<std::uint16_t> joints(4 * n);
  std::vector<float> floats(4 * n);
  std::vector<std::uint32_t> whole(4 * n), row(slots);
  std::uint16_t largest = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const auto row_joints = weights.jointRow(stream.first_vertex + v);
    const auto row_weights = weights.weightRow(stream.first_vertex + v);
    if (quantization != Quantization::F32)
      quantizeRow(row_weights, quantization == Quantization::U8 ? 255 : 65535, row);
    for (std::size_t k = 0; k < 4 && at(set) * 4 + k < slots; ++k) {
      const std::size_t slot = at(set) * 4 + k;
      floats[4 * v + k] = row_weights[slot];
      whole[4 * v + k] = row[slot];
      const bool used = quantization == Quantization::F32 ? row_weights[slot] > 0 : row[slot] > 0;
      if (!used) continue;
      joints[4 * v + k] = static_cast<std::uint16_t>(slot_of_joint[row_joints[slot]]);
      largest = std::max(largest, joints[4 * v + k]);
    }
  }
  AttributeData j, w;
  j.component = largest > 255 ? Component::U16 : Component::U8;
  j.bytes = largest > 255 ? bytesOf(joints) : std::vector<std::uint8_t>(joints.begin(), joints.end());
  w.normalized = quantization != Quantization::F32;
  switch (quantization) {
  case Quantization::F32:
    w.component = Component::F32, w.bytes = bytesOf(floats);
    break;
  case Quantization::U16:
    w.component = Component::U16, w.bytes = bytesOf(std::vector<std::uint16_t>(whole.begin(), whole.end()));
    break;
  case Quantization::U8:
    w.component = Component::U8, w.bytes.assign(whole.begin(), whole.end());
    break;
  }
  return {std::move(j), std::move(w)};
}

void Editor::editStream(const VertexStream& stream, const SparseWeights& weights, Quantization quantization) {
  const int sets = weights.slots > 4 ? 2 : 1;
  Json& primitives = out_.json["meshes"][at(mesh_of_instance_[at(stream.instance)])]["primitives"];
  std::vector<std::pair<std::string, int>> stored;
  for (int set = 0; set < sets; ++set) {
    auto [joints, weight_data] = encodeSet(stream, weights, quantization, set);
    const std::string joints_name = "JOINTS_" + std::to_string(set), weights_name = "WEIGHTS_" + std::to_string(set);
    stored.emplace_back(joints_name, storeAttribute(stream, joints_name, joints));
    stored.emplace_back(weights_name, storeAttribute(stream, weights_name, weight_data));
  }
  for (int p : stream.primitives) {
    Json& primitive = primitives[at(p)];
    Json& attributes = primitive["attributes"];
    for (int set = sets; set < 8; ++set) {
      attributes.erase("JOINTS_" + std::to_string(set));
      attributes.erase("WEIGHTS_" + std::to_string(set));
    }
    for (const auto& [name, accessor] : stored) attributes[name] = accessor;
    // A Draco-compressed primitive keeps its compressed geometry; attributes that the extension does not list are
    // read as usual.
    if (doc_.model.meshes[at(c_.instances[at(stream.instance)].mesh)].primitives[at(p)].draco_view < 0) continue;
    Json& compressed = primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"];
    for (int set = 0; set < 8; ++set) {
      compressed.erase("JOINTS_" + std::to_string(set));
      compressed.erase("WEIGHTS_" + std::to_string(set));
    }
  }
}

// A skin may name a common root of its joints; with joints from elsewhere it may no longer be one.
void Editor::dropWrongSkeletonRoot(Json& skin, const std::vector<int>& joints) const {
  if (!skin.contains("skeleton")) return;
  for (int j : joints) {
    int n = c_.node_of_joint[at(j)];
    while (n >= 0 && skin["skeleton"] != n) n = doc_.model.nodes[at(n)].parent;
    if (n >= 0) continue;
    skin.erase("skeleton");
    return;
  }
}

// Makes sure that the binding's skin exists and lists every joint that its vertices use.
Result<void> Editor::editBinding(std::size_t b, const std::vector<bool>& joint_used) {
  const SkinBinding& binding = c_.bindings[b];
  std::vector<int> joints = binding.joint_of_slot;
  auto& slot_of_joint = slot_of_joint_[b];
  slot_of_joint.assign(c_.character.skeleton.joints.size(), -1);
  for (std::size_t k = 0; k < joints.size(); ++k) slot_of_joint[at(joints[k])] = static_cast<int>(k);
  for (std::size_t j = 0; j < joint_used.size(); ++j)
    if (joint_used[j] && slot_of_joint[j] < 0) {
      slot_of_joint[j] = static_cast<int>(joints.size());
      joints.push_back(static_cast<int>(j));
    }
  skin_of_binding_[b] = binding.skin;
  if (binding.skin >= 0 && !binding.matrices_unusable && joints.size() == binding.joint_of_slot.size()) return {};

  std::vector<float> original;
  if (binding.skin >= 0 && !binding.matrices_unusable) {
    AccessorReader reader(doc_.model, doc_.path);
    SKINCELLS_TRY(numbers, reader.floats(doc_.model.skins[at(binding.skin)].inverse_bind_matrices, 16));
    original = std::move(numbers);
    original.resize(16 * binding.joint_of_slot.size());
  }
  std::vector<float> matrices = original;
  for (std::size_t k = original.size() / 16; k < joints.size(); ++k) {
    const Affine m = c_.character.skeleton.joints[at(joints[k])].bind.inverse() * binding.bind_from_mesh;
    for (std::size_t col = 0; col < 4; ++col)
      for (std::size_t r = 0; r < 4; ++r)
        matrices.push_back(r < 3 ? static_cast<float>(m.m[r][col]) : (col == 3 ? 1.0f : 0.0f));
  }
  if (binding.skin < 0) {
    skin_of_binding_[b] = out_.json.contains("skins") ? static_cast<int>(out_.json["skins"].size()) : 0;
    out_.json["skins"].push_back(Json::object());
  }
  const int view = appendView(bytesOf(matrices), false);
  Json& accessors = out_.json["accessors"];
  Json& skin = out_.json["skins"][at(skin_of_binding_[b])];
  skin["inverseBindMatrices"] = accessors.size();
  accessors.push_back({{"bufferView", view},
                       {"componentType", static_cast<int>(Component::F32)},
                       {"count", joints.size()},
                       {"type", "MAT4"}});
  skin["joints"] = Json::array();
  for (int j : joints) skin["joints"].push_back(c_.node_of_joint[at(j)]);
  dropWrongSkeletonRoot(skin, joints);
  return {};
}

// A skinned mesh ignores the transform of its node, and validators warn when it has one: such a mesh moves to a
// node of its own at the root of the scene.
void Editor::moveToSkinnedNode(int node, int mesh, int skin) {
  const GltfNode& source = doc_.model.nodes[at(node)];
  Json& json = out_.json["nodes"][at(node)];
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
  while (doc_.model.nodes[at(root)].parent >= 0) root = doc_.model.nodes[at(root)].parent;
  retargetMorphChannels(node, static_cast<int>(index));
  if (!out_.json.contains("scenes") || !out_.json["scenes"].is_array()) return;
  for (Json& scene : out_.json["scenes"])
    if (scene.is_object() && scene.contains("nodes") && scene["nodes"].is_array() &&
        std::find(scene["nodes"].begin(), scene["nodes"].end(), Json(root)) != scene["nodes"].end())
      scene["nodes"].push_back(index);
}

// Animated morph weights follow their mesh.
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
    const Json copy = out_.json["meshes"][at(instance.mesh)];
    out_.json["meshes"].push_back(copy);
  }
  const SkinBinding& binding = c_.bindings[at(instance.binding)];
  for (int node : instance.nodes) {
    if (binding.skin < 0)
      moveToSkinnedNode(node, mesh_of_instance_[i], skin_of_binding_[at(instance.binding)]);
    else if (instance.needs_copy)
      out_.json["nodes"][at(node)]["mesh"] = mesh_of_instance_[i];
  }
}

EditedDocument Editor::finish() && {
  for (std::size_t b = 0; b < out_.buffers.size(); ++b)
    if (out_.buffers[b].kind != GltfBuffer::Kind::Fallback)
      out_.json["buffers"][b]["byteLength"] = out_.buffers[b].bytes.size();
  return std::move(out_);
}

// By binding: the joints that its skin has to list. Skins that show one mesh instance need the same ones, because its
// joint indices have to mean the same in all of them.
std::vector<std::vector<bool>> jointsUsed(const GltfDocument& doc, const GltfCharacter& c,
                                          const SparseWeights& weights) {
  std::vector<std::vector<bool>> used(c.bindings.size(), std::vector<bool>(c.character.skeleton.joints.size(), false));
  for (const VertexStream& s : c.streams) {
    auto& mine = used[at(c.instances[at(s.instance)].binding)];
    for (std::size_t v = s.first_vertex; v < std::size_t{s.first_vertex} + s.vertex_count; ++v)
      for (std::size_t k = 0; k < at(weights.slots); ++k)
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
          if (c.bindings[b].skin >= 0 && c.bindings[b].skin == doc.model.nodes[at(node)].skin)
            changed = shareJoints(at(i.binding), b) || changed;
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

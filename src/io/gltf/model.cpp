#include "io/gltf/model.h"

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "io/gltf/constants.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

// Larger counts are implausible, and refused before memory is allocated for them.
constexpr std::size_t kMaxElements = std::size_t{1} << 27U;
constexpr std::size_t kMaxBytes = std::size_t{1} << 36U;

int columnsOf(const std::string& type) {
  static const std::pair<const char*, int> kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                       {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
  for (const auto& [name, columns] : kTypes)
    if (type == name) return columns;
  return 0;
}

Result<Component> componentOf(const text::JsonPlace& place, const char* key) {
  SKINCELLS_TRY(code, place.number(key, 1U << 16U));
  switch (code) {
  case 5120:
  case 5121:
  case 5122:
  case 5123:
  case 5125:
  case 5126:
    return static_cast<Component>(code);
  default:
    return place.at(key).error("is not a component type of glTF 2.0");
  }
}

// Applies `parse(place, element)` to every element of the top-level array `key`.
template <class T, class Parse>
Result<std::vector<T>> parseAll(const text::JsonPlace& root, const char* key, const Parse& parse) {
  SKINCELLS_TRY(list, root.array(key));
  std::vector<T> out(list.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const text::JsonPlace place = list.at(i);
    if (!place.value().is_object()) return place.error("must be an object");
    SKINCELLS_CHECK(parse(place, out[i]));
  }
  return out;
}

Result<void> parseMeshopt(const text::JsonPlace& place, const std::vector<GltfBuffer>& buffers, GltfView& view) {
  MeshoptView m;
  SKINCELLS_TRY(buffer, place.index("buffer", buffers.size(), "buffer"));
  if (buffer < 0) return place.error("'buffer' is missing");
  m.buffer = buffer;
  SKINCELLS_TRY(offset, place.number("byteOffset", kMaxBytes, 0));
  SKINCELLS_TRY(length, place.number("byteLength", kMaxBytes));
  SKINCELLS_TRY(stride, place.number("byteStride", 257));
  SKINCELLS_TRY(count, place.number("count", kMaxElements));
  m.offset = offset;
  m.length = length;
  m.stride = stride;
  m.count = count;
  m.mode = place.text("mode");
  m.filter = place.text("filter");
  const std::size_t available = buffers[buffer].bytes.size();
  if (offset > available || length > available - offset) return place.error("runs past the end of its buffer");
  if (stride == 0 || count * stride > view.length) return place.error("declares more data than its view holds");
  // The codec reaches at most about 1:256; a larger size would only allocate memory.
  if (count * stride > 4096 + 1024 * length)
    return place.error("declares an implausible decompressed size", ErrorCode::TooLarge);
  view.length = count * stride; // the decompressed size, which accessors must fit
  view.meshopt = std::move(m);
  return {};
}

Result<void> parseView(const text::JsonPlace& place, const std::vector<GltfBuffer>& buffers, GltfView& view) {
  SKINCELLS_TRY(buffer, place.index("buffer", buffers.size(), "buffer"));
  if (buffer < 0) return place.error("'buffer' is missing");
  view.buffer = buffer;
  SKINCELLS_TRY(offset, place.number("byteOffset", kMaxBytes, 0));
  SKINCELLS_TRY(length, place.number("byteLength", kMaxBytes));
  SKINCELLS_TRY(stride, place.number("byteStride", 65536, 0));
  view.offset = offset;
  view.length = length;
  view.stride = stride;
  SKINCELLS_TRY(extensions, place.object("extensions"));
  if (extensions.has(kMeshoptExtension)) return parseMeshopt(extensions.at(kMeshoptExtension), buffers, view);
  const GltfBuffer& b = buffers[buffer];
  if (b.kind == GltfBuffer::Kind::Fallback) return place.error("its buffer has no data");
  if (offset > b.bytes.size() || length > b.bytes.size() - offset)
    return place.error("covers bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) +
                       ", but its buffer has only " + std::to_string(b.bytes.size()));
  return {};
}

// Whether `count` elements of `size` bytes, `stride` apart, fit into the view from `offset` on.
bool fits(const GltfView& view, std::size_t offset, std::size_t count, std::size_t size, std::size_t stride) {
  if (count == 0) return true;
  return offset <= view.length && size <= view.length - offset && (count - 1) <= (view.length - offset - size) / stride;
}

Result<void> parseSparse(const text::JsonPlace& place, const std::vector<GltfView>& views, GltfAccessor& a) {
  GltfSparse s;
  SKINCELLS_TRY(count, place.number("count", a.count + 1));
  s.count = count;
  const text::JsonPlace indices = place.at("indices"), values = place.at("values");
  SKINCELLS_TRY(index_view, indices.index("bufferView", views.size(), "buffer view"));
  SKINCELLS_TRY(value_view, values.index("bufferView", views.size(), "buffer view"));
  if (index_view < 0 || value_view < 0) return place.error("needs views for its indices and values");
  SKINCELLS_TRY(index_offset, indices.number("byteOffset", kMaxBytes, 0));
  SKINCELLS_TRY(value_offset, values.number("byteOffset", kMaxBytes, 0));
  SKINCELLS_TRY(component, componentOf(indices, "componentType"));
  s.index_view = index_view;
  s.value_view = value_view;
  s.index_offset = index_offset;
  s.value_offset = value_offset;
  s.index_component = component;
  const std::size_t index_size = componentSize(component),
                    value_size = componentSize(a.component) * static_cast<std::size_t>(a.columns);
  if (!fits(views[index_view], index_offset, count, index_size, index_size) ||
      !fits(views[value_view], value_offset, count, value_size, value_size))
    return place.error("runs past the end of its views");
  a.sparse = s;
  return {};
}

Result<void> parseAccessor(const text::JsonPlace& place, const std::vector<GltfView>& views, GltfAccessor& a) {
  SKINCELLS_TRY(view, place.index("bufferView", views.size(), "buffer view"));
  SKINCELLS_TRY(offset, place.number("byteOffset", kMaxBytes, 0));
  SKINCELLS_TRY(count, place.number("count", std::size_t{1} << 52U));
  if (count > kMaxElements)
    return place.error("declares " + std::to_string(count) + " elements, an implausible number", ErrorCode::TooLarge);
  SKINCELLS_TRY(component, componentOf(place, "componentType"));
  a.view = view;
  a.offset = offset;
  a.count = count;
  a.component = component;
  a.normalized = place.at("normalized").value() == true;
  a.columns = columnsOf(place.text("type"));
  if (a.columns == 0) return place.at("type").error("is not an accessor type of glTF 2.0");
  if (view >= 0) {
    const GltfView& v = views[view];
    const std::size_t size = componentSize(component) * static_cast<std::size_t>(a.columns);
    if (v.stride != 0 && v.stride < size) return place.error("its elements are larger than the view's stride");
    if (!fits(v, offset, count, size, v.stride != 0 ? v.stride : size))
      return place.error("its " + std::to_string(count) + " elements run past the end of its view");
  }
  if (place.has("sparse")) return parseSparse(place.at("sparse"), views, a);
  return {};
}

Result<void> parseDraco(const text::JsonPlace& place, const std::vector<GltfView>& views, GltfPrimitive& p) {
  SKINCELLS_TRY(view, place.index("bufferView", views.size(), "buffer view"));
  if (view < 0) return place.error("'bufferView' is missing");
  p.draco_view = view;
  SKINCELLS_TRY(attributes, place.object("attributes"));
  if (attributes.value().is_object())
    for (const auto& item : attributes.value().items()) {
      SKINCELLS_TRY(id, attributes.number(item.key().c_str(), 65536));
      p.draco_attributes.emplace_back(item.key(), static_cast<int>(id));
    }
  return {};
}

// Names and accessors of vertex data.
Result<std::vector<std::pair<std::string, int>>> parseAttributes(const text::JsonPlace& attributes,
                                                                 const GltfModel& m) {
  std::vector<std::pair<std::string, int>> out;
  for (const auto& item : attributes.value().items()) {
    SKINCELLS_TRY(accessor, attributes.index(item.key().c_str(), m.accessors.size(), "accessor"));
    if (accessor < 0) return attributes.error("has an attribute with a zero byte in its name");
    out.emplace_back(item.key(), accessor);
  }
  return out;
}

// The model does not hold morph targets, but code that copies them relies on valid accessors.
Result<void> checkTargets(const text::JsonPlace& targets, const GltfModel& m) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets.at(i).value().is_object()) return targets.at(i).error("must be an object of attributes");
    if (auto attributes = parseAttributes(targets.at(i), m); !attributes) return std::move(attributes).error();
  }
  return {};
}

Result<void> parsePrimitive(const text::JsonPlace& place, const GltfModel& m, GltfPrimitive& p) {
  SKINCELLS_TRY(attributes, place.object("attributes"));
  if (!attributes.value().is_object()) return place.error("'attributes' is missing");
  SKINCELLS_TRY(named, parseAttributes(attributes, m));
  p.attributes = std::move(named);
  SKINCELLS_TRY(indices, place.index("indices", m.accessors.size(), "accessor"));
  SKINCELLS_TRY(mode, place.number("mode", 7, 4));
  SKINCELLS_TRY(material, place.number("material", std::size_t{1} << 31U, 0));
  SKINCELLS_TRY(targets, place.array("targets"));
  SKINCELLS_CHECK(checkTargets(targets, m));
  p.indices = indices;
  p.mode = static_cast<int>(mode);
  p.target_count = static_cast<int>(targets.size());
  p.material = place.has("material") ? static_cast<int>(material) : -1;
  SKINCELLS_TRY(extensions, place.object("extensions"));
  if (extensions.has(kDracoExtension)) return parseDraco(extensions.at(kDracoExtension), m.views, p);
  return {};
}

Result<void> parseNode(const text::JsonPlace& place, std::size_t node_count, const GltfModel& m, GltfNode& n) {
  n.name = place.text("name");
  double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, x[16];
  SKINCELLS_CHECK(place.numbers("translation", t, 3));
  SKINCELLS_CHECK(place.numbers("rotation", r, 4));
  SKINCELLS_CHECK(place.numbers("scale", s, 3));
  n.translation = {t[0], t[1], t[2]};
  n.rotation = {r[0], r[1], r[2], r[3]};
  n.scale = {s[0], s[1], s[2]};
  if (place.has("matrix")) {
    SKINCELLS_CHECK(place.numbers("matrix", x, 16));
    n.matrix = fromColumnMajor(x);
  }
  SKINCELLS_TRY(mesh, place.index("mesh", m.meshes.size(), "mesh"));
  SKINCELLS_TRY(children, place.array("children"));
  for (std::size_t k = 0; k < children.size(); ++k) {
    const text::JsonPlace child = children.at(k);
    const bool whole = child.value().is_number_unsigned() && child.value().get<std::uint64_t>() < node_count;
    if (!whole) return child.error("refers to a node that does not exist");
    n.children.push_back(child.value().get<int>());
  }
  n.mesh = mesh;
  n.has_camera = place.has("camera");
  n.has_light = place.at("extensions").has("KHR_lights_punctual");
  return {};
}

Result<void> linkParents(const text::JsonPlace& root, std::vector<GltfNode>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (int child : nodes[i].children) {
      GltfNode& c = nodes[child];
      if (c.parent >= 0)
        return root.at("nodes")
            .at(static_cast<std::size_t>(child))
            .error("is a child of two nodes (" + std::to_string(c.parent) + " and " + std::to_string(i) +
                   "), which is not allowed; export the file again");
      c.parent = static_cast<int>(i);
    }
  // A node with at most one parent is on or below a cycle exactly if the walk up never ends.
  std::vector<std::uint8_t> reaches_root(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t steps = 0;
    int a = static_cast<int>(i);
    for (; a >= 0 && reaches_root[a] == 0; a = nodes[a].parent)
      if (++steps > nodes.size())
        return root.at("nodes").at(i).error("is its own ancestor: the node tree has a cycle; export the file again");
    for (a = static_cast<int>(i); a >= 0 && reaches_root[a] == 0; a = nodes[a].parent) reaches_root[a] = 1;
  }
  return {};
}

Result<void> parseSkin(const text::JsonPlace& place, const GltfModel& m, GltfSkin& skin) {
  skin.name = place.text("name");
  SKINCELLS_TRY(joints, place.array("joints"));
  if (joints.size() == 0) return place.error("has no joints");
  std::vector<bool> seen(m.nodes.size(), false);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Json& v = joints.at(k).value();
    if (!v.is_number_unsigned() || v.get<std::uint64_t>() >= m.nodes.size())
      return joints.at(k).error("refers to a node that does not exist");
    const auto node = v.get<std::size_t>();
    if (seen[node]) return joints.at(k).error("names node " + std::to_string(node) + " again");
    seen[node] = true;
    skin.joints.push_back(static_cast<int>(node));
  }
  SKINCELLS_TRY(matrices, place.index("inverseBindMatrices", m.accessors.size(), "accessor"));
  if (matrices >= 0) {
    const GltfAccessor& a = m.accessors[matrices];
    if (a.columns != 16 || a.component != Component::F32 || a.count < skin.joints.size())
      return place.at("inverseBindMatrices").error("must hold one float matrix for each joint");
  }
  skin.inverse_bind_matrices = matrices;
  return {};
}

Result<void> parseSampler(const text::JsonPlace& place, const GltfModel& m, GltfSampler& s) {
  SKINCELLS_TRY(input, place.index("input", m.accessors.size(), "accessor"));
  SKINCELLS_TRY(output, place.index("output", m.accessors.size(), "accessor"));
  if (input < 0 || output < 0) return place.error("needs 'input' and 'output'");
  s.input = input;
  s.output = output;
  const std::string kind = place.text("interpolation");
  if (kind == "STEP") s.interpolation = GltfSampler::Interpolation::Step;
  if (kind == "CUBICSPLINE") s.interpolation = GltfSampler::Interpolation::Cubic;
  return {};
}

Result<void> parseAnimation(const text::JsonPlace& place, const GltfModel& m, GltfAnimation& animation) {
  animation.name = place.text("name");
  SKINCELLS_TRY(samplers, parseAll<GltfSampler>(place, "samplers", [&](const text::JsonPlace& p, GltfSampler& s) {
                  return parseSampler(p, m, s);
                }));
  animation.samplers = std::move(samplers);
  SKINCELLS_TRY(channels, place.array("channels"));
  static const std::pair<const char*, GltfChannel::Path> kPaths[] = {{"translation", GltfChannel::Path::Translation},
                                                                     {"rotation", GltfChannel::Path::Rotation},
                                                                     {"scale", GltfChannel::Path::Scale}};
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const text::JsonPlace channel = channels.at(k), target = channel.at("target");
    SKINCELLS_TRY(sampler, channel.index("sampler", animation.samplers.size(), "sampler"));
    SKINCELLS_TRY(node, target.index("node", m.nodes.size(), "node"));
    for (const auto& [name, path] : kPaths)
      if (sampler >= 0 && node >= 0 && target.text("path") == name) animation.channels.push_back({sampler, node, path});
  }
  return {};
}

} // namespace

std::size_t componentSize(Component component) {
  switch (component) {
  case Component::I8:
  case Component::U8:
    return 1;
  case Component::I16:
  case Component::U16:
    return 2;
  case Component::U32:
  case Component::F32:
    return 4;
  }
  return 4;
}

int GltfPrimitive::attribute(std::string_view name) const {
  for (const auto& [key, accessor] : attributes)
    if (key == name) return accessor;
  return -1;
}

Affine GltfNode::local() const {
  if (matrix) return *matrix;
  const double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
  return Affine::fromTrs(translation, q, scale);
}

std::vector<Affine> worldTransforms(const std::vector<GltfNode>& nodes) {
  std::vector<Affine> world(nodes.size());
  std::vector<int> stack;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].parent < 0) stack.push_back(static_cast<int>(i));
  while (!stack.empty()) {
    const auto i = static_cast<std::size_t>(stack.back());
    stack.pop_back();
    const int parent = nodes[i].parent;
    world[i] = parent < 0 ? nodes[i].local() : world[parent] * nodes[i].local();
    stack.insert(stack.end(), nodes[i].children.begin(), nodes[i].children.end());
  }
  return world;
}

Result<GltfModel> parseModel(const Json& json, std::vector<GltfBuffer> buffers, const std::string& where) {
  GltfModel m;
  m.buffers = std::move(buffers);
  const text::JsonPlace root(json, where + "#");
  SKINCELLS_TRY(views, parseAll<GltfView>(root, "bufferViews", [&](const text::JsonPlace& p, GltfView& v) {
                  return parseView(p, m.buffers, v);
                }));
  m.views = std::move(views);
  SKINCELLS_TRY(accessors, parseAll<GltfAccessor>(root, "accessors", [&](const text::JsonPlace& p, GltfAccessor& a) {
                  return parseAccessor(p, m.views, a);
                }));
  m.accessors = std::move(accessors);
  SKINCELLS_TRY(
      meshes, parseAll<GltfMesh>(root, "meshes", [&](const text::JsonPlace& p, GltfMesh& mesh) -> Result<void> {
        mesh.name = p.text("name");
        SKINCELLS_TRY(primitives,
                      parseAll<GltfPrimitive>(p, "primitives", [&](const text::JsonPlace& q, GltfPrimitive& x) {
                        return parsePrimitive(q, m, x);
                      }));
        mesh.primitives = std::move(primitives);
        return {};
      }));
  m.meshes = std::move(meshes);
  const std::size_t node_count = root.at("nodes").size();
  SKINCELLS_TRY(nodes, parseAll<GltfNode>(root, "nodes", [&](const text::JsonPlace& p, GltfNode& n) {
                  return parseNode(p, node_count, m, n);
                }));
  m.nodes = std::move(nodes);
  SKINCELLS_CHECK(linkParents(root, m.nodes));
  SKINCELLS_TRY(skins, parseAll<GltfSkin>(root, "skins",
                                          [&](const text::JsonPlace& p, GltfSkin& s) { return parseSkin(p, m, s); }));
  m.skins = std::move(skins);
  for (std::size_t i = 0; i < m.nodes.size(); ++i) {
    SKINCELLS_TRY(skin, root.at("nodes").at(i).index("skin", m.skins.size(), "skin"));
    m.nodes[i].skin = skin;
  }
  SKINCELLS_TRY(animations,
                parseAll<GltfAnimation>(root, "animations", [&](const text::JsonPlace& p, GltfAnimation& a) {
                  return parseAnimation(p, m, a);
                }));
  m.animations = std::move(animations);
  return m;
}

} // namespace skincells::io

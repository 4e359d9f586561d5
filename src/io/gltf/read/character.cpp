#include "io/gltf/read/character.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/try.h"
#include "io/gltf/budget.h"
#include "io/gltf/read/fit_skeleton.h"
#include "io/gltf/read/geometry.h"
#include "io/gltf/read/skeleton.h"
#include "io/gltf/read/vrm_humanoid.h"
#include "io/gltf/read/weights.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

constexpr std::size_t kMaxJoints = 65535; // joint indices in glTF have 16 bits

std::size_t listSize(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_array() ? json[key].size() : 0;
}

std::uint64_t triangleCount(const GltfModel& model, const GltfPrimitive& p) {
  const int source = p.indices >= 0 ? p.indices : p.attribute("POSITION");
  const std::uint64_t corners = source >= 0 ? model.accessors[source].count : 0;
  if (p.mode == 4) return corners / 3;
  return p.mode > 4 && corners > 2 ? corners - 2 : 0;
}

void countUnskinned(const GltfDocument& doc, const GltfCharacter& c, FileInfo& info) {
  std::vector<bool> taken(doc.model.nodes.size(), false);
  for (const MeshInstance& i : c.instances)
    for (int n : i.nodes) taken[n] = true;
  for (std::size_t n = 0; n < doc.model.nodes.size(); ++n) {
    const int mesh = doc.model.nodes[n].mesh;
    if (taken[n] || mesh < 0) continue;
    ++info.unskinned_mesh_node_count;
    for (const GltfPrimitive& p : doc.model.meshes[mesh].primitives) {
      if (p.attribute("POSITION") >= 0)
        info.unskinned_vertex_count += doc.model.accessors[p.attribute("POSITION")].count;
      info.unskinned_triangle_count += triangleCount(doc.model, p);
    }
  }
}

std::string formatOf(const GltfDocument& doc) {
  const text::JsonPlace extensions = text::JsonPlace(doc.json, "").at("extensions");
  const std::string container = doc.binary ? "GLB" : "glTF";
  if (extensions.has("VRMC_vrm")) return "VRM 1 (" + container + ")";
  if (extensions.has("VRM")) return "VRM 0 (" + container + ")";
  return container;
}

// The scale of bind space (median over the joints) and its up axis (mean over the joints), relative to world space.
void measureSpace(const GltfDocument& doc, const GltfCharacter& c, FileInfo& info) {
  const std::vector<Affine> world = worldTransforms(doc.model.nodes);
  const auto& joints = c.character.skeleton.joints;
  std::vector<double> scales;
  double rotation = 0, offset = 0;
  Vec3d up;
  const double diagonal = std::max(c.character.mesh.bounds().diagonal(), 1e-30);
  for (std::size_t j : tellingJoints(c.character.skeleton)) {
    const Affine to_world = world[c.node_of_joint[j]] * joints[j].bind.inverse();
    const double scale = std::cbrt(std::fabs(to_world.determinant()));
    if (!std::isfinite(scale) || scale <= 0) continue;
    scales.push_back(scale);
    up += normalized(to_world.inverse().applyLinear({0, 1, 0}));
    for (int k = 0; k < 3; ++k) {
      const double cosine = dot(normalized(joints[j].bind.column(k)), normalized(joints[j].rest.column(k)));
      rotation = std::max(rotation, std::acos(std::clamp(cosine, -1.0, 1.0)));
    }
    offset = std::max(offset, length(joints[j].bind.translation() - joints[j].rest.translation()) / diagonal);
  }
  info.bind_rest_rotation = rotation * 180 / std::numbers::pi;
  info.bind_rest_offset = offset * 100;
  if (scales.empty()) return;
  std::nth_element(scales.begin(), scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2), scales.end());
  info.meters_per_unit = scales[scales.size() / 2];
  const double axes[3] = {up.x, up.y, up.z};
  int main_axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(axes[k]) > std::fabs(axes[main_axis])) main_axis = k;
  info.up_axis = axes[main_axis] >= 0 ? "xyz"[main_axis] : "XYZ"[main_axis];
}

// What takes the poses of clips to bind space. They have its size already (ClipSampler divides by `scale`), so that
// it only turns and moves, also where the rest of a joint has another scale than its bind matrix. It is the same for
// all joints.
Affine bindFromScene(const GltfDocument& doc, const GltfCharacter& c, double scale) {
  const std::vector<Affine> world = worldTransforms(doc.model.nodes);
  for (std::size_t j : tellingJoints(c.character.skeleton)) {
    const Affine& w = world[c.node_of_joint[j]];
    if (w.determinant() == 0) continue;
    Affine map = c.character.skeleton.joints[j].rest * w.inverse();
    for (auto& row : map.m)
      for (int k = 0; k < 3; ++k) row[k] *= scale;
    const double size = std::cbrt(std::fabs(map.determinant()));
    for (auto& row : map.m)
      for (double& x : row) x /= size;
    if (map.isFinite()) return map;
  }
  return {};
}

} // namespace

FileInfo describeFile(const GltfDocument& doc) {
  FileInfo info;
  info.path = doc.path;
  info.format = formatOf(doc);
  info.generator = text::JsonPlace(doc.json, "").at("asset").text("generator");
  const text::JsonPlace used = text::JsonPlace(doc.json, "").at("extensionsUsed");
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used.at(i).value().is_string()) info.extensions_used.push_back(used.at(i).value().get<std::string>());
  info.node_count = static_cast<int>(doc.model.nodes.size());
  info.mesh_count = static_cast<int>(doc.model.meshes.size());
  info.skin_count = static_cast<int>(doc.model.skins.size());
  info.material_count = static_cast<int>(listSize(doc.json, "materials"));
  info.image_count = static_cast<int>(listSize(doc.json, "images"));
  return info;
}

namespace {

void describe(const GltfDocument& doc, GltfCharacter& c) {
  FileInfo& info = c.info;
  std::string source = std::move(info.skeleton_source);
  info = describeFile(doc);
  info.skeleton_source = std::move(source);
  for (const MeshInstance& i : c.instances) {
    const auto& primitives = doc.model.meshes[i.mesh].primitives;
    info.skinned_primitive_count += static_cast<int>(primitives.size());
    for (const GltfPrimitive& p : primitives)
      info.morph_target_count = std::max(info.morph_target_count, p.target_count);
  }
  countUnskinned(doc, c, info);
  measureSpace(doc, c, info);
  info.bind_from_scene = bindFromScene(doc, c, info.meters_per_unit);
}

} // namespace

std::string primitivePointer(int mesh, int primitive) {
  return "/meshes/" + std::to_string(mesh) + "/primitives/" + std::to_string(primitive);
}

Result<GltfCharacter> buildCharacter(const GltfDocument& doc, const ReadOptions& options) {
  GltfCharacter c;
  const bool any_mesh =
      std::any_of(doc.model.nodes.begin(), doc.model.nodes.end(), [](const GltfNode& n) { return n.mesh >= 0; });
  if (!any_mesh) return Error{ErrorCode::NoMesh, "there is no mesh to skin", doc.path};
  SKINCELLS_CHECK(checkBudget(doc, {}));
  SKINCELLS_CHECK(readSkeleton(doc, options, c));
  if (c.character.skeleton.joints.size() > kMaxJoints)
    return Error{ErrorCode::TooLarge,
                 "has " + std::to_string(c.character.skeleton.joints.size()) + " joints; a glTF skin has at most 65535",
                 doc.path};
  SKINCELLS_CHECK(checkBudget(doc, c.instances));
  readHumanBones(doc, c);
  SKINCELLS_CHECK(readGeometry(doc, c));
  SKINCELLS_CHECK(fitSkeleton(doc, options, c));
  SKINCELLS_CHECK(readWeights(doc, c));
  describe(doc, c);
  return c;
}

} // namespace skincells::io

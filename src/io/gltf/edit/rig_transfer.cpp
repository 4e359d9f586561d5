#include "io/gltf/edit/rig_transfer.h"

#include <algorithm>

#include "base/try.h"
#include "io/gltf/read/skeleton.h"
#include "io/gltf/read/skeleton_search.h"

namespace skincells::io {
namespace {

bool usesSkin(const GltfModel& model) {
  return std::any_of(model.nodes.begin(), model.nodes.end(),
                     [](const GltfNode& n) { return n.mesh >= 0 && n.skin >= 0; });
}

// The rig's joints with their bind transforms in its world space.
Result<std::vector<ForeignJoint>> rigJoints(const GltfDocument& rig, const ReadOptions& options) {
  std::vector<ForeignJoint> joints;
  const std::vector<Affine> world = worldTransforms(rig.model.nodes);
  if (!usesSkin(rig.model)) {
    SKINCELLS_TRY(found, findSkeleton(rig, options.skeleton));
    for (int node : found.joints) joints.push_back({node, world[node]});
    return joints;
  }
  GltfCharacter c;
  SKINCELLS_CHECK(readSkeleton(rig, {}, c));
  // `rest` is the world pose in bind space, so any joint gives the map between the two spaces.
  const Affine world_from_bind = world[c.node_of_joint[0]] * c.character.skeleton.joints[0].rest.inverse();
  for (std::size_t j = 0; j < c.node_of_joint.size(); ++j)
    joints.push_back({c.node_of_joint[j], world_from_bind * c.character.skeleton.joints[j].bind});
  return joints;
}

// Only the name and transform of the node.
Json bareNode(const Json& node) {
  Json out = Json::object();
  for (const char* key : {"name", "translation", "rotation", "scale", "matrix"})
    if (node.contains(key)) out[key] = node[key];
  return out;
}

} // namespace

Result<void> transferRig(const GltfDocument& rig, const ReadOptions& options, GltfDocument& target) {
  if (usesSkin(target.model))
    return Error{ErrorCode::InvalidOption, "the file already has a skin; remove --rig", target.path};
  SKINCELLS_TRY(joints, rigJoints(rig, options));
  // Joints and everything above them, parents first.
  std::vector<bool> wanted(rig.model.nodes.size(), false);
  for (const ForeignJoint& j : joints)
    for (int n = j.node; n >= 0 && !wanted[n]; n = rig.model.nodes[n].parent) wanted[n] = true;
  std::vector<int> copy_of(rig.model.nodes.size(), -1), roots;
  if (!target.json.contains("nodes")) target.json["nodes"] = Json::array();
  Json& nodes = target.json["nodes"];
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    if (!wanted[n]) continue;
    copy_of[n] = static_cast<int>(nodes.size());
    nodes.push_back(bareNode(rig.json["nodes"][n]));
  }
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    if (!wanted[n]) continue;
    const int parent = rig.model.nodes[n].parent;
    if (parent < 0)
      roots.push_back(copy_of[n]);
    else
      nodes[copy_of[parent]]["children"].push_back(
          static_cast<std::size_t>(copy_of[n])); // unsigned, like parsed numbers
  }
  addToScene(target.json, roots);
  target.foreign_joints.clear();
  for (const ForeignJoint& j : joints) target.foreign_joints.push_back({copy_of[j.node], j.bind});
  target.foreign_source = rig.path;
  SKINCELLS_TRY(model, parseModel(target.json, std::move(target.model.buffers), target.path));
  target.model = std::move(model);
  return {};
}

} // namespace skincells::io

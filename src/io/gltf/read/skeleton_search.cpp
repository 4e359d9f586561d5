#include "io/gltf/read/skeleton_search.h"

#include <algorithm>

#include "base/try.h"

namespace skincells::io {
namespace {

bool hasContent(const GltfNode& n) {
  return n.mesh >= 0 || n.has_camera || n.has_light;
}

// Nodes of a subtree, parents first, without those that have a mesh, camera or light.
std::vector<int> plainNodes(const GltfModel& model, int root) {
  std::vector<int> out, stack{root};
  while (!stack.empty()) {
    const int n = stack.back();
    stack.pop_back();
    if (!hasContent(model.nodes[n])) out.push_back(n);
    const auto& children = model.nodes[n].children;
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return out;
}

// Roots of the largest subtrees in which no node has a mesh, camera or light.
std::vector<int> plainSubtrees(const GltfModel& model) {
  std::vector<bool> full(model.nodes.size(), false); // a node of the subtree has content
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (hasContent(model.nodes[i]))
      for (int n = static_cast<int>(i); n >= 0 && !full[n]; n = model.nodes[n].parent) full[n] = true;
  std::vector<int> roots;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const int parent = model.nodes[i].parent;
    if (!full[i] && (parent < 0 || full[parent])) roots.push_back(static_cast<int>(i));
  }
  return roots;
}

std::string nameOf(const GltfModel& model, int node) {
  const std::string& name = model.nodes[node].name;
  return name.empty() ? "node_" + std::to_string(node) : name;
}

Result<FoundSkeleton> foreignSkeleton(const GltfDocument& doc) {
  FoundSkeleton found;
  for (const ForeignJoint& j : doc.foreign_joints) found.joints.push_back(j.node);
  found.source = doc.foreign_source;
  return found;
}

Result<FoundSkeleton> namedSkeleton(const GltfDocument& doc, const std::string& name) {
  FoundSkeleton found;
  std::vector<int> matches;
  for (std::size_t i = 0; i < doc.model.nodes.size(); ++i)
    if (doc.model.nodes[i].name == name) matches.push_back(static_cast<int>(i));
  if (matches.empty())
    return Error{ErrorCode::NoSkeleton, "has no node named '" + name + "'; 'skincells inspect' lists the node trees",
                 doc.path};
  if (matches.size() > 1)
    return Error{ErrorCode::AmbiguousSkeleton,
                 std::to_string(matches.size()) + " nodes are named '" + name + "'; rename one of them", doc.path};
  found.joints = plainNodes(doc.model, matches[0]);
  found.source = "node tree '" + name + "'";
  return found;
}

Result<FoundSkeleton> obviousSkeleton(const GltfDocument& doc) {
  FoundSkeleton found;
  if (doc.model.skins.size() == 1) {
    found.joints = doc.model.skins[0].joints;
    found.source = "a skin that no mesh uses yet";
    return found;
  }
  const std::vector<int> roots = plainSubtrees(doc.model);
  std::vector<std::pair<std::size_t, int>> sizes;
  for (int r : roots) sizes.emplace_back(plainNodes(doc.model, r).size(), r);
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (sizes.empty())
    return Error{ErrorCode::NoSkeleton,
                 "has no skeleton: no skin, and no node tree without meshes; give one with --rig FILE", doc.path};
  // Many files also have empties and IK targets: a tree at least four times as large as any other is the skeleton.
  if (sizes.size() > 1 && sizes[0].first < 4 * sizes[1].first) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 6); ++i)
      names += (i == 0 ? "" : ", ") + ("'" + nameOf(doc.model, sizes[i].second) + "'") + " (" +
               std::to_string(sizes[i].first) + (sizes[i].first == 1 ? " node)" : " nodes)");
    return Error{ErrorCode::AmbiguousSkeleton,
                 "several node trees could be the skeleton: " + names + "; name one with --skeleton", doc.path};
  }
  found.joints = plainNodes(doc.model, sizes[0].second);
  found.source = "node tree '" + nameOf(doc.model, sizes[0].second) + "'";
  if (sizes.size() > 1)
    found.warnings.push_back({"skeleton.guessed",
                              "took the " + found.source + " as the skeleton; name another one with --skeleton",
                              doc.path});
  return found;
}

} // namespace

Result<FoundSkeleton> findSkeleton(const GltfDocument& doc, const std::string& name) {
  SKINCELLS_TRY(found, !doc.foreign_joints.empty() ? foreignSkeleton(doc)
                       : name.empty()              ? obviousSkeleton(doc)
                                                   : namedSkeleton(doc, name));
  if (found.joints.empty()) return Error{ErrorCode::NoSkeleton, found.source + " has no joints", doc.path};
  // Meshes below a joint already follow it (weapons, eyes); they are skinned only if there are no others.
  std::vector<bool> is_joint(doc.model.nodes.size(), false);
  for (int j : found.joints) is_joint[j] = true;
  std::vector<int> hanging;
  for (std::size_t i = 0; i < doc.model.nodes.size(); ++i) {
    if (doc.model.nodes[i].mesh < 0) continue;
    bool below_joint = false;
    for (int n = static_cast<int>(i); n >= 0; n = doc.model.nodes[n].parent) below_joint = below_joint || is_joint[n];
    (below_joint ? hanging : found.mesh_nodes).push_back(static_cast<int>(i));
  }
  if (found.mesh_nodes.empty()) found.mesh_nodes = std::move(hanging);
  return std::move(found);
}

} // namespace skincells::io

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

std::size_t verticesOf(const GltfModel& model, const GltfNode& n) {
  std::size_t count = 0;
  if (n.mesh >= 0)
    for (const GltfPrimitive& p : model.meshes[n.mesh].primitives)
      if (p.attribute("POSITION") >= 0) count += model.accessors[p.attribute("POSITION")].count;
  return count;
}

// A node tree that may be the skeleton.
struct Tree {
  int root = -1;
  std::size_t nodes = 0; // without mesh, camera and light
};

// The largest subtrees in which no node is marked, those with most nodes first.
std::vector<Tree> treesWithout(const GltfModel& model, const std::vector<bool>& marked) {
  std::vector<bool> full(model.nodes.size(), false); // a node of the subtree is marked
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (marked[i])
      for (int n = static_cast<int>(i); n >= 0 && !full[n]; n = model.nodes[n].parent) full[n] = true;
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const int parent = model.nodes[i].parent;
    if (full[i] || (parent >= 0 && !full[parent])) continue;
    const auto root = static_cast<int>(i);
    if (const std::size_t count = plainNodes(model, root).size(); count > 0) trees.push_back({root, count});
  }
  std::ranges::stable_sort(trees, std::ranges::greater{}, &Tree::nodes);
  return trees;
}

// Many files also have empties and IK targets: a tree at least four times as large as any other is the skeleton.
bool isClear(const std::vector<Tree>& trees) {
  return !trees.empty() && (trees.size() == 1 || trees[0].nodes >= 4 * trees[1].nodes);
}

// By node: the vertices of the meshes in its subtree.
std::vector<std::size_t> verticesBelow(const GltfModel& model) {
  std::vector<std::size_t> out(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (const std::size_t own = verticesOf(model, model.nodes[i]); own > 0)
      for (int n = static_cast<int>(i); n >= 0; n = model.nodes[n].parent) out[n] += own;
  return out;
}

// A group holds a mesh and a tree beside it; the skeleton is the tree.
int withoutGroups(const GltfModel& model, int root) {
  while (true) {
    const auto& children = model.nodes[root].children;
    const bool holds_mesh = std::ranges::any_of(children, [&](int c) { return model.nodes[c].mesh >= 0; });
    const auto trees = std::ranges::count_if(children, [&](int c) { return !plainNodes(model, c).empty(); });
    if (!holds_mesh || trees != 1) return root;
    root = *std::ranges::find_if(children, [&](int c) { return !plainNodes(model, c).empty(); });
  }
}

// The trees without meshes. Props that hang on joints cut a skeleton into pieces: if the trees that hold less than half
// of the vertices are clearly larger, it is these.
std::vector<Tree> skeletonTrees(const GltfModel& model) {
  constexpr std::size_t kClearlyLarger = 2;
  const std::vector<std::size_t> below = verticesBelow(model);
  std::size_t all = 0;
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (model.nodes[i].parent < 0) all += below[i];
  std::vector<bool> content(model.nodes.size()), body(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    content[i] = hasContent(model.nodes[i]);
    body[i] = below[i] > 0 && 2 * below[i] >= all;
  }
  std::vector<Tree> plain = treesWithout(model, content), with_props = treesWithout(model, body);
  if (with_props.empty()) return plain;
  const bool pieces = plain.empty() || with_props[0].nodes >= kClearlyLarger * plain[0].nodes;
  if (!pieces && (isClear(plain) || !isClear(with_props))) return plain;
  for (Tree& t : with_props) {
    t.root = withoutGroups(model, t.root);
    t.nodes = plainNodes(model, t.root).size();
  }
  return with_props;
}

// The node right above all of the trees; -1: there is none.
int parentOfAll(const GltfModel& model, const std::vector<Tree>& trees) {
  const int parent = trees.empty() ? -1 : model.nodes[trees[0].root].parent;
  const auto below = [&](const Tree& t) { return model.nodes[t.root].parent == parent; };
  return trees.size() > 1 && std::ranges::all_of(trees, below) ? parent : -1;
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
  const std::vector<Tree> trees = skeletonTrees(doc.model);
  if (trees.empty())
    return Error{ErrorCode::NoSkeleton,
                 "has no skeleton: no skin, and no node tree without meshes; give one with --rig FILE", doc.path};
  if (!isClear(trees)) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(trees.size(), 6); ++i)
      names += (i == 0 ? "" : ", ") + ("'" + nameOf(doc.model, trees[i].root) + "'") + " (" +
               std::to_string(trees[i].nodes) + (trees[i].nodes == 1 ? " node)" : " nodes)");
    const int parent = parentOfAll(doc.model, trees);
    return Error{ErrorCode::AmbiguousSkeleton,
                 "several node trees could be the skeleton: " + names + "; name one with --skeleton" +
                     (parent < 0 ? "" : ", or all of them with --skeleton '" + nameOf(doc.model, parent) + "'"),
                 doc.path};
  }
  found.joints = plainNodes(doc.model, trees[0].root);
  found.source = "node tree '" + nameOf(doc.model, trees[0].root) + "'";
  if (trees.size() > 1)
    found.warnings.push_back({"skeleton.guessed",
                              "took the " + found.source + " as the skeleton; name another one with --skeleton",
                              doc.path});
  return found;
}

} // namespace

FileOutline outlineOf(const GltfDocument& doc) {
  FileOutline out;
  struct Entry {
    int node, depth;
  };
  std::vector<Entry> stack;
  bool skinned = false;
  for (int n = static_cast<int>(doc.model.nodes.size()) - 1; n >= 0; --n) {
    skinned = skinned || (doc.model.nodes[n].mesh >= 0 && doc.model.nodes[n].skin >= 0);
    if (doc.model.nodes[n].parent < 0) stack.push_back({n, 0});
  }
  while (!stack.empty()) {
    const Entry e = stack.back();
    stack.pop_back();
    const GltfNode& node = doc.model.nodes[e.node];
    out.nodes.push_back({nameOf(doc.model, e.node), e.depth, verticesOf(doc.model, node)});
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
      stack.push_back({*child, e.depth + 1});
  }
  if (skinned) return out;
  const std::vector<Tree> trees = skeletonTrees(doc.model);
  if (const int parent = parentOfAll(doc.model, trees); parent >= 0 && !isClear(trees))
    out.trees.push_back({nameOf(doc.model, parent), static_cast<int>(plainNodes(doc.model, parent).size())});
  for (const Tree& t : trees) out.trees.push_back({nameOf(doc.model, t.root), static_cast<int>(t.nodes)});
  return out;
}

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

#include "io/gltf/read/skeleton.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/assert.h"
#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/constants.h"
#include "io/gltf/read/skeleton_search.h"

namespace skincells::io {

std::vector<std::size_t> tellingJoints(const Skeleton& skeleton) {
  const auto& joints = skeleton.joints;
  std::vector<std::size_t> usable;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].bind_usable) usable.push_back(j);
  const auto numbers = [&](std::size_t j) { return std::span(&joints[j].bind.m[0][0], 12); };
  std::vector<std::size_t> sorted = usable, telling;
  std::ranges::sort(sorted, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(numbers(a), numbers(b));
  });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool as_before = i > 0 && joints[sorted[i]].bind == joints[sorted[i - 1]].bind;
    const bool as_after = i + 1 < sorted.size() && joints[sorted[i]].bind == joints[sorted[i + 1]].bind;
    if (!as_before && !as_after) telling.push_back(sorted[i]);
  }
  std::ranges::sort(telling);
  return telling.empty() ? usable : telling;
}

namespace {

bool isUsable(const Affine& m) {
  if (!m.isFinite()) return false;
  const double size = length(m.column(0)) * length(m.column(1)) * length(m.column(2));
  return size > 0 && std::fabs(m.determinant()) > 1e-9 * size;
}

// But for rounding, as seen on things of that size.
bool isIdentity(const Affine& m, double size) {
  static const Affine kIdentity;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      if (std::fabs(m.m[r][c] - kIdentity.m[r][c]) > 1e-6 * (c < 3 ? 1 : size)) return false;
  return true;
}

// The inverse bind matrices of a skin.
struct InverseBinds {
  std::vector<std::optional<Affine>> matrices; // by slot; empty: cannot be used
  bool complete = true;                        // the file holds a usable matrix for every joint
};

// Where the meshes of a skin are in the world. A viewer takes that from the inverse bind matrices and ignores the node;
// without them, the node is all there is. If the nodes disagree, the first one counts.
Affine placeOfMeshes(const GltfDocument& doc, int skin, const std::vector<Affine>& world, GltfCharacter& out) {
  std::optional<Affine> place;
  for (std::size_t n = 0; n < doc.model.nodes.size(); ++n) {
    const GltfNode& node = doc.model.nodes[n];
    if (node.mesh < 0 || node.skin != skin || !isUsable(world[n])) continue;
    if (!place) {
      place = world[n];
    } else if (!isIdentity(place->inverse() * world[n], 1)) {
      out.warnings.push_back({"skin.places_differ",
                              "the meshes of a skin without inverse bind matrices are at different places; that of the "
                              "first one is used for all",
                              doc.path + "#/nodes/" + std::to_string(n)});
      break;
    }
  }
  return place.value_or(Affine{});
}

// Matrices of 16 numbers each, by columns. glTF wants the fourth row to be 0 0 0 1.
void warnAboutFourthRows(std::span<const float> numbers, const std::string& where, GltfCharacter& out) {
  constexpr float kTolerance = 1e-4F;
  std::size_t odd = 0;
  for (std::size_t m = 0; m + 16 <= numbers.size(); m += 16) {
    const bool fits = std::fabs(numbers[m + 3]) <= kTolerance && std::fabs(numbers[m + 7]) <= kTolerance &&
                      std::fabs(numbers[m + 11]) <= kTolerance && std::fabs(numbers[m + 15] - 1) <= kTolerance;
    odd += std::isfinite(numbers[m + 15]) && !fits;
  }
  if (odd > 0)
    out.warnings.push_back(
        {"skin.bind_row",
         std::to_string(odd) + " inverse bind matrices have a fourth row other than 0 0 0 1, which is ignored; viewers "
                               "may show the character elsewhere. Export the skeleton again",
         where});
}

Result<InverseBinds> readInverseBinds(const GltfDocument& doc, int skin, const std::vector<Affine>& world,
                                      GltfCharacter& out) {
  const GltfSkin& s = doc.model.skins[skin];
  const std::string where = doc.path + "#/skins/" + std::to_string(skin);
  InverseBinds binds;
  auto& matrices = binds.matrices;
  matrices.resize(s.joints.size());
  const auto missing = [&](const std::string& why) {
    out.warnings.push_back(
        {"skin.bind_missing", why + "; the rest pose of the node tree is used as the bind pose", where});
    out.defects.push_back({"skin.bind_missing", Severity::Warning, where, why, "export with inverse bind matrices", 1});
    const Affine place = placeOfMeshes(doc, skin, world, out);
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      const Affine& w = world[s.joints[k]];
      if (isUsable(w)) {
        matrices[k] = w.inverse() * place;
        continue;
      }
      out.warnings.push_back({"skin.bind_singular",
                              "joint '" + doc.model.nodes[s.joints[k]].name +
                                  "' is scaled to nothing in the node tree; only its position is used",
                              where + "/joints/" + std::to_string(k)});
    }
    binds.complete = false;
  };
  if (s.inverse_bind_matrices < 0) {
    missing("the skin has no inverse bind matrices");
    return binds;
  }
  AccessorReader reader(doc.model, doc.path);
  SKINCELLS_TRY(numbers, reader.floats(s.inverse_bind_matrices, 16));
  warnAboutFourthRows(numbers, where, out);
  double size = 0; // of the skeleton
  for (int j : s.joints) size = std::max(size, length(world[j].translation() - world[s.joints[0]].translation()));
  bool all_identity = true;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const Affine m = fromColumnMajor(numbers.data() + 16 * k);
    all_identity = all_identity && isIdentity(m, size);
    if (isUsable(m)) {
      matrices[k] = m;
      continue;
    }
    binds.complete = false;
    const std::string name = doc.model.nodes[s.joints[k]].name;
    out.warnings.push_back(
        {"skin.bind_singular",
         "the inverse bind matrix of joint '" + name + "' cannot be inverted; its position is taken from the node tree",
         where + "/joints/" + std::to_string(k)});
    out.defects.push_back({"skin.bind_singular", Severity::Error, where + "/joints/" + std::to_string(k),
                           "the inverse bind matrix of joint '" + name + "' cannot be inverted",
                           "export the skeleton again", 1});
  }
  if (all_identity && size > 0) missing("all inverse bind matrices are the identity");
  return binds;
}

// The skins while they are brought into one space.
struct SkinSpaces {
  std::vector<int> skins; // indices of the skins in use
  std::vector<InverseBinds> inverse_binds;
  std::map<int, int> joint_of_node;
};

std::string jointName(const GltfDocument& doc, int node) {
  const std::string& name = doc.model.nodes[node].name;
  return name.empty() ? "node_" + std::to_string(node) : name;
}

int addJoint(const GltfDocument& doc, int node, SkinSpaces& spaces, GltfCharacter& out) {
  const auto [entry, fresh] = spaces.joint_of_node.try_emplace(node, out.character.skeleton.jointCount());
  if (fresh) {
    Joint joint;
    joint.name = jointName(doc, node);
    joint.bind_usable = false; // until a matrix is found
    out.character.skeleton.joints.push_back(std::move(joint));
    out.node_of_joint.push_back(node);
  }
  return entry->second;
}

// Tries to place a skin through a joint that it shares with a skin already placed.
bool placeThroughSharedJoint(std::size_t s, const SkinSpaces& spaces, GltfCharacter& out) {
  SkinBinding& binding = out.bindings[s];
  for (std::size_t k = 0; k < binding.joint_of_slot.size(); ++k) {
    const Joint& joint = out.character.skeleton.joints[binding.joint_of_slot[k]];
    if (!joint.bind_usable || !spaces.inverse_binds[s].matrices[k]) continue;
    binding.bind_from_mesh = joint.bind * *spaces.inverse_binds[s].matrices[k];
    return true;
  }
  return false;
}

// A skin that shares no joint with the others is placed relative to them by the node tree.
void placeThroughNodeTree(std::size_t s, const SkinSpaces& spaces, const std::vector<Affine>& world,
                          GltfCharacter& out) {
  const auto& joints = out.character.skeleton.joints;
  const auto placed = std::find_if(joints.begin(), joints.end(), [](const Joint& j) { return j.bind_usable; });
  if (placed == joints.end()) return; // the first skin: its mesh space is bind space
  const int node = out.node_of_joint[static_cast<int>(placed - joints.begin())];
  if (!isUsable(world[node])) return;
  const Affine bind_from_world = placed->bind * world[node].inverse();
  for (std::size_t k = 0; k < spaces.inverse_binds[s].matrices.size(); ++k)
    if (const auto& m = spaces.inverse_binds[s].matrices[k]) {
      const int own = out.node_of_joint[out.bindings[s].joint_of_slot[k]];
      out.bindings[s].bind_from_mesh = bind_from_world * world[own] * *m;
      return;
    }
}

// Returns the joints that are placed now.
std::vector<int> adoptBinds(std::size_t s, const SkinSpaces& spaces, GltfCharacter& out) {
  const SkinBinding& binding = out.bindings[s];
  std::vector<int> placed;
  for (std::size_t k = 0; k < binding.joint_of_slot.size(); ++k) {
    Joint& joint = out.character.skeleton.joints[binding.joint_of_slot[k]];
    if (joint.bind_usable || !spaces.inverse_binds[s].matrices[k]) continue;
    joint.bind = binding.bind_from_mesh * spaces.inverse_binds[s].matrices[k]->inverse();
    joint.bind_usable = true;
    placed.push_back(binding.joint_of_slot[k]);
  }
  return placed;
}

// Places every skin, those that share a joint with a placed one first.
void placeSkins(const SkinSpaces& spaces, const std::vector<Affine>& world, GltfCharacter& out) {
  const std::size_t count = spaces.skins.size();
  std::vector<std::vector<std::size_t>> skins_of_joint(out.character.skeleton.joints.size()); // with a matrix for it
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t k = 0; k < out.bindings[s].joint_of_slot.size(); ++k)
      if (spaces.inverse_binds[s].matrices[k]) skins_of_joint[out.bindings[s].joint_of_slot[k]].push_back(s);
  std::set<std::size_t> waiting, ready; // ready: shares a joint with a placed skin
  for (std::size_t s = 0; s < count; ++s) waiting.insert(s);
  while (!waiting.empty()) {
    const std::size_t next = ready.empty() ? *waiting.begin() : *ready.begin();
    if (ready.empty())
      placeThroughNodeTree(next, spaces, world, out);
    else
      placeThroughSharedJoint(next, spaces, out);
    waiting.erase(next);
    ready.erase(next);
    for (const int joint : adoptBinds(next, spaces, out))
      for (const std::size_t s : skins_of_joint[joint])
        if (waiting.contains(s)) ready.insert(s);
  }
}

// The parent of a joint is the nearest node above it that is a joint.
void linkJointParents(const GltfDocument& doc, const std::map<int, int>& joint_of_node, GltfCharacter& out) {
  constexpr int kUnknown = -2;
  std::vector<int> joint_at(doc.model.nodes.size(), kUnknown); // of the node, or of the nearest one above it
  for (const auto& [node, joint] : joint_of_node) joint_at[node] = joint;
  std::vector<int> passed;
  for (std::size_t j = 0; j < out.node_of_joint.size(); ++j) {
    passed.clear();
    int n = doc.model.nodes[out.node_of_joint[j]].parent;
    for (; n >= 0 && joint_at[n] == kUnknown; n = doc.model.nodes[n].parent) passed.push_back(n);
    const int found = n >= 0 ? joint_at[n] : kNoParent;
    for (const int node : passed) joint_at[node] = found;
    out.character.skeleton.joints[j].parent = found;
  }
}

// The map from world to bind space on which most joints agree: the rest pose of single joints may differ.
Affine bindFromWorld(const GltfCharacter& c, const std::vector<Affine>& world, double tolerance) {
  const auto& joints = c.character.skeleton.joints;
  const std::vector<std::size_t> telling = tellingJoints(c.character.skeleton);
  const std::size_t step = std::max<std::size_t>(1, telling.size() / 64);
  Affine best;
  std::size_t best_votes = 0;
  for (std::size_t i = 0; i < telling.size(); i += step) {
    const Affine& w = world[c.node_of_joint[telling[i]]];
    if (!isUsable(w)) continue;
    const Affine candidate = joints[telling[i]].bind * w.inverse();
    const auto agrees = [&](std::size_t j) {
      return length(candidate.apply(world[c.node_of_joint[j]].translation()) - joints[j].bind.translation()) <=
             tolerance;
    };
    const auto votes = static_cast<std::size_t>(std::ranges::count_if(telling, agrees));
    if (votes <= best_votes) continue;
    best = candidate;
    best_votes = votes;
  }
  return best;
}

double skeletonSize(const Skeleton& skeleton) {
  Box box;
  for (const Joint& j : skeleton.joints)
    if (j.bind_usable) box.add(j.bind.translation());
  return box.diagonal();
}

// Transforms of a node tree can overflow; such a joint is moved to the origin and marked as unusable. They can have no
// extent; such a joint keeps its place alone, so that its bind matrix has an inverse.
void makeUsable(Joint& joint) {
  if (!joint.bind.isFinite()) {
    joint.bind = Affine{};
    joint.bind_usable = false;
  }
  if (!isUsable(joint.bind)) joint.bind = Affine::fromTranslation(joint.bind.translation());
  if (!joint.rest.isFinite()) joint.rest = joint.bind;
}

// Fills `rest`. Joints without a usable matrix are placed by the node tree, relative to their parent.
void completeFromNodeTree(const std::vector<Affine>& world, GltfCharacter& out) {
  Skeleton& skeleton = out.character.skeleton;
  const Affine bind_from_world = bindFromWorld(out, world, 0.01 * skeletonSize(skeleton));
  for (int j : parentFirstOrder(skeleton)) {
    Joint& joint = skeleton.joints[j];
    const Affine& w = world[out.node_of_joint[j]];
    joint.rest = bind_from_world * w;
    if (!joint.bind_usable) {
      joint.bind = joint.rest;
      const Affine* parent_world = joint.parent == kNoParent ? nullptr : &world[out.node_of_joint[joint.parent]];
      if (parent_world != nullptr && isUsable(*parent_world))
        joint.bind = skeleton.joints[joint.parent].bind * parent_world->inverse() * w;
    }
    makeUsable(joint);
  }
}

// Some exporters mark the end of a bone by a node that is no joint ("Head_end"). Meshes, cameras, lights and nodes with
// children are something else; of several markers, none is known to be the end.
void readTips(const GltfDocument& doc, GltfCharacter& out) {
  auto& joints = out.character.skeleton.joints;
  std::vector<bool> has_child(joints.size());
  for (const Joint& j : joints)
    if (j.parent != kNoParent) has_child[j.parent] = true;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (has_child[j]) continue;
    int markers = 0;
    for (int c : doc.model.nodes[out.node_of_joint[j]].children) {
      const GltfNode& node = doc.model.nodes[c];
      if (node.mesh >= 0 || node.has_camera || node.has_light || !node.children.empty()) continue;
      ++markers;
      const Vec3d at = node.local().translation();
      if (isFinite(at) && dot(at, at) > 0) joints[j].tip = at;
    }
    if (markers != 1) joints[j].tip.reset();
  }
}

// Numbers the skeletons: joints of one tree, and trees with joints in one skin, are one skeleton.
void numberSkeletons(GltfCharacter& out) {
  auto& joints = out.character.skeleton.joints;
  std::vector<int> leader(joints.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto leaderOf = [&](int j) {
    while (leader[j] != j) j = leader[j] = leader[leader[j]];
    return j;
  };
  const auto join = [&](int a, int b) {
    const auto [low, high] = std::minmax({leaderOf(a), leaderOf(b)});
    leader[high] = low;
  };
  for (int j = 0; j < out.character.skeleton.jointCount(); ++j)
    if (joints[j].parent != kNoParent) join(j, joints[j].parent);
  for (const SkinBinding& b : out.bindings)
    for (int j : b.joint_of_slot) join(j, b.joint_of_slot.front());
  int count = 0;
  for (int j = 0; j < out.character.skeleton.jointCount(); ++j)
    joints[j].skeleton = leaderOf(j) == j ? count++ : joints[leaderOf(j)].skeleton;
}

Result<void> readSkins(const GltfDocument& doc, const ReadOptions& options, const std::vector<Affine>& world,
                       GltfCharacter& out) {
  SkinSpaces spaces;
  std::set<int> used;
  for (const GltfNode& node : doc.model.nodes)
    if (node.mesh >= 0 && node.skin >= 0) used.insert(node.skin);
  spaces.skins.assign(used.begin(), used.end());
  for (int skin : spaces.skins) {
    SKINCELLS_TRY(binds, readInverseBinds(doc, skin, world, out));
    SkinBinding binding;
    binding.skin = skin;
    const GltfSkin& s = doc.model.skins[skin];
    for (int node : s.joints) binding.joint_of_slot.push_back(addJoint(doc, node, spaces, out));
    binding.matrices_unusable = !binds.complete;
    out.bindings.push_back(std::move(binding));
    spaces.inverse_binds.push_back(std::move(binds));
  }
  for (std::size_t n = 0; n < doc.model.nodes.size(); ++n)
    if (std::find(options.more_joints.begin(), options.more_joints.end(), jointName(doc, static_cast<int>(n))) !=
        options.more_joints.end())
      addJoint(doc, static_cast<int>(n), spaces, out);
  placeSkins(spaces, world, out);
  linkJointParents(doc, spaces.joint_of_node, out);
  numberSkeletons(out);
  readTips(doc, out);
  completeFromNodeTree(world, out);
  out.info.skeleton_source =
      spaces.skins.size() == 1 ? "the file's skin" : std::to_string(spaces.skins.size()) + " skins of the file";
  return {};
}

// Groups the nodes that show a mesh with the same joints.
class InstanceGroups {
public:
  explicit InstanceGroups(GltfCharacter& out) : out_(out) {}

  void add(int node, int mesh, int binding) {
    const auto [entry, fresh] = instance_of_.try_emplace({mesh, groupOf(binding)}, out_.instances.size());
    if (fresh)
      out_.instances.push_back({mesh, binding, {node}, !meshes_.insert(mesh).second});
    else
      out_.instances[entry->second].nodes.push_back(node);
  }

private:
  // Bindings with the same joints are one group, unless they have no skin: those differ in their position.
  int groupOf(int binding) {
    if (out_.bindings[binding].skin < 0) return binding;
    const auto known = group_of_binding_.find(binding);
    if (known != group_of_binding_.end()) return known->second;
    const int group = group_of_joints_.try_emplace(out_.bindings[binding].joint_of_slot, binding).first->second;
    return group_of_binding_[binding] = group;
  }

  GltfCharacter& out_;
  std::map<std::pair<int, int>, std::size_t> instance_of_; // by mesh and group
  std::set<int> meshes_;
  std::map<int, int> group_of_binding_;
  std::map<std::vector<int>, int> group_of_joints_;
};

void readSkinnedInstances(const GltfDocument& doc, GltfCharacter& out) {
  std::map<int, int> binding_of_skin;
  for (std::size_t b = 0; b < out.bindings.size(); ++b) binding_of_skin[out.bindings[b].skin] = static_cast<int>(b);
  InstanceGroups groups(out);
  for (std::size_t n = 0; n < doc.model.nodes.size(); ++n) {
    const GltfNode& node = doc.model.nodes[n];
    if (node.mesh < 0 || node.skin < 0) continue;
    SKINCELLS_ASSERT(binding_of_skin.contains(node.skin));
    groups.add(static_cast<int>(n), node.mesh, binding_of_skin.at(node.skin));
  }
}

// For a file without skinned meshes: the joints are nodes of the tree, and bind space is world space.
Result<void> readNodeTree(const GltfDocument& doc, const ReadOptions& options, const std::vector<Affine>& world,
                          GltfCharacter& out) {
  SKINCELLS_TRY(found, findSkeleton(doc, options.skeleton));
  out.info.skeleton_source = found.source;
  out.warnings.insert(out.warnings.end(), found.warnings.begin(), found.warnings.end());
  SkinSpaces spaces;
  std::vector<int> all_joints;
  for (std::size_t k = 0; k < found.joints.size(); ++k) {
    const int node = found.joints[k], j = addJoint(doc, node, spaces, out);
    Joint& joint = out.character.skeleton.joints[j];
    joint.rest = world[node];
    joint.bind = doc.foreign_joints.empty() ? joint.rest : doc.foreign_joints[k].bind;
    joint.bind_usable = isUsable(joint.bind);
    if (!joint.bind_usable) joint.bind = Affine::fromTranslation(joint.bind.translation());
    makeUsable(joint);
    all_joints.push_back(j);
  }
  linkJointParents(doc, spaces.joint_of_node, out);
  InstanceGroups groups(out);
  for (int node : found.mesh_nodes) {
    const Affine& place = world[node];
    if (!isUsable(place)) {
      out.warnings.push_back(
          {"node.flat", "is scaled to zero; its mesh is ignored", doc.path + "#/nodes/" + std::to_string(node)});
      continue;
    }
    auto binding = std::find_if(out.bindings.begin(), out.bindings.end(),
                                [&](const SkinBinding& b) { return b.bind_from_mesh == place; });
    if (binding == out.bindings.end()) {
      out.bindings.push_back({-1, all_joints, place, true});
      binding = out.bindings.end() - 1;
    }
    groups.add(node, doc.model.nodes[node].mesh, static_cast<int>(binding - out.bindings.begin()));
  }
  return {};
}

} // namespace

Result<void> readSkeleton(const GltfDocument& doc, const ReadOptions& options, GltfCharacter& out) {
  const std::vector<Affine> world = worldTransforms(doc.model.nodes);
  const bool skinned = std::any_of(doc.model.nodes.begin(), doc.model.nodes.end(),
                                   [](const GltfNode& n) { return n.mesh >= 0 && n.skin >= 0; });
  if (!skinned) return readNodeTree(doc, options, world, out);
  if (!options.skeleton.empty())
    return Error{ErrorCode::InvalidOption, "the file already has a skin; remove --skeleton", doc.path};
  SKINCELLS_CHECK(readSkins(doc, options, world, out));
  readSkinnedInstances(doc, out);
  return {};
}

} // namespace skincells::io

#include "io/gltf/read_skeleton.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/assert.h"
#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/constants.h"
#include "io/gltf/skeleton_search.h"

namespace skincells::io {
namespace {

bool isUsable(const Affine& m) {
  if (!m.isFinite()) return false;
  const double size = length(m.column(0)) * length(m.column(1)) * length(m.column(2));
  return size > 0 && std::fabs(m.determinant()) > 1e-9 * size;
}

bool isIdentity(const Affine& m) {
  static const Affine kIdentity;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      if (std::fabs(m.m[r][c] - kIdentity.m[r][c]) > 1e-6) return false;
  return true;
}

// The inverse bind matrices of a skin.
struct InverseBinds {
  std::vector<std::optional<Affine>> matrices; // by slot; empty: cannot be used
  bool complete = true;                        // the file holds a usable matrix for every joint
};

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
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      const Affine& w = world[s.joints[k]];
      if (isUsable(w)) matrices[k] = w.inverse();
    }
    binds.complete = false;
  };
  if (s.inverse_bind_matrices < 0) {
    missing("the skin has no inverse bind matrices");
    return binds;
  }
  AccessorReader reader(doc.model, doc.path);
  SKINCELLS_TRY(numbers, reader.floats(s.inverse_bind_matrices, 16));
  bool all_identity = true;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const Affine m = fromColumnMajor(numbers.data() + 16 * k);
    all_identity = all_identity && isIdentity(m);
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
  const bool joints_apart = std::any_of(s.joints.begin(), s.joints.end(), [&](int j) {
    return length(world[j].translation() - world[s.joints[0]].translation()) > 0;
  });
  if (all_identity && matrices.size() > 1 && joints_apart) missing("all inverse bind matrices are the identity");
  return binds;
}

// The skins while they are brought into one space.
struct SkinSpaces {
  std::vector<int> skins; // indices of the skins in use
  std::vector<InverseBinds> inverse_binds;
  std::map<int, int> joint_of_node;
};

int addJoint(const GltfDocument& doc, int node, SkinSpaces& spaces, GltfCharacter& out) {
  const auto [entry, fresh] = spaces.joint_of_node.try_emplace(node, out.character.skeleton.jointCount());
  if (fresh) {
    Joint joint;
    joint.name = doc.model.nodes[node].name;
    if (joint.name.empty()) joint.name = "node_" + std::to_string(node);
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

void adoptBinds(std::size_t s, const SkinSpaces& spaces, GltfCharacter& out) {
  const SkinBinding& binding = out.bindings[s];
  for (std::size_t k = 0; k < binding.joint_of_slot.size(); ++k) {
    Joint& joint = out.character.skeleton.joints[binding.joint_of_slot[k]];
    if (joint.bind_usable || !spaces.inverse_binds[s].matrices[k]) continue;
    joint.bind = binding.bind_from_mesh * spaces.inverse_binds[s].matrices[k]->inverse();
    joint.bind_usable = true;
  }
}

// Places every skin, those that share a joint with a placed one first.
void placeSkins(const SkinSpaces& spaces, const std::vector<Affine>& world, GltfCharacter& out) {
  std::vector<bool> done(spaces.skins.size(), false);
  for (std::size_t round = 0; round < done.size(); ++round) {
    std::size_t next = done.size();
    for (std::size_t s = 0; s < done.size() && next == done.size(); ++s)
      if (!done[s] && placeThroughSharedJoint(s, spaces, out)) next = s;
    if (next == done.size()) {
      next = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
      placeThroughNodeTree(next, spaces, world, out);
    }
    adoptBinds(next, spaces, out);
    done[next] = true;
  }
}

void linkJointParents(const GltfDocument& doc, const std::map<int, int>& joint_of_node, GltfCharacter& out) {
  for (std::size_t j = 0; j < out.node_of_joint.size(); ++j)
    for (int n = doc.model.nodes[out.node_of_joint[j]].parent; n >= 0; n = doc.model.nodes[n].parent)
      if (const auto parent = joint_of_node.find(n); parent != joint_of_node.end()) {
        out.character.skeleton.joints[j].parent = parent->second;
        break;
      }
}

// The map from world to bind space on which most joints agree: the rest pose of single joints may differ.
Affine bindFromWorld(const GltfCharacter& c, const std::vector<Affine>& world, double tolerance) {
  const auto& joints = c.character.skeleton.joints;
  const std::size_t step = std::max<std::size_t>(1, joints.size() / 64);
  Affine best;
  std::size_t best_votes = 0;
  for (std::size_t i = 0; i < joints.size(); i += step) {
    const Affine& w = world[c.node_of_joint[i]];
    if (!joints[i].bind_usable || !isUsable(w)) continue;
    const Affine candidate = joints[i].bind * w.inverse();
    std::size_t votes = 0;
    for (std::size_t j = 0; j < joints.size(); ++j)
      votes += joints[j].bind_usable && length(candidate.apply(world[c.node_of_joint[j]].translation()) -
                                               joints[j].bind.translation()) <= tolerance;
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

// Transforms of a node tree can overflow; such a joint is moved to the origin and marked as unusable.
void makeFinite(Joint& joint) {
  if (!joint.bind.isFinite()) {
    joint.bind = Affine{};
    joint.bind_usable = false;
  }
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
    makeFinite(joint);
  }
}

Result<void> readSkins(const GltfDocument& doc, const std::vector<Affine>& world, GltfCharacter& out) {
  SkinSpaces spaces;
  for (std::size_t s = 0; s < doc.model.skins.size(); ++s)
    if (std::any_of(doc.model.nodes.begin(), doc.model.nodes.end(),
                    [&](const GltfNode& n) { return n.mesh >= 0 && n.skin == static_cast<int>(s); }))
      spaces.skins.push_back(static_cast<int>(s));
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
  placeSkins(spaces, world, out);
  linkJointParents(doc, spaces.joint_of_node, out);
  completeFromNodeTree(world, out);
  out.info.skeleton_source =
      spaces.skins.size() == 1 ? "the file's skin" : std::to_string(spaces.skins.size()) + " skins of the file";
  return {};
}

// Groups the nodes that show a mesh with a binding.
void addInstance(int node, int mesh, int binding, GltfCharacter& out) {
  bool mesh_taken = false;
  for (MeshInstance& i : out.instances) {
    if (i.mesh != mesh) continue;
    mesh_taken = true;
    if (i.binding != binding && out.bindings[i.binding].joint_of_slot != out.bindings[binding].joint_of_slot) continue;
    if (i.binding != binding && out.bindings[binding].skin < 0) continue; // same joints, but another position
    i.nodes.push_back(node);
    return;
  }
  out.instances.push_back({mesh, binding, {node}, mesh_taken});
}

void readSkinnedInstances(const GltfDocument& doc, GltfCharacter& out) {
  for (std::size_t n = 0; n < doc.model.nodes.size(); ++n) {
    const GltfNode& node = doc.model.nodes[n];
    if (node.mesh < 0 || node.skin < 0) continue;
    const auto binding = std::find_if(out.bindings.begin(), out.bindings.end(),
                                      [&](const SkinBinding& b) { return b.skin == node.skin; });
    SKINCELLS_ASSERT(binding != out.bindings.end());
    addInstance(static_cast<int>(n), node.mesh, static_cast<int>(binding - out.bindings.begin()), out);
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
    makeFinite(joint);
    all_joints.push_back(j);
  }
  linkJointParents(doc, spaces.joint_of_node, out);
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
    addInstance(node, doc.model.nodes[node].mesh, static_cast<int>(binding - out.bindings.begin()), out);
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
  SKINCELLS_CHECK(readSkins(doc, world, out));
  readSkinnedInstances(doc, out);
  return {};
}

} // namespace skincells::io

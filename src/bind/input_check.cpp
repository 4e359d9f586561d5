#include "bind/input_check.h"

#include <string>
#include <vector>

#include "base/try.h"

namespace skincells::binding {
namespace {

// Squares and cubes of lengths up to this are far from the largest float, and no unit of length needs more.
constexpr float kLargest = 1e12F;

bool isUsable(const Vec3d& p) {
  return std::fabs(p.x) <= double{kLargest} && std::fabs(p.y) <= double{kLargest} &&
         std::fabs(p.z) <= double{kLargest}; // false for NaN too
}

Result<void> checkMesh(const Mesh& mesh, const std::string& name) {
  if (mesh.positions.empty())
    return Error{ErrorCode::NoMesh, "there is no vertex to bind; give a file with a mesh", name};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (!isUsable(toDouble(mesh.positions[v])))
      return Error{ErrorCode::InvalidFile, "its position is not finite or beyond 1e12; repair or remove the vertex",
                   name + ", vertex " + std::to_string(v)};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::uint32_t v : mesh.triangles[t])
      if (v >= mesh.positions.size())
        return Error{ErrorCode::InvalidFile,
                     "it uses vertex " + std::to_string(v) + ", but there are only " +
                         std::to_string(mesh.positions.size()) + "; repair or remove the triangle",
                     name + ", triangle " + std::to_string(t)};
  return {};
}

// Follows every joint up to its root; each joint is walked over once.
Result<void> checkParents(const Skeleton& skeleton) {
  enum class Seen : std::uint8_t { No, OnTheWay, ReachesARoot };
  std::vector<Seen> seen(skeleton.joints.size(), Seen::No);
  std::vector<int> way;
  for (int start = 0; start < skeleton.jointCount(); ++start) {
    way.clear();
    int j = start;
    while (j != kNoParent && seen[static_cast<std::size_t>(j)] == Seen::No) {
      seen[static_cast<std::size_t>(j)] = Seen::OnTheWay;
      way.push_back(j);
      j = skeleton.joints[static_cast<std::size_t>(j)].parent;
    }
    if (j != kNoParent && seen[static_cast<std::size_t>(j)] == Seen::OnTheWay)
      return Error{ErrorCode::InvalidFile, "it is its own ancestor; joints must form trees",
                   "joint '" + skeleton.joints[static_cast<std::size_t>(j)].name + "'"};
    for (int w : way) seen[static_cast<std::size_t>(w)] = Seen::ReachesARoot;
  }
  return {};
}

Result<void> checkSkeleton(const Skeleton& skeleton, const std::string& name) {
  // Far more than any character has; the work grows with the product of joints and vertices.
  constexpr int kMostJoints = 16384;
  if (skeleton.joints.empty())
    return Error{ErrorCode::NoSkeleton, "there is no joint to bind to; give a file with a skeleton, or name one", name};
  if (skeleton.joints.size() > std::size_t{kMostJoints})
    return Error{ErrorCode::TooLarge,
                 "its skeleton has " + std::to_string(skeleton.joints.size()) + " joints; at most " +
                     std::to_string(kMostJoints) + " can be bound. Export fewer, for example only those that deform",
                 name};
  for (const Joint& joint : skeleton.joints) {
    const std::string where = "joint '" + joint.name + "'";
    if (joint.parent < kNoParent || joint.parent >= skeleton.jointCount())
      return Error{ErrorCode::InvalidFile, "its parent is no joint of the skeleton", where};
    for (const Affine& a : {joint.bind, joint.rest})
      if (!a.isFinite() || !isUsable(a.translation()))
        return Error{ErrorCode::InvalidFile,
                     "its bind or rest matrix is not finite or beyond 1e12; repair the skeleton", where};
  }
  return checkParents(skeleton);
}

Result<void> checkWeights(const Character& character) {
  const SparseWeights& w = character.weights;
  if (w.empty()) return {};
  if (w.slots < 1 || w.joints.size() != w.weights.size() || w.vertexCount() != character.mesh.positions.size())
    return Error{ErrorCode::Mismatch, "its weights do not have one row for every vertex; leave them out or repair them",
                 character.name};
  for (std::size_t i = 0; i < w.joints.size(); ++i)
    if (w.weights[i] > 0 && w.joints[i] >= character.skeleton.joints.size())
      return Error{ErrorCode::InvalidFile, "its weights name a joint that the skeleton does not have",
                   character.name + ", vertex " + std::to_string(i / static_cast<std::size_t>(w.slots))};
  return {};
}

} // namespace

Result<void> checkCharacter(const Character& character) {
  SKINCELLS_CHECK(checkMesh(character.mesh, character.name));
  SKINCELLS_CHECK(checkSkeleton(character.skeleton, character.name));
  return checkWeights(character);
}

} // namespace skincells::binding

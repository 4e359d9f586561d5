#include "transfer/skeletons.h"

#include <algorithm>

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "transfer/align.h"
#include "weights/rows_edit.h"

namespace skincells::transfer {
namespace {

constexpr std::size_t kMostListed = 6;

Error missingJoints(const Skeleton& from, const std::vector<int>& missing, std::size_t wanted, const Skeleton& to,
                    const std::string& where) {
  std::string list;
  for (std::size_t i = 0; i < std::min(missing.size(), kMostListed); ++i) {
    const std::string& name = from.joints[missing[i]].name;
    const int near = rig::nearestName(name, to);
    list += (i == 0 ? "'" : ", '") + name + "'";
    if (near >= 0) list += " (did you mean '" + to.joints[near].name + "'?)";
  }
  if (missing.size() > kMostListed) list += " and " + std::to_string(missing.size() - kMostListed) + " more";
  return {ErrorCode::Mismatch,
          std::to_string(missing.size()) + " of " + std::to_string(wanted) +
              " joints are not in its skeleton: " + list +
              "; joints are matched by name, so give a file with the same skeleton, or take it from one with --rig",
          where};
}

} // namespace

Result<std::vector<int>> matchJoints(const Skeleton& from, std::span<const int> wanted, const Skeleton& to,
                                     const std::string& where) {
  const std::vector<int> match_of = rig::matchNames(from, to);
  std::vector<int> match, missing;
  for (int j : wanted) {
    match.push_back(match_of[j]);
    if (match.back() < 0) missing.push_back(j);
  }
  if (!missing.empty()) return missingJoints(from, missing, wanted.size(), to, where);
  return match;
}

Result<Alignment> alignSkeletons(const Skeleton& from, std::span<const int> joints, const Skeleton& to,
                                 std::span<const int> match, AlignChoice choice, const std::string& where) {
  std::vector<Vec3d> here, there;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& a = from.joints[joints[i]];
    const Joint& b = to.joints[match[i]];
    if (!a.bind_usable || !b.bind_usable) continue;
    here.push_back(b.bind.translation());
    there.push_back(a.bind.translation());
    names.push_back(a.name);
  }
  if (choice == AlignChoice::None || here.empty()) return Alignment{};
  Alignment alignment = alignPoints(here, there);
  SKINCELLS_CHECK(checkAlignment(alignment, here, there, names, where));
  return alignment;
}

void moveInto(const Alignment& alignment, std::vector<Vec3f>& positions) {
  if (alignment.field_from_mesh == Affine{}) return;
  for (Vec3f& p : positions) p = toFloat(alignment.field_from_mesh.apply(toDouble(p)));
}

void renameJoints(SparseWeights& weights, std::span<const int> new_joint) {
  weights::remapJoints(weights, new_joint);
  canonicalize(weights, weights.slots);
}

} // namespace skincells::transfer

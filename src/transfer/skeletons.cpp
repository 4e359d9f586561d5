#include "transfer/skeletons.h"

#include "base/try.h"
#include "transfer/align.h"

namespace skincells::transfer {

Result<Alignment> alignSkeletons(const Skeleton& from, std::span<const int> joints, const Skeleton& to,
                                 std::span<const int> match, AlignChoice choice, const std::string& where) {
  std::vector<Vec3d> here, there;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& a = from.joints[static_cast<std::size_t>(joints[i])];
    const Joint& b = to.joints[static_cast<std::size_t>(match[i])];
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

void renameJoints(SparseWeights& weights, std::span<const int> name) {
  for (std::size_t i = 0; i < weights.joints.size(); ++i)
    weights.joints[i] = weights.weights[i] > 0 ? static_cast<std::uint16_t>(name[weights.joints[i]]) : std::uint16_t{0};
  canonicalize(weights, weights.slots);
}

} // namespace skincells::transfer

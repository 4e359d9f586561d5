#include "jobs/joint_match.h"

#include "rig/names/name_match.h"

namespace skincells::jobs {

Result<SparseWeights> overSkeleton(SparseWeights weights, const std::vector<std::string>& names,
                                   const Skeleton& skeleton, const std::string& where) {
  if (names.empty())
    return Error{ErrorCode::Mismatch, "does not name the joints of its weights (comments 'skincells joint INDEX NAME')",
                 where};
  const std::vector<int> match = rig::matchNames(names, skeleton);
  for (std::size_t i = 0; i < weights.joints.size(); ++i) {
    if (weights.weights[i] == 0) continue;
    const std::size_t name = weights.joints[i];
    if (match[name] < 0)
      return Error{ErrorCode::Mismatch,
                   "the skeleton has no joint '" + names[name] + "'; use the rig that the weights were made with",
                   where};
    weights.joints[i] = static_cast<std::uint16_t>(match[name]);
  }
  return weights;
}

} // namespace skincells::jobs

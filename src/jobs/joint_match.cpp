#include "jobs/joint_match.h"

#include "rig/names/find_joint.h"
#include "weights/rows_edit.h"

namespace skincells::jobs {

Result<SparseWeights> overSkeleton(SparseWeights weights, const std::vector<std::string>& names,
                                   const Skeleton& skeleton, const std::string& where) {
  if (names.empty())
    return Error{ErrorCode::Mismatch, "does not name the joints of its weights (comments 'skincells joint INDEX NAME')",
                 where};
  const std::vector<int> match = rig::matchNames(names, skeleton);
  if (const int j = weights::firstUnmappedJoint(weights, match); j >= 0)
    return Error{ErrorCode::Mismatch,
                 "the skeleton has no joint '" + names[j] + "'; use the rig that the weights were made with", where};
  weights::remapJoints(weights, match);
  return weights;
}

} // namespace skincells::jobs

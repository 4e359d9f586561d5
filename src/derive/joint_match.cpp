#include "derive/joint_match.h"

#include <map>

namespace skincells::derive {

Result<SparseWeights> overSkeleton(SparseWeights weights, const std::vector<std::string>& names,
                                   const Skeleton& skeleton, const std::string& where) {
  if (names.empty())
    return Error{ErrorCode::Mismatch,
                 "does not say which joints its weights are for (comments 'skincells joint INDEX NAME')", where};
  std::multimap<std::string_view, int> joints;
  for (int j = 0; j < skeleton.jointCount(); ++j) joints.emplace(skeleton.joints[static_cast<std::size_t>(j)].name, j);
  std::vector<int> match(names.size(), -1);
  for (std::size_t n = 0; n < names.size(); ++n)
    if (const auto found = joints.find(names[n]); found != joints.end()) {
      match[n] = found->second;
      joints.erase(found);
    }
  for (std::size_t i = 0; i < weights.joints.size(); ++i) {
    if (weights.weights[i] == 0) continue;
    const std::size_t name = weights.joints[i];
    if (match[name] < 0)
      return Error{ErrorCode::Mismatch,
                   "the skeleton has no joint '" + names[name] + "'; give the rig that the weights were made with",
                   where};
    weights.joints[i] = static_cast<std::uint16_t>(match[name]);
  }
  return weights;
}

} // namespace skincells::derive

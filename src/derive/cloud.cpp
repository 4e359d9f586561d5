#include "skincells/cloud.h"

namespace skincells {

Character characterOfCloud(const PointCloudFile& cloud, const FieldDocument& field) {
  return {cloud.info().path, cloud.mesh(), field.skeleton, {}};
}

std::vector<std::string> jointNames(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  return names;
}

} // namespace skincells

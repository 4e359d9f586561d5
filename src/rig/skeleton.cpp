#include "skincells/rig.h"

#include "base/assert.h"

namespace skincells {

int Skeleton::find(std::string_view name) const {
  for (int j = 0; j < jointCount(); ++j)
    if (joints[j].name == name) return j;
  return -1;
}

std::vector<std::vector<int>> childrenOf(const Skeleton& skeleton) {
  std::vector<std::vector<int>> children(skeleton.joints.size());
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (parent != kNoParent) children[parent].push_back(j);
  }
  return children;
}

std::vector<int> parentFirstOrder(const Skeleton& skeleton) {
  std::vector<int> order;
  order.reserve(skeleton.joints.size());
  std::vector<bool> placed(skeleton.joints.size(), false);
  std::vector<int> chain;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    for (int a = j; a != kNoParent && !placed[a]; a = skeleton.joints[a].parent) {
      placed[a] = true;
      chain.push_back(a);
    }
    while (!chain.empty()) {
      order.push_back(chain.back());
      chain.pop_back();
    }
  }
  SKINCELLS_ASSERT(order.size() == skeleton.joints.size());
  return order;
}

} // namespace skincells

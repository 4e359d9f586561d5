// A bounding-box tree over bone segments that finds the joints nearest to a point.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/bones.h"

namespace skincells::rig {

struct JointDistance {
  double squared = 0;
  int joint = -1;
  friend bool operator<(const JointDistance& a, const JointDistance& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.joint < b.joint;
  }
};

class SegmentTree {
public:
  explicit SegmentTree(std::vector<BoneSegment> segments);

  // The `count` nearest joints, each by its nearest segment, nearest first (ties: lower joint first); fewer if there
  // are fewer. `found` is cleared first; reuse it to avoid allocations.
  void nearestJoints(const Vec3d& point, int count, std::vector<JointDistance>& found) const;

private:
  struct Node {
    Box box;
    std::uint32_t first = 0, count = 0; // segments of a leaf; count 0: inner node
    std::uint32_t right = 0;            // inner node: index of the right child; the left child is the next node
  };
  std::uint32_t build(std::uint32_t first, std::uint32_t count);

  std::vector<BoneSegment> segments_;
  std::vector<Node> nodes_;
};

} // namespace skincells::rig

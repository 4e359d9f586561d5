// Which bone each vertex belongs to, by distance and line of sight.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "guess/tuning.h"
#include "rig/bones.h"
#include "rig/segment_tree.h"
#include "skincells/rig.h"

namespace skincells::guess {

struct Source {
  int joint = -1;
  double distance = 0;        // to the nearest point of the joint's bones
  Vec3d foot;                 // that point
  bool interior_foot = false; // not an end of the bone
  bool free = false;          // nothing blocks the line from the vertex to its foot
  double trust = 0;           // 0 .. 1
};

// The joints nearest to a vertex, nearest first; -1 after the last.
using NearJoints = std::array<int, kTuning.candidates>;

// A vertex and the nearest bone of a joint.
struct BoneView {
  double distance = 0;
  Vec3d foot; // nearest point of the bone
  Vec3d axis; // unit direction of the bone; zero for a bone without length
  double length = 0;
  double along = 0; // of the vertex along the axis, from the start of the bone; may be negative or beyond the length
  bool mine = false, other = false; // the line to the foot is blocked by the vertex's own part, by others
  bool outward = false;             // the bone is outside the part, as seen from the vertex
};

// Finds the bone of a vertex among the nearest ones. All arguments must outlive the object. bones: as from
// surfaceBones.
class SourceFinder {
public:
  SourceFinder(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones);

  // The first of the nearest joints that the vertex sees from inside, unless it is much farther away than the nearest;
  // otherwise the nearest, with low trust. near: those that were tried.
  Source find(std::uint32_t v, NearJoints& near) const;
  // The nearest joint that `accept` accepts, visible or not, with low trust. If it accepts none of the nearest:
  // `otherwise`, with the lowest trust.
  Source nearestOf(std::uint32_t v, const std::function<bool(int)>& accept, Source otherwise) const;

  BoneView view(std::uint32_t v, int joint) const;

private:
  struct Candidate {
    Source source;
    double ahead = 0; // cosine between the bone and the direction from the foot to the vertex
  };
  struct Sight {
    bool other = false, mine = false, outward = false;
  };
  static bool precedes(const Candidate& a, const Candidate& b);
  std::vector<Candidate> nearest(const Vec3d& p) const;
  Candidate candidate(const Vec3d& p, int joint) const;
  Sight look(std::uint32_t v, const Vec3d& p, const Source& source) const;

  const GuessScene& scene_;
  std::span<const rig::BoneSegment> bones_;
  std::vector<std::size_t> begin_, end_; // of each joint's segments
  rig::SegmentTree tree_;
};

} // namespace skincells::guess

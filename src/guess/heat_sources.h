// Which bone each vertex belongs to, seen from the vertex.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "rig/bones.h"
#include "rig/segment_tree.h"
#include "skincells/rig.h"

namespace skincells::guess {

struct Source {
  int joint = -1;
  double distance = 0;        // to the nearest point of the joint's bones
  Vec3d foot;                 // that point
  bool interior_foot = false; // not an end of the bone
  bool free = false;          // nothing stands between the vertex and its foot
  double trust = 0;           // 0 .. 1
};

// Looks from vertices to the bones nearest to them. Bones of limbs count as farther away where a vertex is farther from
// them than their flesh usually is: the flank of a body is no thigh, and a sword is no hand.
// All arguments must outlive the object. bones: as from fleshBones.
class SourceFinder {
public:
  SourceFinder(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones);

  // The first of the nearest joints that the vertex can see from inside, if it is not much farther than the nearest;
  // else the nearest, trusted little.
  Source find(std::uint32_t v) const;
  // The nearest joint that `accept` accepts, seen or not, trusted little; `otherwise`, trusted hardly, when none of the
  // nearest does.
  Source nearestOf(std::uint32_t v, const std::function<bool(int)>& accept, Source otherwise) const;

private:
  struct Candidate {
    Source source;
    double ahead = 0; // cosine between the bone and the way from the foot to the vertex
    double rank = 0;  // the distance, corrected
  };
  struct Sight {
    bool other = false, mine = false, outward = false;
  };
  void measureLimbs(const Skeleton& placed);
  double fleshAround(std::size_t joint) const;
  double rank(int joint, double distance) const;
  std::vector<Candidate> nearest(const Vec3d& p) const;
  Candidate candidate(const Vec3d& p, int joint) const;
  Sight look(std::uint32_t v, const Vec3d& p, const Source& source) const;

  const GuessScene& scene_;
  std::span<const rig::BoneSegment> bones_;
  std::vector<std::size_t> begin_, end_; // of each joint's segments
  std::vector<double> flesh_;            // by joint: how far its flesh reaches; infinite where that does not matter
  rig::SegmentTree tree_;
};

} // namespace skincells::guess

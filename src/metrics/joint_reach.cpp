#include "metrics/joint_reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/parallel.h"
#include "rig/bones.h"
#include "rig/motion/followers.h"
#include "rig/segment_tree.h"

namespace skincells::metrics {
namespace {

constexpr float kPatchWeight = 0.25F;
constexpr double kHomeFactor = 1.5;
constexpr double kHomeReach = 0.03; // of the diagonal
constexpr double kHomeShare = 0.25; // of a patch
constexpr double kFarReach = 0.1;   // of the diagonal
constexpr int kNearSteps = 2;       // in the skeleton
constexpr std::size_t kChunk = 1024;

std::vector<rig::BoneSegment> allSegments(const Skeleton& skeleton) {
  std::vector<int> all(skeleton.joints.size());
  std::iota(all.begin(), all.end(), 0);
  return rig::boneSegments(skeleton, all);
}

// The places that joints move, and how they spread.
class Sizes {
public:
  explicit Sizes(std::size_t joints) : mass_(joints), center_(joints) {}

  void add(std::size_t joint, double mass, const Vec3d& at) {
    mass_[joint] += mass;
    center_[joint] = center_[joint] + at * mass;
  }

  double factor(const Skeleton& skeleton) const {
    std::vector<Vec3d> joints, places;
    std::vector<double> masses;
    for (std::size_t j = 0; j < mass_.size(); ++j) {
      if (!(mass_[j] > 0)) continue;
      joints.push_back(skeleton.bindPosition(static_cast<int>(j)));
      places.push_back(center_[j] * (1 / mass_[j]));
      masses.push_back(mass_[j]);
    }
    const double a = spread(joints, masses), b = spread(places, masses);
    return a > 0 && b > 0 ? std::max(a / b, b / a) : 1;
  }

private:
  static double spread(std::span<const Vec3d> points, std::span<const double> masses) {
    Vec3d mean;
    double total = 0, squares = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      mean = mean + points[i] * masses[i];
      total += masses[i];
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3d d = points[i] - mean * (1 / total);
      squares += masses[i] * dot(d, d);
    }
    return total > 0 ? std::sqrt(squares / total) : 0;
  }

  std::vector<double> mass_;
  std::vector<Vec3d> center_; // times mass
};

// The bones of a skeleton and the vertices of a welded mesh.
class Reach {
public:
  Reach(const WeldedSurface& surface, const Skeleton& skeleton, SparseWeights rows)
      : surface_(surface), positions_(surface.mesh.positions), skeleton_(rig::withFollowers(skeleton)),
        rows_(std::move(rows)), diagonal_(trimmedBounds(surface.mesh).diagonal()), segments_of_(skeleton.joints.size()),
        nearest_(positions_.size()) {
    const auto segments = allSegments(skeleton);
    for (const rig::BoneSegment& s : segments) segments_of_[static_cast<std::size_t>(s.joint)].push_back(s);
    const rig::SegmentTree tree(segments);
    parallelChunks(nearest_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::vector<rig::JointDistance> found;
      for (std::size_t v = begin; v < end; ++v) {
        tree.nearestJoints(toDouble(positions_[v]), 1, found);
        nearest_[v] = found.front();
      }
    });
  }

  JointReach measure() const {
    JointReach out;
    out.of_joint.assign(segments_of_.size(), 0);
    std::vector<std::vector<Carrier>> carriers(segments_of_.size());
    std::vector<double> far(segments_of_.size());
    Sizes sizes(segments_of_.size());
    double total = 0;
    for (std::uint32_t v = 0; v < positions_.size(); ++v)
      for (std::size_t k = 0; k < rows_.weightRow(v).size(); ++k) {
        const float weight = rows_.weightRow(v)[k];
        if (!(weight > 0)) continue;
        const auto joint = static_cast<std::size_t>(rows_.jointRow(v)[k]);
        const double mass = surface_.area[v] * static_cast<double>(weight);
        total += mass;
        sizes.add(joint, mass, toDouble(positions_[v]));
        if (weight < kPatchWeight) continue;
        const double own = distance(joint, v);
        carriers[joint].push_back({v, mass, isHome(joint, v, own)});
        if (isFar(joint, v, own)) far[joint] += mass;
      }
    if (!(total > 0) || !(diagonal_ > 0)) return out;
    out.size_factor = sizes.factor(skeleton_);
    std::vector<std::size_t> carrier_at(positions_.size(), kNone);
    for (std::size_t j = 0; j < carriers.size(); ++j) {
      out.of_joint[j] = 100 * (strayMass(carriers[j], carrier_at) + far[j]) / total;
      out.stray_percent = std::max(out.stray_percent, out.of_joint[j]);
    }
    return out;
  }

private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // A vertex that follows the joint.
  struct Carrier {
    std::uint32_t vertex = 0;
    double mass = 0;
    bool home = false, seen = false;
  };

  double distance(std::size_t joint, std::uint32_t v) const {
    double squared = INFINITY;
    for (const rig::BoneSegment& s : segments_of_[joint])
      squared = std::min(squared, rig::closestOnSegment(toDouble(positions_[v]), s.a, s.b).squared_distance);
    return std::sqrt(squared);
  }

  bool isHome(std::size_t joint, std::uint32_t v, double own) const {
    const auto near = static_cast<std::size_t>(nearest_[v].joint);
    return own <= kHomeFactor * std::sqrt(nearest_[v].squared) + kHomeReach * diagonal_ || near == joint ||
           skeleton_.joints[near].parent == static_cast<int>(joint) ||
           skeleton_.joints[joint].parent == static_cast<int>(near);
  }

  bool isFar(std::size_t joint, std::uint32_t v, double own) const {
    const int near = nearest_[v].joint;
    return own > kHomeFactor * std::sqrt(nearest_[v].squared) + kFarReach * diagonal_ &&
           !isCloseAbove(static_cast<int>(joint), near) && !isCloseAbove(near, static_cast<int>(joint));
  }

  bool isCloseAbove(int above, int joint) const {
    for (int step = 0; step <= kNearSteps && joint != kNoParent; ++step) {
      if (joint == above) return true;
      joint = skeleton_.joints[static_cast<std::size_t>(joint)].parent;
    }
    return false;
  }

  // carrier_at: all kNone before and after.
  double strayMass(std::vector<Carrier>& carriers, std::vector<std::size_t>& carrier_at) const {
    for (std::size_t i = 0; i < carriers.size(); ++i) carrier_at[carriers[i].vertex] = i;
    double stray = 0;
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < carriers.size(); ++i) {
      if (carriers[i].seen) continue;
      double mass = 0, at_home = 0;
      carriers[i].seen = true;
      stack.assign(1, i);
      while (!stack.empty()) {
        const Carrier& c = carriers[stack.back()];
        stack.pop_back();
        mass += c.mass;
        at_home += c.home ? c.mass : 0;
        for (std::uint32_t u : surface_.neighbors(c.vertex))
          if (const std::size_t n = carrier_at[u]; n != kNone && !carriers[n].seen) {
            carriers[n].seen = true;
            stack.push_back(n);
          }
      }
      if (at_home < kHomeShare * mass) stray += mass;
    }
    for (const Carrier& c : carriers) carrier_at[c.vertex] = kNone;
    return stray;
  }

  const WeldedSurface& surface_;
  const std::vector<Vec3f>& positions_;
  Skeleton skeleton_;
  SparseWeights rows_;
  double diagonal_;
  std::vector<std::vector<rig::BoneSegment>> segments_of_;
  std::vector<rig::JointDistance> nearest_; // bone of each vertex
};

} // namespace

JointReach measureReach(const WeldedSurface& surface, const Skeleton& skeleton, const SparseWeights& weights) {
  if (skeleton.joints.empty() || surface.mesh.positions.empty()) return {};
  return Reach(surface, skeleton, gatherRows(weights, surface.weld.first_vertex)).measure();
}

} // namespace skincells::metrics

#include "metrics/skin_measures.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "deform/lbs.h"
#include "metrics/bend_meter.h"
#include "metrics/joint_reach.h"
#include "metrics/part_meter.h"
#include "metrics/prepared_skin.h"
#include "metrics/shape_meter.h"
#include "metrics/surface_bleeding.h"
#include "metrics/welded_surface.h"
#include "rig/motion/followers.h"
#include "rig/motion/joint_motions.h"

namespace skincells::metrics {
namespace {

constexpr int kPoses = 24;

// The joint with the largest weight of each vertex.
std::vector<int> leadersOf(const SparseWeights& weights) {
  std::vector<int> leaders(weights.vertexCount());
  for (std::size_t v = 0; v < leaders.size(); ++v) leaders[v] = weights.jointRow(v)[0]; // canonical: largest first
  return leaders;
}

// Amounts by joint, and the names of those with the most.
class PlaceTally {
public:
  PlaceTally(const Skeleton& skeleton, const std::vector<int>& leaders)
      : skeleton_(skeleton), leaders_(leaders), amounts_(skeleton.joints.size()) {}

  void add(std::uint32_t vertex, double amount) { amounts_[static_cast<std::size_t>(leaders_[vertex])] += amount; }

  // At most three names, and none with less than a tenth of all.
  std::string worst() const {
    constexpr std::size_t kMost = 3;
    constexpr double kLeastShare = 0.1;
    const double total = std::accumulate(amounts_.begin(), amounts_.end(), 0.0);
    std::vector<std::size_t> order(amounts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return amounts_[a] > amounts_[b]; });
    std::string names;
    for (std::size_t i = 0; i < std::min(kMost, order.size()); ++i)
      if (amounts_[order[i]] > (i == 0 ? 0 : kLeastShare * total))
        names += (i == 0 ? "" : ", ") + skeleton_.joints[order[i]].name;
    return names;
  }

private:
  const Skeleton& skeleton_;
  const std::vector<int>& leaders_;
  std::vector<double> amounts_;
};

std::string stretchedPlaces(const WeldedSurface& surface, const ShapeMeter& meter, PlaceTally tally) {
  for (std::size_t e = 0; e < surface.edges.size(); ++e)
    tally.add(surface.vertexOf(surface.edges[e].a), static_cast<double>(meter.squaredStretch()[e]));
  return tally.worst();
}

std::string flippedPlaces(const WeldedSurface& surface, const ShapeMeter& meter, PlaceTally tally) {
  for (std::size_t t = 0; t < meter.flips().size(); ++t)
    tally.add(surface.vertexOf(surface.mesh.triangles[t][0]), meter.flips()[t]);
  return tally.worst();
}

// The joints with the largest amounts.
std::string jointsWithMost(const Skeleton& skeleton, const std::vector<double>& of_joint) {
  std::vector<int> joints(skeleton.joints.size());
  std::iota(joints.begin(), joints.end(), 0);
  PlaceTally tally(skeleton, joints);
  for (std::uint32_t j = 0; j < of_joint.size(); ++j) tally.add(j, of_joint[j]);
  return tally.worst();
}

std::string tornPlace(const ShapeMeter& meter, const ShapeStatistics& shape, PlaceTally tally) {
  if (shape.tear_percent > 0) tally.add(meter.tornVertex(), 1);
  return tally.worst();
}

std::string webPlaces(const WeldedSurface& surface, const PartMeter& parts, PlaceTally tally) {
  for (std::size_t t = 0; t < parts.webArea().size(); ++t)
    tally.add(surface.vertexOf(surface.mesh.triangles[t][0]), parts.webArea()[t]);
  return tally.worst();
}

std::string departedPlace(const PartMeter& parts, PlaceTally tally) {
  if (std::uint32_t vertex = 0; parts.departedVertex(vertex)) tally.add(vertex, 1);
  return tally.worst();
}

std::string bentPlace(const BendMeter& bends, PlaceTally tally) {
  if (std::uint32_t vertex = 0; bends.bentVertex(vertex)) tally.add(vertex, 1);
  return tally.worst();
}

} // namespace

JudgedPoses judgedPoses(const Character& c) {
  const auto motions = rig::jointMotions(c.skeleton, {}, "generic"); // only range files can fail
  const std::string followers = rig::describeFollowers(c.skeleton);
  return {rig::posesWithin(c.skeleton, *motions, kPoses, 0),
          std::to_string(kPoses) + " random poses" + (followers.empty() ? "" : "; " + followers)};
}

std::vector<Measure> measureSkin(const Character& c, const SparseWeights& weights, const std::vector<Pose>& poses) {
  SKINCELLS_ASSERT(weights.vertexCount() == c.mesh.positions.size());
  const PreparedSkin skin(c.mesh, weights);
  const WeldedSurface surface(c.mesh);
  ShapeMeter meter(surface, skin.weights);
  const Box trimmed = trimmedBounds(c.mesh);
  PartMeter parts(surface, trimmed);
  BendMeter bends(surface, trimmed, weightedJointPlaces(c.skeleton, skin.weights));
  std::vector<Vec3f> posed(c.mesh.positions.size());
  for (const Pose& pose : poses) {
    deform::skin(c.mesh.positions, skin.weights, pose, posed);
    meter.add(pose, posed);
    parts.add(posed);
    bends.add(posed);
  }
  const ShapeStatistics shape = meter.statistics();
  const std::vector<int> leaders = leadersOf(skin.weights);
  const PlaceTally tally(c.skeleton, leaders);
  const std::string stretched = stretchedPlaces(surface, meter, tally);
  const JointReach reach = measureReach(surface, c.skeleton, skin.weights);
  const Bleeding bleeding = measureBleeding(surface, skin.weights, c.skeleton);
  return {{"stretch_rms", shape.stretch_rms, stretched},
          {"stretch_p99", shape.stretch_p99, stretched},
          {"extreme_edges_percent", shape.extreme_edges_percent, stretched},
          {"flipped_percent", shape.flipped_percent, flippedPlaces(surface, meter, tally)},
          {"volume_percent", shape.volume_percent},
          {"tear_percent", shape.tear_percent, tornPlace(meter, shape, tally)},
          {"bleeding_percent", bleeding.percent, jointsWithMost(c.skeleton, bleeding.of_joint)},
          {"web_percent", parts.webPercent(), webPlaces(surface, parts, tally)},
          {"departed_percent", parts.departedPercent(), departedPlace(parts, tally)},
          {"bent_percent", bends.bentPercent(), bentPlace(bends, tally)},
          {"stray_percent", reach.stray_percent, jointsWithMost(c.skeleton, reach.of_joint)},
          {"size_factor", reach.size_factor}};
}

} // namespace skincells::metrics

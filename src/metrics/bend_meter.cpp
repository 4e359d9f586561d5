#include "metrics/bend_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skincells::metrics {
namespace {

constexpr double kLargest = 0.1;    // of the area
constexpr double kSmallest = 0.03;  // of the diagonal
constexpr double kBendOfPart = 0.1; // of its size
constexpr double kBendOfDiagonal = 0.01;

constexpr Vec3d kDirections[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

std::vector<double> areasOf(const WeldedSurface& surface) {
  std::vector<double> areas(surface.islands.count);
  for (std::size_t v = 0; v < surface.area.size(); ++v) areas[surface.islands.island_of_vertex[v]] += surface.area[v];
  return areas;
}

std::vector<Box> boxesOf(const WeldedSurface& surface) {
  std::vector<Box> boxes(surface.islands.count);
  for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v)
    boxes[surface.islands.island_of_vertex[v]].add(toDouble(surface.mesh.positions[v]));
  return boxes;
}

bool isIn(const Box& box, const Vec3d& p) {
  return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y && p.z >= box.lo.z && p.z <= box.hi.z;
}

// The points of each part that are farthest along the directions, both ways.
std::vector<std::vector<std::uint32_t>> outermostPoints(const WeldedSurface& surface, const std::vector<bool>& wanted) {
  struct Farthest {
    double amount = -std::numeric_limits<double>::infinity();
    std::uint32_t welded = 0;
  };
  constexpr std::size_t kWays = 2 * std::size(kDirections);
  std::vector<std::array<Farthest, kWays>> found(wanted.size());
  for (std::uint32_t v = 0; v < surface.mesh.positions.size(); ++v) {
    const std::uint32_t part = surface.islands.island_of_vertex[v];
    if (!wanted[part]) continue;
    for (std::size_t d = 0; d < kWays; ++d) {
      const double along = dot(toDouble(surface.mesh.positions[v]), kDirections[d / 2]) * (d % 2 == 0 ? 1 : -1);
      if (along > found[part][d].amount) found[part][d] = {along, v};
    }
  }
  std::vector<std::vector<std::uint32_t>> points(wanted.size());
  for (std::size_t part = 0; part < wanted.size(); ++part) {
    if (!wanted[part]) continue;
    for (const Farthest& f : found[part]) points[part].push_back(f.welded);
    std::ranges::sort(points[part]);
    points[part].erase(std::unique(points[part].begin(), points[part].end()), points[part].end());
  }
  return points;
}

} // namespace

std::vector<bool> rigidLookingParts(const WeldedSurface& surface, double diagonal, std::span<const Vec3d> joints) {
  std::vector<bool> rigid(surface.islands.count);
  if (rigid.size() < 2) return rigid;
  const std::vector<double> areas = areasOf(surface);
  const std::vector<Box> boxes = boxesOf(surface);
  double total = 0;
  for (double area : areas) total += area;
  for (std::size_t part = 0; part < rigid.size(); ++part)
    rigid[part] = areas[part] > 0 && areas[part] < kLargest * total && boxes[part].diagonal() >= kSmallest * diagonal &&
                  std::ranges::none_of(joints, [&](const Vec3d& p) { return isIn(boxes[part], p); });
  return rigid;
}

std::vector<Vec3d> weightedJointPlaces(const Skeleton& skeleton, const SparseWeights& weights) {
  std::vector<bool> carries(skeleton.joints.size());
  for (std::size_t i = 0; i < weights.weights.size(); ++i)
    if (weights.weights[i] > 0) carries[weights.joints[i]] = true;
  std::vector<Vec3d> places;
  for (int j = 0; j < skeleton.jointCount(); ++j)
    if (carries[static_cast<std::size_t>(j)]) places.push_back(skeleton.bindPosition(j));
  return places;
}

BendMeter::BendMeter(const WeldedSurface& surface, const Box& trimmed, std::span<const Vec3d> joints) {
  for (double area : surface.area) total_area_ += area;
  const std::vector<bool> rigid = rigidLookingParts(surface, trimmed.diagonal(), joints);
  if (std::ranges::none_of(rigid, [](bool r) { return r; })) return;
  const std::vector<double> areas = areasOf(surface);
  const std::vector<Box> boxes = boxesOf(surface);
  const auto outermost = outermostPoints(surface, rigid);
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    if (!rigid[i]) continue;
    Part& part = parts_.emplace_back();
    part.area = areas[i];
    part.tolerance = std::max(kBendOfPart * boxes[i].diagonal(), kBendOfDiagonal * trimmed.diagonal());
    for (std::size_t a = 0; a < outermost[i].size(); ++a) {
      part.outermost.push_back(surface.vertexOf(outermost[i][a]));
      for (std::size_t b = a + 1; b < outermost[i].size(); ++b)
        part.distances.push_back(surface.distance(outermost[i][a], outermost[i][b]));
    }
  }
}

void BendMeter::add(std::span<const Vec3f> posed) {
  ++poses_;
  for (Part& part : parts_) {
    double change = 0;
    auto bind = part.distances.begin();
    for (std::size_t a = 0; a < part.outermost.size(); ++a)
      for (std::size_t b = a + 1; b < part.outermost.size(); ++b) {
        const Vec3d now = toDouble(posed[part.outermost[a]]) - toDouble(posed[part.outermost[b]]);
        change = std::max(change, std::abs(length(now) - *bind++));
      }
    if (change <= part.tolerance) continue;
    part.bent += part.area;
    bent_area_ += part.area;
  }
}

bool BendMeter::bentVertex(std::uint32_t& vertex) const {
  const auto worst = std::ranges::max_element(parts_, {}, &Part::bent);
  if (worst == parts_.end() || worst->bent <= 0) return false;
  vertex = worst->outermost.front();
  return true;
}

} // namespace skincells::metrics

#include "transfer/parts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skincells::transfer {
namespace {

// Relative to the part's diagonal. The box of a ball shrinks by nearly a tenth at each side when simplified to a dozen
// vertices.
constexpr double kPlaceTolerance = 0.15;

double largestDifference(const Vec3d& a, const Vec3d& b) {
  const Vec3d d = a - b;
  return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
}

} // namespace

std::vector<FieldPart> placesOfParts(std::span<const Vec3f> positions, const Islands& islands) {
  std::vector<FieldPart> places(islands.count);
  std::vector<Vec3d> sums(islands.count);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::uint32_t island = islands.island_of_vertex[v];
    places[island].box.add(toDouble(positions[v]));
    ++places[island].vertex_count;
    sums[island] += toDouble(positions[v]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) places[i].center = toFloat(sums[i] * (1.0 / places[i].vertex_count));
  return places;
}

int findPart(const FieldPart& place, std::span<const FieldPart> parts) {
  using Rank = std::tuple<double, std::uint32_t>;
  int best = -1;
  Rank least{INFINITY, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double box =
        std::max(largestDifference(place.box.lo, parts[i].box.lo), largestDifference(place.box.hi, parts[i].box.hi));
    const double center = largestDifference(toDouble(place.center), toDouble(parts[i].center));
    if (std::max(box, center) > kPlaceTolerance * parts[i].box.diagonal()) continue;
    const std::uint32_t a = place.vertex_count, b = parts[i].vertex_count;
    const Rank rank{box + center, a > b ? a - b : b - a};
    if (rank < least) {
      least = rank;
      best = static_cast<int>(i);
    }
  }
  return best;
}

} // namespace skincells::transfer

#include "metrics/part_meter.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "mesh/triangle.h"

namespace skincells::metrics {
namespace {

constexpr double kWebGrowth = 0.04;         // of the diagonal
constexpr double kTouch = 0.01;             // of the diagonal: closer than this touches
constexpr double kGap = 0.03;               // of the diagonal
constexpr double kHeldShare = 0.25;         // of the contacts; a part holds on with this many
constexpr std::size_t kMostQueries = 20000; // vertices that look for contacts, evenly spread; bounds the time

double distance(const Vec3f& a, const Vec3f& b) {
  return length(toDouble(a) - toDouble(b));
}

// The points of a mesh in cubes.
class Cubes {
public:
  Cubes(const std::vector<Vec3f>& points, double size) : size_(size) {
    for (std::uint32_t v = 0; v < points.size(); ++v) members_[key(points[v], 0, 0, 0)].push_back(v);
  }
  template <class Visit> void around(const Vec3f& p, const Visit& visit) const {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (const auto found = members_.find(key(p, x, y, z)); found != members_.end())
            for (std::uint32_t v : found->second) visit(v);
  }

private:
  std::uint64_t key(const Vec3f& p, int x, int y, int z) const {
    const auto cell = [&](float value, int step) {
      const double n = std::clamp(std::floor(static_cast<double>(value) / size_), -1e6, 1e6);
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + step + (1 << 20)) & 0x1FFFFFU;
    };
    return cell(p.x, x) | cell(p.y, y) << 21U | cell(p.z, z) << 42U;
  }
  double size_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> members_;
};

} // namespace

PartMeter::PartMeter(const Mesh& mesh)
    : weld_(weldByPosition(mesh.positions, weldTolerance(mesh))), welded_(weldedMesh(mesh, weld_)),
      islands_(findIslands(welded_)), diagonal_(trimmedBounds(mesh).diagonal()), parts_(islands_.count),
      posed_(welded_.positions.size()), web_of_triangle_(welded_.triangles.size()) {
  for (const Triangle& t : welded_.triangles) {
    const double area = length(mesh::areaNormal(welded_.positions, t)) / 2;
    parts_[islands_.island_of_vertex[t[0]]].area += area;
    total_area_ += area;
  }
  for (std::uint32_t v = weld_.weldedCount(); v-- > 0;) parts_[islands_.island_of_vertex[v]].first_vertex = v;
  if (diagonal_ > 0 && islands_.count > 1) findContacts();
}

void PartMeter::findContacts() {
  const Cubes cubes(welded_.positions, kTouch * diagonal_);
  const auto rank = [&](std::uint32_t island) { return std::tuple(-parts_[island].area, island); };
  const std::size_t step = 1 + welded_.positions.size() / kMostQueries;
  for (std::uint32_t v = 0; v < welded_.positions.size(); v += static_cast<std::uint32_t>(step)) {
    const std::uint32_t island = islands_.island_of_vertex[v];
    Contact best{v, v, kTouch * diagonal_};
    cubes.around(welded_.positions[v], [&](std::uint32_t u) {
      const std::uint32_t other = islands_.island_of_vertex[u];
      if (other == island || parts_[other].area <= 0 || rank(other) > rank(island)) return;
      const double d = distance(welded_.positions[v], welded_.positions[u]);
      if (d < best.distance || (d == best.distance && u < best.other)) best = {v, u, d};
    });
    if (best.other != v) parts_[island].contacts.push_back(best);
  }
}

void PartMeter::add(std::span<const Vec3f> posed) {
  for (std::uint32_t w = 0; w < weld_.weldedCount(); ++w) posed_[w] = posed[weld_.first_vertex[w]];
  ++poses_;
  addWebs();
  addDepartures();
}

void PartMeter::addWebs() {
  for (std::size_t t = 0; t < welded_.triangles.size(); ++t) {
    const Triangle& triangle = welded_.triangles[t];
    bool web = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
      const double bind = distance(welded_.positions[a], welded_.positions[b]), now = distance(posed_[a], posed_[b]);
      web = web || (now - bind > kWebGrowth * diagonal_ && now > 2 * bind);
    }
    if (!web) continue;
    const double gained = std::max(
        0.0, (length(mesh::areaNormal(posed_, triangle)) - length(mesh::areaNormal(welded_.positions, triangle))) / 2);
    web_of_triangle_[t] += gained;
    web_area_ += gained;
  }
}

void PartMeter::addDepartures() {
  for (Part& part : parts_) {
    if (part.contacts.empty()) continue;
    const auto held = std::ranges::count_if(part.contacts, [&](const Contact& c) {
      return distance(posed_[c.vertex], posed_[c.other]) <= c.distance + kGap * diagonal_;
    });
    if (static_cast<double>(held) >= kHeldShare * static_cast<double>(part.contacts.size())) continue;
    part.departed += part.area;
    departed_area_ += part.area;
  }
}

bool PartMeter::departedVertex(std::uint32_t& vertex) const {
  const auto worst = std::ranges::max_element(parts_, {}, &Part::departed);
  if (worst == parts_.end() || worst->departed <= 0) return false;
  vertex = weld_.first_vertex[worst->first_vertex];
  return true;
}

} // namespace skincells::metrics

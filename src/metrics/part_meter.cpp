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

PartMeter::PartMeter(const WeldedSurface& surface, const Box& trimmed)
    : surface_(surface), diagonal_(trimmed.diagonal()), parts_(surface.islands.count),
      posed_(surface.mesh.positions.size()), at_long_(posed_.size()), web_of_triangle_(surface.mesh.triangles.size()) {
  const std::vector<std::uint32_t>& island_of_vertex = surface.islands.island_of_vertex;
  for (const Triangle& t : surface.mesh.triangles) {
    const double area = length(mesh::areaNormal(surface.mesh.positions, t)) / 2;
    parts_[island_of_vertex[t[0]]].area += area;
    total_area_ += area;
  }
  for (auto v = static_cast<std::uint32_t>(island_of_vertex.size()); v-- > 0;)
    parts_[island_of_vertex[v]].first_vertex = v;
  if (diagonal_ > 0 && surface.islands.count > 1) findContacts();
  web_limit_.reserve(surface.edges.size());
  for (const mesh::Edge& e : surface.edges) {
    constexpr double kMargin = 1 - 1e-9; // for rounding
    const double bind = surface.distance(e.a, e.b), limit = std::max(bind + kWebGrowth * diagonal_, 2 * bind);
    web_limit_.push_back(limit * limit * kMargin);
  }
}

void PartMeter::findContacts() {
  const std::vector<Vec3f>& positions = surface_.mesh.positions;
  const std::vector<std::uint32_t>& island_of_vertex = surface_.islands.island_of_vertex;
  const Cubes cubes(positions, kTouch * diagonal_);
  const auto rank = [&](std::uint32_t island) { return std::tuple(-parts_[island].area, island); };
  std::uint32_t largest = 0; // it has no larger one to touch
  for (std::uint32_t i = 1; i < surface_.islands.count; ++i)
    if (rank(i) < rank(largest)) largest = i;
  const std::size_t step = 1 + positions.size() / kMostQueries;
  for (std::uint32_t v = 0; v < positions.size(); v += static_cast<std::uint32_t>(step)) {
    const std::uint32_t island = island_of_vertex[v];
    if (island == largest) continue;
    Contact best{v, v, kTouch * diagonal_};
    cubes.around(positions[v], [&](std::uint32_t u) {
      const std::uint32_t other = island_of_vertex[u];
      if (other == island || parts_[other].area <= 0 || rank(other) > rank(island)) return;
      const double d = surface_.distance(v, u);
      if (d < best.distance || (d == best.distance && u < best.other)) best = {v, u, d};
    });
    if (best.other != v) parts_[island].contacts.push_back(best);
  }
}

void PartMeter::add(std::span<const Vec3f> posed) {
  surface_.gather(posed, posed_);
  ++poses_;
  addWebs();
  addDepartures();
}

// Whether there is an edge that may be part of a web.
bool PartMeter::markLongEdges() {
  bool any = false;
  for (std::size_t i = 0; i < web_limit_.size(); ++i) {
    const mesh::Edge& e = surface_.edges[i];
    const Vec3d now = toDouble(posed_[e.a]) - toDouble(posed_[e.b]);
    if (dot(now, now) < web_limit_[i]) continue;
    if (!any) std::ranges::fill(at_long_, 0);
    any = true;
    at_long_[e.a] = at_long_[e.b] = 1;
  }
  return any;
}

bool PartMeter::isWeb(const Triangle& triangle) const {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
    if (at_long_[a] == 0 || at_long_[b] == 0) continue;
    const double bind = surface_.distance(a, b), now = distance(posed_[a], posed_[b]);
    if (now - bind > kWebGrowth * diagonal_ && now > 2 * bind) return true;
  }
  return false;
}

void PartMeter::addWebs() {
  if (!markLongEdges()) return;
  for (std::size_t t = 0; t < web_of_triangle_.size(); ++t) {
    const Triangle& triangle = surface_.mesh.triangles[t];
    if (!isWeb(triangle)) continue;
    const double now = length(mesh::areaNormal(posed_, triangle));
    const double gained = std::max(0.0, (now - length(mesh::areaNormal(surface_.mesh.positions, triangle))) / 2);
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
  vertex = surface_.vertexOf(worst->first_vertex);
  return true;
}

} // namespace skincells::metrics

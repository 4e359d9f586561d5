#include "mesh/decimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/assert.h"

namespace skincells::mesh {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr double kBorderWeight = 10;     // of lines that the eye follows, against the surface beside them
constexpr double kLengthWeight = 1e-6;   // prefers short edges where the surface is flat
constexpr double kLeastTurnCosine = 0.2; // a triangle may turn by this much at most
// How far a collapse may leave the surfaces that it stands for, of the diagonal, in the mean: while seams are kept, and
// at all. Beyond that, whole limbs would go.
constexpr double kLargestWithSeams = 0.01, kLargestError = 0.04;
// Giving up a seam costs as much as moving the surface around it by this share of the diagonal, on top of the collapse
// itself so many times.
constexpr double kSeamDistance = 0.002, kSeamFactor = 2;

// The square of the distance to a plane, times a weight.
void addPlane(std::array<double, 10>& q, const Vec3d& n, const Vec3d& point, double weight) {
  const double d = -dot(n, point);
  const double terms[10] = {n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z,
                            n.z * n.z, n.x * d,   n.y * d,   n.z * d,   d * d};
  for (std::size_t i = 0; i < 10; ++i) q[i] += weight * terms[i];
}

double evaluate(const std::array<double, 10>& a, const std::array<double, 10>& b, const Vec3d& p) {
  std::array<double, 10> q;
  for (std::size_t i = 0; i < 10; ++i) q[i] = a[i] + b[i];
  return q[0] * p.x * p.x + q[3] * p.y * p.y + q[5] * p.z * p.z +
         2 * (q[1] * p.x * p.y + q[2] * p.x * p.z + q[4] * p.y * p.z + q[6] * p.x + q[7] * p.y + q[8] * p.z) + q[9];
}

} // namespace

bool Decimator::Later::operator()(const Candidate& a, const Candidate& b) const {
  if (a.cost != b.cost) return a.cost > b.cost;
  return a.from != b.from ? a.from > b.from : a.to > b.to;
}

Decimator::Decimator(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes)
    : welded_of_vertex_(weld.welded_of_vertex), section_of_vertex_(mesh.positions.size(), 0), corners_(mesh.triangles),
      alive_(mesh.triangles.size(), false), around_(weld.weldedCount()), quadrics_(shapes.size() * weld.weldedCount()),
      mass_(weld.weldedCount(), 0), border_(weld.weldedCount(), false), ridge_(weld.weldedCount(), false),
      stamp_(weld.weldedCount(), 0) {
  SKINCELLS_ASSERT(!shapes.empty());
  for (std::uint32_t s = 0; s < mesh.sections.size(); ++s)
    std::fill_n(section_of_vertex_.begin() + mesh.sections[s].first_vertex, mesh.sections[s].vertex_count, s);
  for (const auto& shape : shapes) {
    auto& positions = shapes_.emplace_back();
    for (const std::uint32_t v : weld.first_vertex) positions.push_back(toDouble(shape[v]));
  }
  for (std::uint32_t t = 0; t < corners_.size(); ++t) {
    const auto w = weldedCorners(t);
    if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
    alive_[t] = true;
    ++alive_count_;
    for (const std::uint32_t v : w) around_[v].push_back(t);
    addQuadrics(t);
  }
  noteFacets();
  noteBorders();
  Box box;
  for (const Vec3d& p : shapes_[0]) box.add(p);
  diagonal_ = box.diagonal();
  const double moved = kSeamDistance * diagonal_;
  seam_price_ = moved * moved * static_cast<double>(shapes_.size());
}

std::array<std::uint32_t, 3> Decimator::weldedCorners(std::uint32_t t) const {
  const Triangle& c = corners_[t];
  return {welded_of_vertex_[c[0]], welded_of_vertex_[c[1]], welded_of_vertex_[c[2]]};
}

bool Decimator::has(std::uint32_t t, std::uint32_t welded) const {
  const auto w = weldedCorners(t);
  return std::ranges::find(w, welded) != w.end();
}

void Decimator::addQuadrics(std::uint32_t t) {
  const auto w = weldedCorners(t);
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const auto& at = shapes_[s];
    const Vec3d normal = cross(at[w[1]] - at[w[0]], at[w[2]] - at[w[0]]);
    const double area = length(normal);
    if (!(area > 0)) continue;
    for (const std::uint32_t v : w) {
      addPlane(quadrics_[s * around_.size() + v], normal * (1 / area), at[w[0]], area);
      mass_[v] += area;
    }
  }
}

void Decimator::noteFacets() {
  faceted_.resize(around_.size());
  std::vector<std::uint32_t> vertices;
  for (std::size_t v = 0; v < around_.size(); ++v) {
    vertices.clear();
    for (const std::uint32_t t : around_[v]) {
      const auto w = weldedCorners(t);
      vertices.push_back(corners_[t][static_cast<std::size_t>(std::ranges::find(w, v) - w.begin())]);
    }
    std::ranges::sort(vertices);
    const auto distinct = std::unique(vertices.begin(), vertices.end()) - vertices.begin();
    faceted_[v] = distinct > 2 && 4 * distinct >= 3 * std::ssize(vertices);
  }
}

std::uint32_t Decimator::opposite(std::uint32_t t, std::uint32_t a, std::uint32_t b) const {
  const auto w = weldedCorners(t);
  return *std::ranges::find_if(w, [a, b](std::uint32_t v) { return v != a && v != b; });
}

std::size_t Decimator::sheetSides(std::span<const std::uint32_t> triangles, std::uint32_t a, std::uint32_t b) const {
  std::vector<std::uint32_t> tips;
  for (const std::uint32_t t : triangles) tips.push_back(opposite(t, a, b));
  std::ranges::sort(tips);
  return static_cast<std::size_t>(std::unique(tips.begin(), tips.end()) - tips.begin());
}

// Open edges, seams and edges between sections are lines of their own: planes across the surface hold them. Between
// facets there is no line.
void Decimator::noteBorders() {
  using Corners = std::pair<std::uint32_t, std::uint32_t>; // at the lower and the higher welded vertex of an edge
  struct Edge {
    std::vector<std::uint32_t> triangles;
    std::vector<Corners> corners; // by triangle
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Edge> edges;
  for (std::uint32_t t = 0; t < corners_.size(); ++t) {
    if (!alive_[t]) continue;
    const auto w = weldedCorners(t);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const bool swap = w[i] > w[j];
      Edge& edge = edges[{std::min(w[i], w[j]), std::max(w[i], w[j])}];
      edge.triangles.push_back(t);
      edge.corners.emplace_back(corners_[t][swap ? j : i], corners_[t][swap ? i : j]);
    }
  }
  for (const auto& [ends, edge] : edges) {
    const std::size_t sides = sheetSides(edge.triangles, ends.first, ends.second);
    if (sides > 2) ridge_[ends.first] = ridge_[ends.second] = true;
    if (sides == 1) border_[ends.first] = border_[ends.second] = true;
    if (sides == 2) {
      const bool no_seam = std::ranges::all_of(
          edge.corners, [&edge = edge](const Corners& c) { return std::ranges::count(edge.corners, c) == 2; });
      const auto section = [&](const Corners& c) { return section_of_vertex_[c.first]; };
      const bool one_section = std::ranges::all_of(
          edge.corners, [&, &edge = edge](const Corners& c) { return section(c) == section(edge.corners[0]); });
      if (no_seam || (faceted_[ends.first] && faceted_[ends.second] && one_section)) continue;
    }
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      const auto& at = shapes_[s];
      const Vec3d a = at[ends.first], along = at[ends.second] - a;
      for (const std::uint32_t t : edge.triangles) {
        const auto w = weldedCorners(t);
        const Vec3d across = cross(along, cross(at[w[1]] - at[w[0]], at[w[2]] - at[w[0]]));
        if (!(length(across) > 0)) continue;
        const double weight = kBorderWeight * dot(along, along);
        for (const std::uint32_t v : {ends.first, ends.second}) {
          addPlane(quadrics_[s * around_.size() + v], normalized(across), a, weight);
          mass_[v] += weight;
        }
      }
    }
  }
}

double Decimator::cost(std::uint32_t from, std::uint32_t to) const {
  double sum = 0;
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const std::size_t first = s * around_.size();
    sum += std::fmax(0.0, evaluate(quadrics_[first + from], quadrics_[first + to], shapes_[s][to]));
  }
  const Vec3d along = shapes_[0][to] - shapes_[0][from];
  const double squared = dot(along, along);
  return sum + kLengthWeight * squared * squared;
}

std::vector<std::uint32_t> Decimator::neighbors(std::uint32_t welded) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t t : around_[welded]) {
    if (!alive_[t]) continue;
    for (const std::uint32_t v : weldedCorners(t))
      if (v != welded) out.push_back(v);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::uint32_t> Decimator::trianglesOf(std::uint32_t a, std::uint32_t b) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t t : around_[a])
    if (alive_[t] && has(t, b)) out.push_back(t);
  return out;
}

bool Decimator::onPlainRidge(std::uint32_t welded) const {
  int ridges = 0;
  for (const std::uint32_t other : neighbors(welded))
    if (sheetSides(trianglesOf(welded, other), welded, other) > 2) ++ridges;
  return ridges == 2 && !border_[welded];
}

// The surface stays what it is: borders, and ridges at which three or more sheets meet, collapse along themselves only,
// and the two ends of the edge have no common neighbors but those across its triangles.
bool Decimator::topologyAllows(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> shared) const {
  const std::size_t sides = sheetSides(shared, from, to);
  if (sides == 0) return false;
  if (ridge_[from] != (sides > 2) || (ridge_[from] && !onPlainRidge(from))) return false;
  if (border_[from] && sides != 1) return false;
  if (border_[from] && !border_[to]) return false;
  if (!border_[from] && border_[to] && sides == 1) return false;
  const auto a = neighbors(from), b = neighbors(to);
  std::vector<std::uint32_t> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common.size() == sides && a.size() + b.size() >= 2 * sides + 3; // more than one triangle stays
}

Vec3d Decimator::normalOf(std::uint32_t t) const {
  const auto w = weldedCorners(t);
  const auto& at = shapes_[0];
  return normalized(cross(at[w[1]] - at[w[0]], at[w[2]] - at[w[0]]));
}

// No triangle turns over, in any shape.
bool Decimator::shapeAllows(std::uint32_t from, std::uint32_t to) const {
  for (const std::uint32_t t : around_[from]) {
    if (!alive_[t] || has(t, to)) continue;
    auto w = weldedCorners(t);
    for (const auto& at : shapes_) {
      const Vec3d before = cross(at[w[1]] - at[w[0]], at[w[2]] - at[w[0]]);
      auto moved = w;
      std::ranges::replace(moved, from, to);
      const Vec3d after = cross(at[moved[1]] - at[moved[0]], at[moved[2]] - at[moved[0]]);
      if (!(dot(before, after) > kLeastTurnCosine * length(before) * length(after)) && length(before) > 0) return false;
    }
  }
  return true;
}

// The vertex at `to` whose surface is most like that of the triangle; of the same section, or none.
std::uint32_t Decimator::similarCorner(std::uint32_t triangle, std::uint32_t to) const {
  const std::uint32_t section = section_of_vertex_[corners_[triangle][0]];
  const Vec3d normal = normalOf(triangle);
  std::uint32_t best = kNone;
  double best_cosine = -2;
  for (const std::uint32_t t : around_[to]) {
    if (!alive_[t] || section_of_vertex_[corners_[t][0]] != section) continue;
    const double cosine = dot(normalOf(t), normal);
    if (cosine <= best_cosine) continue;
    best_cosine = cosine;
    const auto w = weldedCorners(t);
    best = corners_[t][static_cast<std::size_t>(std::ranges::find(w, to) - w.begin())];
  }
  return best;
}

std::vector<std::uint32_t> Decimator::cornersAfter(std::uint32_t from, std::uint32_t to,
                                                   std::span<const std::uint32_t> shared, Seams seams) const {
  // Vertices of `from` and of `to` that belong together, by the triangles that have both.
  std::map<std::uint32_t, std::uint32_t> partner;
  for (const std::uint32_t t : shared) {
    const auto w = weldedCorners(t);
    const std::uint32_t a = corners_[t][static_cast<std::size_t>(std::ranges::find(w, from) - w.begin())];
    const std::uint32_t b = corners_[t][static_cast<std::size_t>(std::ranges::find(w, to) - w.begin())];
    const auto [entry, fresh] = partner.try_emplace(a, b);
    if (!fresh && entry->second != b && seams == Seams::Keep) return {};
  }
  std::vector<std::uint32_t> out;
  for (const std::uint32_t t : around_[from]) {
    if (!alive_[t] || has(t, to)) {
      out.push_back(kNone);
      continue;
    }
    const auto w = weldedCorners(t);
    const std::uint32_t corner = corners_[t][static_cast<std::size_t>(std::ranges::find(w, from) - w.begin())];
    const auto entry = partner.find(corner);
    if (entry == partner.end() && seams == Seams::Keep) return {};
    out.push_back(entry != partner.end() ? entry->second : similarCorner(t, to));
    if (out.back() == kNone) return {};
  }
  return out;
}

// What a collapse costs that gives up a seam; between facets there is none to keep.
double Decimator::costAcrossSeam(std::uint32_t from, double cost) const {
  if (faceted_[from]) return cost;
  const auto& at = shapes_[0];
  double area = 0;
  for (const std::uint32_t t : around_[from]) {
    if (!alive_[t]) continue;
    const auto w = weldedCorners(t);
    area += length(cross(at[w[1]] - at[w[0]], at[w[2]] - at[w[0]])); // twice, as in the quadrics
  }
  return kSeamFactor * cost + seam_price_ * area;
}

Decimator::Outcome Decimator::collapse(std::uint32_t from, std::uint32_t to, Seams seams) {
  const auto shared = trianglesOf(from, to);
  if (!topologyAllows(from, to, shared) || !shapeAllows(from, to)) return Outcome::Refused;
  const auto corners = cornersAfter(from, to, shared, seams);
  if (corners.empty()) return seams == Seams::Keep ? Outcome::SeamInTheWay : Outcome::Refused;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::uint32_t t = around_[from][i];
    if (!alive_[t]) continue;
    if (corners[i] == kNone) {
      alive_[t] = false;
      --alive_count_;
      continue;
    }
    const auto w = weldedCorners(t);
    corners_[t][static_cast<std::size_t>(std::ranges::find(w, from) - w.begin())] = corners[i];
    around_[to].push_back(t);
  }
  around_[from].clear();
  collapses_.emplace_back(from, to);
  std::erase_if(around_[to], [&](std::uint32_t t) { return !alive_[t]; });
  for (std::size_t s = 0; s < shapes_.size(); ++s)
    for (std::size_t i = 0; i < 10; ++i)
      quadrics_[s * around_.size() + to][i] += quadrics_[s * around_.size() + from][i];
  mass_[to] += mass_[from];
  ++stamp_[to];
  return Outcome::Done;
}

bool Decimator::isCurrent(const Candidate& candidate) const {
  return !around_[candidate.from].empty() && !around_[candidate.to].empty() &&
         candidate.stamp == stamp_[candidate.from] + stamp_[candidate.to];
}

void Decimator::push(const Candidate& candidate) {
  heap_.push_back(candidate);
  std::ranges::push_heap(heap_, Later{});
}

void Decimator::pushEdges(std::uint32_t welded) {
  for (const std::uint32_t other : neighbors(welded))
    for (const auto& [from, to] : {std::pair(welded, other), std::pair(other, welded)}) {
      push({cost(from, to), from, to, stamp_[from] + stamp_[to], Seams::Keep});
    }
}

void Decimator::pushAll() {
  heap_.clear();
  for (std::uint32_t v = 0; v < around_.size(); ++v)
    for (const std::uint32_t other : neighbors(v))
      heap_.push_back({cost(v, other), v, other, stamp_[v] + stamp_[other], Seams::Keep});
  std::ranges::make_heap(heap_, Later{});
}

void Decimator::reduceTo(std::size_t triangle_count, Seams seams) {
  if (seams == Seams::Keep) return reduceWithin(triangle_count, seams, kLargestError);
  reduceWithin(triangle_count, Seams::Keep, kLargestWithSeams);
  reduceWithin(triangle_count, Seams::Cross, kLargestError);
}

// The mean distance from the planes that a collapse stands for, relative to the diagonal.
double Decimator::errorOf(const Candidate& candidate) const {
  const double mass = mass_[candidate.from] + mass_[candidate.to];
  return mass > 0 ? std::sqrt(candidate.cost / mass) / diagonal_ : 0;
}

void Decimator::reduceWithin(std::size_t triangle_count, Seams seams, double largest_error) {
  // A collapse that was refused may be allowed once its surroundings have changed: so again, until nothing happens.
  for (bool progress = true; progress && alive_count_ > triangle_count;) {
    progress = false;
    pushAll();
    while (alive_count_ > triangle_count && !heap_.empty()) {
      std::ranges::pop_heap(heap_, Later{});
      Candidate next = heap_.back();
      heap_.pop_back();
      if (!isCurrent(next)) continue;
      if (next.seams == Seams::Keep && errorOf(next) > largest_error) continue;
      switch (collapse(next.from, next.to, next.seams)) {
      case Outcome::Done:
        progress = true;
        if (next.seams == Seams::Cross) ++crossed_count_;
        pushEdges(next.to);
        break;
      case Outcome::Refused:
        break;
      case Outcome::SeamInTheWay:
        if (seams == Seams::Keep) break;
        next.cost = costAcrossSeam(next.from, next.cost);
        next.seams = Seams::Cross;
        push(next);
        break;
      }
    }
  }
}

Decimated Decimator::result() const {
  Decimated out;
  for (std::uint32_t t = 0; t < corners_.size(); ++t) {
    if (!alive_[t]) continue;
    out.triangles.push_back(corners_[t]);
    out.source.push_back(t);
  }
  out.survivor.resize(around_.size());
  std::iota(out.survivor.begin(), out.survivor.end(), 0U);
  for (auto c = collapses_.rbegin(); c != collapses_.rend(); ++c) out.survivor[c->first] = out.survivor[c->second];
  return out;
}

} // namespace skincells::mesh

#include "mesh/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/assert.h"
#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr double kBorderWeight = 10;        // weight of visible lines, relative to the surface around them
constexpr double kLengthWeight = 1e-6;      // prefers short edges where the surface is flat
constexpr double kSmallestTurnCosine = 0.2; // between the normals of a triangle before and after a collapse
// The largest mean distance from the original surfaces after a collapse, relative to the diagonal: while seams are
// kept, and in any case. Larger values would remove whole limbs.
constexpr double kLargestErrorWithSeams = 0.01, kLargestError = 0.04;
// Giving up a seam costs kSeamFactor times the collapse, plus as much as moving the surface around it by kSeamDistance
// of the diagonal.
constexpr double kSeamDistance = 0.002, kSeamFactor = 2;

// A collapse looks at all triangles around both ends, so a hub of a hundred thousand triangles would make the whole
// quadratic. Edges at larger hubs stay; no character has them.
constexpr std::size_t kMostTrianglesAround = 1024;
// Passes over all edges: as many as like, then only while each of them removes this share of the triangles.
constexpr int kFreePasses = 8;
constexpr double kLeastProgress = 0.005;

using Quadric = std::array<double, 10>; // x^T A x + 2 b x + c: the upper half of A, then b, then c

struct Candidate {
  double cost;
  std::uint32_t from, to;
  std::uint32_t stamp; // sum of the stamps of both vertices when the candidate was made
  Seams seams;
};

// Orders a heap with the cheapest candidate on top.
struct CostsMore {
  bool operator()(const Candidate& a, const Candidate& b) const {
    if (a.cost != b.cost) return a.cost > b.cost;
    return a.from != b.from ? a.from > b.from : a.to > b.to;
  }
};

enum class Outcome { Done, Refused, SeamInTheWay };

// Adds the squared distance to a plane, times a weight.
void addPlane(Quadric& q, const Vec3d& n, const Vec3d& point, double weight) {
  const double d = -dot(n, point);
  const double terms[10] = {n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z,
                            n.z * n.z, n.x * d,   n.y * d,   n.z * d,   d * d};
  for (std::size_t i = 0; i < 10; ++i) q[i] += weight * terms[i];
}

double evaluate(const Quadric& a, const Quadric& b, const Vec3d& p) {
  Quadric q;
  for (std::size_t i = 0; i < 10; ++i) q[i] = a[i] + b[i];
  return q[0] * p.x * p.x + q[3] * p.y * p.y + q[5] * p.z * p.z +
         2 * (q[1] * p.x * p.y + q[2] * p.x * p.z + q[4] * p.y * p.z + q[6] * p.x + q[7] * p.y + q[8] * p.z) + q[9];
}

} // namespace

struct Decimator::State {
  State(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes);

  std::array<std::uint32_t, 3> weldedCorners(std::uint32_t triangle) const;
  bool has(std::uint32_t triangle, std::uint32_t welded) const;
  // The vertex of a triangle at one of its welded vertices.
  std::uint32_t& cornerAt(std::uint32_t triangle, std::uint32_t welded);
  std::uint32_t cornerAt(std::uint32_t triangle, std::uint32_t welded) const;
  // The corner of a triangle that is not on the edge (a, b).
  std::uint32_t opposite(std::uint32_t triangle, std::uint32_t a, std::uint32_t b) const;
  // How many sides the surface has at an edge, from the triangles at it. Sheets that lie on one another, such as the
  // front and the back of a wing, count as one and collapse together.
  std::size_t sheetSides(std::span<const std::uint32_t> triangles, std::uint32_t a, std::uint32_t b) const;
  Vec3d normalOf(std::uint32_t triangle) const;
  std::vector<std::uint32_t> neighbors(std::uint32_t welded) const;
  std::vector<std::uint32_t> trianglesOf(std::uint32_t a, std::uint32_t b) const;

  struct BorderEdge;
  void addPlaneTo(std::uint32_t welded, std::size_t shape, const Vec3d& normal, const Vec3d& point, double weight);
  void addTriangleQuadrics(std::uint32_t triangle);
  void findFacets();
  void findBorders();
  bool isLine(const BorderEdge& edge, std::size_t sides) const;
  void addLineQuadrics(const BorderEdge& edge);

  double cost(std::uint32_t from, std::uint32_t to) const;
  double costAcrossSeam(std::uint32_t from, double cost) const;
  double errorOf(const Candidate& candidate) const;
  bool onPlainRidge(std::uint32_t welded) const; // not where ridges meet or end
  bool topologyAllows(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> shared) const;
  bool shapeAllows(std::uint32_t from, std::uint32_t to) const;
  // New corner vertices for the triangles of `from`; empty if a seam forbids the collapse.
  std::vector<std::uint32_t> cornersAfter(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> shared,
                                          Seams seams) const;
  std::uint32_t similarCorner(std::uint32_t triangle, std::uint32_t to) const;
  Outcome collapse(std::uint32_t from, std::uint32_t to, Seams seams);

  void push(const Candidate& candidate);
  void pushEdges(std::uint32_t welded);
  void pushAll();
  bool isCurrent(const Candidate& candidate) const;
  void reduceWithin(std::size_t triangle_count, Seams seams, double largest_error);

  std::vector<std::uint32_t> welded_of_vertex_, section_of_vertex_;
  std::vector<std::vector<Vec3d>> shapes_; // by shape and welded vertex
  std::vector<Triangle> corners_;          // by triangle: vertices
  std::vector<bool> alive_;                // by triangle
  std::size_t alive_count_ = 0, crossed_count_ = 0;
  double diagonal_ = 0;
  double seam_price_ = 0;                          // per unit of area
  std::vector<std::vector<std::uint32_t>> around_; // by welded vertex: its triangles, some of them no longer alive
  std::vector<Quadric> quadrics_;                  // by shape and welded vertex
  std::vector<double> mass_;                       // by welded vertex: weight of its quadrics in all shapes
  std::vector<bool> border_;                       // by welded vertex: on an open edge
  std::vector<bool> ridge_;                        // by welded vertex: on an edge of three or more sheets
  std::vector<bool> faceted_; // by welded vertex: nearly every triangle has a separate vertex, as in flat shading
  std::vector<std::uint32_t> stamp_; // by welded vertex: how often its quadrics have changed
  std::vector<std::pair<std::uint32_t, std::uint32_t>> collapses_; // from, to; in the order they happened
  std::vector<Candidate> heap_;
};

// An edge of the mesh with the triangles at it.
struct Decimator::State::BorderEdge {
  using Corners = std::pair<std::uint32_t, std::uint32_t>; // the triangle's vertices at the ends
  std::uint32_t low = 0, high = 0;                         // welded vertices at the ends
  std::vector<std::uint32_t> triangles;
  std::vector<Corners> corners; // by triangle
};

Decimator::State::State(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes)
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
    addTriangleQuadrics(t);
  }
  findFacets();
  findBorders();
  Box box;
  for (const Vec3d& p : shapes_[0]) box.add(p);
  diagonal_ = box.diagonal();
  const double moved = kSeamDistance * diagonal_;
  seam_price_ = moved * moved * static_cast<double>(shapes_.size());
}

std::array<std::uint32_t, 3> Decimator::State::weldedCorners(std::uint32_t t) const {
  const Triangle& c = corners_[t];
  return {welded_of_vertex_[c[0]], welded_of_vertex_[c[1]], welded_of_vertex_[c[2]]};
}

bool Decimator::State::has(std::uint32_t t, std::uint32_t welded) const {
  const auto w = weldedCorners(t);
  return std::ranges::find(w, welded) != w.end();
}

std::uint32_t& Decimator::State::cornerAt(std::uint32_t t, std::uint32_t welded) {
  const auto w = weldedCorners(t);
  return corners_[t][std::ranges::find(w, welded) - w.begin()];
}

std::uint32_t Decimator::State::cornerAt(std::uint32_t t, std::uint32_t welded) const {
  const auto w = weldedCorners(t);
  return corners_[t][std::ranges::find(w, welded) - w.begin()];
}

void Decimator::State::addPlaneTo(std::uint32_t welded, std::size_t shape, const Vec3d& normal, const Vec3d& point,
                                  double weight) {
  addPlane(quadrics_[shape * around_.size() + welded], normal, point, weight);
  mass_[welded] += weight;
}

void Decimator::State::addTriangleQuadrics(std::uint32_t t) {
  const auto w = weldedCorners(t);
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const Vec3d normal = areaNormal(shapes_[s], w);
    const double area = length(normal);
    if (!(area > 0)) continue;
    for (const std::uint32_t v : w) addPlaneTo(v, s, normal * (1 / area), shapes_[s][w[0]], area);
  }
}

void Decimator::State::findFacets() {
  faceted_.resize(around_.size());
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < around_.size(); ++v) {
    vertices.clear();
    for (const std::uint32_t t : around_[v]) vertices.push_back(cornerAt(t, v));
    std::ranges::sort(vertices);
    const auto distinct = std::unique(vertices.begin(), vertices.end()) - vertices.begin();
    faceted_[v] = distinct > 2 && 4 * distinct >= 3 * std::ssize(vertices);
  }
}

std::uint32_t Decimator::State::opposite(std::uint32_t t, std::uint32_t a, std::uint32_t b) const {
  const auto w = weldedCorners(t);
  return *std::ranges::find_if(w, [a, b](std::uint32_t v) { return v != a && v != b; });
}

std::size_t Decimator::State::sheetSides(std::span<const std::uint32_t> triangles, std::uint32_t a,
                                         std::uint32_t b) const {
  std::vector<std::uint32_t> tips;
  for (const std::uint32_t t : triangles) tips.push_back(opposite(t, a, b));
  std::ranges::sort(tips);
  return static_cast<std::size_t>(std::unique(tips.begin(), tips.end()) - tips.begin());
}

// Planes across the surface hold the lines on it; see isLine.
void Decimator::State::findBorders() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, BorderEdge> edges;
  for (std::uint32_t t = 0; t < corners_.size(); ++t) {
    if (!alive_[t]) continue;
    const auto w = weldedCorners(t);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, low = w[i] < w[j] ? i : j, high = w[i] < w[j] ? j : i;
      BorderEdge& edge = edges[{w[low], w[high]}];
      edge.low = w[low];
      edge.high = w[high];
      edge.triangles.push_back(t);
      edge.corners.emplace_back(corners_[t][low], corners_[t][high]);
    }
  }
  for (const auto& [ends, edge] : edges) {
    const std::size_t sides = sheetSides(edge.triangles, edge.low, edge.high);
    if (sides > 2) ridge_[edge.low] = ridge_[edge.high] = true;
    if (sides == 1) border_[edge.low] = border_[edge.high] = true;
    if (isLine(edge, sides)) addLineQuadrics(edge);
  }
}

// Open edges, ridges, seams and edges between sections are visible lines. Edges between facets are not.
bool Decimator::State::isLine(const BorderEdge& edge, std::size_t sides) const {
  using Corners = BorderEdge::Corners;
  if (sides != 2) return true;
  const bool no_seam =
      std::ranges::all_of(edge.corners, [&](const Corners& c) { return std::ranges::count(edge.corners, c) == 2; });
  const auto section = [&](const Corners& c) { return section_of_vertex_[c.first]; };
  const bool one_section =
      std::ranges::all_of(edge.corners, [&](const Corners& c) { return section(c) == section(edge.corners[0]); });
  return !no_seam && !(faceted_[edge.low] && faceted_[edge.high] && one_section);
}

void Decimator::State::addLineQuadrics(const BorderEdge& edge) {
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const auto& at = shapes_[s];
    const Vec3d a = at[edge.low], along = at[edge.high] - a;
    for (const std::uint32_t t : edge.triangles) {
      const Vec3d across = cross(along, areaNormal(at, weldedCorners(t)));
      if (!(length(across) > 0)) continue;
      for (const std::uint32_t v : {edge.low, edge.high})
        addPlaneTo(v, s, normalized(across), a, kBorderWeight * dot(along, along));
    }
  }
}

double Decimator::State::cost(std::uint32_t from, std::uint32_t to) const {
  double sum = 0;
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const std::size_t first = s * around_.size();
    sum += std::fmax(0.0, evaluate(quadrics_[first + from], quadrics_[first + to], shapes_[s][to]));
  }
  const Vec3d along = shapes_[0][to] - shapes_[0][from];
  const double squared = dot(along, along);
  return sum + kLengthWeight * squared * squared;
}

std::vector<std::uint32_t> Decimator::State::neighbors(std::uint32_t welded) const {
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

std::vector<std::uint32_t> Decimator::State::trianglesOf(std::uint32_t a, std::uint32_t b) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t t : around_[a])
    if (alive_[t] && has(t, b)) out.push_back(t);
  return out;
}

bool Decimator::State::onPlainRidge(std::uint32_t welded) const {
  int ridges = 0;
  for (const std::uint32_t other : neighbors(welded))
    if (sheetSides(trianglesOf(welded, other), welded, other) > 2) ++ridges;
  return ridges == 2 && !border_[welded];
}

// Does the collapse keep the topology? Borders, and ridges at which three or more sheets meet, collapse only along
// themselves, and the two ends of the edge have no common neighbors except the opposite corners of its triangles.
bool Decimator::State::topologyAllows(std::uint32_t from, std::uint32_t to,
                                      std::span<const std::uint32_t> shared) const {
  const std::size_t sides = sheetSides(shared, from, to);
  if (sides == 0) return false;
  if (ridge_[from] != (sides > 2) || (ridge_[from] && !onPlainRidge(from))) return false;
  if (border_[from] && sides != 1) return false;
  if (border_[from] && !border_[to]) return false;
  if (!border_[from] && border_[to] && sides == 1) return false;
  const auto a = neighbors(from), b = neighbors(to);
  std::vector<std::uint32_t> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common.size() == sides && a.size() + b.size() >= 2 * sides + 3; // more than one triangle is left
}

Vec3d Decimator::State::normalOf(std::uint32_t t) const {
  return normalized(areaNormal(shapes_[0], weldedCorners(t)));
}

// No triangle may flip, in any shape.
bool Decimator::State::shapeAllows(std::uint32_t from, std::uint32_t to) const {
  for (const std::uint32_t t : around_[from]) {
    if (!alive_[t] || has(t, to)) continue;
    const auto corners = weldedCorners(t);
    auto moved = corners;
    std::ranges::replace(moved, from, to);
    for (const auto& at : shapes_) {
      const Vec3d before = areaNormal(at, corners), after = areaNormal(at, moved);
      const bool keeps_direction = dot(before, after) > kSmallestTurnCosine * length(before) * length(after);
      if (!keeps_direction && length(before) > 0) return false;
    }
  }
  return true;
}

// The vertex at `to` of the triangle whose normal is most similar, in the same section; kNone if there is none.
std::uint32_t Decimator::State::similarCorner(std::uint32_t triangle, std::uint32_t to) const {
  const std::uint32_t section = section_of_vertex_[corners_[triangle][0]];
  const Vec3d normal = normalOf(triangle);
  std::uint32_t best = kNone;
  double best_cosine = -2;
  for (const std::uint32_t t : around_[to]) {
    if (!alive_[t] || section_of_vertex_[corners_[t][0]] != section) continue;
    const double cosine = dot(normalOf(t), normal);
    if (cosine <= best_cosine) continue;
    best_cosine = cosine;
    best = cornerAt(t, to);
  }
  return best;
}

std::vector<std::uint32_t> Decimator::State::cornersAfter(std::uint32_t from, std::uint32_t to,
                                                          std::span<const std::uint32_t> shared, Seams seams) const {
  // Vertex of `from` -> vertex of `to` in the same triangle.
  std::map<std::uint32_t, std::uint32_t> partner;
  for (const std::uint32_t t : shared) {
    const std::uint32_t b = cornerAt(t, to);
    const auto [entry, is_new] = partner.try_emplace(cornerAt(t, from), b);
    if (!is_new && entry->second != b && seams == Seams::Keep) return {};
  }
  std::vector<std::uint32_t> out;
  for (const std::uint32_t t : around_[from]) {
    if (!alive_[t] || has(t, to)) {
      out.push_back(kNone);
      continue;
    }
    const auto entry = partner.find(cornerAt(t, from));
    if (entry == partner.end() && seams == Seams::Keep) return {};
    out.push_back(entry != partner.end() ? entry->second : similarCorner(t, to));
    if (out.back() == kNone) return {};
  }
  return out;
}

// The cost of a collapse that gives up a seam. Between facets there is no seam to keep.
double Decimator::State::costAcrossSeam(std::uint32_t from, double cost) const {
  if (faceted_[from]) return cost;
  double twice_area = 0; // as in the quadrics
  for (const std::uint32_t t : around_[from])
    if (alive_[t]) twice_area += length(areaNormal(shapes_[0], weldedCorners(t)));
  return kSeamFactor * cost + seam_price_ * twice_area;
}

Outcome Decimator::State::collapse(std::uint32_t from, std::uint32_t to, Seams seams) {
  if (around_[from].size() + around_[to].size() > kMostTrianglesAround) return Outcome::Refused;
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
    cornerAt(t, from) = corners[i];
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

bool Decimator::State::isCurrent(const Candidate& candidate) const {
  return !around_[candidate.from].empty() && !around_[candidate.to].empty() &&
         candidate.stamp == stamp_[candidate.from] + stamp_[candidate.to];
}

void Decimator::State::push(const Candidate& candidate) {
  heap_.push_back(candidate);
  std::ranges::push_heap(heap_, CostsMore{});
}

void Decimator::State::pushEdges(std::uint32_t welded) {
  for (const std::uint32_t other : neighbors(welded))
    for (const auto& [from, to] : {std::pair(welded, other), std::pair(other, welded)})
      push({cost(from, to), from, to, stamp_[from] + stamp_[to], Seams::Keep});
}

void Decimator::State::pushAll() {
  heap_.clear();
  for (std::uint32_t v = 0; v < around_.size(); ++v)
    for (const std::uint32_t other : neighbors(v))
      heap_.push_back({cost(v, other), v, other, stamp_[v] + stamp_[other], Seams::Keep});
  std::ranges::make_heap(heap_, CostsMore{});
}

// The mean distance from the planes in both quadrics, relative to the diagonal.
double Decimator::State::errorOf(const Candidate& candidate) const {
  const double mass = mass_[candidate.from] + mass_[candidate.to];
  return mass > 0 ? std::sqrt(candidate.cost / mass) / diagonal_ : 0;
}

void Decimator::State::reduceWithin(std::size_t triangle_count, Seams seams, double largest_error) {
  // A refused collapse may become possible when its surroundings change, so repeat until there is no progress.
  bool progress = true;
  for (int pass = 0; progress && alive_count_ > triangle_count; ++pass) {
    const auto before = static_cast<double>(alive_count_);
    progress = false;
    pushAll();
    while (alive_count_ > triangle_count && !heap_.empty()) {
      std::ranges::pop_heap(heap_, CostsMore{});
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
    if (pass >= kFreePasses)
      progress = progress && before - static_cast<double>(alive_count_) > kLeastProgress * before;
  }
}

Decimator::Decimator(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes)
    : state_(std::make_unique<State>(mesh, weld, shapes)) {}
Decimator::~Decimator() = default;

void Decimator::reduceTo(std::size_t triangle_count, Seams seams) {
  if (seams == Seams::Keep) return state_->reduceWithin(triangle_count, seams, kLargestError);
  state_->reduceWithin(triangle_count, Seams::Keep, kLargestErrorWithSeams);
  state_->reduceWithin(triangle_count, Seams::Cross, kLargestError);
}

std::size_t Decimator::triangleCount() const {
  return state_->alive_count_;
}

std::size_t Decimator::crossedSeams() const {
  return state_->crossed_count_;
}

Decimated Decimator::result() const {
  const State& s = *state_;
  Decimated out;
  for (std::uint32_t t = 0; t < s.corners_.size(); ++t) {
    if (!s.alive_[t]) continue;
    out.triangles.push_back(s.corners_[t]);
    out.source.push_back(t);
  }
  out.survivor.resize(s.around_.size());
  std::iota(out.survivor.begin(), out.survivor.end(), 0U);
  for (auto c = s.collapses_.rbegin(); c != s.collapses_.rend(); ++c) out.survivor[c->first] = out.survivor[c->second];
  return out;
}

} // namespace skincells::mesh

#include "bind/surroundings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "bind/subjects.h"
#include "mesh/point_tree.h"
#include "mesh/ray_query.h"
#include "mesh/solve_weld.h"
#include "mesh/surface_measure.h"
#include "rig/segment_tree.h"
#include "weights/interpolate.h"
#include "weights/rows_edit.h"

namespace skincells::binding {
namespace {

constexpr double kReachShare = 0.75;       // the reach of a part: this share of it is nearer to a bone
constexpr double kSceneryReach = 0.5;      // of the character's size: a part with a larger reach is scenery
constexpr double kTornShare = 0.01;        // of the vertices may be torn at most
constexpr double kSpeck = 1e-3;            // of the size of the mesh: a smaller part is a speck
constexpr double kSpeckArea = 0.01;        // of the surface may be specks at most
constexpr double kMuchLarger = 1.5;        // sizes of the file and of its body that differ by less are one
constexpr double kLargestByJoints = 16;    // skeletons: a larger file is not one character
constexpr double kFarJoint = 0.25;         // of the skeleton's size: a joint farther from the mesh does not count
constexpr double kContact = 0.1;           // of the size of a part: this much farther than the nearest point touches
constexpr std::size_t kTriedVertices = 64; // vertices that are tried before the nearest one is looked for

class Finder {
public:
  Finder(const Character& character, std::span<const int> joints, Surroundings& out)
      : character_(character), joints_(joints), out_(out), welded_(weldedMesh(character.mesh, out.weld)),
        islands_(findIslands(welded_)), areas_(mesh::measureVertices(welded_)) {
    out_.places.assign(welded_.positions.size(), Place::Body);
    findLoose();
    for (std::uint32_t v = 0; v < out_.rules.size(); ++v) {
      if (out_.rules[v].origin == PartOrigin::RigidByName) out_.places[v] = Place::Rigid;
      if (out_.rules[v].origin == PartOrigin::FollowByName) out_.places[v] = Place::Follow;
    }
  }

  void find() {
    const double plain = box([](std::uint32_t) { return true; }).diagonal();
    const double skeleton = skeletonSize();
    if (skeleton > 0 && plain > kMuchLarger * skeleton) {
      measureDistances();
      const std::vector<Place> before = out_.places;
      findScenery(skeleton);
      findTorn(skeleton);
      if (!(bodyBox().diagonal() * kMuchLarger < plain)) { // nothing that would matter
        out_.places = before;
        out_.scenery_parts = 0;
      }
    }
    findSpecks();
    out_.body = bodyBox();
  }

private:
  void findLoose() {
    if (welded_.triangles.empty()) return;
    std::ranges::fill(out_.places, Place::Loose);
    for (const Triangle& t : welded_.triangles)
      for (std::uint32_t v : t) out_.places[v] = Place::Body;
  }

  // Of a part of the body.
  bool bendsByName(const std::vector<std::uint32_t>& part) const {
    return !out_.rules.empty() &&
           std::ranges::any_of(part, [&](std::uint32_t v) { return out_.rules[v].origin == PartOrigin::FieldByName; });
  }

  // The connected parts of the body.
  std::vector<std::vector<std::uint32_t>> parts() const {
    std::vector<std::vector<std::uint32_t>> members(islands_.count);
    for (std::uint32_t v = 0; v < out_.places.size(); ++v)
      if (out_.places[v] == Place::Body) members[islands_.island_of_vertex[v]].push_back(v);
    return members;
  }

  void findSpecks() {
    const double limit = kSpeck * bodyBox().diagonal();
    double all = 0, small = 0;
    std::vector<std::vector<std::uint32_t>> specks;
    for (std::vector<std::uint32_t>& part : parts()) {
      Box extent;
      double area = 0;
      for (std::uint32_t v : part) {
        extent.add(toDouble(welded_.positions[v]));
        area += areas_[v].area;
      }
      all += area;
      if (part.empty() || !(extent.diagonal() < limit) || bendsByName(part)) continue;
      small += area;
      specks.push_back(std::move(part));
    }
    if (!(small < kSpeckArea * all)) return; // also where nothing has an area
    for (const auto& speck : specks)
      for (std::uint32_t v : speck) out_.places[v] = Place::Speck;
    out_.specks = std::move(specks);
  }

  void measureDistances() {
    const rig::SegmentTree tree(rig::boneSegments(character_.skeleton, joints_));
    distances_.resize(welded_.positions.size());
    parallelChunks(distances_.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::vector<rig::JointDistance> found;
      for (std::size_t v = begin; v < end; ++v) {
        tree.nearestJoints(toDouble(welded_.positions[v]), 1, found);
        distances_[v] = std::sqrt(found.front().squared);
      }
    });
  }

  template <class Accept> Box box(const Accept& accept) const {
    Box out;
    for (std::uint32_t v = 0; v < out_.places.size(); ++v)
      if (accept(v)) out.add(toDouble(welded_.positions[v]));
    return out;
  }
  Box bodyBox() const {
    return box([&](std::uint32_t v) { return out_.places[v] == Place::Body; });
  }

  // The size of the joints that lie near the mesh.
  double skeletonSize() const {
    Box all, near;
    std::vector<Vec3d> positions;
    for (int j : joints_) positions.push_back(character_.skeleton.bindPosition(j));
    for (const Vec3d& p : positions) all.add(p);
    std::vector<std::uint32_t> body;
    for (std::uint32_t v = 0; v < out_.places.size(); ++v)
      if (out_.places[v] == Place::Body) body.push_back(v);
    const double limit = kFarJoint * all.diagonal();
    const auto isNear = [&](std::uint32_t v, const Vec3d& p) {
      return length(toDouble(welded_.positions[v]) - p) <= limit;
    };
    std::optional<mesh::PointTree> tree; // some vertices nearly always answer, so it is rarely needed
    const std::size_t step = 1 + body.size() / kTriedVertices;
    for (const Vec3d& p : positions) {
      bool found = false;
      for (std::size_t i = 0; !found && i < body.size(); i += step) found = isNear(body[i], p);
      if (!found && !body.empty()) {
        if (!tree) tree.emplace(welded_.positions, body);
        found = isNear(tree->nearest(p), p);
      }
      if (found) near.add(p);
    }
    return near.diagonal();
  }

  // By island: the distance to the nearest bone that kReachShare of it stays below, by area or by vertices, whichever
  // is nearer: one vertex torn far away makes triangles larger than the rest of a part.
  std::vector<double> reaches() const {
    std::vector<double> reach = reaches([&](std::uint32_t v) { return areas_[v].area > 0 ? areas_[v].area : 1e-300; });
    const std::vector<double> by_count = reaches([](std::uint32_t) { return 1.0; });
    for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = std::min(reach[i], by_count[i]);
    return reach;
  }

  template <class Amount> std::vector<double> reaches(const Amount& amount) const {
    std::vector<std::uint32_t> order(distances_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return distances_[v]; });
    std::vector<double> total(islands_.count), passed(islands_.count), reach(islands_.count);
    for (std::uint32_t v : order) total[islands_.island_of_vertex[v]] += amount(v);
    for (std::uint32_t v : order) {
      const std::uint32_t i = islands_.island_of_vertex[v];
      if (passed[i] < kReachShare * total[i]) reach[i] = distances_[v];
      passed[i] += amount(v);
    }
    return reach;
  }

  // Parts join the character in the order of their reach, as long as it is small compared with what has joined.
  void findScenery(double skeleton) {
    const std::vector<double> reach = reaches();
    const std::vector<std::vector<std::uint32_t>> members = parts();
    std::vector<std::uint32_t> order(islands_.count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return reach[i]; });
    Box body;
    bool first = true;
    for (std::uint32_t i : order) {
      if (members[i].empty()) continue;
      const bool scenery =
          !first && reach[i] > kSceneryReach * std::max(skeleton, body.diagonal()) && !bendsByName(members[i]);
      first = false;
      out_.scenery_parts += scenery;
      for (std::uint32_t v : members[i]) {
        if (scenery)
          out_.places[v] = Place::Scenery;
        else
          body.add(toDouble(welded_.positions[v]));
      }
    }
  }

  void findTorn(double skeleton) {
    std::vector<std::uint32_t> body;
    for (std::uint32_t v = 0; v < out_.places.size(); ++v)
      if (out_.places[v] == Place::Body) body.push_back(v);
    std::ranges::stable_sort(body, {}, [&](std::uint32_t v) { return distances_[v]; });
    const auto most = static_cast<std::size_t>(std::ceil(kTornShare * static_cast<double>(body.size())));
    if (most >= body.size()) return; // something has to be left
    Box core;
    for (std::size_t i = 0; i + most < body.size(); ++i) core.add(toDouble(welded_.positions[body[i]]));
    const double size = std::max(skeleton, core.diagonal());
    for (std::size_t i = body.size() - most; i < body.size(); ++i)
      if (distances_[body[i]] > size) out_.places[body[i]] = Place::Torn;
  }

  const Character& character_;
  std::span<const int> joints_;
  Surroundings& out_;
  Mesh welded_;
  Islands islands_;
  std::vector<mesh::VertexMeasure> areas_;
  std::vector<double>
      distances_; // to the nearest bone, by welded vertex; where the mesh is much larger than the skeleton
};

// The mean of the rows of the body around each torn vertex.
void joinTorn(const Character& character, const Surroundings& s, const BodyRows& rows, SparseWeights& weights) {
  std::vector<std::uint32_t> body_of(character.mesh.positions.size(), 0xFFFFFFFFU);
  for (std::uint32_t b = 0; b < rows.vertex_of.size(); ++b) body_of[rows.vertex_of[b]] = b;
  const int slots = weights.slots;
  std::vector<std::vector<std::uint32_t>> around(s.places.size());
  for (const Triangle& t : character.mesh.triangles)
    for (std::uint32_t a : t)
      for (std::uint32_t b : t)
        if (s.places[s.weld.welded_of_vertex[a]] == Place::Torn && body_of[b] != 0xFFFFFFFFU)
          around[s.weld.welded_of_vertex[a]].push_back(body_of[b]);
  for (std::uint32_t w = 0; w < around.size(); ++w) {
    if (around[w].empty()) continue;
    SparseWeights sum(1, static_cast<int>(around[w].size()) * slots);
    std::size_t k = 0;
    for (std::uint32_t b : around[w])
      for (std::size_t i = 0; i < rows.weights.weightRow(b).size(); ++i, ++k) {
        sum.joints[k] = rows.weights.jointRow(b)[i];
        sum.weights[k] = rows.weights.weightRow(b)[i];
      }
    canonicalize(sum, slots);
    skincells::weights::copyRow(sum, 0, weights, w);
  }
}

// The row of the nearest point of the body, for all vertices of a speck. weights: one row per welded vertex.
void joinSpecks(const Character& character, const Surroundings& s, SparseWeights& weights) {
  if (s.specks.empty()) return;
  Mesh body = weldedMesh(character.mesh, s.weld);
  std::erase_if(body.triangles, [&](const Triangle& t) { return s.places[t[0]] != Place::Body; });
  const mesh::RayQuery surface(body);
  for (const auto& speck : s.specks) {
    Box extent;
    for (std::uint32_t v : speck) extent.add(toDouble(body.positions[v]));
    const auto nearest = surface.closestPoint(extent.center());
    if (!nearest) continue;
    skincells::weights::setRows(skincells::weights::interpolateRows(body, weights, {&*nearest, 1}, weights.slots),
                                speck, weights);
  }
}

void setRow(int joint, std::uint32_t row, SparseWeights& weights) {
  std::ranges::fill(weights.jointRow(row), std::uint16_t{0});
  std::ranges::fill(weights.weightRow(row), 0.0F);
  weights.jointRow(row)[0] = static_cast<std::uint16_t>(joint);
  weights.weightRow(row)[0] = 1;
}

// The connected parts of what follows by name.
std::vector<std::vector<std::uint32_t>> followers(const Mesh& welded, const Surroundings& s) {
  Mesh own;
  own.positions = welded.positions;
  for (const Triangle& t : welded.triangles)
    if (std::ranges::all_of(t, [&](std::uint32_t v) { return s.places[v] == Place::Follow; }))
      own.triangles.push_back(t);
  const Islands islands = findIslands(own);
  std::vector<std::vector<std::uint32_t>> members(islands.count);
  for (std::uint32_t v = 0; v < s.places.size(); ++v)
    if (s.places[v] == Place::Follow) members[islands.island_of_vertex[v]].push_back(v);
  std::erase_if(members, [](const auto& part) { return part.empty(); });
  return members;
}

// The mean row of the body where a part that follows by name touches it or is nearest to it.
void joinFollowers(const Character& character, const Surroundings& s, SparseWeights& weights) {
  if (std::ranges::find(s.places, Place::Follow) == s.places.end()) return;
  const Mesh welded = weldedMesh(character.mesh, s.weld);
  Mesh body = welded;
  std::erase_if(body.triangles, [&](const Triangle& t) {
    return std::ranges::any_of(t, [&](std::uint32_t v) { return s.places[v] != Place::Body; });
  });
  const mesh::RayQuery surface(body);
  for (const auto& part : followers(welded, s)) {
    Box extent;
    std::vector<mesh::RayQuery::Hit> touching;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t v : part) {
      const auto hit = surface.closestPoint(toDouble(welded.positions[v]));
      if (!hit) return; // no surface to follow
      extent.add(toDouble(welded.positions[v]));
      nearest = std::min(nearest, hit->distance);
      touching.push_back(*hit);
    }
    std::erase_if(touching, [&](const auto& hit) { return hit.distance > nearest + kContact * extent.diagonal(); });
    const SparseWeights rows = skincells::weights::interpolateRows(body, weights, touching, weights.slots);
    std::map<std::uint16_t, double> total; // by joint
    for (std::size_t i = 0; i < rows.weights.size(); ++i) total[rows.joints[i]] += double{rows.weights[i]};
    SparseWeights mean(1, std::max(weights.slots, static_cast<int>(total.size())));
    std::size_t k = 0;
    for (const auto& [joint, weight] : total) {
      mean.joints[k] = joint;
      mean.weights[k++] = static_cast<float>(weight);
    }
    canonicalize(mean, weights.slots);
    skincells::weights::setRows(mean, part, weights);
  }
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

} // namespace

bool Surroundings::any() const {
  return std::ranges::any_of(places, [](Place p) { return p != Place::Body; });
}

Surroundings findSurroundings(const Character& character, std::span<const int> joints,
                              std::span<const PartRule> rules) {
  Surroundings out;
  Box skeleton;
  for (int j : joints) skeleton.add(character.skeleton.bindPosition(j));
  double size = trimmedBounds(character.mesh).diagonal();
  if (skeleton.diagonal() > 0) size = std::min(size, kLargestByJoints * skeleton.diagonal());
  out.weld = mesh::weldForSolve(character.mesh, size);
  if (!rules.empty()) out.rules.resize(out.weld.weldedCount());
  for (std::size_t v = 0; v < rules.size(); ++v)
    if (PartRule& rule = out.rules[out.weld.welded_of_vertex[v]]; rule.origin == PartOrigin::Bends) rule = rules[v];
  Finder(character, joints, out).find();
  return out;
}

Character bodyOf(const Character& character, const Surroundings& surroundings, std::vector<std::uint32_t>& vertex_of) {
  const auto inBody = [&](std::uint32_t v) {
    return surroundings.places[surroundings.weld.welded_of_vertex[v]] == Place::Body;
  };
  return partOf(character, inBody, vertex_of);
}

std::vector<PartOrigin> completedOrigins(const Surroundings& surroundings, std::span<const PartOrigin> body,
                                         std::span<const std::uint32_t> vertex_of) {
  static constexpr PartOrigin kOrigins[] = {PartOrigin::Bends,       PartOrigin::Loose, PartOrigin::Torn,
                                            PartOrigin::Scenery,     PartOrigin::Speck, PartOrigin::RigidByName,
                                            PartOrigin::FollowByName};
  std::vector<PartOrigin> origins;
  for (std::uint32_t w : surroundings.weld.welded_of_vertex)
    origins.push_back(kOrigins[static_cast<std::size_t>(surroundings.places[w])]);
  for (std::size_t b = 0; b < body.size(); ++b) origins[vertex_of[b]] = body[b];
  return origins;
}

SparseWeights completedRows(const Character& character, const Surroundings& surroundings, const BodyRows& rows) {
  SparseWeights weights = rows.loose;
  const auto& places = surroundings.places;
  for (std::uint32_t w = 0; w < places.size(); ++w) {
    if (places[w] == Place::Scenery) setRow(rows.anchor, w, weights);
    if (places[w] == Place::Rigid) setRow(surroundings.rules[w].joint, w, weights);
  }
  for (std::uint32_t b = 0; b < rows.vertex_of.size(); ++b)
    skincells::weights::copyRow(rows.weights, b, weights, surroundings.weld.welded_of_vertex[rows.vertex_of[b]]);
  joinTorn(character, surroundings, rows, weights);
  joinSpecks(character, surroundings, weights);
  joinFollowers(character, surroundings, weights);
  return gatherRows(weights, surroundings.weld.welded_of_vertex);
}

void warnAboutSurroundings(const Character& character, const Surroundings& surroundings, int anchor,
                           Warnings& warnings) {
  const auto& places = surroundings.places;
  const auto count = [&](Place p) { return static_cast<std::size_t>(std::ranges::count(places, p)); };
  const Mesh& mesh = character.mesh;
  std::size_t strays = count(Place::Torn);
  const Vec3d margin = surroundings.body.size() * 0.1;
  for (std::uint32_t w = 0; w < places.size(); ++w) {
    const Vec3d p = toDouble(mesh.positions[surroundings.weld.first_vertex[w]]);
    const Vec3d below = surroundings.body.lo - margin - p, above = p - surroundings.body.hi - margin;
    strays += places[w] == Place::Loose && std::max({below.x, below.y, below.z, above.x, above.y, above.z}) > 0;
  }
  if (strays > 0)
    warnings.push_back({"bind.strays",
                        counted(strays, "vertex is", "vertices are") +
                            " far outside the character and did not take part in the solve; remove them from the mesh",
                        character.name});
  constexpr std::size_t kManySpecks = 10;
  if (surroundings.specks.size() >= kManySpecks)
    warnings.push_back({"bind.specks",
                        std::to_string(surroundings.specks.size()) +
                            " parts are smaller than a thousandth of the character; they follow the surface nearest to "
                            "them. Delete them if they are left over from modeling",
                        character.name});
  if (surroundings.scenery_parts > 0)
    warnings.push_back(
        {"bind.scenery",
         counted(static_cast<std::size_t>(surroundings.scenery_parts), "part of the mesh is", "parts of the mesh are") +
             " far from every joint (" + std::to_string(count(Place::Scenery)) +
             " vertices): taken for scenery and bound rigidly to joint '" +
             character.skeleton.joints[static_cast<std::size_t>(anchor)].name +
             "'; leave scenery out of the file, or add joints for it",
         character.name});
}

} // namespace skincells::binding

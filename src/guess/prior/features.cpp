#include "guess/prior/features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"
#include "guess/heat_solve.h"
#include "guess/prior/surface_labels.h"
#include "guess/tuning.h"
#include "mesh/point_tree.h"

namespace skincells::guess {
namespace {

constexpr double kNarrow = 16, kWide = 1.0 / 16; // factors of the hold for the two other scales of heat
constexpr double kLeastHeat = 1e-4;
constexpr double kMostThickness = 60; // cm
constexpr int kNormalRounds = 3;

constexpr std::string_view kNames[] = {
    "heat",
    "narrow heat",
    "wide heat",
    "heat below the largest",
    "heat of the parent",
    "heat of the children",
    "heat of the subtree",
    "mean heat of the island",
    "share of the surface",
    "purity",
    "distance",
    "distance to the nearest",
    "distance to the usual",
    "distance to the thickness",
    "along",
    "before the bone",
    "beyond the bone",
    "normal from the bone",
    "axis",
    "distance from the joint",
    "normal from the joint",
    "free",
    "blocked by its part",
    "blocked by others",
    "outward",
    "surface distance",
    "surface distance to the nearest",
    "reached",
    "surface rank",
    "source",
    "trust",
    "island share",
    "island closed",
    "island dominance",
    "largest island",
    "likeliest: same",
    "likeliest: parent",
    "likeliest: child",
    "likeliest: sibling",
    "likeliest: ancestor",
    "likeliest: descendant",
    "likeliest: other",
    "path to the likeliest",
    "vertex height",
    "thickness",
    "largest heat",
    "own side",
    "beside the middle",
    "behind the joint",
    "angle behind the joint",
};

double logHeat(double heat) {
  return std::log(std::max(heat, kLeastHeat));
}

double heatOf(const SparseWeights& weights, std::size_t v, int joint) {
  for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
    if (weights.jointRow(v)[k] == joint && weights.weightRow(v)[k] > 0) return weights.weightRow(v)[k];
  return 0;
}

double logRatio(double a, double b) {
  return std::log((a + 0.5) / (b + 0.5));
}

// The direction of a vector; zero where rounding would decide it.
Vec3d directionOf(const Vec3d& v) {
  constexpr double kShortest = 1e-3; // cm
  return length(v) > kShortest ? normalized(v) : Vec3d{};
}

// How many joints are clearly nearer along the surface: joints at the same distance have the same rank.
std::size_t rankAt(std::span<const SurfaceLabel> labels, double distance) {
  constexpr double kSame = 1e-3; // cm
  return static_cast<std::size_t>(std::ranges::count_if(
      labels, [&](const SurfaceLabel& l) { return l.joint >= 0 && l.distance < distance - kSame; }));
}

double flag(bool b) {
  return b ? 1 : 0;
}

void append(std::vector<float>& out, std::initializer_list<double> values) {
  for (double x : values) out.push_back(static_cast<float>(x));
}

// Placeholder joints have no position that could say anything.
Orientation orientationOf(const rig::DeformRig& rig, const Box& bounds) {
  Skeleton placed = rig.skeleton;
  for (int j : rig.misplaced)
    if (const int parent = placed.joints[j].parent; parent != kNoParent)
      placed.joints[j].bind = placed.joints[parent].bind;
  return guessOrientation(placed, bounds);
}

class FeatureMaker {
public:
  explicit FeatureMaker(const PriorInput& input);
  PriorFeatures make();

private:
  struct Island {
    double area = 0;
    std::map<int, double> heat; // mean by joint
    double dominance = 0;       // the largest of them
  };
  void solveScales();
  void measureSurface();
  void measureJoints();
  void measureIslands();
  void smoothNormals();
  std::array<int, kCandidates> candidatesOf(std::size_t v) const;
  void describe(std::size_t v);
  // A vertex of the simplified mesh and one of its candidates.
  struct Pair {
    std::size_t vertex = 0;
    int joint = -1;
    Vec3d position;
    BoneView view;
    double thickness = 0;                       // of the body at the vertex
    double nearest = 0, nearest_on_surface = 0; // distances of the nearest joint
  };
  void addHeat(const Pair& pair, std::vector<float>& out) const;
  void addDistances(const Pair& pair, std::vector<float>& out) const;
  void addSurface(const Pair& pair, std::vector<float>& out) const;
  void addPlace(const Pair& pair, std::vector<float>& out) const;
  double thicknessAt(std::size_t v) const;

  const PriorInput& in_;
  std::size_t count_;
  PriorFeatures out_;
  Box bounds_;
  Orientation axes_;
  std::vector<mesh::VertexMeasure> vertices_;
  std::vector<mesh::EdgeWeight> edges_;
  Islands mesh_islands_;
  std::vector<double> areas_;
  std::vector<mesh::Part> parts_;
  std::vector<Vec3d> normals_;
  SparseWeights narrow_, wide_;
  std::vector<SurfaceLabel> labels_;
  std::vector<JointTraits> traits_;
  std::vector<double> share_, purity_, radius_; // by joint
  std::vector<Island> islands_;
  std::size_t largest_island_ = 0;
};

FeatureMaker::FeatureMaker(const PriorInput& input)
    : in_(input), count_(input.mesh.positions.size()), bounds_(input.mesh.bounds()),
      axes_(orientationOf(input.rig, bounds_)), vertices_(mesh::measureVertices(input.mesh)) {
  edges_ = mesh::clampedCotangentWeights(in_.mesh);
  mesh_islands_ = findIslands(in_.mesh);
  parts_ = mesh::measureParts(in_.mesh, mesh_islands_);
  double total = 0;
  for (const auto& v : vertices_) total += v.area;
  for (const auto& v : vertices_) areas_.push_back(v.area + 1e-6 * total / static_cast<double>(count_) + 1e-9);
}

void FeatureMaker::solveScales() {
  std::vector<HeatSource> narrow(count_), wide(count_);
  for (std::size_t v = 0; v < count_; ++v) {
    const Source& s = in_.sources[in_.representative[v]];
    const double d = std::max(s.distance, kLeastDistance);
    const double hold = areas_[v] * s.trust * kTuning.heat / (d * d);
    narrow[v] = {s.joint, hold * kNarrow};
    wide[v] = {s.joint, hold * kWide};
  }
  HeatSolver solver(edges_);
  narrow_ = solver.solve(narrow, kCandidates);
  wide_ = solver.solve(wide, kCandidates);
}

void FeatureMaker::measureSurface() {
  std::vector<int> owner(count_);
  std::vector<double> mass(count_);
  for (std::size_t v = 0; v < count_; ++v) {
    owner[v] = in_.heat.jointRow(v)[0];
    mass[v] = areas_[v] * (0.05 + in_.sources[in_.representative[v]].trust);
  }
  labels_ = spreadLabels(in_.mesh.positions, edges_, mesh_islands_, mainPatchVertices(edges_, owner, mass), owner);
}

void FeatureMaker::measureJoints() {
  const std::size_t joint_count = in_.rig.skeleton.joints.size();
  share_.assign(joint_count, 0);
  purity_.assign(joint_count, 0);
  radius_.assign(joint_count, 0);
  std::vector<double> owned(joint_count);
  double total = 0;
  for (std::size_t v = 0; v < count_; ++v) {
    const double area = areas_[v];
    total += area;
    for (std::size_t k = 0; k < in_.heat.weightRow(v).size(); ++k) {
      const double w = in_.heat.weightRow(v)[k];
      const std::size_t j = in_.heat.jointRow(v)[k];
      share_[j] += area * w;
      purity_[j] += area * w * w;
    }
    const Source& s = in_.sources[in_.representative[v]];
    radius_[static_cast<std::size_t>(s.joint)] += area * s.distance;
    owned[static_cast<std::size_t>(s.joint)] += area;
  }
  for (std::size_t j = 0; j < joint_count; ++j) {
    if (share_[j] > 0) purity_[j] /= share_[j];
    radius_[j] = owned[j] > 0 ? radius_[j] / owned[j] : 5;
    share_[j] /= total;
  }
  std::vector<double> nearest(joint_count);
  std::vector<std::uint32_t> all(count_);
  std::iota(all.begin(), all.end(), 0U);
  const mesh::PointTree tree(in_.mesh.positions, std::move(all));
  for (int j : in_.rig.deforming) {
    const Vec3d p = in_.rig.skeleton.bindPosition(j);
    const std::uint32_t v = tree.nearest(p);
    nearest[static_cast<std::size_t>(j)] = length(toDouble(in_.mesh.positions[v]) - p);
  }
  traits_ = jointTraits(in_.rig, in_.bones, bounds_, axes_, nearest);
}

void FeatureMaker::measureIslands() {
  islands_.resize(mesh_islands_.count);
  double total = 0;
  for (std::size_t v = 0; v < count_; ++v) {
    Island& i = islands_[mesh_islands_.island_of_vertex[v]];
    i.area += areas_[v];
    total += areas_[v];
    for (std::size_t k = 0; k < in_.heat.weightRow(v).size(); ++k)
      if (const double w = in_.heat.weightRow(v)[k]; w > 0) i.heat[in_.heat.jointRow(v)[k]] += areas_[v] * w;
  }
  for (std::size_t p = 0; p < islands_.size(); ++p) {
    Island& i = islands_[p];
    for (auto& [joint, heat] : i.heat) {
      heat /= i.area;
      i.dominance = std::max(i.dominance, heat);
    }
    if (i.area > islands_[largest_island_].area) largest_island_ = p;
  }
  for (Island& i : islands_) i.area /= total;
}

void FeatureMaker::smoothNormals() {
  normals_.resize(count_);
  for (std::size_t v = 0; v < count_; ++v) {
    const bool inside_out = parts_[mesh_islands_.island_of_vertex[v]].signed_volume < 0;
    normals_[v] = vertices_[v].normal * (inside_out ? -1.0 : 1.0);
  }
  for (int round = 0; round < kNormalRounds; ++round) {
    std::vector<Vec3d> sum(count_);
    for (std::size_t v = 0; v < count_; ++v) sum[v] = normals_[v] * areas_[v];
    std::vector<Vec3d> next = sum;
    for (const mesh::EdgeWeight& e : edges_) {
      next[e.a] += sum[e.b];
      next[e.b] += sum[e.a];
    }
    for (std::size_t v = 0; v < count_; ++v) normals_[v] = normalized(next[v]);
  }
}

// The likeliest joints by heat, then those near in space and along the surface, and relatives of the likeliest.
std::array<int, kCandidates> FeatureMaker::candidatesOf(std::size_t v) const {
  std::array<int, kCandidates> found;
  found.fill(-1);
  std::size_t size = 0;
  const auto add = [&](int joint) {
    if (joint < 0 || size == found.size()) return;
    if (std::ranges::find(found, joint) == found.end()) found[size++] = joint;
  };
  const auto heat = [&](std::size_t k) { return in_.heat.weightRow(v)[k] > 0 ? int(in_.heat.jointRow(v)[k]) : -1; };
  const auto label = [&](std::size_t k) { return labels_[v * kLabels + k].joint; };
  const NearJoints& near = in_.near[in_.representative[v]];
  const auto space = [&](std::size_t k) { return k < near.size() ? near[k] : -1; };
  add(heat(0));
  add(heat(1));
  add(heat(0) >= 0 ? traits_[static_cast<std::size_t>(heat(0))].parent : -1);
  for (std::size_t k = 0; k < kCandidates; ++k) {
    if (k + 2 < kCandidates) add(heat(k + 2));
    add(label(k));
    add(space(k));
  }
  return found;
}

double FeatureMaker::thicknessAt(std::size_t v) const {
  const Vec3d p = toDouble(in_.scene.mesh.positions[in_.representative[v]]);
  const Vec3d inwards = -normals_[v];
  if (inwards == Vec3d{}) return kMostThickness;
  const auto hit = in_.scene.rays.firstHit(p + inwards * 0.2, inwards);
  return hit ? std::min(hit->distance + 0.2, kMostThickness) : kMostThickness;
}

void FeatureMaker::addHeat(const Pair& pair, std::vector<float>& out) const {
  const std::size_t v = pair.vertex;
  const JointTraits& traits = traits_[pair.joint];
  const auto weights = in_.heat.weightRow(v);
  const auto joints = in_.heat.jointRow(v);
  const double heat = heatOf(in_.heat, v, pair.joint);
  double children = 0, subtree = heat;
  for (int child : traits.children) children += heatOf(in_.heat, v, child);
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (weights[k] > 0 && isAncestor(traits_, pair.joint, joints[k])) subtree += weights[k];
  const Island& island = islands_[mesh_islands_.island_of_vertex[v]];
  const auto mean = island.heat.find(pair.joint);
  append(out,
         {logHeat(heat) / 4, logHeat(heatOf(narrow_, v, pair.joint)) / 4, logHeat(heatOf(wide_, v, pair.joint)) / 4,
          (logHeat(heat) - logHeat(weights[0])) / 4, traits.parent >= 0 ? heatOf(in_.heat, v, traits.parent) : 0,
          children, subtree, std::log((mean != island.heat.end() ? mean->second : 0) + 1e-3) / 4,
          std::log(share_[pair.joint] + 1e-4) / 4, purity_[pair.joint]});
}

void FeatureMaker::addDistances(const Pair& pair, std::vector<float>& out) const {
  const BoneView& view = pair.view;
  const Vec3d from_bone = directionOf(pair.position - view.foot), normal = normals_[pair.vertex];
  const Vec3d from_joint = pair.position - in_.rig.skeleton.bindPosition(pair.joint);
  append(out,
         {logRatio(view.distance, 5), logRatio(view.distance, pair.nearest),
          logRatio(view.distance, radius_[pair.joint]), logRatio(view.distance, pair.thickness / 2),
          view.length > 0 ? std::clamp(view.along / view.length, -1.0, 2.0) : 0, std::log1p(std::max(0.0, -view.along)),
          std::log1p(std::max(0.0, view.along - view.length)), dot(normal, from_bone), dot(view.axis, from_bone),
          logRatio(length(from_joint), 10), dot(normal, directionOf(from_joint)),
          flag(!view.mine && !view.other && !view.outward), flag(view.mine), flag(view.other), flag(view.outward)});
}

void FeatureMaker::addSurface(const Pair& pair, std::vector<float>& out) const {
  const std::size_t v = pair.vertex, part = mesh_islands_.island_of_vertex[v];
  const auto labels = std::span(labels_).subspan(v * kLabels, kLabels);
  const auto label = std::ranges::find(labels, pair.joint, &SurfaceLabel::joint);
  double farthest = 0;
  for (const SurfaceLabel& l : labels) farthest = std::max(farthest, l.distance);
  const double distance = label != labels.end() ? label->distance : 1.2 * farthest + 5;
  const Source& source = in_.sources[in_.representative[v]];
  append(out, {logRatio(distance, 10), logRatio(distance, pair.nearest_on_surface), flag(label != labels.end()),
               static_cast<double>(label != labels.end() ? rankAt(labels, distance) : kLabels) / kLabels,
               flag(source.joint == pair.joint), source.trust, std::log(islands_[part].area + 1e-4) / 4,
               flag(parts_[part].nearlyClosed()), islands_[part].dominance, flag(part == largest_island_)});
}

void FeatureMaker::addPlace(const Pair& pair, std::vector<float>& out) const {
  const std::size_t v = pair.vertex;
  const int likeliest = in_.heat.jointRow(v)[0], parent = traits_[pair.joint].parent;
  const Relation relation = relationOf(traits_, pair.joint, likeliest);
  for (int r = 0; r < kRelations; ++r) append(out, {flag(r == static_cast<int>(relation))});
  const Vec3d joint = in_.rig.skeleton.bindPosition(pair.joint), aside = cross(axes_.up, axes_.forward);
  const double size = std::max(bounds_.diagonal(), 1e-9);
  const double joint_side = dot(joint - bounds_.center(), aside) / size;
  const double side = dot(pair.position - bounds_.center(), aside) / size;
  const double own_side = std::clamp(8 * std::copysign(side, side * joint_side), -1.0, 1.0);
  const Vec3d incoming = parent >= 0 ? normalized(joint - in_.rig.skeleton.bindPosition(parent)) : Vec3d{};
  const double ahead = dot(incoming, pair.position - joint);
  append(out,
         {pathLength(traits_, pair.joint, likeliest, 6) / 6.0,
          2 * dot(pair.position - bounds_.center(), axes_.up) / size, std::log1p(pair.thickness) / 4,
          in_.heat.weightRow(v)[0], std::abs(joint_side) < 0.01 ? 0 : own_side, 4 * std::abs(side),
          std::copysign(std::log1p(std::abs(ahead)), ahead) / 2, dot(incoming, directionOf(pair.position - joint))});
}

void FeatureMaker::describe(std::size_t v) {
  const std::array<int, kCandidates> joints = candidatesOf(v);
  Pair pair;
  pair.vertex = v;
  pair.position = toDouble(in_.scene.mesh.positions[in_.representative[v]]);
  pair.thickness = thicknessAt(v);
  pair.nearest = INFINITY;
  std::array<BoneView, kCandidates> views;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    if (joints[c] < 0) continue;
    views[c] = in_.finder.view(in_.representative[v], joints[c]);
    pair.nearest = std::min(pair.nearest, views[c].distance);
  }
  // Labels are sorted: the first is the nearest.
  if (const SurfaceLabel& nearest = labels_[v * kLabels]; nearest.joint >= 0)
    pair.nearest_on_surface = nearest.distance;
  std::vector<float> row;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    const std::size_t at = v * kCandidates + c;
    out_.joints[at] = joints[c];
    if (joints[c] < 0) continue;
    pair.joint = joints[c];
    pair.view = views[c];
    row.clear();
    addHeat(pair, row);
    addDistances(pair, row);
    addSurface(pair, row);
    addPlace(pair, row);
    row.insert(row.end(), traits_[joints[c]].values.begin(), traits_[joints[c]].values.end());
    SKINCELLS_ASSERT(static_cast<int>(row.size()) == featureCount());
    std::ranges::copy(row, out_.values.begin() + static_cast<std::ptrdiff_t>(at * row.size()));
    out_.start[at] = static_cast<float>(logHeat(heatOf(in_.heat, v, joints[c])));
  }
}

PriorFeatures FeatureMaker::make() {
  solveScales();
  measureSurface();
  measureJoints();
  measureIslands();
  smoothNormals();
  out_.joints.resize(count_ * kCandidates);
  out_.start.resize(count_ * kCandidates);
  out_.values.resize(count_ * kCandidates * static_cast<std::size_t>(featureCount()));
  parallelChunks(count_, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) describe(v);
  });
  return std::move(out_);
}

} // namespace

int featureCount() {
  return static_cast<int>(std::size(kNames) + jointTraitNames().size());
}

std::vector<std::string> featureNames() {
  std::vector<std::string> names(std::begin(kNames), std::end(kNames));
  names.insert(names.end(), jointTraitNames().begin(), jointTraitNames().end());
  return names;
}

PriorFeatures priorFeatures(const PriorInput& input) {
  return FeatureMaker(input).make();
}

} // namespace skincells::guess

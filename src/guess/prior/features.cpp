#include "guess/prior/features.h"

#include <algorithm>
#include <array>
#include <cmath>
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
    std::vector<double> heat; // mean by joint
    double dominance = 0;     // the largest of them
  };
  void solveScales();
  void measureSurface();
  void measureJoints();
  void measureIslands();
  void smoothNormals();
  std::array<int, kCandidates> candidatesOf(std::size_t v) const;
  void describe(std::size_t v);
  void describePair(std::size_t v, int joint, const BoneView& view, double nearest, double nearest_on_surface,
                    double thickness, std::vector<float>& out) const;
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
    const double d = std::max(s.distance, kTuning.least_distance);
    const double hold = areas_[v] * s.trust * kTuning.heat / (d * d);
    narrow[v] = {s.joint, hold * kNarrow};
    wide[v] = {s.joint, hold * kWide};
  }
  narrow_ = solveHeat(edges_, narrow, kCandidates);
  wide_ = solveHeat(edges_, wide, kCandidates);
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
  for (Island& i : islands_) i.heat.resize(in_.rig.skeleton.joints.size());
  double total = 0;
  for (std::size_t v = 0; v < count_; ++v) {
    Island& i = islands_[mesh_islands_.island_of_vertex[v]];
    i.area += areas_[v];
    total += areas_[v];
    for (std::size_t k = 0; k < in_.heat.weightRow(v).size(); ++k)
      i.heat[in_.heat.jointRow(v)[k]] += areas_[v] * static_cast<double>(in_.heat.weightRow(v)[k]);
  }
  for (std::size_t p = 0; p < islands_.size(); ++p) {
    Island& i = islands_[p];
    for (double& h : i.heat) h /= i.area;
    i.dominance = *std::ranges::max_element(i.heat);
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
  const std::vector<int> near = in_.finder.nearestJoints(in_.representative[v]);
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

void FeatureMaker::describePair(std::size_t v, int joint, const BoneView& view, double nearest,
                                double nearest_on_surface, double thickness, std::vector<float>& out) const {
  const auto j = static_cast<std::size_t>(joint);
  const auto add = [&](double x) { out.push_back(static_cast<float>(x)); };
  const JointTraits& t = traits_[j];
  const Island& island = islands_[mesh_islands_.island_of_vertex[v]];
  const Vec3d p = toDouble(in_.scene.mesh.positions[in_.representative[v]]);
  const Vec3d from_joint = p - in_.rig.skeleton.bindPosition(joint), from_bone = p - view.foot;
  const double largest = in_.heat.weightRow(v)[0], heat = heatOf(in_.heat, v, joint);

  add(logHeat(heat) / 4);
  add(logHeat(heatOf(narrow_, v, joint)) / 4);
  add(logHeat(heatOf(wide_, v, joint)) / 4);
  add((logHeat(heat) - logHeat(largest)) / 4);
  add(t.parent >= 0 ? heatOf(in_.heat, v, t.parent) : 0);
  double children = 0;
  for (int child : t.children) children += heatOf(in_.heat, v, child);
  add(children);
  double subtree = heat;
  for (std::size_t k = 0; k < in_.heat.weightRow(v).size(); ++k)
    if (in_.heat.weightRow(v)[k] > 0 && isAncestor(traits_, joint, in_.heat.jointRow(v)[k]))
      subtree += in_.heat.weightRow(v)[k];
  add(subtree);
  add(std::log(island.heat[j] + 1e-3) / 4);
  add(std::log(share_[j] + 1e-4) / 4);
  add(purity_[j]);

  const auto ratio = [](double a, double b) { return std::log((a + 0.5) / (b + 0.5)); };
  add(ratio(view.distance, 5));
  add(ratio(view.distance, nearest));
  add(ratio(view.distance, radius_[j]));
  add(ratio(view.distance, thickness / 2));
  add(view.length > 0 ? std::clamp(view.along / view.length, -1.0, 2.0) : 0);
  add(std::log1p(std::max(0.0, -view.along)));
  add(std::log1p(std::max(0.0, view.along - view.length)));
  add(dot(normals_[v], normalized(from_bone)));
  add(dot(view.axis, normalized(from_bone)));
  add(ratio(length(from_joint), 10));
  add(dot(normals_[v], normalized(from_joint)));
  add(!view.mine && !view.other && !view.outward);
  add(view.mine);
  add(view.other);
  add(view.outward);

  const auto labels = std::span(labels_).subspan(v * kLabels, kLabels);
  const auto label = std::ranges::find_if(labels, [&](const SurfaceLabel& l) { return l.joint == joint; });
  double farthest = 0;
  for (const SurfaceLabel& l : labels) farthest = std::max(farthest, l.distance);
  const double on_surface = label != labels.end() ? label->distance : 1.2 * farthest + 5;
  add(ratio(on_surface, 10));
  add(ratio(on_surface, nearest_on_surface));
  add(label != labels.end());
  add(static_cast<double>(label - labels.begin()) / kLabels);

  const Source& source = in_.sources[in_.representative[v]];
  add(source.joint == joint);
  add(source.trust);
  add(std::log(island.area + 1e-4) / 4);
  add(parts_[mesh_islands_.island_of_vertex[v]].nearlyClosed());
  add(island.dominance);
  add(mesh_islands_.island_of_vertex[v] == largest_island_);
  const int likeliest = in_.heat.jointRow(v)[0];
  const Relation relation = relationOf(traits_, joint, likeliest);
  for (int r = 0; r < kRelations; ++r) add(r == static_cast<int>(relation));
  add(pathLength(traits_, joint, likeliest, 6) / 6.0);
  add(2 * dot(p - bounds_.center(), axes_.up) / std::max(bounds_.diagonal(), 1e-9));
  add(std::log1p(thickness) / 4);
  add(largest);

  const Vec3d aside = cross(axes_.up, axes_.forward);
  const double size = std::max(bounds_.diagonal(), 1e-9);
  const double joint_side = dot(in_.rig.skeleton.bindPosition(joint) - bounds_.center(), aside) / size;
  const double side = dot(p - bounds_.center(), aside) / size;
  add(std::abs(joint_side) < 0.01 ? 0 : std::clamp(8 * std::copysign(side, side * joint_side), -1.0, 1.0));
  add(4 * std::abs(side));
  const Vec3d incoming =
      t.parent >= 0 ? normalized(in_.rig.skeleton.bindPosition(joint) - in_.rig.skeleton.bindPosition(t.parent))
                    : Vec3d{};
  const double ahead = dot(incoming, from_joint);
  add(std::copysign(std::log1p(std::abs(ahead)), ahead) / 2);
  add(dot(incoming, normalized(from_joint)));
  out.insert(out.end(), t.values.begin(), t.values.end());
}

void FeatureMaker::describe(std::size_t v) {
  const std::array<int, kCandidates> joints = candidatesOf(v);
  std::array<BoneView, kCandidates> views;
  double nearest = INFINITY, nearest_on_surface = INFINITY;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    if (joints[c] < 0) continue;
    views[c] = in_.finder.view(in_.representative[v], joints[c]);
    nearest = std::min(nearest, views[c].distance);
  }
  for (std::size_t k = 0; k < kLabels; ++k)
    if (labels_[v * kLabels + k].joint >= 0)
      nearest_on_surface = std::min(nearest_on_surface, labels_[v * kLabels + k].distance);
  if (nearest_on_surface == INFINITY) nearest_on_surface = 0;
  const double thickness = thicknessAt(v);
  std::vector<float> row;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    const std::size_t at = v * kCandidates + c;
    out_.joints[at] = joints[c];
    if (joints[c] < 0) continue;
    row.clear();
    describePair(v, joints[c], views[c], nearest, nearest_on_surface, thickness, row);
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

#include "bind/skin_cells.h"

#include <algorithm>

#include "bind/site_placement.h"
#include "field/evaluate.h"
#include "field/initialise.h"

namespace skincells::binding {
namespace {

// Skeleton joints <-> joints of the field.
struct JointMap {
  std::span<const int> deforming;
  std::vector<int> field_joint; // by skeleton joint, -1: none

  JointMap(std::span<const int> joints, std::size_t joint_count) : deforming(joints), field_joint(joint_count, -1) {
    for (std::size_t f = 0; f < joints.size(); ++f)
      field_joint[static_cast<std::size_t>(joints[f])] = static_cast<int>(f);
  }
  int toField(int joint) const { return field_joint[static_cast<std::size_t>(joint)]; }

  SparseWeights toField(SparseWeights w) const {
    for (std::size_t i = 0; i < w.joints.size(); ++i)
      w.joints[i] = w.weights[i] > 0 ? static_cast<std::uint16_t>(field_joint[w.joints[i]]) : std::uint16_t{0};
    return w;
  }
  SparseWeights toSkeleton(SparseWeights w) const {
    for (std::size_t i = 0; i < w.joints.size(); ++i)
      w.joints[i] = w.weights[i] > 0 ? static_cast<std::uint16_t>(deforming[w.joints[i]]) : std::uint16_t{0};
    return w;
  }
};

double largestSide(const Mesh& mesh) {
  const Vec3d size = mesh.bounds().size();
  return std::max({size.x, size.y, size.z});
}

FieldParameters startField(const Guess& guess, const JointMap& map, const Mesh& mesh, const SkinCellsOptions& options) {
  const double side = largestSide(mesh);
  const double scale = side > 0 ? 1 / side : 1;
  const Vec3d origin = mesh.bounds().lo;
  std::vector<field::BoneSegment> segments;
  for (const rig::BoneSegment& s : guess.bones)
    segments.push_back({map.toField(s.joint), (s.a - origin) * scale, (s.b - origin) * scale});
  const FieldLayout layout{static_cast<int>(map.deforming.size()), options.sites};
  FieldParameters field = field::initialiseField(segments, layout, options.max_influences, options.seed);
  field.unit_origin = origin;
  field.unit_scale = scale;
  return field;
}

// How much of the guess goes into the mean of guess and field: more where the guess is trusted.
std::vector<double> guessShares(const Guess& guess, double mean_share) {
  constexpr double kReach = 0.3; // between no trust and full trust, at a share of one half
  const double reach = 2 * kReach * std::min(mean_share, 1 - mean_share);
  std::vector<double> shares;
  for (float trust : guess.trust) shares.push_back(mean_share + reach * (static_cast<double>(trust) - 0.5));
  return shares;
}

// Cells on the plane stay free: with half as many sites of their own they follow the flesh of a torso or head worse.
std::optional<FieldMirror> mirrorOf(const FieldParameters& field, const std::optional<Symmetry>& symmetry,
                                    const JointMap& map) {
  if (!symmetry || field.layout.shape != FieldShape::ScaleRotation) return std::nullopt;
  std::vector<int> twin;
  for (int j : map.deforming) {
    const int other = symmetry->twin[static_cast<std::size_t>(j)];
    twin.push_back(other < 0 || other == j ? -1 : map.toField(other));
  }
  return FieldMirror(field, symmetry->normal, symmetry->offset, std::move(twin));
}

// shares[v] * a + (1 - shares[v]) * b, row by row.
SparseWeights blend(const SparseWeights& a, const SparseWeights& b, std::span<const double> shares) {
  SparseWeights out(a.vertexCount(), a.slots + b.slots);
  const auto put = [&](const SparseWeights& from, double factor, std::size_t v, std::size_t slot) {
    for (std::size_t k = 0; k < from.weightRow(v).size(); ++k) {
      out.jointRow(v)[slot + k] = from.jointRow(v)[k];
      out.weightRow(v)[slot + k] = static_cast<float>(factor * from.weightRow(v)[k]);
    }
  };
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    put(a, shares[v], v, 0);
    put(b, 1 - shares[v], v, static_cast<std::size_t>(a.slots));
  }
  canonicalise(out, out.slots);
  return out;
}

} // namespace

std::optional<SkinCells> computeSkinCells(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                          std::span<const int> misplaced, const PoseSampler& poses,
                                          const SkinCellsOptions& options, Stages& stages) {
  if (!stages.begin("guess", 0.15)) return std::nullopt;
  const JointMap map(deforming, skeleton.joints.size());
  const auto [coarse, guess, rigid] = guessForField(
      welded, skeleton, deforming, misplaced, {.max_influences = options.max_influences, .symmetry = options.symmetry});
  const SparseWeights target = map.toField(guess.weights);

  SkinCells out;
  out.field = startField(guess, map, welded, options);
  if (!stages.begin("fit", 0.3)) return std::nullopt;
  const std::optional<FieldMirror> tie = mirrorOf(out.field, guess.symmetry, map);
  const FieldMirror* mirror = tie ? &*tie : nullptr;
  placeSitesInFlesh(out.field, coarse.positions, target, mirror);
  out.fit = fitToWeights(out.field, coarse.positions, target, {.steps = options.fit_steps, .mirror = mirror},
                         stages.within(0.3, 0.45));
  if (stages.stopped()) return std::nullopt;

  if (stages.begin("losses", 0.45)) {
    std::vector<BoneSpring> springs;
    for (const Spring& s : guess.springs)
      springs.push_back({s.vertex, static_cast<std::uint32_t>(map.toField(s.joint)), s.foot});
    LossFitOptions losses;
    losses.mirror = mirror;
    losses.steps = options.loss_steps;
    losses.weights.location *= options.stiffness;
    out.losses = minimiseLosses(out.field, coarse, springs, poses, losses, stages.within(0.45, 0.8));
  }
  if (stages.begin("refit", 0.8)) {
    const SparseWeights mean =
        blend(target, field::evaluateHard(out.field, coarse.positions), guessShares(guess, options.guess_share));
    out.refit = fitToWeights(out.field, coarse.positions, mean,
                             {.steps = options.refit_steps, .rate = 0.02, .centre_rate = 0.002, .mirror = mirror},
                             stages.within(0.8, 0.9));
  }
  if (stages.stopped()) out.losses.stop_reason = "cancelled";
  static_cast<void>(stages.begin("evaluate", 0.9)); // too late to stop: the result is there
  out.weights = map.toSkeleton(field::evaluateHard(out.field, welded.positions));
  canonicalise(out.weights, options.max_influences);
  for (const RigidRow& r : rigid) {
    r.bind(out.weights);
    out.rigid_parts.push_back(r.part);
  }
  out.symmetry = guess.symmetry;
  return out;
}

} // namespace skincells::binding

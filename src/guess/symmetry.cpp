#include "guess/symmetry.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "guess/tuning.h"
#include "rig/joint_places.h"
#include "rig/names/joint_names.h"
#include "weights/interpolate.h"

namespace skincells::guess {
namespace {

std::size_t index(int joint) {
  return static_cast<std::size_t>(joint);
}

bool areOpposite(const rig::JointName& a, const rig::JointName& b) {
  return a.side != rig::Side::None && b.side != rig::Side::None && a.side != b.side && a.words == b.words;
}

struct Plane {
  Vec3d normal;
  double offset = 0;
};

// The plane halfway between joints whose names differ only by their side.
std::optional<Plane> planeByNames(const Skeleton& placed, std::span<const int> deforming,
                                  const std::vector<rig::JointName>& names) {
  std::map<std::vector<std::string>, int> rights; // the first of each name
  for (int j : deforming)
    if (names[index(j)].side == rig::Side::Right) rights.emplace(names[index(j)].words, j);
  Vec3d across, middle;
  double count = 0;
  for (int left : deforming) {
    if (names[index(left)].side != rig::Side::Left) continue;
    const auto found = rights.find(names[index(left)].words);
    if (found == rights.end()) continue;
    const auto right = found->second;
    across += placed.bindPosition(left) - placed.bindPosition(right);
    middle += (placed.bindPosition(left) + placed.bindPosition(right)) * 0.5;
    ++count;
  }
  if (length(across) <= kTuning.mirror_tolerance * count) return std::nullopt;
  Vec3d normal = normalized(across);
  // An exact axis keeps an exact symmetry exact.
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
    if (std::abs(dot(axis, normal)) > 0.9999) normal = axis;
  return Plane{normal, dot(normal, middle) / count};
}

std::vector<Plane> candidatePlanes(const GuessScene& scene, const Skeleton& placed, std::span<const int> deforming,
                                   const std::vector<rig::JointName>& names) {
  if (const auto named = planeByNames(placed, deforming, names)) return {*named};
  std::vector<Plane> planes;
  const Vec3d center = scene.mesh.bounds().center();
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
    for (const double offset : {0.0 - dot(axis, scene.offset) * scene.scale, dot(axis, center)})
      planes.push_back({axis, offset});
  return planes;
}

// The joint at the mirror image of another; of several, the one with the opposite name, then the nearest.
int twinOf(int joint, const Symmetry& plane, const rig::JointPlaces& places, const std::vector<rig::JointName>& names) {
  const Vec3d image = plane.mirrored(places.position(joint));
  int twin = -1;
  double best = kTuning.mirror_tolerance;
  for (int j : places.near(image, kTuning.mirror_tolerance)) {
    double distance = length(places.position(j) - image);
    if (distance > kTuning.mirror_tolerance) continue;
    const bool named =
        j == joint ? names[index(j)].side == rig::Side::None : areOpposite(names[index(joint)], names[index(j)]);
    if (named) distance -= 2 * kTuning.mirror_tolerance;
    if (distance >= best) continue;
    best = distance;
    twin = j;
  }
  return twin;
}

void pairJoints(const rig::JointPlaces& places, std::span<const int> deforming,
                const std::vector<rig::JointName>& names, Symmetry& symmetry) {
  symmetry.twin.assign(names.size(), -1);
  for (int j : deforming) symmetry.twin[index(j)] = twinOf(j, symmetry, places, names);
  int paired = 0;
  for (int j : deforming) {
    int& twin = symmetry.twin[index(j)];
    if (twin >= 0 && symmetry.twin[index(twin)] != j) twin = -1;
    if (twin >= 0) ++paired;
    if (twin > j) ++symmetry.joint_pairs;
  }
  symmetry.joint_share = static_cast<double>(paired) / static_cast<double>(deforming.size());
}

std::vector<std::optional<mesh::RayQuery::Hit>> imagesOf(const GuessScene& scene, const Symmetry& symmetry) {
  std::vector<std::optional<mesh::RayQuery::Hit>> images(scene.mesh.positions.size());
  parallelChunks(images.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::uint32_t last = mesh::RayQuery::kNoTriangle;
    for (std::size_t v = begin; v < end; ++v) {
      images[v] = scene.rays.closestPoint(symmetry.mirrored(toDouble(scene.mesh.positions[v])), last);
      if (images[v]) last = images[v]->triangle;
    }
  });
  return images;
}

// The share of the area whose mirror image lies on the surface.
double mirroredShare(const GuessScene& scene, const Symmetry& symmetry) {
  const std::size_t count = scene.mesh.positions.size();
  struct Areas {
    double all = 0, mirrored = 0;
    Areas& operator+=(const Areas& b) {
      all += b.all;
      mirrored += b.mirrored;
      return *this;
    }
  };
  const Areas areas = orderedSum(count, 256, Areas{}, [&](std::size_t begin, std::size_t end) {
    Areas part;
    for (std::size_t v = begin; v < end; ++v) {
      const auto& hit = symmetry.images[v];
      part.all += scene.vertices[v].area;
      if (hit && hit->distance <= kTuning.mirror_tolerance) part.mirrored += scene.vertices[v].area;
    }
    return part;
  });
  return areas.all > 0 ? areas.mirrored / areas.all : 0;
}

} // namespace

std::optional<Symmetry> findSymmetry(const GuessScene& scene, const Skeleton& placed, std::span<const int> deforming) {
  const auto names = rig::jointNames(placed);
  const rig::JointPlaces places(placed, deforming);
  std::optional<Symmetry> best;
  for (const Plane& plane : candidatePlanes(scene, placed, deforming, names)) {
    Symmetry symmetry;
    symmetry.normal = plane.normal;
    symmetry.offset = plane.offset;
    pairJoints(places, deforming, names, symmetry);
    if (symmetry.joint_share < kTuning.least_mirrored || (best && best->joint_share >= symmetry.joint_share)) continue;
    symmetry.images = imagesOf(scene, symmetry);
    symmetry.surface_share = mirroredShare(scene, symmetry);
    if (symmetry.surface_share >= kTuning.least_mirrored) best = std::move(symmetry);
  }
  return best;
}

void averageWithMirror(const GuessScene& scene, const Symmetry& symmetry, SparseWeights& weights) {
  const auto slots = static_cast<std::size_t>(weights.slots);
  SparseWeights mixed(weights.vertexCount(), 4 * weights.slots);
  parallelChunks(weights.vertexCount(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto joints = mixed.jointRow(v);
      const auto values = mixed.weightRow(v);
      std::ranges::copy(weights.jointRow(v), joints.begin());
      std::ranges::copy(weights.weightRow(v), values.begin());
      const auto& place = symmetry.images[v];
      bool whole = place && place->distance <= kTuning.mirror_tolerance;
      if (whole) weights::cornerRows(scene.mesh, weights, *place, joints.subspan(slots), values.subspan(slots));
      for (std::size_t k = slots; whole && k < joints.size(); ++k) {
        if (values[k] == 0) continue;
        const int twin = symmetry.twin[joints[k]];
        whole = twin >= 0;
        if (whole) joints[k] = static_cast<std::uint16_t>(twin);
      }
      if (!whole) std::ranges::fill(values.subspan(slots), 0.0F);
    }
  });
  canonicalize(mixed, weights.slots);
  weights = std::move(mixed);
}

} // namespace skincells::guess

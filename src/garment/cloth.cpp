#include "garment/cloth.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "garment/tuning.h"
#include "mesh/ray_query.h"
#include "rig/names/human_bones.h"
#include "weights/interpolate.h"

namespace skincells::garment {
namespace {

std::vector<char> weightedJoints(const WornBody& body, int joint_count) {
  std::vector<char> weighted(static_cast<std::size_t>(joint_count), 0);
  const SparseWeights& w = body.weights();
  for (std::size_t i = 0; i < w.weights.size(); ++i)
    if (w.weights[i] > 0) weighted[w.joints[i]] = 1;
  return weighted;
}

// +1 or -1 for each island of the garment: the side on which its normals agree with the body's below.
std::vector<double> outsides(const guess::GuessScene& scene, const Mesh& welded, const WornBody& body) {
  std::vector<double> agreement(scene.parts.size(), 0);
  for (std::size_t v = 0; v < welded.positions.size(); ++v) {
    const mesh::SurfacePlace place = body.surface().nearest(toDouble(welded.positions[v]), INFINITY);
    if (!place.found()) continue;
    const double near = 1 / (std::abs(place.distance) + 0.01 * body.size());
    agreement[scene.islands.island_of_vertex[v]] +=
        near * scene.vertices[v].area * dot(scene.vertices[v].normal, body.surface().normal(place.triangle));
  }
  for (double& a : agreement) a = a < 0 ? -1 : 1;
  return agreement;
}

void findBelow(const guess::GuessScene& scene, const Mesh& welded, const WornBody& body, Cloth& cloth) {
  const std::vector<double> outside = outsides(scene, welded, body);
  cloth.below.resize(welded.positions.size());
  cloth.facing.assign(welded.positions.size(), 1);
  parallelChunks(welded.positions.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d p = toDouble(welded.positions[v]);
      const Vec3d up = scene.vertices[v].normal * outside[scene.islands.island_of_vertex[v]];
      const bool known = dot(up, up) > 0;
      cloth.below[v] = body.surface().nearest(p, INFINITY, mesh::SurfaceTree::kNone, [&](std::uint32_t t) {
        return !known || dot(body.surface().normal(t), up) > kTuning.facing;
      });
      if (cloth.below[v].found()) continue;
      cloth.facing[v] = 0;
      cloth.below[v] = body.surface().nearest(p, INFINITY);
    }
  });
}

// The median distance from the middle of a bone to the nearest bone of another chain.
double chainSpacing(const Skeleton& skeleton, std::span<const OwnBone> bones) {
  std::vector<int> chain(skeleton.joints.size(), -1); // by joint: the first joint of its chain
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
    const bool own = std::ranges::any_of(bones, [&](const OwnBone& b) { return b.joint == j; });
    if (own)
      chain[static_cast<std::size_t>(j)] =
          parent >= 0 && chain[static_cast<std::size_t>(parent)] >= 0 ? chain[static_cast<std::size_t>(parent)] : j;
  }
  std::vector<double> gaps;
  for (const OwnBone& b : bones) {
    double least = INFINITY;
    for (const OwnBone& other : bones)
      if (chain[static_cast<std::size_t>(other.joint)] != chain[static_cast<std::size_t>(b.joint)])
        least = std::min(least, rig::closestOnSegment((b.a + b.b) * 0.5, other.a, other.b).squared_distance);
    gaps.push_back(std::sqrt(least));
  }
  if (gaps.empty()) return INFINITY;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

OwnPlace ownPlace(const Vec3d& p, double body_distance, std::span<const OwnBone> bones, double spacing) {
  double least = INFINITY;
  OwnPlace place;
  bool before = false; // the vertex is above the chain, where it begins
  for (const OwnBone& b : bones) {
    const rig::SegmentPoint at = rig::closestOnSegment(p, b.a, b.b);
    if (at.squared_distance >= least) continue;
    least = at.squared_distance;
    place = {b.joint, std::sqrt(least)};
    before = b.first && at.parameter <= 0;
  }
  if (place.joint < 0 || before) return {-1, place.distance};
  const bool near = place.distance <= kTuning.within_spacing * spacing && std::isfinite(spacing);
  if (!near && place.distance > kTuning.nearer_than_body * body_distance) place.joint = -1;
  return place;
}

// Whether a joint is inside a tube of cloth, not at its surface: a limb in a sleeve. In a fold, cloth is near on two
// sides and far on the third. axis: along the limb.
bool inMiddle(const mesh::RayQuery& cloth, const Vec3d& joint, const Vec3d& axis, const mesh::RayQuery::Hit& nearest,
              double size) {
  if (nearest.distance <= kTuning.own_at_cloth / 100 * size) return false;
  const Vec3d away = joint - nearest.point, aside = cross(axis, away);
  const double limit = nearest.distance / kTuning.own_off_center;
  const auto isNear = [&](const Vec3d& direction) {
    if (!(dot(direction, direction) > 0)) return true;
    const auto hit = cloth.firstHit(joint, direction);
    return hit && hit->distance < limit;
  };
  return isNear(away) && isNear(aside) && isNear(-aside);
}

} // namespace

std::vector<int> ownJoints(const Skeleton& skeleton, std::span<const int> candidates, const WornBody& body,
                           const Mesh& garment) {
  const auto at = [](int joint) { return static_cast<std::size_t>(joint); };
  std::vector<char> of_body = weightedJoints(body, skeleton.jointCount());
  const std::vector<rig::HumanBone> human = rig::humanBones(skeleton);
  const mesh::RayQuery cloth(garment);
  for (int j : candidates) {
    if (human[at(j)].part != rig::HumanPart::None) of_body[at(j)] = 1;
    if (of_body[at(j)] != 0) continue;
    const Vec3d p = skeleton.bindPosition(j);
    const auto to_cloth = cloth.closestPoint(p);
    const mesh::SurfacePlace to_body = body.surface().nearest(p, INFINITY);
    const double from_body = to_body.distance < 0 ? -kTuning.own_inside * to_body.distance : to_body.distance;
    const int parent = skeleton.joints[at(j)].parent;
    const Vec3d axis = parent >= 0 ? p - skeleton.bindPosition(parent) : Vec3d{};
    of_body[at(j)] = !to_cloth || (to_body.found() && to_cloth->distance >= from_body) ||
                     inMiddle(cloth, p, axis, *to_cloth, body.size());
  }
  const std::vector<int> order = parentFirstOrder(skeleton);
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (const int parent = skeleton.joints[at(*j)].parent; parent >= 0 && of_body[at(*j)] != 0) of_body[at(parent)] = 1;
  std::vector<int> own;
  for (int j : candidates)
    if (of_body[at(j)] == 0) own.push_back(j);
  return own;
}

std::vector<OwnBone> ownBones(const Skeleton& skeleton, std::span<const int> own) {
  std::vector<OwnBone> bones;
  const auto isOwn = [&](int j) { return j >= 0 && std::ranges::binary_search(own, j); };
  for (const rig::BoneSegment& s : rig::boneSegments(skeleton, own)) {
    const int parent = skeleton.joints[static_cast<std::size_t>(s.joint)].parent;
    OwnBone bone{s, !isOwn(parent)};
    if (bone.a == bone.b && isOwn(parent)) bone.b = bone.a + (bone.a - skeleton.bindPosition(parent));
    bones.push_back(bone);
  }
  return bones;
}

Cloth layOut(const guess::GuessScene& scene, const Mesh& welded, const Skeleton& skeleton, const WornBody& body,
             std::span<const OwnBone> bones, int max_influences) {
  Cloth cloth;
  findBelow(scene, welded, body, cloth);
  std::vector<mesh::RayQuery::Hit> hits;
  for (const mesh::SurfacePlace& place : cloth.below) hits.push_back({place.triangle, place.distance, place.point});
  cloth.rows = weights::interpolateRows(body.mesh(), body.weights(), hits, max_influences);
  cloth.spacing = chainSpacing(skeleton, bones);
  for (std::size_t v = 0; v < welded.positions.size(); ++v)
    cloth.own.push_back(
        ownPlace(toDouble(welded.positions[v]), std::abs(cloth.below[v].distance), bones, cloth.spacing));
  return cloth;
}

} // namespace skincells::garment

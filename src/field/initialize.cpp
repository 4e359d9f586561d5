#include "field/initialize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/assert.h"
#include "base/random.h"

namespace skincells::field {
namespace {

// A point with uniformly distributed barycentric weights: exponential variates divided by their sum.
Vec3d randomInHull(std::span<const Vec3d> corners, Random& random) {
  Vec3d point;
  double sum = 0;
  for (const Vec3d& c : corners) {
    const double share = -std::log(1 - random.uniform());
    point += c * share;
    sum += share;
  }
  return sum > 0 ? point * (1 / sum) : corners[0];
}

std::vector<Vec3d> sitesOfJoint(std::span<const BoneSegment> segments, int site_count, Random& random) {
  std::vector<Vec3d> sites;
  if (segments.size() == 1) {
    for (int s = 0; s < site_count; ++s)
      sites.push_back(segments[0].a + (segments[0].b - segments[0].a) * ((s + 0.5) / site_count));
    return sites;
  }
  std::vector<Vec3d> corners; // each end once: all segments start at the joint
  for (const BoneSegment& segment : segments)
    for (const Vec3d& end : {segment.a, segment.b})
      if (std::find(corners.begin(), corners.end(), end) == corners.end()) corners.push_back(end);
  for (int s = 0; s < site_count; ++s) sites.push_back(randomInHull(corners, random));
  return sites;
}

} // namespace

FieldParameters initializeField(std::span<const BoneSegment> segments, const FieldLayout& layout, int max_influences,
                                std::uint64_t seed, const InitialValues& start) {
  FieldParameters field(layout, max_influences);
  const auto logOf = [](double v) { return static_cast<float>(std::log(v)); };
  std::fill(field.logOffsets().begin(), field.logOffsets().end(), logOf(start.offset));
  std::fill(field.logFalloffs().begin(), field.logFalloffs().end(), logOf(start.falloff));
  std::fill(field.logSlacks().begin(), field.logSlacks().end(), logOf(start.slack));
  std::fill(field.logFronts().begin(), field.logFronts().end(), logOf(start.front));
  const bool triangular = layout.shape == FieldShape::Triangular;
  for (std::size_t site = 0; site < layout.sites(); ++site) {
    float* shape = &field.shapes()[layout.shapeSize() * site];
    for (int i : {0, triangular ? 2 : 1, triangular ? 5 : 2}) shape[i] = logOf(start.scale);
    if (!triangular) shape[3] = 1; // the identity rotation
  }

  std::vector<std::vector<BoneSegment>> by_joint(layout.joints());
  for (const BoneSegment& s : segments) {
    SKINCELLS_ASSERT(s.joint >= 0 && s.joint < layout.joint_count);
    by_joint[s.joint].push_back(s);
  }
  for (std::size_t j = 0; j < layout.joints(); ++j) {
    SKINCELLS_ASSERT(!by_joint[j].empty());
    Random random(seed, j);
    float* center = &field.centers()[3 * j * layout.sitesPerJoint()];
    for (const Vec3d& p : sitesOfJoint(by_joint[j], layout.site_count, random))
      for (double value : {p.x, p.y, p.z}) *center++ = static_cast<float>(value);
  }
  return field;
}

} // namespace skincells::field

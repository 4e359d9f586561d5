#include "fit/field_mirror.h"

#include <array>

#include "base/assert.h"

namespace skincells::fit {
namespace {

using Quaternion = std::array<double, 4>; // w, x, y, z

Quaternion times(const Quaternion& q, const Vec3d& v) { // q * (0, v)
  return {-q[1] * v.x - q[2] * v.y - q[3] * v.z, q[0] * v.x + q[2] * v.z - q[3] * v.y,
          q[0] * v.y + q[3] * v.x - q[1] * v.z, q[0] * v.z + q[1] * v.y - q[2] * v.x};
}

Quaternion quaternionOf(const float* shape) {
  return {shape[3], shape[4], shape[5], shape[6]};
}

void store(const Quaternion& q, float* shape) {
  for (std::size_t i = 0; i < 4; ++i) shape[3 + i] = static_cast<float>(q[i]);
}

// Offsets of one site's parameters.
struct SitePlace {
  std::size_t center, offset, shape;
  SitePlace(const FieldLayout& layout, std::size_t site)
      : center(layout.centerBegin() + 3 * site), offset(layout.offsetBegin() + site),
        shape(layout.shapeBegin() + layout.shapeSize() * site) {}
};

Vec3d vectorAt(std::span<const float> values, std::size_t place) {
  return {values[place], values[place + 1], values[place + 2]};
}

void storeAt(const Vec3d& v, std::span<float> values, std::size_t place) {
  values[place] = static_cast<float>(v.x);
  values[place + 1] = static_cast<float>(v.y);
  values[place + 2] = static_cast<float>(v.z);
}

} // namespace

FieldMirror::FieldMirror(const FieldParameters& field, const Vec3d& normal, double offset, std::vector<int> twin)
    : normal_(normal), offset_((offset - dot(normal, field.unit_origin)) * field.unit_scale), twin_(std::move(twin)) {
  SKINCELLS_ASSERT(field.layout.shape == FieldShape::ScaleRotation);
  SKINCELLS_ASSERT(twin_.size() == field.layout.joints());
  for (std::size_t j = 0; j < twin_.size(); ++j) SKINCELLS_ASSERT(twin_[j] != static_cast<int>(j));
}

template <class Cell> void FieldMirror::eachPair(const Cell& cell) const {
  for (std::size_t j = 0; j < twin_.size(); ++j)
    if (twin_[j] > static_cast<int>(j)) cell(j, static_cast<std::size_t>(twin_[j]));
}

void FieldMirror::apply(FieldParameters& field) const {
  const FieldLayout& layout = field.layout;
  const std::span<float> values = field.values;
  const auto copySite = [&](std::size_t free, std::size_t tied) {
    const SitePlace from(layout, free), to(layout, tied);
    storeAt(mirrored(vectorAt(values, from.center)), values, to.center);
    values[to.offset] = values[from.offset];
    for (std::size_t i = 0; i < 3; ++i) values[to.shape + i] = values[from.shape + i];
    // |F (mirrored x - p)| = |F' (x - mirrored p)| with F' = -F mirror: the same scales after a half turn about the
    // normal.
    store(times(quaternionOf(&values[from.shape]), normal_), &values[to.shape]);
  };
  eachPair([&](std::size_t free, std::size_t tied) {
    const std::size_t count = layout.sitesPerJoint();
    for (std::size_t s = 0; s < count; ++s) copySite(free * count + s, tied * count + s);
    field.logSlacks()[tied] = field.logSlacks()[free];
    field.logFalloffs()[tied] = field.logFalloffs()[free];
    if (layout.normals) field.logFronts()[tied] = field.logFronts()[free];
  });
}

void FieldMirror::fold(const FieldLayout& layout, std::span<float> gradient) const {
  const auto reflect = [&](const Vec3d& g) { return g - normal_ * (2 * dot(normal_, g)); };
  const auto move = [&](std::size_t from, std::size_t to) {
    gradient[to] += gradient[from];
    gradient[from] = 0;
  };
  const auto gatherSite = [&](std::size_t free, std::size_t tied) {
    const SitePlace to(layout, free), from(layout, tied);
    storeAt(vectorAt(gradient, to.center) + reflect(vectorAt(gradient, from.center)), gradient, to.center);
    storeAt({}, gradient, from.center);
    move(from.offset, to.offset);
    for (std::size_t i = 0; i < 3; ++i) move(from.shape + i, to.shape + i);
    const Quaternion turned = times(quaternionOf(&gradient[from.shape]), -normal_);
    for (std::size_t i = 0; i < 4; ++i) {
      gradient[to.shape + 3 + i] += static_cast<float>(turned[i]);
      gradient[from.shape + 3 + i] = 0;
    }
  };
  eachPair([&](std::size_t free, std::size_t tied) {
    const std::size_t count = layout.sitesPerJoint();
    for (std::size_t s = 0; s < count; ++s) gatherSite(free * count + s, tied * count + s);
    move(layout.slackBegin() + tied, layout.slackBegin() + free);
    move(layout.falloffBegin() + tied, layout.falloffBegin() + free);
    if (layout.normals) move(layout.frontBegin() + tied, layout.frontBegin() + free);
  });
}

} // namespace skincells::fit

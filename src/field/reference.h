// The definition of the field, one point at a time: the reference for the fast path.
//
// After Larionov et al. 2025, "SkinCells: Sparse Skinning using Voronoi Cells" (arXiv 2506.14714), with one
// difference: the reference distance is the (K+1)-th smallest cell distance. With the K-th, as printed, only K - 1
// weights could be non-zero, and K = 1 would give 0/0. The factor for sites in front of the surface is ours.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/site_shape.h"
#include "skincells/field.h"

namespace skincells::field {

enum class FieldMode {
  Relaxed, // with the slack c of the cells: every joint has some weight and receives gradients
  Hard,    // with c = 0: at most K weights are non-zero
};

// F of a site from its stored numbers.
template <class T> kernels::Matrix3<T> shapeMatrix(FieldShape shape, const T* stored) {
  return shape == FieldShape::Triangular ? kernels::triangularShape(stored) : kernels::scaleRotationShape(stored);
}

// A field with numbers of type T; `values` follows FieldLayout.
template <class T> struct ReferenceField {
  FieldLayout layout;
  int max_influences = 4;
  std::span<const T> values;

  const T* center(std::size_t site) const { return &values[layout.centerBegin() + 3 * site]; }
  const T* shape(std::size_t site) const { return &values[layout.shapeBegin() + layout.shapeSize() * site]; }
  T offset(std::size_t site) const { return std::exp(values[layout.offsetBegin() + site]); }
  T slack(std::size_t j) const { return std::exp(values[layout.slackBegin() + j]); }
  T falloff(std::size_t j) const { return std::exp(values[layout.falloffBegin() + j]); }
  T front(std::size_t j) const { return layout.normals ? std::exp(values[layout.frontBegin() + j]) : T(0); }
  bool cuts() const { return layout.joint_count > max_influences; }
};

// A point of the unit box. The normal has a length of at most 1; it is 0 where there is none.
template <class T> struct ReferencePoint {
  Vec3<T> position, normal;

  ReferencePoint(const Vec3<T>& x, const Vec3<T>& n = {}) : position(x), normal(n) {}
};

// How far a site is in front of the surface at a point: the cosine between normal and direction to the site, at least
// 0; and its derivative in the site's position.
template <class T> struct Facing {
  T cosine = 0;
  Vec3<T> by_site;

  Facing(const ReferencePoint<T>& point, const Vec3<T>& site) {
    const Vec3<T> to_site = site - point.position;
    const T length = std::sqrt(dot(to_site, to_site));
    if (!(length > T(0)) || !(dot(point.normal, to_site) > T(0))) return;
    const Vec3<T> direction = to_site * (1 / length);
    cosine = dot(point.normal, direction);
    by_site = (point.normal - direction * cosine) * (1 / length);
  }
};

// The evaluation of one point, with everything that the reverse pass needs.
template <class T> struct PointTrace {
  std::vector<T> distance;         // by joint
  std::vector<std::size_t> site;   // by joint: the site that realizes it
  T reference = 0;                 // D; unspecified without cuts
  std::size_t reference_joint = 0; // the joint that realizes D
  std::vector<T> log_raw;          // by joint; -infinity if the raw weight is 0
  std::vector<T> weight;           // by joint, sums to 1
  bool tied = false;               // every raw weight is 0: the K nearest joints have equal weights
};

template <class T> T siteDistance(const ReferenceField<T>& field, std::size_t site, const ReferencePoint<T>& x) {
  const T* stored = field.center(site);
  const Vec3<T> p{stored[0], stored[1], stored[2]};
  const Vec3<T> y = shapeMatrix(field.layout.shape, field.shape(site)) * (x.position - p);
  const T squared = dot(y, y), t = field.offset(site);
  const T h = squared < t * t ? (squared / t + t) / 2 : std::sqrt(squared);
  return h * (1 + field.front(site / field.layout.sitesPerJoint()) * Facing<T>(x, p).cosine);
}

template <class T>
void traceDistances(const ReferenceField<T>& field, const ReferencePoint<T>& x, PointTrace<T>& trace) {
  const std::size_t m = field.layout.sitesPerJoint();
  for (std::size_t j = 0; j < field.layout.joints(); ++j) {
    trace.distance[j] = std::numeric_limits<T>::infinity();
    for (std::size_t site = j * m; site < (j + 1) * m; ++site)
      if (const T h = siteDistance(field, site, x); h < trace.distance[j]) {
        trace.distance[j] = h;
        trace.site[j] = site;
      }
  }
}

// w = softmax(log_raw); if every raw weight is 0, the nearest K joints get equal weights, lower index first.
template <class T> void normalizeTrace(const std::vector<std::size_t>& by_distance, int k, PointTrace<T>& trace) {
  const T top = *std::max_element(trace.log_raw.begin(), trace.log_raw.end());
  trace.tied = top == -std::numeric_limits<T>::infinity();
  if (trace.tied) {
    for (int i = 0; i < k; ++i) trace.weight[by_distance[i]] = T(1) / static_cast<T>(k);
    return;
  }
  T sum = 0;
  for (std::size_t j = 0; j < trace.weight.size(); ++j) {
    trace.weight[j] = std::exp(trace.log_raw[j] - top);
    sum += trace.weight[j];
  }
  for (T& w : trace.weight) w /= sum;
}

template <class T>
PointTrace<T> evaluatePoint(const ReferenceField<T>& field, const std::type_identity_t<ReferencePoint<T>>& x,
                            FieldMode mode) {
  const std::size_t n = field.layout.joints();
  PointTrace<T> trace;
  for (auto* by_joint : {&trace.distance, &trace.log_raw, &trace.weight}) by_joint->resize(n);
  trace.site.resize(n);
  traceDistances(field, x, trace);

  std::vector<std::size_t> by_distance(n);
  std::iota(by_distance.begin(), by_distance.end(), std::size_t{0});
  std::stable_sort(by_distance.begin(), by_distance.end(),
                   [&](std::size_t a, std::size_t b) { return trace.distance[a] < trace.distance[b]; });
  if (field.cuts()) {
    trace.reference_joint = by_distance[field.max_influences];
    trace.reference = trace.distance[trace.reference_joint];
  }
  for (std::size_t j = 0; j < n; ++j) {
    const T c = mode == FieldMode::Hard ? T(0) : field.slack(j);
    const T above = field.cuts() ? std::max(c, trace.reference - trace.distance[j]) : T(1);
    trace.log_raw[j] = field.falloff(j) * (std::log(above) - std::log(trace.distance[j]));
  }
  normalizeTrace(by_distance, field.max_influences, trace);
  return trace;
}

// Adds `g` times the derivative of a cell distance in the parameters of the site that realizes it.
template <class T>
void addDistanceGradient(const ReferenceField<T>& field, std::size_t site, const ReferencePoint<T>& x, T by_distance,
                         std::span<T> gradient) {
  const FieldLayout& layout = field.layout;
  const std::size_t joint = site / layout.sitesPerJoint();
  const T* stored = field.center(site);
  const Vec3<T> p{stored[0], stored[1], stored[2]}, u = x.position - p;
  const kernels::Matrix3<T> f = shapeMatrix(layout.shape, field.shape(site));
  const Vec3<T> y = f * u;
  const T squared = dot(y, y), t = field.offset(site);
  const bool near = squared < t * t;
  const Facing<T> facing(x, p);
  const T h = near ? (squared / t + t) / 2 : std::sqrt(squared), k = field.front(joint);
  const T g = by_distance * (1 + k * facing.cosine);
  if (layout.normals) gradient[layout.frontBegin() + joint] += by_distance * h * k * facing.cosine;
  const T twice_by_squared = g * (near ? T(1) / t : T(1) / std::sqrt(squared)); // 2 dL/d(squared)
  if (near) gradient[layout.offsetBegin() + site] += g * (1 - squared / (t * t)) / 2 * t;

  const Vec3<T> along = f.transposeTimes(y) * twice_by_squared - facing.by_site * (by_distance * h * k);
  gradient[layout.centerBegin() + 3 * site] -= along.x;
  gradient[layout.centerBegin() + 3 * site + 1] -= along.y;
  gradient[layout.centerBegin() + 3 * site + 2] -= along.z;
  kernels::Matrix3<T> df;
  const T ys[3] = {y.x, y.y, y.z}, us[3] = {u.x, u.y, u.z};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) df.m[a][b] = twice_by_squared * ys[a] * us[b];
  T* shape_gradient = &gradient[layout.shapeBegin() + layout.shapeSize() * site];
  if (layout.shape == FieldShape::Triangular)
    kernels::addTriangularGradient(f, df, shape_gradient);
  else
    kernels::addScaleRotationGradient(field.shape(site), f, df, shape_gradient);
}

// Adds to `gradient` (as long as `values`) the derivative of sum_j weight_gradient[j] * w_j at the point.
template <class T>
void addPointGradient(const ReferenceField<T>& field, const std::type_identity_t<ReferencePoint<T>>& x, FieldMode mode,
                      const PointTrace<T>& trace, std::span<const T> weight_gradient, std::span<T> gradient) {
  if (trace.tied) return;
  const FieldLayout& layout = field.layout;
  T mean = 0, by_reference = 0;
  for (std::size_t j = 0; j < layout.joints(); ++j) mean += trace.weight[j] * weight_gradient[j];
  for (std::size_t j = 0; j < layout.joints(); ++j) {
    const T g = trace.weight[j] * (weight_gradient[j] - mean); // dL/d(log_raw)
    if (g == T(0)) continue;
    const T r = field.falloff(j), d = trace.distance[j], c = mode == FieldMode::Hard ? T(0) : field.slack(j);
    gradient[layout.falloffBegin() + j] += g * trace.log_raw[j];
    T by_distance = -g * r / d;
    if (field.cuts() && trace.reference - d > c) {
      by_distance -= g * r / (trace.reference - d);
      by_reference += g * r / (trace.reference - d);
    } else if (field.cuts() && mode == FieldMode::Relaxed) {
      gradient[layout.slackBegin() + j] += g * r;
    }
    addDistanceGradient(field, trace.site[j], x, by_distance, gradient);
  }
  if (by_reference != T(0)) addDistanceGradient(field, trace.site[trace.reference_joint], x, by_reference, gradient);
}

} // namespace skincells::field

#include "loss/collision.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace skincells::loss {
namespace {

constexpr std::size_t kMostSamples = 1500;
constexpr double kHopeless = 0.03; // share of the samples that are a margin deep where the logarithm begins to bend
constexpr std::size_t kChunk = 64; // samples; fixed, because chunks determine the order of sums

template <class T> weights::WeightRowsOf<T> rowsOf(const SparseWeights& weights) {
  weights::WeightRowsOf<T> rows;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    rows.first.push_back(static_cast<std::uint32_t>(rows.weight.size()));
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights.slots); ++k) {
      if (!(weights.weightRow(v)[k] > 0)) continue;
      rows.joint.push_back(weights.jointRow(v)[k]);
      rows.weight.push_back(static_cast<T>(weights.weightRow(v)[k]));
    }
    rows.count.push_back(static_cast<std::uint32_t>(rows.weight.size()) - rows.first.back());
  }
  return rows;
}

template <class T> Vec3d inDouble(const Vec3<T>& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

} // namespace

template <class T> struct Collision<T>::Body {
  explicit Body(const Obstacle& obstacle)
      : tree(obstacle.mesh), rows(rowsOf<T>(obstacle.weights)), reach(std::max(obstacle.reach, obstacle.margin)),
        bend(static_cast<T>(obstacle.margin)) {
    for (const Vec3f& p : obstacle.mesh.positions)
      rest.insert(rest.end(), {static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)});
  }

  mesh::SurfaceTree tree;
  weights::WeightRowsOf<T> rows;
  std::vector<T> rest;
  double reach;
  T bend; // beyond this, the penalty grows in proportion
};

template <class T> struct Collision<T>::Posed {
  struct Last {
    mesh::DistanceAnchor anchor;
    std::uint32_t triangle = mesh::SurfaceTree::kNone;
  };
  std::vector<mesh::MovingSurface> surfaces; // by pose of the quad
  std::vector<Last> last;                    // [sample][pose 4]
};

template <class T>
Collision<T>::Collision(const Obstacle& obstacle, std::span<const Vec3<T>> garment, std::span<const Triangle> triangles)
    : body_(std::make_shared<Body>(obstacle)) {
  if (body_->tree.triangles().empty()) return;
  std::vector<Vec3d> rest;
  for (const Vec3f& p : obstacle.mesh.positions) rest.push_back(toDouble(p));
  mesh::MovingSurface surface(body_->tree);
  surface.move(std::move(rest));
  addSamples(garment, triangles, surface, obstacle.margin);
  force_.resize(kernels::kQuadVector * samples_.size());
  user_begin_.assign(garment.size() + 1, 0);
  for (const Sample& s : samples_)
    for (std::uint32_t k = 0; k < s.corners; ++k) ++user_begin_[s.vertex[k] + 1];
  std::partial_sum(user_begin_.begin(), user_begin_.end(), user_begin_.begin());
  user_.resize(user_begin_.back());
  std::vector<std::uint32_t> next(user_begin_.begin(), user_begin_.end());
  for (std::uint32_t s = 0; s < samples_.size(); ++s)
    for (std::uint32_t k = 0; k < samples_[s].corners; ++k) user_[next[samples_[s].vertex[k]]++] = s;
}

template <class T>
void Collision<T>::addSamples(std::span<const Vec3<T>> garment, std::span<const Triangle> triangles,
                              const mesh::MovingSurface& rest, double margin) {
  for (std::uint32_t v = 0; v < garment.size(); ++v) samples_.push_back({{v, v, v}, T(1), 1});
  for (const Triangle& t : triangles) samples_.push_back({t, T(1) / T(3), 3});
  const std::size_t all = samples_.size();
  if (all > kMostSamples) { // evenly spaced, each for several
    for (std::size_t i = 0; i < kMostSamples; ++i) samples_[i] = samples_[i * all / kMostSamples];
    samples_.resize(kMostSamples);
    stands_for_ = static_cast<T>(all) / static_cast<T>(kMostSamples);
  }
  parallelChunks(samples_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      Sample& s = samples_[i];
      Vec3d p;
      for (std::uint32_t k = 0; k < s.corners; ++k) p += inDouble(garment[s.vertex[k]]) * static_cast<double>(s.share);
      const mesh::SurfacePlace place = rest.nearest(p, INFINITY);
      s.nearest = place.triangle;
      s.margin = static_cast<T>(std::min(margin, place.distance));
    }
  });
  // Neighbors one after the other.
  std::ranges::stable_sort(samples_, {}, [](const Sample& s) { return std::pair(s.vertex[0], s.corners); });
}

template <class T> std::shared_ptr<typename Collision<T>::Posed> Collision<T>::pose(const T* matrices) const {
  const Body& body = *body_;
  const std::size_t count = body.rest.size() / 3;
  std::vector<T> posed(kernels::kQuadVector * count);
  const kernels::QuadRange<T> range{
      .begin = 0,
      .end = count,
      .rows = {body.rows.first.data(), body.rows.count.data(), body.rows.joint.data(), body.rows.weight.data()},
      .rest = body.rest.data(),
      .matrices = matrices,
      .posed = posed.data()};
  kernels::poseKernels<T>().skinRows(range);
  auto out = std::make_shared<Posed>();
  for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) out->surfaces.emplace_back(body.tree);
  out->last.resize(kernels::kQuad * samples_.size());
  parallelChunks(kernels::kQuad, 1, [&](std::size_t lane, std::size_t, std::size_t) {
    std::vector<Vec3d> positions(count);
    for (std::size_t v = 0; v < count; ++v) {
      const T* p = posed.data() + v * kernels::kQuadVector + lane;
      positions[v] = inDouble(Vec3<T>{p[0], p[kernels::kQuad], p[2 * kernels::kQuad]});
    }
    out->surfaces[lane].move(std::move(positions));
  });
  return out;
}

template <class T>
typename Collision<T>::Lanes Collision<T>::measureSample(Posed& body, std::size_t s, const T* posed, Anchors& anchors,
                                                         const T* lane_weight) {
  const Sample& sample = samples_[s];
  T* force = force_.data() + s * kernels::kQuadVector;
  std::fill_n(force, kernels::kQuadVector, T(0));
  Lanes value{};
  for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) {
    if (lane_weight[lane] == T(0)) continue;
    Vec3<T> p;
    for (std::uint32_t k = 0; k < sample.corners; ++k) {
      const T* corner = posed + sample.vertex[k] * kernels::kQuadVector + lane;
      p += Vec3<T>{corner[0], corner[kernels::kQuad], corner[2 * kernels::kQuad]} * sample.share;
    }
    typename Posed::Last& last = body.last[kernels::kQuad * s + lane];
    const Vec3d at = inDouble(p);
    const auto margin = static_cast<double>(sample.margin);
    if (last.anchor.bound(at) > margin || anchors[lane].bound(at) > margin) continue;
    const std::uint32_t first = last.triangle != mesh::SurfaceTree::kNone ? last.triangle : sample.nearest;
    const mesh::SurfacePlace place = body.surfaces[lane].nearest(at, INFINITY, first);
    if (!place.found()) continue;
    last.anchor.set(at, place.distance);
    last.triangle = place.triangle;
    anchors[lane] = last.anchor;
    const T inside = sample.margin - static_cast<T>(place.distance);
    if (!(inside > T(0)) || place.distance < -body_->reach) continue;
    const T bent = std::min(inside, body_->bend);
    value[lane] = stands_for_ * bent * (2 * inside - bent);
    const T scale = -2 * stands_for_ * bent;
    force[lane] = scale * static_cast<T>(place.gradient.x);
    force[kernels::kQuad + lane] = scale * static_cast<T>(place.gradient.y);
    force[2 * kernels::kQuad + lane] = scale * static_cast<T>(place.gradient.z);
  }
  return value;
}

template <class T> double Collision<T>::measure(Posed& body, const T* posed, const T* lane_weight) {
  struct Sums : std::array<double, kernels::kQuad> {
    Sums& operator+=(const Sums& b) {
      for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) (*this)[lane] += b[lane];
      return *this;
    }
  };
  const Sums sums = orderedSum(samples_.size(), kChunk, Sums{}, [&](std::size_t begin, std::size_t end) {
    Sums sum{};
    Anchors anchors;
    for (std::size_t s = begin; s < end; ++s) {
      const Lanes value = measureSample(body, s, posed, anchors, lane_weight);
      for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) sum[lane] += static_cast<double>(value[lane]);
    }
    return sum;
  });
  const double bend = kHopeless * static_cast<double>(stands_for_) * static_cast<double>(samples_.size()) *
                      static_cast<double>(body_->bend) * static_cast<double>(body_->bend);
  double value = 0;
  for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) {
    const auto weight = static_cast<double>(lane_weight[lane]);
    value += weight * bend * std::log1p(sums[lane] / bend);
    slope_[lane] = static_cast<T>(weight / (1 + sums[lane] / bend));
  }
  return value;
}

template <class T> void Collision<T>::addGradient(const kernels::QuadRange<T>& range) const {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    T* gradient = range.posed_gradient + v * kernels::kQuadVector;
    for (std::uint32_t u = user_begin_[v]; u < user_begin_[v + 1]; ++u) {
      const T* force = force_.data() + user_[u] * kernels::kQuadVector;
      for (std::size_t i = 0; i < kernels::kQuadVector; ++i)
        gradient[i] += samples_[user_[u]].share * slope_[i % kernels::kQuad] * force[i];
    }
  }
}

template class Collision<float>;
template class Collision<double>;

} // namespace skincells::loss

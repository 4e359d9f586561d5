// Collision: a garment should stay outside its body. With d the signed distance of a sample to the posed body:
//
//   1/P sum over poses of c ln(1 + 1/c sum f(max(0, margin - d)))    f(x) = x^2 up to the margin, and its tangent
//   beyond
//
// Tangent and logarithm keep a few poses that no weights can solve from outweighing all others: legs that cross inside
// a tight skirt. c stands for a small share of the samples, a margin deep. Samples are points of the garment: vertices,
// and places inside triangles, so that edges do not cut through the body. A sample's margin is at most its distance at
// rest: what touches or enters the body at rest may stay as it is.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/quad_range.h"
#include "mesh/moving_surface.h"
#include "weights/rows.h"

namespace skincells::loss {

// What a garment must not enter. Lengths are in the units of the garment's positions.
struct Obstacle {
  Mesh mesh;             // welded; triangles face outward
  SparseWeights weights; // one row per vertex, over the joints of the poses
  double margin = 0;     // the distance to keep, where the garment is that far away at rest
  double reach = 0;      // samples deeper than this exert no force: the shortest way out may be the wrong one
};

template <class T> class Collision {
public:
  // The body in the poses of one quad, and where the samples last were. A signed distance changes no faster than its
  // point moves, so most samples need no new query when the same poses are measured again.
  struct Posed;

  // Nothing to collide with: costs nothing.
  Collision() = default;
  Collision(const Obstacle& obstacle, std::span<const Vec3<T>> garment, std::span<const Triangle> triangles);

  bool empty() const { return samples_.empty(); }

  // Poses the body with the matrices of one quad (see kernels::QuadRange). The object must not outlive the collision.
  std::shared_ptr<Posed> pose(const T* matrices) const;
  // First, the value, each pose multiplied by its lane weight. posed: the garment, kQuadVector numbers
  // per vertex. Keeps the derivative in the samples. The same bytes for any thread count.
  double measure(Posed& body, const T* posed, const T* lane_weight);
  // Then, for every range: adds the derivative to range.posed_gradient.
  void addGradient(const kernels::QuadRange<T>& range) const;

private:
  struct Sample {
    std::array<std::uint32_t, 3> vertex{}; // of the garment
    T share = 1;                           // of each corner; a vertex is its own first corner with share 1
    std::uint32_t corners = 1;
    T margin = 0;
    std::uint32_t nearest = 0; // triangle of the body at rest: likely near in every pose
  };
  struct Body;
  void addSamples(std::span<const Vec3<T>> garment, std::span<const Triangle> triangles,
                  const mesh::MovingSurface& rest, double margin);
  using Anchors = std::array<mesh::DistanceAnchor, kernels::kQuad>;
  using Lanes = std::array<T, kernels::kQuad>;
  Lanes measureSample(Posed& body, std::size_t s, const T* posed, Anchors& anchors, const T* lane_weight);

  std::shared_ptr<const Body> body_; // by pointer: surfaces refer to their tree
  std::vector<Sample> samples_;
  T stands_for_ = 1;                             // points that each sample is for
  std::vector<std::uint32_t> user_begin_, user_; // samples of each garment vertex
  std::vector<T> force_;                         // [sample][axis 3][pose 4], before the logarithm
  Lanes slope_{};                                // of the logarithm, by pose, with the lane weight
};

// The posed bodies of several quads; empty until they are first measured.
template <class T> using ObstacleMemory = std::vector<std::shared_ptr<typename Collision<T>::Posed>>;

} // namespace skincells::loss

// The sum of all pose losses of a mesh, and its derivative in the weights.
#pragma once

#include <vector>

#include "deform/pose_quads.h"
#include "loss/collision.h"
#include "loss/location.h"
#include "loss/smoothness.h"
#include "loss/sparsity.h"
#include "loss/stretch.h"
#include "weights/rows.h"

namespace skincells::loss {

struct LossWeights {
  double smoothness = 1;
  double location = 60; // 6 .. 60 works well; the paper's 6000 gives torn, overly rigid skins
  double sparsity = 1;
  double collision = 0; // only for garments, as the next one
  double stretch = 0;
};

// Each value includes its weight.
struct LossValues {
  double smoothness = 0, location = 0, sparsity = 0, collision = 0, stretch = 0;

  double total() const { return smoothness + location + sparsity + collision + stretch; }
};

template <class T> class PoseLosses {
public:
  // A welded mesh with positions in cm (largest side 170). `tangent_reference`: see Smoothness.
  PoseLosses(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles, std::vector<Spring<T>> springs,
             int max_influences, std::vector<std::uint32_t> tangent_reference = {});
  // The mesh is cloth: what it must stay out of, in the same space.
  void setObstacle(const Obstacle& obstacle);

  // weight_gradient[e] = the derivative of the total in rows.weight[e]. The same bytes for any thread count. memory:
  // for poses that are measured more than once; nullptr: none.
  LossValues evaluate(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses,
                      const LossWeights& weights, std::vector<T>& weight_gradient, ObstacleMemory<T>* memory = nullptr);

  std::size_t vertexCount() const { return rest_.size() / 3; }
  const Smoothness<T>& smoothness() const { return smoothness_; }

private:
  // Adds the losses of one quad of poses, and their derivative to all.weight_gradient. `all` covers all vertices.
  void addQuad(const kernels::QuadRange<T>& all, const deform::PoseQuads<T>& poses, std::size_t quad,
               const LossWeights& weights, ObstacleMemory<T>& memory, LossValues& values);

  std::vector<T> rest_; // 3 numbers per vertex
  std::vector<Triangle> triangles_;
  Smoothness<T> smoothness_;
  Location<T> location_;
  Sparsity<T> sparsity_;
  Collision<T> collision_;
  Stretch<T> stretch_;
  std::vector<T> posed_, force_, posed_gradient_; // [vertex][axis 3][pose 4]
};

} // namespace skincells::loss

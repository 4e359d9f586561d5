// All pose losses of a mesh together: weight rows in, values and their derivative in the weights out.
#pragma once

#include <vector>

#include "deform/lbs_gradient.h"
#include "loss/location.h"
#include "loss/smoothness.h"

namespace skincells::loss {

struct LossWeights {
  double smoothness = 1;
  double location = 60; // 6 .. 60 is good; the paper's 6000 gives torn, over-rigid skins
  double sparsity = 1;
};

// Each already multiplied by its weight.
struct LossValues {
  double smoothness = 0, location = 0, sparsity = 0;

  double total() const { return smoothness + location + sparsity; }
};

template <class T> class PoseLosses {
public:
  // Positions in cm (largest side 170), of a welded mesh. `tangent_reference`: see Smoothness.
  PoseLosses(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles, std::vector<Spring<T>> springs,
             int max_influences, std::vector<std::uint32_t> tangent_reference = {});

  // weight_gradient[e] = the derivative of the total in rows.weight[e]. The same bytes for any thread count.
  LossValues evaluate(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses,
                      const LossWeights& weights, std::vector<T>& weight_gradient);

  std::size_t vertexCount() const { return rest_.size() / 3; }
  const Smoothness<T>& smoothness() const { return smoothness_; }

private:
  // The passes over one quad of poses; each needs all of the one before.
  void pose(const weights::WeightRowsOf<T>& rows, const T* matrices);
  double measureSmoothness(const std::array<T, kernels::kQuad>& lane_weight);
  void carryBack(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses, std::size_t quad,
                 const LossWeights& weights, std::vector<T>& weight_gradient, LossValues& values);

  std::vector<T> rest_; // 3 per vertex
  Smoothness<T> smoothness_;
  Location<T> location_;
  int max_influences_;
  std::vector<T> posed_, force_, posed_gradient_; // [vertex][axis 3][pose 4]
};

} // namespace skincells::loss

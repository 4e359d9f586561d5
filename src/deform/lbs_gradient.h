// Linear blend skinning of weight rows in many poses, and its derivative in the weights. Poses go four at a time
// ("quads"), side by side in memory. T is float in use and double as the definition.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "kernels/skin_rows.h"
#include "skincells/rig.h"
#include "weights/rows.h"

namespace skincells::deform {

template <class T> struct PoseQuads {
  std::size_t pose_count = 0, joint_count = 0;
  std::vector<T> matrices; // [quad][joint][column 4][row 3][pose 4]; the last quad repeats its last pose

  std::size_t quadCount() const { return (pose_count + kernels::kQuad - 1) / kernels::kQuad; }
  const T* quad(std::size_t q) const { return matrices.data() + q * joint_count * kernels::kQuadMatrix; }
  // weight / pose_count for each pose of quad q; 0 for repeated poses.
  std::array<T, kernels::kQuad> laneWeights(std::size_t q, T weight) const {
    std::array<T, kernels::kQuad> out{};
    for (std::size_t i = 0; i < kernels::kQuad && q * kernels::kQuad + i < pose_count; ++i)
      out[i] = weight / static_cast<T>(pose_count);
    return out;
  }
};

// Poses for positions given as (x - origin) * scale.
template <class T> PoseQuads<T> makePoseQuads(std::span<const Pose> poses, const Vec3d& origin, double scale);

template <class T> kernels::RowViewOf<T> viewOf(const weights::WeightRowsOf<T>& rows) {
  return {rows.first.data(), rows.count.data(), rows.joint.data(), rows.weight.data()};
}

// See kernels::skinRows and kernels::skinRowsGradient; the definition for double, the fast one for float.
template <class T>
void skinQuad(const weights::WeightRowsOf<T>& rows, std::size_t begin, std::size_t end, const T* rest,
              const T* matrices, T* posed);
template <class T>
void addWeightGradient(const weights::WeightRowsOf<T>& rows, std::size_t begin, std::size_t end, const T* rest,
                       const T* matrices, const T* posed_gradient, T* weight_gradient);

} // namespace skincells::deform

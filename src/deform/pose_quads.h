// Poses in the layout of the kernels: four at a time ("quads"), side by side in memory. T is float for use and double
// for the definitions.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "kernels/quad_range.h"
#include "skincells/rig.h"

namespace skincells::deform {

template <class T> struct PoseQuads {
  std::size_t pose_count = 0, joint_count = 0;
  std::vector<T> matrices; // [quad][joint][column 4][row 3][pose 4]; the last quad is padded with the last pose

  std::size_t quadCount() const { return (pose_count + kernels::kQuad - 1) / kernels::kQuad; }
  const T* quad(std::size_t q) const { return matrices.data() + q * joint_count * kernels::kQuadMatrix; }
  // weight / pose_count for each pose of quad q; 0 for padding.
  std::array<T, kernels::kQuad> laneWeights(std::size_t q, T weight) const {
    std::array<T, kernels::kQuad> out{};
    for (std::size_t i = 0; i < kernels::kQuad && q * kernels::kQuad + i < pose_count; ++i)
      out[i] = weight / static_cast<T>(pose_count);
    return out;
  }
};

// The poses for positions given as (x - origin) * scale.
template <class T> PoseQuads<T> makePoseQuads(std::span<const Pose> poses, const Vec3d& origin, double scale);

} // namespace skincells::deform

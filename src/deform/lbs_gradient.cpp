#include "deform/lbs_gradient.h"

#include <algorithm>
#include <type_traits>

namespace skincells::deform {

template <class T> PoseQuads<T> makePoseQuads(std::span<const Pose> poses, const Vec3d& origin, double scale) {
  PoseQuads<T> out;
  out.pose_count = poses.size();
  out.joint_count = poses.empty() ? 0 : poses[0].size();
  out.matrices.resize(out.quadCount() * out.joint_count * kernels::kQuadMatrix);
  for (std::size_t q = 0; q < out.quadCount(); ++q)
    for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) {
      const Pose& pose = poses[std::min(q * kernels::kQuad + lane, poses.size() - 1)];
      for (std::size_t j = 0; j < out.joint_count; ++j) {
        T* matrix = &out.matrices[(q * out.joint_count + j) * kernels::kQuadMatrix];
        const Vec3d moved = (pose[j].apply(origin) - origin) * scale;
        const double translation[3] = {moved.x, moved.y, moved.z};
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 4; ++column)
            matrix[static_cast<std::size_t>(column * 12 + row * 4) + lane] =
                static_cast<T>(column < 3 ? pose[j].m[row][column] : translation[row]);
      }
    }
  return out;
}

template <class T>
void skinQuad(const weights::WeightRowsOf<T>& rows, std::size_t begin, std::size_t end, const T* rest,
              const T* matrices, T* posed) {
  if constexpr (std::is_same_v<T, float>)
    kernels::skinRows(viewOf(rows), begin, end, rest, matrices, posed);
  else
    kernels::scalar::skinRows(viewOf(rows), begin, end, rest, matrices, posed);
}

template <class T>
void addWeightGradient(const weights::WeightRowsOf<T>& rows, std::size_t begin, std::size_t end, const T* rest,
                       const T* matrices, const T* posed_gradient, T* weight_gradient) {
  if constexpr (std::is_same_v<T, float>)
    kernels::skinRowsGradient(viewOf(rows), begin, end, rest, matrices, posed_gradient, weight_gradient);
  else
    kernels::scalar::skinRowsGradient(viewOf(rows), begin, end, rest, matrices, posed_gradient, weight_gradient);
}

#define SKINCELLS_FOR_SCALAR(T)                                                                                        \
  template PoseQuads<T> makePoseQuads<T>(std::span<const Pose>, const Vec3d&, double);                                 \
  template void skinQuad(const weights::WeightRowsOf<T>&, std::size_t, std::size_t, const T*, const T*, T*);           \
  template void addWeightGradient(const weights::WeightRowsOf<T>&, std::size_t, std::size_t, const T*, const T*,       \
                                  const T*, T*);
SKINCELLS_FOR_SCALAR(float)
SKINCELLS_FOR_SCALAR(double)
#undef SKINCELLS_FOR_SCALAR

} // namespace skincells::deform

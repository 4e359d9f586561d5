#include "deform/pose_quads.h"

#include <algorithm>

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

template PoseQuads<float> makePoseQuads(std::span<const Pose>, const Vec3d&, double);
template PoseQuads<double> makePoseQuads(std::span<const Pose>, const Vec3d&, double);

} // namespace skincells::deform

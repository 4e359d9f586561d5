#include "deform/lbs.h"

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::deform {

void skin(std::span<const Vec3f> rest, const SparseWeights& weights, const Pose& pose, std::span<Vec3f> out) {
  SKINCELLS_ASSERT(rest.size() == out.size() && rest.size() == weights.vertexCount());
  constexpr std::size_t kChunk = 4096;
  const auto slots = static_cast<std::size_t>(weights.slots);
  parallelChunks(rest.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    const std::uint16_t* joint = weights.joints.data() + begin * slots;
    const float* weight = weights.weights.data() + begin * slots;
    for (std::size_t v = begin; v < end; ++v, joint += slots, weight += slots) {
      const Vec3d p = toDouble(rest[v]);
      Vec3d sum;
      for (std::size_t k = 0; k < slots; ++k) {
        if (weight[k] == 0) continue; // the joint of an unused slot may not exist
        SKINCELLS_ASSERT(joint[k] < pose.size());
        sum += pose[joint[k]].apply(p) * static_cast<double>(weight[k]);
      }
      out[v] = toFloat(sum);
    }
  });
}

} // namespace skincells::deform

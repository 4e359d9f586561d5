// Counts the uses of accessors, to find the data that may be overwritten.
#pragma once

#include <vector>

#include "io/gltf/model.h"

namespace skincells::io {

class AccessorUsage {
public:
  explicit AccessorUsage(const GltfModel& model);

  int uses(int accessor) const { return uses_[accessor]; }
  // A buffer outside the GLB chunk that holds only joints, weights and inverse bind matrices, as an earlier bind adds
  // it to a .gltf file; -1 if there is none.
  int skinningBuffer() const;

private:
  bool isSkinningOnly(std::size_t accessor) const;

  const GltfModel& model_;
  std::vector<int> uses_, skinning_uses_; // by accessor
};

} // namespace skincells::io

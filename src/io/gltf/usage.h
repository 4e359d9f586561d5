// Who uses which accessor: tells the writer what it may overwrite.
#pragma once

#include <vector>

#include "io/gltf/model.h"

namespace skincells::io {

class AccessorUsage {
public:
  explicit AccessorUsage(const GltfModel& model);

  int uses(int accessor) const { return uses_[static_cast<std::size_t>(accessor)]; }
  // A buffer outside the GLB chunk that holds joints, weights and inverse bind matrices and nothing else, as an
  // earlier bind leaves it beside a .gltf file; -1 where there is none.
  int skinningBuffer() const;

private:
  bool isSkinningOnly(std::size_t accessor) const;

  const GltfModel& model_;
  std::vector<int> uses_, skinning_uses_; // by accessor
};

} // namespace skincells::io

// Which implementation of the kernels runs.
#pragma once

namespace skincells::kernels {

// True where the scalar definitions run: the build has no SIMD paths (SKINCELLS_FORCE_SCALAR), the environment says
// SKINCELLS_SCALAR=1, or a ScalarOnly object lives.
bool useScalar();

// Forces the scalar definitions while the object lives.
class ScalarOnly {
public:
  ScalarOnly();
  ~ScalarOnly();
  ScalarOnly(const ScalarOnly&) = delete;
  ScalarOnly& operator=(const ScalarOnly&) = delete;
};

} // namespace skincells::kernels

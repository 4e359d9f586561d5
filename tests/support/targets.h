// Running a test once for every implementation of the kernels.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "kernels/kernels.h"

#ifndef SKINCELLS_NO_SIMD
#include <hwy/highway.h>
#endif

namespace skincells::test {

// Calls body(table) with the definitions and with the SIMD versions for every instruction set that this build has and
// this machine supports. A build without SIMD has only the definitions.
template <class Body> void forEachTarget(const Body& body) {
  {
    SCOPED_TRACE("definitions");
    body(kernels::scalarKernels());
  }
#ifndef SKINCELLS_NO_SIMD
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(std::string("target ") + hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(kernels::simdKernels());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
#endif
}

} // namespace skincells::test

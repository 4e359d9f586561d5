// Running a test once for every instruction set that this build has and this machine supports.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#ifndef SKINCELLS_NO_SIMD
#include <hwy/highway.h>
#endif

namespace skincells::test {

// body() runs with the kernels bound to one instruction set after another; in a scalar build not at all.
template <class Body> void forEachTarget([[maybe_unused]] const Body& body) {
#ifndef SKINCELLS_NO_SIMD
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(std::string("target ") + hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
#endif
}

} // namespace skincells::test

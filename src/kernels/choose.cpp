#include "kernels/choose.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace skincells::kernels {
namespace {

std::atomic<int> forced{0};

#ifdef SKINCELLS_NO_SIMD
constexpr bool kHasSimd = false;
#else
constexpr bool kHasSimd = true;
#endif

bool environmentSaysScalar() {
  const char* set = std::getenv("SKINCELLS_SCALAR");
  return set != nullptr && std::string_view(set) == "1";
}

} // namespace

bool useScalar() {
  static const bool always = !kHasSimd || environmentSaysScalar();
  return always || forced.load(std::memory_order_relaxed) > 0;
}

ScalarOnly::ScalarOnly() {
  ++forced;
}
ScalarOnly::~ScalarOnly() {
  --forced;
}

} // namespace skincells::kernels

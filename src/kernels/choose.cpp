#include "kernels/choose.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace skincells::kernels {
namespace {

std::atomic<int> forced{0};

bool environmentSaysScalar() {
  const char* set = std::getenv("SKINCELLS_SCALAR");
  return set != nullptr && std::string_view(set) == "1";
}

} // namespace

bool useScalar() {
#ifdef SKINCELLS_NO_SIMD
  return true;
#else
  static const bool from_environment = environmentSaysScalar();
  return from_environment || forced.load(std::memory_order_relaxed) > 0;
#endif
}

ScalarOnly::ScalarOnly() {
  ++forced;
}
ScalarOnly::~ScalarOnly() {
  --forced;
}

} // namespace skincells::kernels

// The entry point of libFuzzer for one target.
#include <cstddef>
#include <cstdlib>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!skincells::fuzz::SKINCELLS_FUZZ_TARGET({data, size})) std::abort();
  return 0;
}

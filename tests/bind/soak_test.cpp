// Many binds in one process: the same weights each time, and no growth of memory. `make soak` runs 1,000.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "skincells/bind.h"
#include "support/sanitized.h"
#include "support/shapes.h"

namespace skincells {
namespace {

// Of this process, in bytes.
std::size_t residentMemory() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(Soak, ManyBindsInOneProcess) {
  constexpr std::size_t kMostGrowth = 8UL << 20U;
  const char* asked = std::getenv("SKINCELLS_SOAK");
  const int count = asked == nullptr ? 24 : std::max(8, std::atoi(asked));
  const Character c = test::tubeCharacter();
  const BindOptions options{.joints = "all", .quality = BindQuality::Draft};
  const auto first = bind(c, options);
  ASSERT_TRUE(first);
  std::size_t warm = 0;
  for (int i = 0; i < count; ++i) {
    const auto again = bind(c, options);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->weights.joints, first->weights.joints) << i;
    ASSERT_EQ(again->weights.weights, first->weights.weights) << i;
    if (i == count / 4) warm = residentMemory();
  }
  RecordProperty("grown_bytes",
                 std::to_string(static_cast<long long>(residentMemory()) - static_cast<long long>(warm)));
  if (!test::kSanitized) {
    EXPECT_LT(residentMemory(), warm + kMostGrowth);
  }
}

} // namespace
} // namespace skincells

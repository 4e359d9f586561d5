#include <gtest/gtest.h>

#include "support/gltf_builder.h"
#include "viz/page/file_orientation.h"

namespace skincells::test {
namespace {

TEST(FileOrientation, TheFrontIsTheAxisThatTheUserNames) {
  const CharacterFile file = TubeDocument(3).read();
  const auto forward = [&](Front front) {
    const auto o = page::orientationOf(file, front);
    EXPECT_TRUE(o) << o.error().text();
    return o ? o->forward : Vec3d{};
  };
  EXPECT_LE(length(forward(Front::X) - Vec3d{1, 0, 0}), 1e-9);
  EXPECT_LE(length(forward(Front::MinusZ) - Vec3d{0, 0, -1}), 1e-9);

  const auto up = page::orientationOf(file, Front::MinusY);
  ASSERT_FALSE(up);
  EXPECT_EQ(up.error().code, ErrorCode::InvalidOption);
  EXPECT_EQ(up.error().where, "--front");
}

} // namespace
} // namespace skincells::test

// The C header, compiled as C and as C++, against the library.
#include <cstring>
#include <string>

#include "base/checksum.h"
#include "runtime/expect_weights.h"
#include "runtime/runtime_c.h"

namespace skincells::test {
namespace {

TEST(Runtime, AsCppGivesTheLibrarysWeights) {
  expectLikeLibrary([](const std::vector<float>& numbers, const Vec3f& p, int influences) {
    return skc_evaluate(numbers.data(), p.x, p.y, p.z, influences);
  });
}

TEST(Runtime, AsCGivesTheLibrarysWeights) {
  expectLikeLibrary([](const std::vector<float>& numbers, const Vec3f& p, int influences) {
    return evaluateAsC(numbers.data(), p.x, p.y, p.z, influences);
  });
}

TEST(Runtime, WeightsAreSortedLargestFirst) {
  const auto numbers = packed(sampleDocument(12, 3, FieldShape::ScaleRotation, 5));
  for (const Vec3f& p : pointsToTry()) {
    const skc_weights w = skc_evaluate(numbers.data(), p.x, p.y, p.z, 0);
    for (int k = 1; k < w.count; ++k) EXPECT_GE(w.weight[k - 1], w.weight[k]);
  }
}

TEST(Runtime, JointsHaveTheirNamesAndPlaces) {
  const FieldDocument document = sampleDocument(5);
  const auto bytes = encodeField(document);
  skc_field field;
  ASSERT_EQ(openAsC(bytes.data(), bytes.size(), &field), SKC_OK);
  EXPECT_EQ(field.joint_count, 4U);
  for (std::uint32_t f = 0; f < field.joint_count; ++f) {
    skc_joint_info joint;
    ASSERT_EQ(skc_joint(&field, f, &joint), 1);
    EXPECT_EQ(std::string(joint.name, joint.name_length), document.jointName(f));
    EXPECT_EQ(joint.bind[7], static_cast<float>(document.skeleton.bindPosition(document.joints[f]).y));
  }
  skc_joint_info joint;
  EXPECT_EQ(skc_joint(&field, 4, &joint), 0);
}

TEST(Runtime, DamagedFilesAreRefused) {
  const auto bytes = encodeField(sampleDocument());
  skc_field field;
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(skc_open(bytes.data(), size, &field), SKC_OK) << size;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto damaged = bytes;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ 0x40U);
    if (at != 10 && at != 11) {
      EXPECT_NE(openAsC(damaged.data(), damaged.size(), &field), SKC_OK) << at;
    }
    // With the checksum made right: an error, or a field that can be packed and evaluated.
    const std::uint32_t sum = crc32(std::span(damaged).subspan(16));
    std::memcpy(damaged.data() + 12, &sum, sizeof sum);
    if (skc_open(damaged.data(), damaged.size(), &field) != SKC_OK) continue;
    std::vector<float> numbers(skc_packed_size(&field) / sizeof(float));
    packAsC(&field, numbers.data());
    EXPECT_LE(skc_evaluate(numbers.data(), 0.1F, 0.2F, 0.3F, 0).count, SKC_MAX_INFLUENCES);
  }
  auto newer = bytes;
  newer[8] = 9;
  EXPECT_EQ(skc_open(newer.data(), newer.size(), &field), SKC_UNKNOWN_VERSION);
  EXPECT_EQ(skc_open("glTF\2\0\0\0", 8, &field), SKC_NOT_A_FIELD);
}

} // namespace
} // namespace skincells::test

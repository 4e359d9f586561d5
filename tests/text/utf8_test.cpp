#include "text/utf8.h"

#include <gtest/gtest.h>

namespace skincells::text {
namespace {

using Codes = std::vector<std::uint32_t>;

TEST(CodePoints, OfEveryLength) {
  EXPECT_EQ(codePoints(""), Codes{});
  EXPECT_EQ(codePoints("a\u00e9\u2026\U0001F600"), (Codes{'a', 0xE9, 0x2026, 0x1F600}));
}

TEST(CodePoints, DamageIsOneMarkPerByte) {
  EXPECT_EQ(codePoints("\xC3"), Codes{0xFFFD});               // cut off
  EXPECT_EQ(codePoints("\x80z"), (Codes{0xFFFD, 'z'}));       // a continuation alone
  EXPECT_EQ(codePoints("\xC0\xAF"), (Codes{0xFFFD, 0xFFFD})); // too long a form
}

TEST(Shortened, InTheMiddle) {
  EXPECT_EQ(shortened("walk", 4), "walk");
  EXPECT_EQ(shortened("CharacterArmature|Run_Left", 11), "Chara\u2026_Left");
  EXPECT_EQ(codePoints(shortened("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 4)).size(), 4U);
  EXPECT_EQ(shortened("", 3), "");
}

} // namespace
} // namespace skincells::text

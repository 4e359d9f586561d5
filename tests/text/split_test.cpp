#include <gtest/gtest.h>

#include "text/split.h"

namespace skincells {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Trimmed, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(text::trimmed("  a b\t\r\n"), "a b");
  EXPECT_EQ(text::trimmed("a"), "a");
  EXPECT_EQ(text::trimmed(" \t "), "");
  EXPECT_EQ(text::trimmed(""), "");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(text::split("a, b ,c", ','), (Parts{"a", "b", "c"}));
  EXPECT_EQ(text::split("a,,b,", ','), (Parts{"a", "", "b", ""}));
  EXPECT_EQ(text::split("a", ','), (Parts{"a"}));
  EXPECT_EQ(text::split("", ','), Parts{});
}

TEST(Split, CanLeaveOutEmptyParts) {
  EXPECT_EQ(text::splitNonEmpty(" a,, b,", ','), (Parts{"a", "b"}));
  EXPECT_EQ(text::splitNonEmpty(" , ", ','), Parts{});
}

} // namespace
} // namespace skincells

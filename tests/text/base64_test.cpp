#include <gtest/gtest.h>

#include "text/base64.h"

namespace skincells {
namespace {

std::string encode(std::string_view text) {
  return text::encodeBase64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string decode(std::string_view text) {
  const auto bytes = text::decodeBase64(text);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string("damaged");
}

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode("\xFF\xFE\xFD"), "//79");
}

TEST(Base64, DecodesWhatItEncodes) {
  for (const char* text : {"", "f", "fo", "foo", "foobar", "\xFF\xFE\xFD"}) EXPECT_EQ(decode(encode(text)), text);
  EXPECT_EQ(decode("Zg"), "f"); // without padding
}

TEST(Base64, RefusesOtherCharacters) {
  EXPECT_EQ(decode("Zm9v Zm9v"), "damaged");
  EXPECT_EQ(decode("Zm9-"), "damaged");
  EXPECT_EQ(decode("Z=9v"), "damaged");
}

} // namespace
} // namespace skincells

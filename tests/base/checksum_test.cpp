#include "base/checksum.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace skincells {
namespace {

std::vector<std::uint8_t> bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

TEST(Checksum, Crc32OfKnownText) {
  EXPECT_EQ(crc32(bytes("")), 0U);
  EXPECT_EQ(crc32(bytes("123456789")), 0xCBF43926U); // the check value of the CRC catalog
}

// Examples from FIPS 180-4, and lengths around the block size.
TEST(Checksum, Sha256OfKnownText) {
  EXPECT_EQ(sha256(bytes("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::vector<std::uint8_t>(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Checksum, Sha256OfPiecesIsThatOfTheWhole) {
  const std::vector<std::uint8_t> text =
      bytes("how much wood would a woodchuck chuck, if a woodchuck could chuck wood? "
            "as much as a woodchuck would, if a woodchuck could chuck wood");
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece)
      sum.add(std::span(text).subspan(at, std::min(piece, text.size() - at)));
    EXPECT_EQ(sum.finish(), sha256(text)) << piece;
  }
}

} // namespace
} // namespace skincells

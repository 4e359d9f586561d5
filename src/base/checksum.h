// Checksums: CRC-32 to detect damage, SHA-256 to identify the contents of a file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skincells {

// CRC-32 as in zlib, PNG and Ethernet (polynomial 0xEDB88320 reflected, initial and final value inverted).
std::uint32_t crc32(std::span<const std::uint8_t> bytes);

// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::span<const std::uint8_t> bytes);

// The same of bytes that come in pieces.
class Sha256 {
public:
  Sha256();
  void add(std::span<const std::uint8_t> bytes);
  // Of all that was added. Call it once, last.
  std::string finish();

private:
  std::array<std::uint32_t, 8> state_;
  std::vector<std::uint8_t> rest_; // less than a block
  std::uint64_t size_ = 0;
};

} // namespace skincells

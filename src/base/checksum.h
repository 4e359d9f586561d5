// Checksums of bytes: CRC-32 against damage, SHA-256 to name a file's contents.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace skincells {

// CRC-32 as in zlib, PNG and Ethernet (polynomial 0xEDB88320 reflected, start and end inverted).
std::uint32_t crc32(std::span<const std::uint8_t> bytes);

// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::span<const std::uint8_t> bytes);

} // namespace skincells

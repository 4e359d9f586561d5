// Checksums: CRC-32 to detect damage, SHA-256 to identify the contents of a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace skincells {

// CRC-32 as in zlib, PNG and Ethernet (polynomial 0xEDB88320 reflected, initial and final value inverted).
std::uint32_t crc32(std::span<const std::uint8_t> bytes);

// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::span<const std::uint8_t> bytes);

} // namespace skincells

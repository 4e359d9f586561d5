// What the fuzzers run on arbitrary bytes. Besides crashes, a false result is a find. tests/io/fuzz_replay_test.cpp
// runs the same functions on the finds in tests/data/fuzz.
#pragma once

#include <cstdint>
#include <span>

namespace skincells::fuzz {

// Reads a GLB file; accepted files are also inspected, checked, sampled, written and reduced.
bool readGlb(std::span<const std::uint8_t> bytes);

// Reads a PLY file; accepted files are written with new weights, and must read back the same.
bool readPly(std::span<const std::uint8_t> bytes);

// Reads a field file with the library and with the run-time header; accepted fields are evaluated and encoded again.
// Checksum and size in the header are corrected first, because fuzzers do not guess checksums.
bool readField(std::span<const std::uint8_t> bytes);

} // namespace skincells::fuzz

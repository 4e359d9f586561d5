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

// Applies a range file to a small skeleton; accepted ranges must be finite and in order.
bool readRanges(std::span<const std::uint8_t> bytes);

// Applies a joint list to a small skeleton; there must be one decision for each joint.
bool readJointList(std::span<const std::uint8_t> bytes);

// Reads a pose file for a small skeleton; accepted poses must be finite and have a place for each joint.
bool readPoses(std::span<const std::uint8_t> bytes);

// Reads an option file for `bind`, and sets the options; what is accepted must be within its range.
bool readOptions(std::span<const std::uint8_t> bytes);

// Reads an OBJ or FBX file through the import program, as a user would; what is accepted must be a sound character.
bool readObj(std::span<const std::uint8_t> bytes);
bool readFbx(std::span<const std::uint8_t> bytes);

// Makes a character of the bytes (any mesh, any tree of joints, any places) and binds it as a draft by one of the
// methods; the rows must be sound.
bool bindSoup(std::span<const std::uint8_t> bytes);

} // namespace skincells::fuzz

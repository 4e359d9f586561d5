// Constants of the field file format (docs/field-file.md).
#pragma once

#include <cstdint>
#include <string_view>

namespace skincells::io {

inline constexpr std::string_view kFieldMagic = "SKCFIELD";
// Version 2 has front factors. Fields without them are written as version 1, which older programs read.
inline constexpr std::uint16_t kFieldMajor = 1, kFieldMajorWithNormals = 2, kFieldMinor = 0;
// The header: magic, version, checksum, chunk count, file size.
inline constexpr std::size_t kFieldHeaderSize = 24, kFieldTableEntry = 16;
inline constexpr std::size_t kFieldChecked = 16; // offset from which on the checksum is computed

constexpr std::uint32_t fieldTag(const char (&name)[5]) {
  std::uint32_t tag = 0;
  for (unsigned k = 0; k < 4; ++k) tag |= static_cast<std::uint32_t>(static_cast<unsigned char>(name[k])) << (8 * k);
  return tag;
}
inline constexpr std::uint32_t kFieldTag = fieldTag("FELD"), kSkeletonTag = fieldTag("SKEL"),
                               kSpaceTag = fieldTag("SPCE"), kPartsTag = fieldTag("PART"),
                               kProvenanceTag = fieldTag("PROV");
// Flag: a reader that does not support the chunk has to refuse the file.
inline constexpr std::uint32_t kCritical = 1;

struct FieldChunk {
  std::uint32_t tag = 0, flags = 0, offset = 0, length = 0;
};

inline constexpr std::uint32_t kShapeScaleRotation = 0, kShapeTriangular = 1;
inline constexpr std::uint32_t kMaxFieldJoints = 65535, kMaxFieldSites = 64;
inline constexpr std::size_t kMaxNameLength = 65535;

} // namespace skincells::io

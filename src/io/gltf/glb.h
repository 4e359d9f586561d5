// The GLB container: a header, a JSON chunk and an optional binary chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

struct GlbChunks {
  std::string_view json;
  std::span<const std::uint8_t> binary; // empty when the file has no binary chunk
  bool has_binary = false;
};

// Splits a GLB file; the chunks refer to `bytes`. `where` names the file in errors.
Result<GlbChunks> unpackGlb(std::span<const std::uint8_t> bytes, const std::string& where);

std::vector<std::uint8_t> packGlb(std::string_view json, std::span<const std::uint8_t> binary);

} // namespace skincells::io

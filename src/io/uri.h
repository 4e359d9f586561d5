// References in glTF files: files in the same folder, and data URIs. Nothing else is followed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

bool isDataUri(std::string_view uri);
Result<std::vector<std::uint8_t>> decodeDataUri(std::string_view uri, const std::string& where);
std::string encodeDataUri(const std::vector<std::uint8_t>& bytes, std::string_view media_type);

// The relative path that a URI names, percent-decoded. Network addresses, absolute paths and paths that leave the
// folder are refused.
Result<std::string> relativePathOfUri(std::string_view uri, const std::string& where);

} // namespace skincells::io

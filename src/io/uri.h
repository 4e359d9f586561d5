// What glTF files point to: files beside them and data in the text itself. Nothing else is followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

bool isDataUri(std::string_view uri);
Result<std::vector<std::uint8_t>> decodeDataUri(std::string_view uri, const std::string& where);
std::string encodeDataUri(const std::vector<std::uint8_t>& bytes, std::string_view media_type);

// The relative path that a URI names, with percent signs decoded. Refused: network addresses, absolute paths,
// anything that leaves the folder.
Result<std::string> relativePathOfUri(std::string_view uri, const std::string& where);

} // namespace skincells::io

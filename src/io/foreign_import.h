// Foreign formats (FBX, OBJ, DAE, ...), converted to GLB by a separate program, so that a crash of the converter
// becomes an ordinary error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

// The extensions that can be imported, in lower case with the dot, best supported first.
std::span<const std::string_view> foreignExtensions();
// Whether it is one of them: ".fbx" or "fbx", in upper or lower case.
bool isForeignExtension(std::string_view extension);
// ".fbx, .dae, ...", for messages.
std::string foreignExtensionList();

struct ForeignImportLimits {
  double wall_seconds = 300; // limit of wall time, 0.01 .. 86400
  int cpu_seconds = 240;     // limit of CPU time
  // Limit of address space in bytes. Sanitizer builds ignore it, because their shadow memory is far larger.
  std::uint64_t address_space = std::uint64_t{16} << 30U;
  std::uint64_t output_bytes = std::uint64_t{4} << 30U; // GLB cannot be larger
};

struct ForeignFile {
  std::vector<std::uint8_t> glb;
  std::vector<std::string> resources; // files that were read besides it: materials, textures
};

// The file as GLB, with skins and animations; world space is in meters with y up. If the import fails, it is tried
// again without animations, with the warning "import.animations_dropped".
//
// Errors: FileNotFound; UnsupportedFeature if the import program is not found (in the environment variable
// SKINCELLS_IMPORTER, the folder of this library and that of the running program, ../libexec/skincells from there, or
// the install folder);
// otherwise ImportFailed, with the message of the import program, which does not quote the file.
//
// The import program opens nothing but regular files in the folder of the input and below, and ends with this process.
Result<ForeignFile> importForeign(const std::string& path, Warnings& warnings, const ForeignImportLimits& limits = {});

} // namespace skincells::io

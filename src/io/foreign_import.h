// Foreign formats (FBX, OBJ, DAE, ...): converted to GLB by a program of its own, so that a file which crashes the
// converter is an ordinary error here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

// The extensions that are imported, lower case with the dot, best supported first. The one list of them.
std::span<const std::string_view> foreignExtensions();
// Whether it is one of them (".fbx" or "fbx", in any case).
bool isForeignExtension(std::string_view extension);
// ".fbx, .dae, ...", for messages.
std::string foreignExtensionList();

struct ForeignImportLimits {
  double wall_seconds = 300; // the import is stopped after this time, 0.01 .. 86400
  int cpu_seconds = 240;     // and after this much computing
  // Memory in bytes that it may reserve. Builds with sanitizers ignore it: their shadow memory is far larger.
  std::uint64_t address_space = std::uint64_t{16} << 30U;
  std::uint64_t output_bytes = std::uint64_t{4} << 30U; // GLB cannot be larger
};

// The file as GLB: y up and meters in world space, skins and animations kept. Tried again without animations when the
// first attempt fails, with the warning "import.animations_dropped".
//
// Errors: FileNotFound; UnsupportedFeature when the import program is not installed (looked for in the environment
// variable SKINCELLS_IMPORTER, beside the running program, in ../libexec/skincells from there, and where `install`
// put it); ImportFailed, with what the import program had to say, for all else.
Result<std::vector<std::uint8_t>> importForeign(const std::string& path, Warnings& warnings,
                                                const ForeignImportLimits& limits = {});

} // namespace skincells::io

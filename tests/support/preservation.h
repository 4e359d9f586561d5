// Did writing a file change anything but its skinning?
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/gltf/document.h"

namespace skincells::test {

// Reads a document without interpreting it; a failure fails the test.
io::GltfDocument loadDocument(const std::filesystem::path& path);

// Everything in `after` that differs from `before` and is not skinning: JSON (with its key order) apart from
// JOINTS_n and WEIGHTS_n, their accessors, joints added at the end of a skin and new entries at the end of lists;
// buffer bytes apart from those of skinning accessors and what was appended. Empty: nothing does.
std::vector<std::string> foreignChanges(const io::GltfDocument& before, const io::GltfDocument& after);

} // namespace skincells::test

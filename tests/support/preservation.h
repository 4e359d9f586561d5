// Checks that writing a file changes only its skinning.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/gltf/document.h"

namespace skincells::test {

// Reads a document without interpreting it; if this fails, the test fails.
io::GltfDocument loadDocument(const std::filesystem::path& path);

// Differences between `before` and `after` that are not skinning; empty if there are none. Ignored in the JSON (whose
// key order counts): JOINTS_n and WEIGHTS_n, their accessors, joints added at the end of a skin and new entries at the
// end of lists. Ignored in buffers: bytes of skinning accessors and appended bytes.
std::vector<std::string> foreignChanges(const io::GltfDocument& before, const io::GltfDocument& after);

// The same for files whose unused data was removed, with other numbers of accessors and views: the stored values of
// meshes, animations and images, one by one, and accessors or views that were in use and are no longer. Draco- and
// meshopt-compressed data is left out.
std::vector<std::string> dataChanges(const io::GltfDocument& before, const io::GltfDocument& after);

} // namespace skincells::test

// How much data a small file may unfold to.
#pragma once

#include <span>

#include "io/gltf/document.h"
#include "io/gltf/read/character.h"
#include "skincells/result.h"

namespace skincells::io {

// References are cheap: a thousand primitives can share one accessor, and an accessor without data is all zeros. So the
// sum of what is read counts, not its parts: at most 256 MiB and 64 times the size of the file with its buffers.
inline constexpr std::size_t kFreeBytes = std::size_t{256} << 20U, kBytesPerByte = 64;

// Fails with TooLarge if these meshes, and the skins and clips of the document, unfold to more.
Result<void> checkBudget(const GltfDocument& document, std::span<const MeshInstance> instances);

} // namespace skincells::io

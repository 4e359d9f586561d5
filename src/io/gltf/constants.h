// Constants of the glTF 2.0 specification, and the small rules that reader and writer share.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/math.h"

namespace skincells::io {

// bufferView.target
inline constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;

inline constexpr const char* kDracoExtension = "KHR_draco_mesh_compression";
inline constexpr const char* kMeshoptExtension = "EXT_meshopt_compression";

// Data starts at multiples of four bytes.
constexpr std::size_t alignTo4(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

// Attribute set n of the skin holds influences 4n .. 4n + 3 of each vertex.
inline std::string jointsAttribute(int set) {
  return "JOINTS_" + std::to_string(set);
}
inline std::string weightsAttribute(int set) {
  return "WEIGHTS_" + std::to_string(set);
}
inline bool isSkinningAttribute(std::string_view name) {
  return name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
}

// The numbers of one attribute set, four per vertex: value(vertex, slot) for slots below `slots`, 0 beyond.
template <class T, class Value>
std::vector<T> attributeSet(std::size_t vertex_count, std::size_t slots, std::size_t set, const Value& value) {
  std::vector<T> out(4 * vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v)
    for (std::size_t k = 0; k < 4 && 4 * set + k < slots; ++k) out[4 * v + k] = value(v, 4 * set + k);
  return out;
}

// Matrices are stored column by column, with the last row.
inline std::array<float, 16> toColumnMajor(const Affine& a) {
  std::array<float, 16> out{};
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t r = 0; r < 3; ++r) out[4 * c + r] = static_cast<float>(a.m[r][c]);
  out[15] = 1;
  return out;
}
template <class T> Affine fromColumnMajor(const T* x) {
  return {{{x[0], x[4], x[8], x[12]}, {x[1], x[5], x[9], x[13]}, {x[2], x[6], x[10], x[14]}}};
}

} // namespace skincells::io

// Decoding accessors: strides, sparse and normalized data, meshopt-compressed views.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/gltf/model.h"
#include "skincells/result.h"

namespace skincells::io {

// An accessor without a view is all zeros and takes no space in the file, so its size has to be bounded.
inline constexpr std::size_t kMaxImpliedNumbers = std::size_t{1} << 24U;

class AccessorReader {
public:
  AccessorReader(const GltfModel& model, std::string where) : model_(model), where_(std::move(where)) {}

  // All numbers of an accessor, element after element. Normalized integers are scaled to [-1, 1] or [0, 1].
  Result<std::vector<float>> floats(int accessor, int columns);
  // The same without scaling, for joint and vertex indices. Float accessors are refused.
  Result<std::vector<std::uint32_t>> integers(int accessor, int columns);

  // The numbers as stored, element after element: the bits of each in the low bytes of a word.
  Result<std::vector<std::uint32_t>> words(int accessor);

  // "file.glb#/accessors/7", for messages.
  std::string place(int accessor) const { return where_ + "#/accessors/" + std::to_string(accessor); }

private:
  Result<std::span<const std::uint8_t>> viewBytes(int view);
  template <class T, class Convert> Result<std::vector<T>> decode(int accessor, int columns, const Convert& convert);

  const GltfModel& model_;
  std::string where_;
  std::map<int, std::vector<std::uint8_t>> decompressed_;
};

} // namespace skincells::io

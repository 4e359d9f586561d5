#include "io/gltf/glb.h"

#include "io/gltf/constants.h"

namespace skincells::io {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

std::uint32_t readU32(std::span<const std::uint8_t> b, std::size_t at) {
  return b[at] | (b[at + 1] << 8U) | (b[at + 2] << 16U) | (static_cast<std::uint32_t>(b[at + 3]) << 24U);
}

void appendU32(std::vector<std::uint8_t>& out, std::size_t value) {
  for (unsigned k = 0; k < 4; ++k) out.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

Error broken(const std::string& where, std::string message) {
  return {ErrorCode::InvalidFile, std::move(message), where};
}

} // namespace

Result<GlbChunks> unpackGlb(std::span<const std::uint8_t> bytes, const std::string& where) {
  if (bytes.size() < 12) return broken(where, "too short for a GLB file; it was probably truncated");
  if (readU32(bytes, 0) != kMagic) return broken(where, "not a GLB file (it does not start with 'glTF')");
  if (const auto version = readU32(bytes, 4); version != 2)
    return Error{ErrorCode::UnsupportedFeature,
                 "GLB version " + std::to_string(version) + " is not supported; export as glTF 2.0", where};
  const std::size_t total = readU32(bytes, 8);
  if (total > bytes.size())
    return broken(where, "the header declares " + std::to_string(total) + " bytes, but the file has " +
                             std::to_string(bytes.size()) + "; it was probably truncated");
  GlbChunks chunks;
  bool has_json = false;
  for (std::size_t at = 12; at + 8 <= total;) {
    const std::size_t length = readU32(bytes, at);
    const std::uint32_t type = readU32(bytes, at + 4);
    if (length > total - at - 8)
      return broken(where, "the chunk at byte " + std::to_string(at) + " runs past the end of the file");
    const auto data = bytes.subspan(at + 8, length);
    if (!has_json) {
      if (type != kJsonChunk) return broken(where, "the first chunk is not JSON");
      chunks.json = {reinterpret_cast<const char*>(data.data()), data.size()};
      has_json = true;
    } else if (type == kBinaryChunk && !chunks.has_binary) {
      chunks.binary = data;
      chunks.has_binary = true;
    }
    at += 8 + alignTo4(length);
  }
  if (!has_json) return broken(where, "has no JSON chunk");
  return chunks;
}

std::vector<std::uint8_t> packGlb(std::string_view json, std::span<const std::uint8_t> binary) {
  const std::size_t json_size = alignTo4(json.size()), binary_size = alignTo4(binary.size());
  std::vector<std::uint8_t> out;
  out.reserve(28 + json_size + binary_size);
  appendU32(out, kMagic);
  appendU32(out, 2);
  appendU32(out, 12 + 8 + json_size + (binary.empty() ? 0 : 8 + binary_size));
  appendU32(out, json_size);
  appendU32(out, kJsonChunk);
  out.insert(out.end(), json.begin(), json.end());
  out.resize(20 + json_size, ' ');
  if (!binary.empty()) {
    appendU32(out, binary_size);
    appendU32(out, kBinaryChunk);
    out.insert(out.end(), binary.begin(), binary.end());
    out.resize(out.size() + binary_size - binary.size(), 0);
  }
  return out;
}

} // namespace skincells::io

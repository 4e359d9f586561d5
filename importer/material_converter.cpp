#include "material_converter.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

#include <assimp/material.h>

namespace fs = std::filesystem;

namespace skincells::importer {
namespace {

constexpr std::uintmax_t kLargestPicture = 256U << 20U;

// The media type by the first bytes; empty if it is not supported by glTF.
std::string mediaType(const std::vector<std::uint8_t>& bytes) {
  const auto starts = [&](std::initializer_list<std::uint8_t> magic) {
    return bytes.size() > magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
  };
  if (starts({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'})) return "image/png";
  if (starts({0xFF, 0xD8, 0xFF})) return "image/jpeg";
  return {};
}

// glTF ignores color space, pixel aspect and text chunks of a PNG, and the validator warns about them, so only chunks
// with image data are kept.
std::vector<std::uint8_t> plainPng(const std::vector<std::uint8_t>& png) {
  static constexpr std::string_view kKept[] = {"IHDR", "PLTE", "tRNS", "IDAT", "IEND"};
  constexpr std::size_t kSignature = 8, kFrame = 12; // a chunk is length, type, data, checksum
  std::vector<std::uint8_t> out(png.begin(), png.begin() + kSignature);
  for (std::size_t at = kSignature; at + kFrame <= png.size();) {
    std::size_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = length << 8U | png[at + k];
    if (length > png.size() - at - kFrame) return png; // damaged: not changed
    const auto first = png.begin() + static_cast<std::ptrdiff_t>(at);
    const std::string type(first + 4, first + 8);
    at += kFrame + length;
    if (std::find(std::begin(kKept), std::end(kKept), type) != std::end(kKept))
      out.insert(out.end(), first, png.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return out;
}

std::vector<std::uint8_t> readPicture(const fs::path& path, ConfinedFiles& files) {
  std::error_code error;
  if (fs::file_size(path, error) > kLargestPicture || error) return {};
  return files.read(path.string());
}

// The referenced file, searched only in the folder of the model and below: by its relative path, then by its name.
std::vector<std::uint8_t> findPicture(ConfinedFiles& files, std::string reference) {
  std::replace(reference.begin(), reference.end(), '\\', '/');
  const fs::path folder = fs::path(files.input()).parent_path(), relative = fs::path(reference).lexically_normal();
  const bool stays_inside = relative.is_relative() && !relative.empty() && *relative.begin() != "..";
  std::vector<fs::path> candidates;
  if (stays_inside) candidates.push_back(folder / relative);
  for (const char* below : {"", "textures", "Textures"}) candidates.push_back(folder / below / relative.filename());
  for (const fs::path& candidate : candidates)
    if (auto bytes = readPicture(candidate, files); !bytes.empty()) return bytes;
  return {};
}

class MaterialConverter {
public:
  MaterialConverter(const aiScene& scene, ConfinedFiles& files, Scene& out, Warnings& warnings)
      : scene_(scene), files_(files), out_(out), warnings_(warnings) {}

  SceneMaterial convert(const aiMaterial& material) {
    SceneMaterial result;
    if (aiString name; material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) result.name = name.C_Str();
    int two_sided = 0;
    result.double_sided = material.Get(AI_MATKEY_TWOSIDED, two_sided) == AI_SUCCESS && two_sided != 0;
    aiString reference;
    const bool textured = material.GetTexture(aiTextureType_BASE_COLOR, 0, &reference) == AI_SUCCESS ||
                          material.GetTexture(aiTextureType_DIFFUSE, 0, &reference) == AI_SUCCESS;
    if (textured) result.base_color_image = imageIndex(reference.C_Str());
    result.base_color = textured ? behindTexture(result.base_color_image >= 0) : plainColor(material);
    return result;
  }

private:
  // Many exporters write black as the color of a textured material. Use white with the image, gray without it.
  static std::array<float, 4> behindTexture(bool has_picture) {
    const float level = has_picture ? 1.0f : 0.6f;
    return {level, level, level, 1};
  }

  static std::array<float, 4> plainColor(const aiMaterial& material) {
    aiColor4D color(1, 1, 1, 1);
    if (material.Get(AI_MATKEY_BASE_COLOR, color) != AI_SUCCESS) material.Get(AI_MATKEY_COLOR_DIFFUSE, color);
    const auto level = [](float x) { return std::isfinite(x) ? std::clamp(x, 0.0f, 1.0f) : 1.0f; };
    return {level(color.r), level(color.g), level(color.b), 1};
  }

  int imageIndex(const std::string& reference) {
    const auto [entry, is_new] = index_of_reference_.try_emplace(reference, -1);
    if (!is_new) return entry->second;
    SceneImage image;
    image.bytes = pictureBytes(reference);
    image.media_type = mediaType(image.bytes);
    image.name = fs::path(reference.substr(reference.find_last_of("/\\") + 1)).stem().string();
    if (image.media_type.empty()) {
      warnings_.push_back({"import.texture_dropped",
                           image.bytes.empty() ? "the texture is neither in the file nor in its folder"
                                               : "the texture is neither PNG nor JPEG",
                           reference});
      return -1;
    }
    if (image.media_type == "image/png") image.bytes = plainPng(image.bytes);
    out_.images.push_back(std::move(image));
    return entry->second = static_cast<int>(out_.images.size()) - 1;
  }

  std::vector<std::uint8_t> pictureBytes(const std::string& reference) const {
    const aiTexture* embedded = scene_.GetEmbeddedTexture(reference.c_str());
    if (embedded == nullptr) return findPicture(files_, reference);
    if (embedded->mHeight != 0 || embedded->pcData == nullptr) return {}; // raw pixels: no file format
    const auto* first = reinterpret_cast<const std::uint8_t*>(embedded->pcData);
    return {first, first + embedded->mWidth};
  }

  const aiScene& scene_;
  ConfinedFiles& files_;
  Scene& out_;
  Warnings& warnings_;
  std::map<std::string, int> index_of_reference_;
};

} // namespace

void convertMaterials(const aiScene& scene, ConfinedFiles& files, Scene& out, Warnings& warnings) {
  MaterialConverter converter(scene, files, out, warnings);
  for (unsigned m = 0; m < scene.mNumMaterials; ++m) out.materials.push_back(converter.convert(*scene.mMaterials[m]));
}

} // namespace skincells::importer

#include "io/gltf/pack.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/glb.h"
#include "io/uri.h"

namespace fs = std::filesystem;

namespace skincells::io {
namespace {

using Kind = GltfBuffer::Kind;

std::string encodeUri(const std::string& path) {
  static constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/()!";
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return out;
}

std::string mediaType(const std::vector<std::uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x89PNG")) return "image/png";
  if (text.starts_with("\xFF\xD8")) return "image/jpeg";
  if (text.size() > 12 && text.substr(8, 4) == "WEBP") return "image/webp";
  if (text.size() > 8 && text.substr(1, 3) == "KTX") return "image/ktx2";
  return {};
}

// Calls visit(image, relative path) for every image in a separate file.
template <class Visit> Result<void> forEachImageFile(Json& json, const std::string& where, const Visit& visit) {
  if (!json.contains("images") || !json["images"].is_array()) return {};
  for (std::size_t i = 0; i < json["images"].size(); ++i) {
    Json& image = json["images"][i];
    if (!image.is_object() || !image.contains("uri") || !image["uri"].is_string()) continue;
    const std::string uri = image["uri"];
    if (isDataUri(uri)) continue;
    SKINCELLS_TRY(relative, relativePathOfUri(uri, where + "#/images/" + std::to_string(i) + "/uri"));
    visit(image, relative);
  }
  return {};
}

Result<void> embedImages(const GltfDocument& source, EditedDocument& d) {
  return forEachImageFile(d.json, source.path, [&](Json& image, const std::string& relative) {
    const auto bytes = readFile((fs::path(source.folder) / relative).string());
    if (!bytes || mediaType(*bytes).empty()) return; // missing or of unknown type: the reference remains
    auto& data = d.buffers[0].bytes;
    data.resize(alignTo4(data.size()));
    image.erase("uri");
    image["bufferView"] = d.json["bufferViews"].size();
    image["mimeType"] = mediaType(*bytes);
    d.json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", data.size()}, {"byteLength", bytes->size()}});
    data.insert(data.end(), bytes->begin(), bytes->end());
    d.json["buffers"][0]["byteLength"] = data.size();
  });
}

// Adds a copy of a resource to the output, unless the folder already has the same file.
void copyResource(const fs::path& folder, const std::string& relative, std::vector<std::uint8_t> bytes,
                  std::vector<OutputFile>& files) {
  const std::string path = (folder / relative).string();
  if (const auto there = readFile(path); there && *there == bytes) return;
  if (std::any_of(files.begin(), files.end(), [&](const OutputFile& f) { return f.path == path; })) return;
  files.push_back({path, std::move(bytes)});
}

Result<void> copyImages(const GltfDocument& source, const fs::path& folder, Json& json,
                        std::vector<OutputFile>& files) {
  return forEachImageFile(json, source.path, [&](Json&, const std::string& relative) {
    auto bytes = readFile((fs::path(source.folder) / relative).string());
    if (bytes) copyResource(folder, relative, std::move(*bytes), files);
  });
}

Result<std::vector<OutputFile>> packBinary(const GltfDocument& source, EditedDocument d, const std::string& path,
                                           bool elsewhere) {
  std::vector<OutputFile> files;
  const bool single = d.buffers.size() == 1 && d.buffers[0].kind == Kind::Binary;
  if (!single) mergeBuffers(d);
  if (!source.binary)
    SKINCELLS_CHECK(embedImages(source, d));
  else if (elsewhere && !source.folder.empty())
    SKINCELLS_CHECK(copyImages(source, fs::path(path).parent_path(), d.json, files));
  static const std::vector<std::uint8_t> kNoBytes;
  files.push_back({path, packGlb(d.json.dump(), d.buffers.empty() ? kNoBytes : d.buffers[0].bytes)});
  return files;
}

// A file name for a buffer that no buffer of the input uses, except for the one that it replaces.
std::string freeName(const GltfDocument& source, const std::string& stem, const std::string& suffix, int replaced) {
  const auto taken = [&](const std::string& name) {
    for (std::size_t b = 0; b < source.model.buffers.size(); ++b) {
      const GltfBuffer& buffer = source.model.buffers[b];
      if (buffer.kind != Kind::External || static_cast<int>(b) == replaced) continue;
      if (const auto relative = relativePathOfUri(buffer.uri, source.path); relative && *relative == name) return true;
    }
    return false;
  };
  std::string name = stem + suffix;
  for (int i = 2; taken(name); ++i) name = stem + "." + std::to_string(i) + suffix;
  return name;
}

Result<std::vector<OutputFile>> packText(const GltfDocument& source, EditedDocument d, const std::string& path,
                                         bool elsewhere) {
  std::vector<OutputFile> files;
  const fs::path folder = fs::path(path).parent_path();
  const std::string stem = fs::path(path).stem().string();
  for (std::size_t b = 0; b < d.buffers.size(); ++b) {
    GltfBuffer& buffer = d.buffers[b];
    Json& json = d.json["buffers"][b];
    const bool changed = static_cast<int>(b) == d.skin_buffer;
    if (buffer.kind == Kind::Binary || (buffer.kind == Kind::External && changed)) {
      const std::string suffix = buffer.kind == Kind::Binary ? ".bin" : ".skin.bin";
      const std::string name = freeName(source, stem, suffix, elsewhere ? d.skin_buffer : -1);
      json["uri"] = encodeUri(name);
      files.push_back({(folder / name).string(), std::move(buffer.bytes)});
    } else if (buffer.kind == Kind::Data && changed) {
      json["uri"] = encodeDataUri(buffer.bytes, "application/octet-stream");
    } else if (buffer.kind == Kind::External && elsewhere) {
      SKINCELLS_TRY(relative, relativePathOfUri(buffer.uri, source.path));
      // The whole file, which may be longer than the buffer.
      auto bytes = readFile((fs::path(source.folder) / relative).string());
      if (!bytes) return std::move(bytes).error();
      copyResource(folder, relative, std::move(*bytes), files);
    }
  }
  if (elsewhere && !source.folder.empty()) SKINCELLS_CHECK(copyImages(source, folder, d.json, files));
  const std::string text = d.json.dump(2) + "\n";
  files.push_back({path, {text.begin(), text.end()}});
  return files;
}

// Replaces every image that is still external by a white pixel.
void replaceMissingImages(Json& json) {
  static constexpr const char* kWhitePixel =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4"
      "nGP4DwABAQEAsCoqOAAAAABJRU5ErkJggg==";
  if (!json.contains("images") || !json["images"].is_array()) return;
  for (Json& image : json["images"])
    if (image.is_object() && image.contains("uri") && image["uri"].is_string() &&
        !isDataUri(image["uri"].get_ref<const std::string&>()))
      image["uri"] = kWhitePixel;
}

} // namespace

Result<std::vector<std::uint8_t>> packSelfContained(const GltfDocument& source, EditedDocument d) {
  if (d.buffers.size() != 1 || d.buffers[0].kind != Kind::Binary) mergeBuffers(d);
  if (!d.buffers.empty()) SKINCELLS_CHECK(embedImages(source, d));
  replaceMissingImages(d.json);
  static const std::vector<std::uint8_t> kNoBytes;
  return packGlb(d.json.dump(), d.buffers.empty() ? kNoBytes : d.buffers[0].bytes);
}

void mergeBuffers(EditedDocument& d) {
  if (d.buffers.empty()) return;
  std::vector<std::size_t> base(d.buffers.size(), 0), index(d.buffers.size(), 0);
  std::vector<std::uint8_t> merged;
  Json entries = Json::array();
  Json first = Json::object();
  for (std::size_t b = 0; b < d.buffers.size(); ++b) {
    if (d.buffers[b].kind == Kind::Fallback) continue;
    if (merged.empty() && base[b] == 0 && first.empty()) first = d.json["buffers"][b];
    merged.resize(alignTo4(merged.size()));
    base[b] = merged.size();
    merged.insert(merged.end(), d.buffers[b].bytes.begin(), d.buffers[b].bytes.end());
  }
  first.erase("uri");
  first["byteLength"] = merged.size();
  entries.push_back(std::move(first));
  std::vector<GltfBuffer> buffers(1);
  buffers[0].kind = Kind::Binary;
  buffers[0].bytes = std::move(merged);
  for (std::size_t b = 0; b < d.buffers.size(); ++b) {
    if (d.buffers[b].kind != Kind::Fallback) continue;
    index[b] = entries.size();
    entries.push_back(d.json["buffers"][b]);
    buffers.push_back(std::move(d.buffers[b]));
  }
  const auto rebase = [&](Json& view) {
    const auto b = view["buffer"].get<std::size_t>();
    view["buffer"] = index[b];
    if (base[b] > 0)
      view["byteOffset"] = base[b] + (view.contains("byteOffset") ? view["byteOffset"].get<std::size_t>() : 0);
  };
  if (d.json.contains("bufferViews"))
    for (Json& view : d.json["bufferViews"]) {
      rebase(view);
      if (view.contains("extensions") && view["extensions"].contains(kMeshoptExtension))
        rebase(view["extensions"][kMeshoptExtension]);
    }
  d.json["buffers"] = std::move(entries);
  d.buffers = std::move(buffers);
}

Result<void> checkFormat(const std::string& output_path) {
  const std::string extension = fs::path(output_path).extension().string();
  if (extension == ".glb" || extension == ".vrm" || extension == ".gltf") return {};
  return Error{ErrorCode::InvalidOption, "the output must be a .glb, .gltf or .vrm file", output_path};
}

Result<std::vector<OutputFile>> packDocument(const GltfDocument& source, EditedDocument edited,
                                             const std::string& output_path) {
  SKINCELLS_CHECK(checkFormat(output_path));
  std::error_code error;
  const fs::path out_folder = fs::absolute(output_path, error).parent_path();
  const bool elsewhere =
      source.folder.empty() || !fs::equivalent(out_folder, fs::absolute(source.folder, error), error);
  const bool text = fs::path(output_path).extension() == ".gltf";
  return text ? packText(source, std::move(edited), output_path, elsewhere)
              : packBinary(source, std::move(edited), output_path, elsewhere);
}

} // namespace skincells::io

#include "io/gltf/edit/pack.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/read_file.h"
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
    const auto bytes = readFileBelow(source.folder, relative);
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

// "a/b.bin" -> "a/b.2.bin"
std::string numbered(const std::string& relative, int number) {
  fs::path path(relative);
  const std::string extension = path.extension().string();
  path.replace_extension("." + std::to_string(number) + extension);
  return path.string();
}

// The files of a document, with names for its resources that no other file has.
class PackedFiles {
public:
  PackedFiles(const std::string& path, const OutputSet& outputs)
      : folder_(fs::path(path).parent_path()), outputs_(outputs) {}

  // Adds a resource and returns its relative path: `wanted`, or that with a number. A file that is already there with
  // the same bytes is used as it is.
  std::string addResource(const std::string& wanted, std::vector<std::uint8_t> bytes) {
    for (int number = 1;; ++number) {
      std::string name = number == 1 ? wanted : numbered(wanted, number);
      const std::string path = (folder_ / name).string();
      const auto same = std::ranges::find(files_, path, &OutputFile::path);
      if (same != files_.end()) {
        if (same->bytes == bytes) return name;
        continue;
      }
      if (outputs_.hasContent(path, bytes)) return name;
      if (outputs_.isTaken(path)) continue;
      files_.push_back({path, std::move(bytes)});
      return name;
    }
  }
  void add(const std::string& path, std::vector<std::uint8_t> bytes) { files_.push_back({path, std::move(bytes)}); }

  const std::vector<OutputFile>& files() const { return files_; }

private:
  fs::path folder_;
  const OutputSet& outputs_;
  std::vector<OutputFile> files_;
};

Result<void> copyImages(const GltfDocument& source, Json& json, PackedFiles& files) {
  return forEachImageFile(json, source.path, [&](Json& image, const std::string& relative) {
    auto bytes = readFileBelow(source.folder, relative);
    if (!bytes) return;
    const std::string name = files.addResource(relative, std::move(*bytes));
    if (name != relative) image["uri"] = encodeUri(name);
  });
}

Result<void> packBinary(const GltfDocument& source, EditedDocument d, const std::string& path, bool elsewhere,
                        PackedFiles& files) {
  const bool single = d.buffers.size() == 1 && d.buffers[0].kind == Kind::Binary;
  if (!single) mergeBuffers(d);
  if (!source.binary)
    SKINCELLS_CHECK(embedImages(source, d));
  else if (elsewhere && !source.folder.empty())
    SKINCELLS_CHECK(copyImages(source, d.json, files));
  static const std::vector<std::uint8_t> kNoBytes;
  files.add(path, packGlb(d.json.dump(), d.buffers.empty() ? kNoBytes : d.buffers[0].bytes));
  return {};
}

// Copies the buffers that do not change to the folder of the output.
Result<void> copyBuffers(const GltfDocument& source, EditedDocument& d, PackedFiles& files) {
  for (std::size_t b = 0; b < d.buffers.size(); ++b) {
    if (d.buffers[b].kind != Kind::External || static_cast<int>(b) == d.skin_buffer) continue;
    SKINCELLS_TRY(relative, relativePathOfUri(d.buffers[b].uri, source.path));
    // The whole file, which may be longer than the buffer.
    SKINCELLS_TRY(bytes, readFileBelow(source.folder, relative));
    const std::string name = files.addResource(relative, std::move(bytes));
    if (name != relative) d.json["buffers"][b]["uri"] = encodeUri(name);
  }
  return {};
}

Result<void> packText(const GltfDocument& source, EditedDocument d, const std::string& path, bool elsewhere,
                      PackedFiles& files) {
  if (elsewhere) SKINCELLS_CHECK(copyBuffers(source, d, files));
  const std::string stem = fs::path(path).stem().string();
  for (std::size_t b = 0; b < d.buffers.size(); ++b) {
    GltfBuffer& buffer = d.buffers[b];
    Json& json = d.json["buffers"][b];
    const bool changed = static_cast<int>(b) == d.skin_buffer;
    if (buffer.kind == Kind::Binary || (buffer.kind == Kind::External && changed)) {
      const std::string suffix = buffer.kind == Kind::Binary ? ".bin" : ".skin.bin";
      json["uri"] = encodeUri(files.addResource(stem + suffix, std::move(buffer.bytes)));
    } else if (buffer.kind == Kind::Data && changed) {
      json["uri"] = encodeDataUri(buffer.bytes, "application/octet-stream");
    }
  }
  if (elsewhere && !source.folder.empty()) SKINCELLS_CHECK(copyImages(source, d.json, files));
  const std::string text = d.json.dump(2) + "\n";
  files.add(path, {text.begin(), text.end()});
  return {};
}

// File names of the buffers in the JSON text of a .gltf file.
std::vector<std::string> bufferNames(std::span<const std::uint8_t> text, const std::string& path) {
  const auto json = parseJson({reinterpret_cast<const char*>(text.data()), text.size()}, path);
  std::vector<std::string> names;
  if (!json || !json->contains("buffers") || !(*json)["buffers"].is_array()) return names;
  for (const Json& buffer : (*json)["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const auto& uri = buffer["uri"].get_ref<const std::string&>();
    if (isDataUri(uri)) continue;
    if (auto name = relativePathOfUri(uri, path)) names.push_back(std::move(*name));
  }
  return names;
}

// Buffers of the .gltf file that is replaced, as far as packText named them and the new file does not use them.
void removeOldBuffers(const std::string& path, std::span<const std::uint8_t> text, OutputSet& outputs) {
  const auto old = readFile(path);
  if (!old) return;
  const std::vector<std::string> used = bufferNames(text, path);
  const std::string start = fs::path(path).stem().string() + ".";
  for (const std::string& name : bufferNames(*old, path))
    if (name.starts_with(start) && name.ends_with(".bin") && name.find('/') == std::string::npos &&
        std::ranges::find(used, name) == used.end())
      outputs.removeAfterCommit((fs::path(path).parent_path() / name).string());
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

Result<void> stageDocument(const GltfDocument& source, EditedDocument edited, const std::string& output_path,
                           bool force, OutputSet& outputs) {
  SKINCELLS_CHECK(checkFormat(output_path));
  std::error_code error;
  const fs::path out_folder = fs::absolute(output_path, error).parent_path();
  const bool elsewhere =
      source.folder.empty() || !fs::equivalent(out_folder, fs::absolute(source.folder, error), error);
  const bool text = fs::path(output_path).extension() == ".gltf";
  PackedFiles files(output_path, outputs);
  SKINCELLS_CHECK(text ? packText(source, std::move(edited), output_path, elsewhere, files)
                       : packBinary(source, std::move(edited), output_path, elsewhere, files));
  SKINCELLS_CHECK(outputs.stage(files.files(), force));
  if (text && force) removeOldBuffers(output_path, files.files().back().bytes, outputs);
  return {};
}

} // namespace skincells::io

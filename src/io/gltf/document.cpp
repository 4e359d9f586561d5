#include "io/gltf/document.h"

#include <algorithm>
#include <filesystem>

#include "base/read_file.h"
#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/glb.h"
#include "io/uri.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

constexpr int kMaxNesting = 512;

// The JSON parser recurses: a file of a million brackets must not overflow the stack.
bool nestedTooDeeply(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"')
      in_string = true;
    else if (c == '[' || c == '{') {
      if (++depth > kMaxNesting) return true;
    } else if (c == ']' || c == '}')
      --depth;
  }
  return false;
}

Result<void> checkVersion(const Json& json, const std::string& path) {
  const text::JsonPlace asset = text::JsonPlace(json, path + "#").at("asset");
  const std::string version = asset.text("version");
  if (version.empty()) return asset.error("has no 'version': not a glTF 2.0 document");
  if (!version.starts_with("2."))
    return asset.error("glTF " + version + " is not supported; export as glTF 2.0", ErrorCode::UnsupportedFeature);
  return {};
}

// Whether a file that requires the extension can be read: the extension is supported, or does not concern geometry,
// skeletons and animations.
bool isSupported(std::string_view extension) {
  static constexpr std::string_view kSupported[] = {"KHR_mesh_quantization", kMeshoptExtension, kDracoExtension,
                                                    "MSFT_lod"};
  static constexpr std::string_view kAppearance[] = {
      "KHR_materials_",  "EXT_materials_", "ADOBE_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
      "KHR_techniques_", "KHR_lights_",    "EXT_lights_",      "KHR_xmp",      "VRM"};
  return std::find(std::begin(kSupported), std::end(kSupported), extension) != std::end(kSupported) ||
         std::any_of(std::begin(kAppearance), std::end(kAppearance),
                     [&](auto prefix) { return extension.starts_with(prefix); });
}

Result<void> checkExtensions(const Json& json, const std::string& path) {
  SKINCELLS_TRY(required, text::JsonPlace(json, path + "#").array("extensionsRequired"));
  for (std::size_t i = 0; i < required.size(); ++i) {
    const Json& name = required.at(i).value();
    if (!name.is_string()) return required.at(i).error("must be the name of an extension");
    if (!isSupported(name.get_ref<const std::string&>()))
      return required.at(i).error("the extension " + name.get<std::string>() +
                                      " is required but not supported; export the file without it",
                                  ErrorCode::UnsupportedFeature);
  }
  return {};
}

Result<void> loadExternal(const text::JsonPlace& place, const std::string& folder, GltfBuffer& buffer) {
  SKINCELLS_TRY(relative, relativePathOfUri(buffer.uri, place.pointer() + "/uri"));
  if (folder.empty())
    return place.error("refers to the file '" + relative + "', but a document in memory cannot refer to files",
                       ErrorCode::UnsafeReference);
  auto bytes = readFileBelow(folder, relative);
  if (!bytes)
    return Error{bytes.error().code, "needs the file '" + relative + "', which " + bytes.error().message,
                 place.pointer() + "/uri"};
  buffer.kind = GltfBuffer::Kind::External;
  buffer.bytes = std::move(*bytes);
  return {};
}

Result<void> loadBuffer(const text::JsonPlace& place, bool first, const GlbChunks* glb, const std::string& folder,
                        GltfBuffer& buffer) {
  SKINCELLS_TRY(length, place.number("byteLength", std::size_t{1} << 40U));
  buffer.uri = place.text("uri");
  if (isDataUri(buffer.uri)) {
    SKINCELLS_TRY(bytes, decodeDataUri(buffer.uri, place.pointer() + "/uri"));
    buffer.kind = GltfBuffer::Kind::Data;
    buffer.bytes = std::move(bytes);
  } else if (!buffer.uri.empty()) {
    SKINCELLS_CHECK(loadExternal(place, folder, buffer));
  } else if (first && glb != nullptr && glb->has_binary) {
    buffer.kind = GltfBuffer::Kind::Binary;
    buffer.bytes.assign(glb->binary.begin(), glb->binary.end());
  } else {
    // A buffer without bytes (the fallback of a compressed one) is an error only if a view reads it; parseModel checks
    // this.
    return {};
  }
  if (buffer.bytes.size() < length)
    return place.error("should have " + std::to_string(length) + " bytes, but there are only " +
                       std::to_string(buffer.bytes.size()) + "; the file was probably truncated");
  buffer.bytes.resize(length);
  return {};
}

// Files that the document refers to. References that are not followed are left out.
std::vector<std::string> resourcesOf(const Json& json, const std::string& folder) {
  std::vector<std::string> paths;
  for (const char* list : {"buffers", "images"}) {
    if (!json.contains(list) || !json[list].is_array()) continue;
    for (const Json& entry : json[list]) {
      if (!entry.is_object() || !entry.contains("uri") || !entry["uri"].is_string()) continue;
      const auto& uri = entry["uri"].get_ref<const std::string&>();
      if (isDataUri(uri)) continue;
      if (const auto relative = relativePathOfUri(uri, ""))
        paths.push_back((std::filesystem::path(folder) / *relative).string());
    }
  }
  return paths;
}

} // namespace

Result<Json> parseJson(std::string_view text, const std::string& path) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (nestedTooDeeply(text)) return Error{ErrorCode::InvalidFile, "the JSON is nested too deeply", path};
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded())
    return Error{ErrorCode::InvalidFile, "the JSON is damaged; the file was truncated or is not glTF", path};
  if (!json.is_object()) return Error{ErrorCode::InvalidFile, "the JSON is not a glTF document", path};
  return json;
}

Result<GltfDocument> loadDocument(std::span<const std::uint8_t> bytes, const std::string& path,
                                  const std::string& folder) {
  GltfDocument doc;
  doc.path = path;
  doc.folder = folder;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  GlbChunks chunks;
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  doc.binary = first == std::string_view::npos || text[first] != '{';
  if (bytes.empty()) return Error{ErrorCode::InvalidFile, "the file is empty", path};
  if (doc.binary) {
    SKINCELLS_TRY(unpacked, unpackGlb(bytes, path));
    chunks = unpacked;
    text = chunks.json;
  }
  SKINCELLS_TRY(json, parseJson(text, path));
  doc.json = std::move(json);
  SKINCELLS_CHECK(checkVersion(doc.json, path));
  SKINCELLS_CHECK(checkExtensions(doc.json, path));
  const text::JsonPlace root(doc.json, path + "#");
  SKINCELLS_TRY(list, root.array("buffers"));
  std::vector<GltfBuffer> buffers(list.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!list.at(i).value().is_object()) return list.at(i).error("must be an object");
    SKINCELLS_CHECK(loadBuffer(list.at(i), i == 0, doc.binary ? &chunks : nullptr, folder, buffers[i]));
  }
  SKINCELLS_TRY(model, parseModel(doc.json, std::move(buffers), path));
  doc.model = std::move(model);
  if (!folder.empty()) doc.resources = resourcesOf(doc.json, folder);
  return doc;
}

void addToScene(Json& json, std::span<const int> nodes) {
  if (!json.contains("scenes") || !json["scenes"].is_array() || json["scenes"].empty()) {
    json["scenes"] = Json::array({{{"nodes", Json::array()}}});
    json["scene"] = 0;
  }
  const bool chosen = json.contains("scene") && json["scene"].is_number_unsigned();
  const std::size_t scene = chosen ? json["scene"].get<std::size_t>() : 0;
  Json& entry = json["scenes"][std::min(scene, json["scenes"].size() - 1)];
  if (!entry.is_object()) entry = Json::object();
  if (!entry.contains("nodes") || !entry["nodes"].is_array()) entry["nodes"] = Json::array();
  for (const int node : nodes) entry["nodes"].push_back(static_cast<std::size_t>(node));
}

} // namespace skincells::io

#include "assimp_reader.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <assimp/config.h>
#include <assimp/postprocess.h>

namespace skincells::importer {
namespace {

constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_FlipUVs;

std::string extensionOf(const std::string& path) {
  const auto dot = path.rfind('.');
  std::string extension = dot == std::string::npos ? std::string() : path.substr(dot + 1);
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

// Assimp 5.2 ignores its own switch for leaving FBX animations unread, and some animations abort it. It finds them by
// objects called "AnimationStack" (in binary and text files alike), so another name of equal length hides them.
const aiScene* readFbxWithoutAnimations(Assimp::Importer& importer, ConfinedFiles& files) {
  static constexpr std::string_view kName = "AnimationStack", kHidden = "AnimationSkip_";
  static_assert(kName.size() == kHidden.size());
  std::vector<std::uint8_t> bytes = files.read(files.input());
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), kName.begin(), kName.end());
    if (at == bytes.end()) break;
    at = std::copy(kHidden.begin(), kHidden.end(), at);
  }
  return importer.ReadFileFromMemory(bytes.data(), bytes.size(), kSteps, "fbx");
}

std::string reasonOf(std::string_view assimp_error, const std::string& path) {
  if (assimp_error.starts_with("No suitable reader found")) return "its format is not known";
  if (assimp_error.starts_with("Unable to open file")) return "it cannot be opened";
  std::string format = extensionOf(path);
  for (char& c : format)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return "it is damaged, or not in the format " + format;
}

} // namespace

Result<AssimpScene> readWithAssimp(ConfinedFiles& files, Animations animations) {
  const std::string& path = files.input();
  AssimpScene result;
  result.owner = std::make_unique<Assimp::Importer>();
  Assimp::Importer& importer = *result.owner;
  importer.SetIOHandler(ioSystemOf(files).release()); // takes ownership
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
  const bool hide = animations == Animations::Skip && extensionOf(path) == "fbx";
  result.scene = hide ? readFbxWithoutAnimations(importer, files) : importer.ReadFile(path, kSteps);
  if (result.scene == nullptr || result.scene->mRootNode == nullptr)
    return Error{ErrorCode::ImportFailed, reasonOf(importer.GetErrorString(), path), path};
  return result;
}

} // namespace skincells::importer

#include "assimp_reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
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
const aiScene* readFbxWithoutAnimations(Assimp::Importer& importer, const std::string& path) {
  static constexpr std::string_view kName = "AnimationStack", kHidden = "AnimationSkip_";
  static_assert(kName.size() == kHidden.size());
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), kName.begin(), kName.end());
    if (at == bytes.end()) break;
    at = std::copy(kHidden.begin(), kHidden.end(), at);
  }
  return importer.ReadFileFromMemory(bytes.data(), bytes.size(), kSteps, "fbx");
}

} // namespace

Result<AssimpScene> readWithAssimp(const std::string& path, Animations animations) {
  AssimpScene result;
  result.owner = std::make_unique<Assimp::Importer>();
  Assimp::Importer& importer = *result.owner;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
  const bool hide = animations == Animations::Skip && extensionOf(path) == "fbx";
  result.scene = hide ? readFbxWithoutAnimations(importer, path) : importer.ReadFile(path, kSteps);
  if (result.scene == nullptr || result.scene->mRootNode == nullptr)
    return Error{ErrorCode::ImportFailed, importer.GetErrorString(), path};
  return result;
}

} // namespace skincells::importer

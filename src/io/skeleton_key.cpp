#include "io/skeleton_key.h"

#include <cmath>
#include <filesystem>

#include "base/checksum.h"
#include "base/read_file.h"
#include "io/foreign_import.h"
#include "io/gltf/document.h"
#include "io/gltf/read/skeleton.h"

namespace skincells::io {
namespace {

constexpr double kStep = 1e-4; // of the size of the skeleton: places closer than this may count as one

std::string keyOf(const Skeleton& skeleton) {
  Box box;
  for (int j = 0; j < skeleton.jointCount(); ++j) box.add(skeleton.bindPosition(j));
  const double step = box.diagonal() > 0 ? kStep * box.diagonal() : 1;
  std::string text;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Joint& joint = skeleton.joints[static_cast<std::size_t>(j)];
    const Vec3d at = skeleton.bindPosition(j);
    text += joint.name + '\0' + std::to_string(joint.parent);
    for (double x : {at.x, at.y, at.z}) text += ' ' + std::to_string(std::llround(x / step));
    text += '\n';
  }
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

} // namespace

std::string skeletonKey(const std::string& path) {
  const std::filesystem::path file(path);
  if (isForeignExtension(file.extension().string())) return {};
  const auto bytes = readFile(path);
  if (!bytes) return {};
  const std::string folder = file.parent_path().string();
  const auto document = loadDocument(*bytes, path, folder.empty() ? "." : folder);
  if (!document) return {};
  GltfCharacter found;
  if (!readSkeleton(*document, {}, found) || found.character.skeleton.joints.empty()) return {};
  return keyOf(found.character.skeleton);
}

} // namespace skincells::io

#include "io/skeleton_key.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/checksum.h"
#include "base/read_file.h"
#include "io/foreign_import.h"
#include "io/gltf/budget.h"
#include "io/gltf/document.h"
#include "io/gltf/read/geometry.h"
#include "io/gltf/read/skeleton.h"

namespace skincells::io {
namespace {

constexpr double kStep = 1e-4;              // of the size of the skeleton: places closer than this may count as one
constexpr std::size_t kMostVertices = 4096; // that girths are measured at

double sizeOf(const Skeleton& skeleton) {
  Box box;
  for (int j = 0; j < skeleton.jointCount(); ++j) box.add(skeleton.bindPosition(j));
  return box.diagonal() > 0 ? box.diagonal() : 1;
}

std::string keyOf(const Skeleton& skeleton) {
  const double step = kStep * sizeOf(skeleton);
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

std::vector<float> girthsOf(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  const std::size_t joint_count = skeleton.joints.size();
  std::vector<Vec3d> places;
  for (int j = 0; j < skeleton.jointCount(); ++j) places.push_back(skeleton.bindPosition(j));
  std::vector<double> sums(joint_count), counts(joint_count);
  const std::vector<Vec3f>& positions = character.mesh.positions;
  const std::size_t step = (positions.size() + kMostVertices - 1) / kMostVertices;
  for (std::size_t v = 0; v < positions.size(); v += step) {
    const Vec3d at = toDouble(positions[v]);
    const auto distance = [&](const Vec3d& place) { return dot(at - place, at - place); };
    const auto nearest = std::ranges::min_element(places, {}, distance);
    const auto j = static_cast<std::size_t>(nearest - places.begin());
    sums[j] += std::sqrt(distance(*nearest));
    ++counts[j];
  }
  const double size = sizeOf(skeleton);
  std::vector<float> girths;
  for (std::size_t j = 0; j < joint_count; ++j)
    girths.push_back(counts[j] > 0 ? static_cast<float>(sums[j] / counts[j] / size) : 0.0F);
  return girths;
}

} // namespace

SkeletonKey skeletonKey(const std::string& path) {
  const std::filesystem::path file(path);
  if (isForeignExtension(file.extension().string())) return {};
  const auto bytes = readFile(path);
  if (!bytes) return {};
  const std::string folder = file.parent_path().string();
  const auto document = loadDocument(*bytes, path, folder.empty() ? "." : folder);
  if (!document || !checkBudget(*document, {})) return {};
  GltfCharacter found;
  if (!readSkeleton(*document, {}, found) || found.character.skeleton.joints.empty()) return {};
  if (!checkBudget(*document, found.instances) || !readGeometry(*document, found)) return {};
  return {keyOf(found.character.skeleton), girthsOf(found.character)};
}

} // namespace skincells::io

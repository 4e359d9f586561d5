#include "studies/page/cases.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/try.h"
#include "skincells/io/character_file.h"
#include "skincells/io/pose_file.h"
#include "studies/problem.h"

namespace skincells::studies {

namespace fs = std::filesystem;

Result<Case> readCase(const std::string& path, int poses) {
  SKINCELLS_TRY(file, CharacterFile::read(path));
  const bool in_folder = fs::path(path).extension() == ".gltf"; // whose files have names like scene.gltf
  Case c{in_folder ? fs::path(path).parent_path().filename().string() : fs::path(path).stem().string(),
         file.character(),
         {},
         {},
         {}};
  if (const std::size_t at = c.name.find("_reference"); at != std::string::npos) c.name.erase(at);
  c.reference = c.character.weights;
  c.poses = randomPoses(c.character.skeleton, {.count = poses, .seed = 1000});
  return c;
}

Result<std::vector<Case>> generatedCases(const Context& context) {
  std::vector<Case> out;
  for (const char* name : {"biped_apose", "mannequin", "robot"}) {
    if (context.quick && !out.empty()) break;
    SKINCELLS_TRY(c, readCase(context.examples + "/" + name + "_reference.glb", context.quick ? 8 : 20));
    out.push_back(std::move(c));
  }
  return out;
}

std::vector<SharedFile> sharedFiles(const Context& context) {
  std::vector<SharedFile> out;
  std::error_code error;
  if (context.shared.empty()) return out;
  const fs::path characters = fs::path(context.shared) / "characters";
  for (const auto& entry : fs::directory_iterator(fs::path(context.shared) / "peers" / "poses", error)) {
    const std::string name = entry.path().stem().string();
    std::vector<fs::path> paths{characters / (name + ".glb"), characters / (name + ".vrm")};
    for (const auto& inner : fs::directory_iterator(characters / name, error))
      if (inner.path().extension() == ".gltf") paths.push_back(inner.path());
    for (const fs::path& path : paths)
      if (fs::is_regular_file(path, error)) out.push_back({path.string(), entry.path().string()});
  }
  std::ranges::sort(out, {}, &SharedFile::poses);
  return out;
}

Result<Case> readShared(const SharedFile& file) {
  SKINCELLS_TRY(c, readCase(file.path, 1));
  SKINCELLS_TRY(poses, readPoseFile(file.poses, c.character.skeleton));
  for (PoseSet& set : poses.sets) (set.label == "clip" ? c.clips : c.poses) = std::move(set.poses);
  return c;
}

double distanceOf(const Case& c, const SparseWeights& a, const SparseWeights& b) {
  return compareWeights(c.character.mesh, a, b, {{"random", c.poses}}).sets.front().error.rms;
}

double errorOf(const Case& c, const SparseWeights& weights) {
  return distanceOf(c, c.reference, weights);
}

double clipErrorOf(const Case& c, const SparseWeights& weights) {
  if (c.clips.empty()) return NAN;
  return compareWeights(c.character.mesh, c.reference, weights, {{"clips", c.clips}}).sets.front().error.rms;
}

ShapeStatistics shapeOf(const Case& c, const SparseWeights& weights) {
  return shapeStatistics(c.character.mesh, weights, c.poses);
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double geometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += std::log(v);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::string jointsOf(const Case& c) {
  return c.reference.empty() ? "auto" : "weighted";
}

Result<rig::DeformRig> rigOf(const Case& c) {
  return chooseRig(c.character, jointsOf(c));
}

} // namespace skincells::studies

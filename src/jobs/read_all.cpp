#include "jobs/read_all.h"

#include "base/try.h"
#include "skincells/weights.h"

namespace skincells::jobs {
namespace {

// Joints that carry weight in the other file but are none of this one, whose skin may not list all nodes.
void addMissing(const CharacterFile& file, const CharacterFile& other, std::vector<std::string>& names) {
  const Character& c = other.character();
  const WeightStatistics statistics = weightStatistics(c.weights, c.skeleton.jointCount());
  for (int j = 0; j < c.skeleton.jointCount(); ++j) {
    const std::string& name = c.skeleton.joints[j].name;
    if (statistics.mass_of_joint[j] > 0 && file.character().skeleton.find(name) < 0) names.push_back(name);
  }
}

} // namespace

Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           OutputSet& outputs, const ReadOptions& options) {
  std::vector<CharacterFile> files;
  SKINCELLS_TRY(first_file, CharacterFile::read(first, options));
  files.push_back(std::move(first_file));
  for (const std::string& path : others) {
    SKINCELLS_TRY(file, CharacterFile::read(path, options));
    files.push_back(std::move(file));
  }
  for (const CharacterFile& file : files) SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  return files;
}

Result<std::vector<CharacterFile>> readSkins(const std::string& first, const std::vector<std::string>& others,
                                             OutputSet& outputs) {
  SKINCELLS_TRY(files, readAll(first, others, outputs));
  std::vector<std::string> missing;
  for (std::size_t i = 1; i < files.size(); ++i) addMissing(files.front(), files[i], missing);
  if (missing.empty() || files.front().character().weights.empty()) return std::move(files);
  SKINCELLS_TRY(more, files.front().withJoints(std::move(missing)));
  files.front() = std::move(more);
  return std::move(files);
}

std::vector<const CharacterFile*> othersOf(const std::vector<CharacterFile>& files) {
  std::vector<const CharacterFile*> others;
  for (std::size_t i = 1; i < files.size(); ++i) others.push_back(&files[i]);
  return others;
}

} // namespace skincells::jobs

#include "jobs/read_all.h"

#include "base/try.h"

namespace skincells::jobs {

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

std::vector<const CharacterFile*> othersOf(const std::vector<CharacterFile>& files) {
  std::vector<const CharacterFile*> others;
  for (std::size_t i = 1; i < files.size(); ++i) others.push_back(&files[i]);
  return others;
}

} // namespace skincells::jobs

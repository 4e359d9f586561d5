// Shared characters: opened, bound and measured. Throws std::runtime_error where that fails.
#pragma once

#include <filesystem>
#include <string>

#include "skincells/bind.h"
#include "skincells/jobs/compare_job.h"
#include "support/files.h"

namespace skincells::test {

// The file of a character of the peers' page; empty if there is none.
std::filesystem::path characterNamed(const std::string& name);

CharacterFile open(const std::filesystem::path& path);

// A bind with otherwise default options, computed once per process: all tests of the corpus share it. Choices of joints
// that let the same joints deform share it, too.
const BindResult& bound(const CharacterFile& file, const std::string& joints,
                        BindMethod method = BindMethod::SkinCells);

// The measurements of weights for a character of the peers' page, by pose set. The folder is for the written file.
Comparison compared(const std::string& name, const CharacterFile& reference, const SparseWeights& weights,
                    const TemporaryFolder& folder);
// The same of a bind.
Comparison compared(const std::string& name, const std::string& joints, BindMethod method,
                    const TemporaryFolder& folder);

} // namespace skincells::test

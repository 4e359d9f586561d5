// What an item depends on, as hashes.
#pragma once

#include <string>
#include <vector>

#include "skincells/batch.h"

namespace skincells::batch {

// The file and, for .gltf, the files that it refers to. Empty if it cannot be read.
std::string inputHash(const std::string& path);

// A word of a command as it is passed on: a path of an existing file becomes absolute, because workers run elsewhere.
std::string resolvedWord(const std::string& word);

// The words, and the contents of the files that they name.
std::string wordsHash(const std::vector<std::string>& words);

// "0.1.0 " and the hash of the program's file.
Result<std::string> programVersion(const std::string& program);

// All files below the folder, by name.
Result<std::vector<BatchFile>> filesIn(const std::string& folder);

// Whether the files are in the folder: with their sizes, or with their hashes.
bool hasFiles(const std::string& folder, const std::vector<BatchFile>& files, bool compare_hashes);

} // namespace skincells::batch

// The files that Assimp may open: the input, and files in its folder or below.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <assimp/IOSystem.hpp>

namespace skincells::importer {

// The bytes of a file that the input refers to; empty if it is not there, not a regular file, or outside the folder of
// the input once symbolic links are followed.
class ConfinedFiles {
public:
  explicit ConfinedFiles(std::string input);

  const std::string& input() const { return input_; }
  const std::string& folder() const { return folder_; } // of the input
  // The path in any form that Assimp makes of it; nothing can be read by a path that is not confined.
  std::vector<std::uint8_t> read(const std::string& path);
  bool exists(const std::string& path) const;
  // Files that were read besides the input, without symbolic links.
  const std::vector<std::string>& resources() const { return resources_; }

private:
  std::string pathOf(const std::string& path) const; // empty: not confined

  std::string input_, folder_;
  std::vector<std::string> resources_;
};

// Assimp's view of them. `files` must outlive it.
std::unique_ptr<Assimp::IOSystem> ioSystemOf(ConfinedFiles& files);

} // namespace skincells::importer

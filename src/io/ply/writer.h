// Writing a PLY file again with some of its vertex properties changed, added or left out, and the rest as it was.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/file_access.h"
#include "io/ply/ply_file.h"

namespace skincells::io {

struct PlyEdit {
  std::vector<int> changed;          // vertex properties, ascending
  std::vector<int> removed;          // vertex properties, ascending, none of them changed
  std::vector<PlyProperty> added;    // scalars, after the other properties of vertices
  std::vector<std::string> comments; // header lines "comment TEXT", before the first element
  // Comments of the file that begin so are left out; empty: none are.
  std::string dropped_comments;

  // Sets the numbers of vertices [begin, end), vertex after vertex: `changed` comes with those of the file. Called from
  // several threads at once, for vertices of their own.
  std::function<void(std::size_t begin, std::size_t end, std::span<double> changed, std::span<double> added)> fill;
};

// The file with the edit, piece by piece, in the format it came in. Returns false when the sink does.
bool writePly(const PlyFile& file, const PlyEdit& edit, const Sink& sink);
// The same to a file, which must not be the input itself and appears only when complete.
Result<void> writePlyFile(const PlyFile& file, const PlyEdit& edit, const std::string& path, bool force);

} // namespace skincells::io

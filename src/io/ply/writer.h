// Writes PLY files: an existing one with some vertex properties changed, added or removed, or a mesh.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/ply/ply_file.h"
#include "skincells/io/output_set.h"

namespace skincells::io {

struct PlyEdit {
  std::vector<int> changed;          // vertex properties, ascending
  std::vector<int> removed;          // vertex properties, ascending, none of them changed
  std::vector<PlyProperty> added;    // scalars, after the other properties of vertices
  std::vector<std::string> comments; // header lines "comment TEXT", before the first element
  // Comments of the file that start with this are removed; empty: none.
  std::string dropped_comments;

  // Sets the numbers of vertices [begin, end), vertex after vertex; `changed` contains those of the file on entry.
  // Called from several threads, for disjoint ranges.
  std::function<void(std::size_t begin, std::size_t end, std::span<double> changed, std::span<double> added)> fill;
};

// The edited file in pieces, in its original format. Returns false if the sink does.
bool writePly(const PlyFile& file, const PlyEdit& edit, const Sink& sink);
// The same as an output.
Result<void> stagePlyFile(const PlyFile& file, const PlyEdit& edit, OutputSet& outputs, const std::string& path,
                          bool force);

// A mesh as a new file: positions and triangles, binary little-endian.
Result<void> stageMeshPly(const Mesh& mesh, const std::string& comment, OutputSet& outputs, const std::string& path,
                          bool force);

} // namespace skincells::io

#include "io/ply/writer.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/try.h"
#include "io/ply/numbers.h"

namespace skincells::io {
namespace {

std::span<const std::uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void append(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

bool isElementLine(const PlyLine& line) {
  return line.keyword() == "element";
}

std::string editedHeader(const PlyHeader& header, const PlyEdit& edit) {
  const PlyElement& vertices = header.vertices();
  std::string out;
  const auto isRemoved = [&](std::size_t property) {
    return std::ranges::binary_search(edit.removed, static_cast<int>(property));
  };
  const auto last = static_cast<std::ptrdiff_t>(header.last_vertex_line);
  const auto isProperty = [](const PlyLine& line) { return line.keyword() == "property"; };
  // The properties of vertices are the last ones up to that line.
  std::size_t property = 0;
  std::size_t skipped =
      static_cast<std::size_t>(std::count_if(header.lines.begin(), header.lines.begin() + last + 1, isProperty)) -
      vertices.properties.size();
  bool comments_due = true;
  for (std::size_t i = 0; i < header.lines.size(); ++i) {
    const PlyLine& line = header.lines[i];
    if (comments_due && (isElementLine(line) || i + 1 == header.lines.size())) {
      for (const std::string& comment : edit.comments) out += "comment " + comment + header.line_end;
      comments_due = false;
    }
    const bool dropped = !edit.dropped_comments.empty() && line.text().starts_with("comment " + edit.dropped_comments);
    bool removed = false;
    if (isProperty(line) && i <= header.last_vertex_line) {
      if (skipped > 0)
        --skipped;
      else
        removed = isRemoved(property++);
    }
    if (!dropped && !removed) out += line.raw;
    if (i != header.last_vertex_line) continue;
    for (const PlyProperty& p : edit.added)
      out += "property " + std::string(plyName(p.type)) + " " + p.name + header.line_end;
  }
  return out;
}

// Rows [begin, end) of the vertices with the edit.
class RowWriter {
public:
  RowWriter(const PlyFile& file, const PlyEdit& edit) : file_(file), edit_(edit) {}

  void write(std::size_t begin, std::size_t end, std::vector<std::uint8_t>& out) {
    changed_.resize((end - begin) * edit_.changed.size());
    added_.resize((end - begin) * edit_.added.size());
    file_.numbers(begin, end, edit_.changed, changed_);
    edit_.fill(begin, end, changed_, added_);
    const double *changed = changed_.data(), *added = added_.data();
    for (std::size_t v = begin; v < end; ++v) {
      writeRow(v, changed, added, out);
      changed += edit_.changed.size();
      added += edit_.added.size();
    }
  }

private:
  void writeRow(std::size_t v, const double* changed, const double* added, std::vector<std::uint8_t>& out) {
    const PlyFormat format = file_.header().format;
    const auto row = file_.row(v);
    const auto fields = file_.fields(v, scratch_);
    const auto& properties = file_.vertices().properties;
    auto next_changed = edit_.changed.begin(), next_removed = edit_.removed.begin();
    std::size_t copied = 0; // bytes of the row
    for (std::size_t p = 0; p < fields.size(); ++p) {
      const std::size_t end = fields[p].offset + fields[p].length;
      if (next_changed != edit_.changed.end() && *next_changed == static_cast<int>(p)) {
        append(row.subspan(copied, fields[p].offset - copied), out);
        writePlyNumber(*changed++, properties[p].type, format, out);
        copied = end;
        ++next_changed;
      } else if (next_removed != edit_.removed.end() && *next_removed == static_cast<int>(p)) {
        copied = end; // skips it with the blanks before it
        ++next_removed;
      } else {
        append(row.subspan(copied, end - copied), out);
        copied = end;
      }
    }
    for (std::size_t a = 0; a < edit_.added.size(); ++a) {
      if (format == PlyFormat::Ascii) out.push_back(' ');
      writePlyNumber(added[a], edit_.added[a].type, format, out);
    }
    append(file_.gap(v), out);
  }

  const PlyFile& file_;
  const PlyEdit& edit_;
  std::vector<double> changed_, added_;
  std::vector<PlyField> scratch_;
};

} // namespace

bool writePly(const PlyFile& file, const PlyEdit& edit, const Sink& sink) {
  if (!sink(bytesOf(editedHeader(file.header(), edit))) || !sink(file.beforeVertices())) return false;
  // Enough rows at a time to keep all threads busy, without a second copy of the file in memory.
  constexpr std::size_t kRows = 2048, kChunks = 32;
  std::vector<std::vector<std::uint8_t>> pieces(kChunks);
  for (std::size_t first = 0; first < file.vertexCount(); first += kRows * kChunks) {
    const std::size_t count = std::min(kRows * kChunks, file.vertexCount() - first);
    parallelChunks(count, kRows, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
      pieces[chunk].clear();
      RowWriter(file, edit).write(first + begin, first + end, pieces[chunk]);
    });
    for (std::size_t chunk = 0; chunk * kRows < count; ++chunk)
      if (!sink(pieces[chunk])) return false;
  }
  return sink(file.afterVertices());
}

Result<void> stagePlyFile(const PlyFile& file, const PlyEdit& edit, OutputSet& outputs, const std::string& path,
                          bool force) {
  return outputs.stage(
      path, [&](const Sink& sink) { return writePly(file, edit, sink); }, force);
}

Result<void> stageMeshPly(const Mesh& mesh, const std::string& comment, OutputSet& outputs, const std::string& path,
                          bool force) {
  constexpr PlyFormat kFormat = PlyFormat::LittleEndian;
  const std::string header =
      "ply\nformat binary_little_endian 1.0\ncomment " + comment + "\nelement vertex " +
      std::to_string(mesh.positions.size()) + "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
      std::to_string(mesh.triangles.size()) + "\nproperty list uchar uint vertex_indices\nend_header\n";
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  for (const Vec3f& p : mesh.positions)
    for (const float c : {p.x, p.y, p.z}) writePlyNumber(c, PlyType::F32, kFormat, bytes);
  for (const Triangle& t : mesh.triangles) {
    writePlyNumber(3, PlyType::U8, kFormat, bytes);
    for (const std::uint32_t v : t) writePlyNumber(v, PlyType::U32, kFormat, bytes);
  }
  return outputs.stage(path, bytes, force);
}

} // namespace skincells::io

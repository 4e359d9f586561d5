#include "studies/beside/tetrahedra.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace skincells::studies {
namespace {

namespace fs = std::filesystem;

// A folder that disappears.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("skincells_tetgen_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

bool writePoly(const fs::path& path, const Mesh& surface, std::span<const Vec3d> inside) {
  std::ofstream out(path);
  out.precision(17);
  out << surface.positions.size() + inside.size() << " 3 0 0\n";
  std::size_t i = 0;
  for (const Vec3f& p : surface.positions) out << i++ << " " << p.x << " " << p.y << " " << p.z << "\n";
  for (const Vec3d& p : inside) out << i++ << " " << p.x << " " << p.y << " " << p.z << "\n";
  out << surface.triangles.size() << " 0\n";
  for (const Triangle& t : surface.triangles) out << "1\n3 " << t[0] << " " << t[1] << " " << t[2] << "\n";
  out << "0\n0\n";
  return static_cast<bool>(out);
}

// The rows of a .node or .ele file after the first line, without comments.
std::vector<std::vector<double>> readRows(const fs::path& path) {
  std::vector<std::vector<double>> rows;
  std::ifstream in(path);
  std::string line;
  bool first = true;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<double> row;
    for (double x; words >> x;) row.push_back(x);
    if (!first && row.size() > 3) rows.push_back(std::move(row));
    first = false;
  }
  return rows;
}

} // namespace

bool hasTetgen() {
  return std::system("command -v tetgen >/dev/null 2>&1") == 0;
}

Result<TetMesh> tetrahedralize(const Mesh& surface, std::span<const Vec3d> inside) {
  const Scratch scratch;
  const fs::path poly = scratch.path / "in.poly";
  if (!writePoly(poly, surface, inside)) return Error{ErrorCode::CannotWrite, "cannot be written", poly.string()};
  // -p: of a surface; -Y: which is kept as it is; -q: without slivers.
  const std::string command = "timeout 60 tetgen -pYq1.8/5Q '" + poly.string() + "' >/dev/null 2>&1";
  const int code = std::system(command.c_str());
  TetMesh out;
  for (const auto& row : readRows(scratch.path / "in.1.node")) out.positions.push_back({row[1], row[2], row[3]});
  for (const auto& row : readRows(scratch.path / "in.1.ele")) {
    if (row.size() < 5) continue;
    std::array<std::uint32_t, 4> t{};
    for (std::size_t k = 0; k < 4; ++k) t[k] = static_cast<std::uint32_t>(row[k + 1]);
    out.tetrahedra.push_back(t);
  }
  if (code == 0 && !out.tetrahedra.empty()) return out;
  return Error{ErrorCode::InvalidFile, "tetgen makes no tetrahedra of the surface", poly.string()};
}

} // namespace skincells::studies

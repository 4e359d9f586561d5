#include "skincells/mesh.h"

#include <cmath>

#include "base/assert.h"

namespace skincells {
namespace {

using Cell = std::array<std::int64_t, 3>;

std::uint64_t hashCell(const Cell& c) {
  std::uint64_t h = 0;
  for (std::int64_t k : c) {
    h = (h ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29U;
  }
  return h;
}

// Hash table of the welded vertices by cell; entries of one bucket are chained through `next`.
class CellTable {
public:
  explicit CellTable(std::size_t count) {
    std::size_t size = 16;
    while (size < 2 * count) size *= 2;
    heads_.assign(size, kNone);
    mask_ = size - 1;
  }
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::uint32_t& head(const Cell& cell) { return heads_[hashCell(cell) & mask_]; }

private:
  std::vector<std::uint32_t> heads_;
  std::size_t mask_ = 0;
};

bool near(const Vec3f& a, const Vec3f& b, double tolerance) {
  return std::fabs(static_cast<double>(a.x) - b.x) <= tolerance &&
         std::fabs(static_cast<double>(a.y) - b.y) <= tolerance &&
         std::fabs(static_cast<double>(a.z) - b.z) <= tolerance;
}

} // namespace

Weld weldByPosition(std::span<const Vec3f> positions, double tolerance) {
  Weld weld;
  weld.welded_of_vertex.resize(positions.size());
  CellTable table(positions.size());
  std::vector<std::uint32_t> next; // welded vertex -> next one in its bucket
  // Cells are four tolerances wide, so the neighbors of a point are in at most eight cells and nearly always in one.
  // Exact welding (tolerance 0) works with any positive width.
  Box box;
  for (const Vec3f& p : positions) box.add(toDouble(p));
  const double width = std::fmax(4 * tolerance, std::fmax(box.diagonal() * 1e-9, 1e-300));
  const auto cellIndex = [&](double x, double lo) { return static_cast<std::int64_t>(std::floor((x - lo) / width)); };
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3f& p = positions[v];
    SKINCELLS_ASSERT(isFinite(p));
    const Vec3d q = toDouble(p);
    const Cell lo{cellIndex(q.x - tolerance, box.lo.x), cellIndex(q.y - tolerance, box.lo.y),
                  cellIndex(q.z - tolerance, box.lo.z)};
    const Cell hi{cellIndex(q.x + tolerance, box.lo.x), cellIndex(q.y + tolerance, box.lo.y),
                  cellIndex(q.z + tolerance, box.lo.z)};
    std::uint32_t found = CellTable::kNone;
    for (std::int64_t x = lo[0]; x <= hi[0]; ++x)
      for (std::int64_t y = lo[1]; y <= hi[1]; ++y)
        for (std::int64_t z = lo[2]; z <= hi[2]; ++z)
          for (std::uint32_t w = table.head({x, y, z}); w != CellTable::kNone; w = next[w])
            if (w < found && near(positions[weld.first_vertex[w]], p, tolerance)) found = w;
    if (found == CellTable::kNone) {
      found = weld.weldedCount();
      weld.first_vertex.push_back(static_cast<std::uint32_t>(v));
      std::uint32_t& head = table.head({cellIndex(q.x, box.lo.x), cellIndex(q.y, box.lo.y), cellIndex(q.z, box.lo.z)});
      next.push_back(head);
      head = found;
    }
    weld.welded_of_vertex[v] = found;
  }
  return weld;
}

Mesh weldedMesh(const Mesh& mesh, const Weld& weld) {
  Mesh out;
  out.positions.reserve(weld.first_vertex.size());
  for (auto v : weld.first_vertex) out.positions.push_back(mesh.positions[v]);
  for (const Triangle& t : mesh.triangles) {
    const Triangle w{weld.welded_of_vertex[t[0]], weld.welded_of_vertex[t[1]], weld.welded_of_vertex[t[2]]};
    if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) out.triangles.push_back(w);
  }
  MeshSection all;
  all.vertex_count = out.vertexCount();
  all.triangle_count = static_cast<std::uint32_t>(out.triangles.size());
  out.sections.push_back(all);
  return out;
}

} // namespace skincells

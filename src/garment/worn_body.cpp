#include "garment/worn_body.h"

#include <algorithm>

#include "base/parallel.h"
#include "mesh/surface_measure.h"

namespace skincells::garment {
namespace {

std::vector<Vec3d> positionsOf(const Mesh& mesh) {
  std::vector<Vec3d> out;
  for (const Vec3f& p : mesh.positions) out.push_back(toDouble(p));
  return out;
}

// For each island of the body the garment vertices beside it, and how many of them are behind it.
struct Beside {
  std::uint32_t all = 0, behind = 0;
};
std::vector<Beside> countBeside(const Mesh& body, const Islands& islands, const Mesh& garment) {
  const mesh::SurfaceTree tree(body);
  mesh::MovingSurface surface(tree);
  surface.move(positionsOf(body));
  std::vector<mesh::SurfacePlace> places(garment.positions.size());
  parallelChunks(places.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) // by normals alone: the winding is what is in question
      places[v] = surface.nearest(toDouble(garment.positions[v]), INFINITY, mesh::SurfaceTree::kNone,
                                  [](std::uint32_t) { return true; });
  });
  std::vector<Beside> beside(islands.count);
  for (const mesh::SurfacePlace& place : places) {
    if (!place.found()) continue;
    Beside& b = beside[islands.island_of_vertex[tree.triangles()[place.triangle][0]]];
    ++b.all;
    b.behind += place.distance < 0;
  }
  return beside;
}

// Which islands face inward.
std::vector<char> inwardIslands(const Mesh& body, const Islands& islands, const Mesh& garment, bool& open) {
  const std::vector<mesh::Part> parts = mesh::measureParts(body, islands);
  std::vector<char> inward(parts.size(), 0);
  std::vector<Beside> beside;
  double open_area = 0, area = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    area += parts[i].area;
    if (parts[i].nearlyClosed()) {
      inward[i] = parts[i].signed_volume < 0;
      continue;
    }
    open_area += parts[i].area;
    if (beside.empty()) beside = countBeside(body, islands, garment);
    inward[i] = 2 * beside[i].behind > beside[i].all;
  }
  open = 2 * open_area > area;
  return inward;
}

} // namespace

WornBody::WornBody(const Body& body, const Mesh& garment)
    : mesh_([&] {
        const Weld weld = weldByPosition(body.mesh.positions, weldTolerance(body.mesh));
        Mesh welded = weldedMesh(body.mesh, weld);
        weights_ = gatherRows(body.weights, weld.first_vertex);
        const Islands islands = findIslands(welded);
        const std::vector<char> inward = inwardIslands(welded, islands, garment, open_);
        turned_ = static_cast<int>(std::ranges::count(inward, 1));
        for (Triangle& t : welded.triangles)
          if (inward[islands.island_of_vertex[t[0]]] != 0) std::swap(t[1], t[2]);
        return welded;
      }()),
      tree_(mesh_), surface_(tree_) {
  const Vec3d sides = mesh_.bounds().size();
  size_ = std::max({sides.x, sides.y, sides.z});
  surface_.move(positionsOf(mesh_));
}

} // namespace skincells::garment

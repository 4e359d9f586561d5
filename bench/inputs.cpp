#include "inputs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "measure.h"

namespace skincells::bench {

namespace fs = std::filesystem;

fs::path besideThis(const char* program) {
  return fs::read_symlink("/proc/self/exe").parent_path() / program;
}

std::vector<fs::path> characterFiles() {
  const char* set = std::getenv("SKINCELLS_SHARED");
  const fs::path shared = fs::path(set != nullptr ? set : "../shared") / "characters";
  if (fs::exists(shared / "Rocketbox_Construction_Male_04.glb"))
    return {shared / "Rocketbox_Construction_Male_04.glb", shared / "Rocketbox_Male_Adult_06_dense.glb"};
  const fs::path made = fs::temp_directory_path() / "skincells_bench_examples";
  fs::create_directories(made);
  if (!runProgram({besideThis("skincells-examples").string(), made.string()}).ok) return {};
  return {made / "biped_apose_lod2.glb", made / "biped_apose.glb"};
}

Mesh subdivided(const Mesh& mesh, std::size_t least_vertices) {
  Mesh out = weldedMesh(mesh, weldByPosition(mesh.positions, weldTolerance(mesh)));
  while (out.positions.size() < least_vertices && !out.triangles.empty()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), out.vertexCount());
      if (fresh) out.positions.push_back((out.positions[a] + out.positions[b]) * 0.5F);
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : out.triangles) {
      const std::uint32_t ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
    }
    out.triangles = std::move(finer);
  }
  out.sections[0].vertex_count = out.vertexCount();
  out.sections[0].triangle_count = static_cast<std::uint32_t>(out.triangles.size());
  return out;
}

} // namespace skincells::bench

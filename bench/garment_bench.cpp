// The cost of binding a garment against that of binding its body, by the size of both. Prints a Markdown table:
//   bench_garment FOLDER [--repeats 3]
// FOLDER holds the files of skincells-examples: the mannequin and its wide skirt, simplified or subdivided to each
// size. CPU seconds of one thread, minimum of the repeats.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "inputs.h"
#include "measure.h"
#include "mesh/decimate.h"
#include "skincells/skincells.h"

namespace skincells::bench {
namespace {

constexpr std::size_t kSize = 5000, kSizes[] = {1250, 2500, 5000, 10000, 20000}; // vertices

// About this many vertices: a closed mesh has twice as many triangles.
Mesh resized(const Mesh& mesh, std::size_t vertices) {
  Mesh dense = subdivided(mesh, vertices);
  const Weld weld = weldByPosition(dense.positions, weldTolerance(dense));
  mesh::Decimator decimator(dense, weld, std::vector<std::vector<Vec3f>>{dense.positions});
  decimator.reduceTo(2 * vertices);
  dense.triangles = decimator.result().triangles;
  dense.sections.clear();
  Mesh out; // without the vertices that are no longer used
  std::vector<std::uint32_t> renamed(dense.positions.size(), 0xFFFFFFFFU);
  for (Triangle t : dense.triangles) {
    for (std::uint32_t& v : t) {
      if (renamed[v] == 0xFFFFFFFFU) {
        renamed[v] = out.vertexCount();
        out.positions.push_back(dense.positions[v]);
      }
      v = renamed[v];
    }
    out.triangles.push_back(t);
  }
  return out;
}

template <class Work> double leastCpu(int repeats, const Work& work) {
  Samples samples;
  for (int r = 0; r < repeats; ++r) {
    const Seconds start = now();
    if (!work()) std::exit(2);
    samples.add((now() - start).cpu);
  }
  return samples.least();
}

void row(const Character& mannequin, const Character& skirt, std::size_t body_size, std::size_t skirt_size,
         int repeats) {
  const Character body{"body", resized(mannequin.mesh, body_size), skirt.skeleton, {}};
  const Character cloth{"skirt", resized(skirt.mesh, skirt_size), skirt.skeleton, {}};
  const auto bound = bind(body, {.drop_joints = "skirt_*"});
  if (!bound) std::exit(2);
  const Body worn{body.mesh, bound->weights};
  const double alone = leastCpu(repeats, [&] { return bind(body, {.drop_joints = "skirt_*"}).has_value(); });
  const double both = leastCpu(repeats, [&] { return bindGarment(cloth, worn).has_value(); });
  std::printf("| %u | %u | %.2f | %.2f | %.1f |\n", body.mesh.vertexCount(), cloth.mesh.vertexCount(), alone, both,
              both / alone);
}

int run(const std::string& folder, int repeats) {
  const auto body = CharacterFile::read(folder + "/mannequin.glb"),
             skirt = CharacterFile::read(folder + "/wide_skirt.glb");
  if (!body || !skirt) {
    std::fprintf(stderr, "bench_garment: %s\n", (!body ? body : skirt).error().text().c_str());
    return 2;
  }
  const ThreadLimit limit(1);
  std::puts(
      "| body vertices | skirt vertices | bind of the body, s | bind of the skirt, s | ratio |\n|--:|--:|--:|--:|--:|");
  for (std::size_t size : kSizes) row(body->character(), skirt->character(), size, kSize, repeats);
  for (std::size_t size : kSizes)
    if (size != kSize) row(body->character(), skirt->character(), kSize, size, repeats);
  return 0;
}

} // namespace
} // namespace skincells::bench

int main(int argc, char** argv) {
  const bool repeated = argc == 4 && std::string_view(argv[2]) == "--repeats";
  if (argc != 2 && !repeated) {
    std::fputs("usage: bench_garment FOLDER [--repeats 3]\n", stderr);
    return 1;
  }
  return skincells::bench::run(argv[1], repeated ? std::max(1, std::atoi(argv[3])) : 3);
}

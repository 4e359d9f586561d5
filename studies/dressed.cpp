// Clothes of artists on bodies of artists: skirts, coats and a cloak of the Rocketbox characters over others of them.
//   skincells-dressed SHARED
// Their clothes are one surface with the body, and there is no body below them. So they are cut off by height and put
// on a character of the same skeleton that wears less. Prints a Markdown table: the artist's weights, a bind of both as
// one character, and a bind with the cloth as a garment.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "skincells/skincells.h"

namespace {

using namespace skincells;

struct Clothing {
  const char *name, *file, *body;
  double low, high; // heights of the cut, as shares of that of the character
  bool arms;        // it hangs from them
};
constexpr const char *kWoman = "corpus/Rocketbox__Female_Adult_17.glb", *kMan = "corpus/Rocketbox__Sports_Male_04.glb";
constexpr Clothing kClothes[] = {
    {"knee-length skirt", "characters/Rocketbox_Female_Adult_02.glb", kWoman, 0.30, 0.62, false},
    {"cloak to the floor", "characters/Rocketbox_Female_Adult_16.glb", kWoman, 0.05, 0.82, true},
    {"short dress", "corpus/Rocketbox__Female_Adult_09.glb", kWoman, 0.38, 0.80, false},
    {"tunic", "corpus/Rocketbox__Medical_Female_01.glb", kWoman, 0.42, 0.80, false},
    {"long coat", "corpus/Rocketbox__Fire_Male_02.glb", kMan, 0.27, 0.80, false},
    {"uniform jacket", "corpus/Rocketbox__Pilot_Male_01.glb", kMan, 0.38, 0.80, false},
    {"suit jacket", "corpus/Rocketbox__Business_Male_01.glb", kMan, 0.38, 0.80, false},
    {"open jacket", "corpus/Rocketbox__Male_Adult_05.glb", kMan, 0.38, 0.80, false},
};
constexpr int kPoses = 64;

bool isOfArm(const std::string& joint) {
  for (const char* word : {"Clavicle", "UpperArm", "Forearm", "Hand", "Finger"})
    if (joint.find(word) != std::string::npos) return true;
  return false;
}

// Heights of vertices, 0 .. 1, along the longest side of the character, heads up.
std::vector<double> heightsOf(const Character& c) {
  const Box box = c.mesh.bounds();
  const Vec3d sides = box.size();
  const auto along = [&](const Vec3d& p) {
    return sides.y >= sides.z ? (p.y - box.lo.y) / sides.y : (p.z - box.lo.z) / sides.z;
  };
  double head = 1;
  for (int j = 0; j < c.skeleton.jointCount(); ++j)
    if (c.skeleton.joints[static_cast<std::size_t>(j)].name.ends_with("Head")) head = along(c.skeleton.bindPosition(j));
  std::vector<double> out;
  for (const Vec3f& p : c.mesh.positions) out.push_back(head > 0.5 ? along(toDouble(p)) : 1 - along(toDouble(p)));
  return out;
}

// The triangles of the clothing with their vertices and the artist's weights.
Character cut(const Character& whole, const Clothing& clothing) {
  const std::vector<double> height = heightsOf(whole);
  SparseWeights sorted = whole.weights;
  canonicalize(sorted, sorted.slots);
  const auto isCloth = [&](std::uint32_t v) {
    const std::string& leader = whole.skeleton.joints[sorted.jointRow(v)[0]].name;
    return height[v] > clothing.low && height[v] < clothing.high && (clothing.arms || !isOfArm(leader));
  };
  Character out{clothing.name, {}, whole.skeleton, {}};
  std::vector<std::uint32_t> used, renamed(whole.mesh.positions.size(), 0xFFFFFFFFU);
  for (Triangle t : whole.mesh.triangles) {
    if (!std::ranges::all_of(t, isCloth)) continue;
    for (std::uint32_t& v : t) {
      if (renamed[v] == 0xFFFFFFFFU) {
        renamed[v] = out.mesh.vertexCount();
        used.push_back(v);
        out.mesh.positions.push_back(whole.mesh.positions[v]);
      }
      v = renamed[v];
    }
    out.mesh.triangles.push_back(t);
  }
  out.weights = gatherRows(whole.weights, used);
  return out;
}

Character joined(const Body& body, const Character& cloth) {
  Character both{"both", body.mesh, cloth.skeleton, {}};
  both.mesh.sections.clear();
  const std::uint32_t first = both.mesh.vertexCount();
  both.mesh.positions.insert(both.mesh.positions.end(), cloth.mesh.positions.begin(), cloth.mesh.positions.end());
  for (const Triangle& t : cloth.mesh.triangles)
    both.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  both.weights = SparseWeights(both.mesh.positions.size(), std::max(body.weights.slots, cloth.weights.slots));
  for (std::uint32_t v = 0; v < both.mesh.vertexCount(); ++v) {
    const SparseWeights& from = v < first ? body.weights : cloth.weights;
    const std::size_t at = v < first ? v : v - first;
    std::ranges::copy(from.jointRow(at), both.weights.jointRow(v).begin());
    std::ranges::copy(from.weightRow(at), both.weights.weightRow(v).begin());
  }
  return both;
}

Result<void> measure(const std::string& shared, const Clothing& clothing) {
  SKINCELLS_TRY(source, CharacterFile::read(shared + "/" + clothing.file));
  SKINCELLS_TRY(wearer, CharacterFile::read(shared + "/" + clothing.body));
  const Character cloth = cut(source.character(), clothing);
  SKINCELLS_TRY(placed, placeBody(wearer.character(), cloth));
  const Character both = joined(placed.body, cloth);
  const BindOptions options{.joints = "weighted"};
  SKINCELLS_TRY(whole, bind(both, options));
  std::vector<std::uint32_t> of_body, of_cloth;
  for (std::uint32_t v = 0; v < both.mesh.vertexCount(); ++v)
    (v < placed.body.mesh.vertexCount() ? of_body : of_cloth).push_back(v);
  const SparseWeights start = gatherRows(whole.weights, of_cloth);
  const Body body{placed.body.mesh, gatherRows(whole.weights, of_body)};
  SKINCELLS_TRY(kept, bindGarment(cloth, body, options, {}, {}, &start));
  SKINCELLS_TRY(trial, GarmentTrial::make(cloth, body, {}, {.poses = kPoses, .seed = 1}));
  SKINCELLS_TRY(worn_by_artist, GarmentTrial::make(cloth, placed.body, {}, {.poses = kPoses, .seed = 1}));
  const std::vector<PoseSet> random{{"random", randomPoses(cloth.skeleton)}};
  const auto print = [&](const char* bound, const SparseWeights& weights, const GarmentTrial& judge) {
    const GarmentQuality quality = judge.measure(weights);
    const double distance = compareWeights(cloth.mesh, cloth.weights, weights, random).sets[0].error.rms;
    std::printf("| %s | %s | %.2f | %.2f | %.2f |\n", clothing.name, bound, distance,
                quality.penetration.vertex_percent, quality.stretch_p99);
  };
  print("artist", cloth.weights, worn_by_artist);
  print("whole", start, trial);
  print("garment", kept.weights, trial);
  std::fflush(stdout);
  return {};
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: skincells-dressed SHARED\n", stderr);
    return 1;
  }
  std::puts("| clothing | bound | distance | inside % | stretch p99 |\n|---|---|--:|--:|--:|");
  int code = 0;
  for (const Clothing& clothing : kClothes)
    if (const auto done = measure(argv[1], clothing); !done) {
      std::fprintf(stderr, "skincells-dressed: %s: %s\n", clothing.name, done.error().text().c_str());
      code = 2;
    }
  return code;
}

// Measures what the verdict sees in skins and in spoiled copies of them (docs/verdict.md):
//   skincells-verdicts FILE... > verdicts.tsv
// One line per skin: file, skin, grade, then the measures as NAME=VALUE.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "base/random.h"
#include "mesh/surface_measure.h"
#include "metrics/bend_meter.h"
#include "rig/names/joint_names.h"
#include "rig/names/name_words.h"
#include "skincells/io/character_file.h"
#include "skincells/verdict.h"

namespace {

using namespace skincells;

constexpr double kLeastPart = 0.02;  // of the area: smaller parts are not moved
constexpr int kFarSteps = 3;         // in the skeleton, between a part's joint and the wrong one
constexpr double kFarAway = 0.15;    // of the diagonal, between these joints
constexpr double kMixedShare = 0.05; // of the vertices

int leaderOf(const SparseWeights& weights, std::size_t v) {
  return weights.jointRow(v)[0]; // canonical: largest first
}

int stepsBetween(const Skeleton& skeleton, int a, int b) {
  const auto above = [&](int j) {
    std::vector<int> chain;
    for (; j != kNoParent; j = skeleton.joints[static_cast<std::size_t>(j)].parent) chain.push_back(j);
    return chain;
  };
  const std::vector<int> from = above(a), to = above(b);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (const auto at = std::ranges::find(to, from[i]); at != to.end())
      return static_cast<int>(i) + static_cast<int>(at - to.begin());
  return static_cast<int>(from.size() + to.size());
}

bool isAbove(const Skeleton& skeleton, int above, int joint) {
  for (; joint != kNoParent; joint = skeleton.joints[static_cast<std::size_t>(joint)].parent)
    if (joint == above) return true;
  return false;
}

// All weight of one joint, which leads at least 2 % of the surface, is given to a joint of another limb: one that leads
// vertices, is neither above nor below it, is three or more steps away, and at least 15 % of the diagonal.
std::optional<Character> withMovedPart(Character c) {
  std::vector<double> led(c.skeleton.joints.size());
  const auto measures = mesh::measureVertices(c.mesh);
  const double diagonal = c.mesh.bounds().diagonal();
  double area = 0;
  for (std::size_t v = 0; v < c.weights.vertexCount(); ++v) {
    area += measures[v].area;
    if (c.weights.weightRow(v)[0] > 0) led[static_cast<std::size_t>(leaderOf(c.weights, v))] += measures[v].area;
  }
  std::vector<std::pair<int, int>> choices;
  for (int a = 0; a < c.skeleton.jointCount(); ++a)
    for (int b = 0; b < c.skeleton.jointCount(); ++b)
      if (led[static_cast<std::size_t>(a)] >= kLeastPart * area && led[static_cast<std::size_t>(b)] > 0 &&
          !isAbove(c.skeleton, a, b) && !isAbove(c.skeleton, b, a) && stepsBetween(c.skeleton, a, b) >= kFarSteps &&
          length(c.skeleton.bindPosition(a) - c.skeleton.bindPosition(b)) >= kFarAway * diagonal)
        choices.emplace_back(a, b);
  if (choices.empty()) return std::nullopt;
  const auto [from, to] = choices[Random(1).below(static_cast<std::uint32_t>(choices.size()))];
  for (auto& joint : c.weights.joints)
    if (joint == from) joint = static_cast<std::decay_t<decltype(joint)>>(to);
  return c;
}

// The joint of the same name on the other side, for joints of legs; else -1.
std::vector<int> otherLegs(const Skeleton& skeleton) {
  using enum rig::HumanPart;
  const auto names = rig::jointNames(skeleton);
  std::vector<int> other(names.size(), -1);
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = 0; b < names.size(); ++b)
      if (names[a].side != rig::Side::None && names[b].side != rig::Side::None && names[a].side != names[b].side &&
          names[a].words == names[b].words && rig::mentionsPart(names[a], {UpperLeg, LowerLeg, Foot, Toe}))
        other[a] = static_cast<int>(b);
  return other;
}

// One vertex in twenty, among those that legs lead, follows the other leg. `near`: those nearest to the other leg
// instead of any.
std::optional<Character> withMixedLegs(Character c, bool near) {
  const std::vector<int> other = otherLegs(c.skeleton);
  std::vector<std::pair<double, std::uint32_t>> legs;
  Random random(2);
  for (std::uint32_t v = 0; v < c.weights.vertexCount(); ++v) {
    const int opposite = other[static_cast<std::size_t>(leaderOf(c.weights, v))];
    if (opposite < 0) continue;
    const double key =
        near ? length(toDouble(c.mesh.positions[v]) - c.skeleton.bindPosition(opposite)) : random.uniform();
    legs.emplace_back(key, v);
  }
  const auto count = static_cast<std::size_t>(kMixedShare * static_cast<double>(c.weights.vertexCount()));
  if (count == 0 || legs.size() < 2 * count) return std::nullopt;
  std::ranges::sort(legs);
  for (std::size_t i = 0; i < count; ++i)
    for (auto& joint : c.weights.jointRow(legs[i].second))
      if (const int opposite = other[static_cast<std::size_t>(joint)]; opposite >= 0)
        joint = static_cast<std::decay_t<decltype(joint)>>(opposite);
  return c;
}

// The half of each rigid-looking part beyond the middle of its longest side follows the joint two above its own.
// Only characters where these parts have at least 2 % of the area.
std::optional<Character> withBentParts(Character c) {
  const metrics::WeldedSurface surface(c.mesh);
  const std::vector<Vec3d> joints = metrics::weightedJointPlaces(c.skeleton, c.weights);
  const std::vector<bool> rigid = metrics::rigidLookingParts(surface, trimmedBounds(c.mesh).diagonal(), joints);
  double bent = 0, area = 0;
  for (std::size_t v = 0; v < surface.area.size(); ++v) {
    area += surface.area[v];
    if (rigid[surface.islands.island_of_vertex[v]]) bent += surface.area[v];
  }
  if (bent < kLeastPart * area) return std::nullopt;
  std::vector<Box> boxes(rigid.size());
  for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v)
    boxes[surface.islands.island_of_vertex[v]].add(toDouble(surface.mesh.positions[v]));
  const auto parentOf = [&](int j) { return c.skeleton.joints[static_cast<std::size_t>(j)].parent; };
  for (std::uint32_t v = 0; v < c.mesh.vertexCount(); ++v) {
    const std::uint32_t part = surface.islands.island_of_vertex[surface.weld.welded_of_vertex[v]];
    if (!rigid[part]) continue;
    const Vec3d offset = toDouble(c.mesh.positions[v]) - boxes[part].center(), size = boxes[part].size();
    const double along = size.x >= size.y && size.x >= size.z ? offset.x : size.y >= size.z ? offset.y : offset.z;
    if (along <= 0) continue;
    int other = leaderOf(c.weights, v);
    for (int up = 0; up < 2 && parentOf(other) != kNoParent; ++up) other = parentOf(other);
    const auto row = c.weights.jointRow(v);
    std::ranges::fill(row, std::uint16_t{0});
    std::ranges::fill(c.weights.weightRow(v), 0.0F);
    row[0] = static_cast<std::uint16_t>(other);
    c.weights.weightRow(v)[0] = 1;
  }
  return c;
}

// The mesh in other units than the skeleton.
Character scaled(Character c, float factor) {
  for (Vec3f& p : c.mesh.positions) p *= factor;
  return c;
}

void print(const std::string& file, const char* skin, const std::optional<Character>& c) {
  if (!c) return;
  const Verdict verdict = judgeSkin(*c, c->weights);
  std::printf("%s\t%s\t%s", file.c_str(), skin, gradeName(verdict.grade));
  for (const Finding& f : verdict.findings) std::printf("\t%s=%.5g", f.threshold.name.c_str(), f.value);
  std::puts("");
}

} // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const auto file = CharacterFile::read(argv[i]);
    if (!file || file->character().weights.weights.empty()) continue;
    const Character& c = file->character();
    print(argv[i], "artist", c);
    print(argv[i], "moved part", withMovedPart(c));
    print(argv[i], "mixed legs", withMixedLegs(c, false));
    print(argv[i], "legs stuck together", withMixedLegs(c, true));
    print(argv[i], "bent parts", withBentParts(c));
    print(argv[i], "mesh 100 times larger", scaled(c, 100));
    print(argv[i], "mesh 100 times smaller", scaled(c, 0.01F));
  }
  return 0;
}

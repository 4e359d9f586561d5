// A million splats: reading, weights from a field, writing with weights, posing. 62 floats each, 248 MB. And the field
// of a character applied to a subdivision of its mesh with a million vertices: the evaluation, and all that `apply`
// does.
#include <cmath>
#include <cstring>
#include <filesystem>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "field/evaluate.h"
#include "field/initialize.h"
#include "inputs.h"
#include "jobs/pose/posed_cloud.h"
#include "skincells/apply.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/threads.h"

namespace skincells {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSplats = 1000000, kFloats = 62;
constexpr int kJoints = 80;

// Splats in a unit box.
std::vector<std::uint8_t> splatFile() {
  std::string header = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(kSplats) + "\n";
  const auto add = [&](const std::string& name) { header += "property float " + name + "\n"; };
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"}) add(name);
  for (int i = 0; i < 45; ++i) add("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) add(name);
  header += "end_header\n";
  std::vector<std::uint8_t> bytes(header.size() + kSplats * kFloats * sizeof(float));
  std::memcpy(bytes.data(), header.data(), header.size());
  Random random(1);
  std::uint8_t* at = bytes.data() + header.size();
  for (std::size_t v = 0; v < kSplats; ++v) {
    float row[kFloats];
    for (std::size_t i = 0; i < kFloats; ++i)
      row[i] = static_cast<float>(i < 3 ? random.uniform() : random.uniform(-1, 1));
    std::memcpy(at, row, sizeof row);
    at += sizeof row;
  }
  return bytes;
}

struct Cloud {
  std::vector<std::uint8_t> bytes = splatFile();
  PointCloudFile file = std::move(*PointCloudFile::readPly(bytes, "splats.ply"));
  Skeleton skeleton;
  FieldParameters field;
  std::vector<std::string> names;
  SparseWeights weights;
  fs::path output = fs::temp_directory_path() / "skincells_bench_splats.ply";

  // Sixteen limbs of five joints along y.
  Cloud() {
    std::vector<field::BoneSegment> bones;
    for (int j = 0; j < kJoints; ++j) {
      const int limb = j / 5;
      const Vec3d a{0.125 + 0.25 * (limb % 4), (j % 5) / 5.0, 0.125 + 0.25 * (limb / 4)};
      bones.push_back({j, a, a + Vec3d{0, 0.2, 0}});
      Joint joint;
      joint.name = "joint" + std::to_string(j);
      joint.parent = j % 5 == 0 ? kNoParent : j - 1;
      joint.bind = joint.rest = Affine::fromTranslation(a);
      skeleton.joints.push_back(joint);
      names.push_back(joint.name);
    }
    field = field::initializeField(bones, {kJoints, 6, FieldShape::ScaleRotation}, 4, 1);
    weights = field::evaluateHard(field, file.mesh().positions);
  }
  ~Cloud() {
    std::error_code ignored;
    fs::remove(output, ignored);
  }
};

const Cloud& cloud() {
  static const Cloud instance;
  return instance;
}

void perSecond(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(kSplats) * state.iterations());
}

void readSplats(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const auto& bytes = cloud().bytes;
  for (auto _ : state) benchmark::DoNotOptimize(PointCloudFile::readPly(bytes, "splats.ply")->info().splats);
  perSecond(state);
}

void applyToSplats(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(field::evaluateHard(cloud().field, cloud().file.mesh().positions).weights.data());
  perSecond(state);
}

void writeSplats(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  for (auto _ : state)
    if (!cloud().file.write(cloud().output.string(), cloud().weights, cloud().names, {.force = true}))
      state.SkipWithError("cannot write");
  perSecond(state);
}

void poseSplats(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const fs::path weighted = fs::temp_directory_path() / "skincells_bench_weighted.ply";
  if (!cloud().file.write(weighted.string(), cloud().weights, cloud().names, {.force = true}))
    return state.SkipWithError("cannot write");
  const auto file = PointCloudFile::read(weighted.string());
  const jobs::ChosenPose pose{"random", randomPoses(cloud().skeleton, {.count = 1})[0], 1, {}};
  for (auto _ : state) {
    OutputSet outputs;
    if (!jobs::stagePosed(*file, cloud().skeleton, pose, outputs, cloud().output.string(), {.force = true}) ||
        !outputs.commit())
      state.SkipWithError("cannot write");
  }
  perSecond(state);
  fs::remove(weighted);
}

// A character with its field, and its mesh with a million vertices.
struct Fine {
  Character character;
  FieldDocument field;

  Fine() {
    const auto files = bench::characterFiles();
    if (files.empty()) return;
    auto file = CharacterFile::read(files[0].string());
    if (!file) return;
    character = file->character();
    BindOptions options;
    options.quality = BindQuality::Draft;
    const auto bound = bind(character, options);
    if (!bound || !bound->field) return;
    Warnings ignored;
    field = describeField(character, *bound, ignored);
    character.mesh = bench::subdivided(character.mesh, 1000000);
    character.weights = {};
  }
};

const Fine& fine() {
  static const Fine instance;
  return instance;
}

void applyToSubdivision(benchmark::State& state, bool with_parts) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const Mesh& mesh = fine().character.mesh;
  if (fine().field.joints.empty()) return state.SkipWithError("no character");
  for (auto _ : state)
    if (with_parts)
      benchmark::DoNotOptimize(applyField(fine().field, fine().character).has_value());
    else
      benchmark::DoNotOptimize(field::evaluateHard(fine().field.field, mesh.positions).weights.data());
  state.SetItemsProcessed(static_cast<std::int64_t>(mesh.positions.size()) * state.iterations());
  state.counters["vertices"] = static_cast<double>(mesh.positions.size());
}

BENCHMARK(readSplats)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(applyToSplats)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(writeSplats)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(poseSplats)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(applyToSubdivision, evaluate, false)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(applyToSubdivision, apply, true)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace skincells

BENCHMARK_MAIN();

// Whole binds, measured: prints one JSON document with the numbers of docs/performance.md.
//
//   bench_bind [--repeats N] [--step | --sweep] [--out FILE]
//   bench_bind --bind FILE VERTICES THREADS      subdivides FILE to that many vertices, binds, prints nothing
//
// Characters come from SKINCELLS_SHARED (default ../shared); without them, the generated examples are used. --sweep
// adds the cost against vertices, joints, sites and poses; --step measures the optimization step alone.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "field/evaluate.h"
#include "field/initialize.h"
#include "inputs.h"
#include "kernels/kernels.h"
#include "limbs.h"
#include "measure.h"
#include "multiply_add.h"
#include "skincells/skincells.h"
#include "step_work.h"

namespace skincells::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  int repeats = 5;
  bool sweep = false, step_only = false;
  std::string out;
};

Json asJson(const Samples& s) {
  return {{"min", s.least()}, {"median", s.median()}};
}

// Seconds per step on the synthetic character, minimum of the repeats.
struct StepTime {
  Samples wall, cpu;
};

StepTime measureStep(const LimbsSize& size, int threads, int repeats) {
  constexpr int kSteps = 25;
  const ThreadLimit limit(threads);
  const Limbs limbs(size);
  StepTime out;
  for (int r = 0; r < repeats; ++r) {
    FieldParameters field = limbs.field;
    // Set-up is not part of the step: take it off by measuring a run of none.
    const Seconds start = now();
    fit::minimizeLosses(field, limbs.mesh, limbs.springs, limbs.batches(), lossFit(0));
    const Seconds setup = now() - start, begin = now();
    fit::minimizeLosses(field, limbs.mesh, limbs.springs, limbs.batches(), lossFit(kSteps, size.poses));
    const Seconds whole = now() - begin;
    out.wall.add((whole.wall - setup.wall) / kSteps);
    out.cpu.add((whole.cpu - setup.cpu) / kSteps);
  }
  return out;
}

Json stepResults(const Options& options, double peak2) {
  const LimbsSize size;
  const int repeats = 3 * options.repeats;
  const StepTime one = measureStep(size, 1, repeats), two = measureStep(size, 2, repeats);
  StepTime scalar;
  {
    const kernels::ScalarOnly only;
    scalar = measureStep(size, 1, options.repeats);
  }
  const double operations = stepOperations(static_cast<std::size_t>(size.limbs * size.rings * size.sides),
                                           static_cast<std::size_t>(size.joints()),
                                           static_cast<std::size_t>(size.sites), static_cast<std::size_t>(size.poses));
  return {{"vertices", size.limbs * size.rings * size.sides},
          {"joints", size.joints()},
          {"sites", size.sites},
          {"poses", size.poses},
          {"one_thread_cpu_seconds", asJson(one.cpu)},
          {"two_threads_wall_seconds", asJson(two.wall)},
          {"scalar_one_thread_cpu_seconds", asJson(scalar.cpu)},
          {"operations_if_nothing_is_skipped", operations},
          {"seconds_at_35_percent_of_peak", operations / (0.35 * peak2)},
          {"share_of_peak_as_if_nothing_were_skipped", operations / (two.wall.least() * peak2)},
          {"simd_speedup", scalar.cpu.least() / one.cpu.least()},
          {"two_thread_speedup", one.wall.least() / two.wall.least()}};
}

// CPU and wall seconds of each stage of a bind.
struct StageSamples {
  std::vector<std::string> order;
  std::map<std::string, Samples> wall, cpu;
  Samples solve_cpu, solve_wall;
};

void bindOnce(const Character& character, StageSamples& out) {
  std::string stage;
  Seconds since = now(), solve;
  const auto close = [&] {
    const Seconds spent = now() - since;
    if (!stage.empty()) {
      if (!out.wall.contains(stage)) out.order.push_back(stage);
      out.wall[stage].add(spent.wall), out.cpu[stage].add(spent.cpu);
      const bool in_solve = stage == "guess" || stage == "fit" || stage == "losses" || stage == "refit";
      if (in_solve) solve.wall += spent.wall, solve.cpu += spent.cpu;
    }
  };
  const auto progress = [&](const Progress& p) {
    if (p.stage == stage) return true;
    close();
    stage = p.stage;
    since = now();
    return true;
  };
  if (!bind(character, {}, progress)) std::exit(1);
  close();
  out.solve_cpu.add(solve.cpu), out.solve_wall.add(solve.wall);
}

Json bindResults(const fs::path& file, const Options& options, double peak2) {
  const auto read = CharacterFile::read(file.string());
  if (!read) return {{"error", read.error().message}};
  const Character& character = read->character();
  StageSamples stages;
  Samples command_wall, command_cpu;
  const fs::path out = fs::temp_directory_path() / ("skincells_bench_" + std::to_string(std::rand()) + ".glb");
  for (int r = 0; r < options.repeats; ++r) {
    {
      const ThreadLimit limit(2);
      bindOnce(character, stages);
    }
    const ProgramRun run = runProgram({besideThis("skincells").string(), "bind", file.string(), "-o", out.string(),
                                       "--force", "--quiet", "--threads", "2"});
    if (run.ok) command_wall.add(run.seconds.wall), command_cpu.add(run.seconds.cpu);
  }
  fs::remove(out);
  Json by_stage;
  for (const std::string& name : stages.order)
    by_stage[name] = {{"wall_seconds", asJson(stages.wall[name])}, {"cpu_seconds", asJson(stages.cpu[name])}};
  const double prototype = 6.0 * 200e9 / peak2;
  return {{"file", file.filename().string()},
          {"vertices", character.mesh.vertexCount()},
          {"joints", character.skeleton.jointCount()},
          {"stages", by_stage},
          {"solve_cpu_seconds", asJson(stages.solve_cpu)},
          {"solve_wall_seconds", asJson(stages.solve_wall)},
          {"command_cpu_seconds", asJson(command_cpu)},
          {"command_wall_seconds", asJson(command_wall)},
          {"prototype_cpu_seconds_here", prototype},
          {"prototype_over_solve", prototype / stages.solve_cpu.least()},
          {"command_over_solve_cpu", command_cpu.least() / stages.solve_cpu.least()}};
}

int bindSubdivided(const char* file, const char* vertices, const char* threads) {
  const ThreadLimit limit(std::atoi(threads));
  const auto read = CharacterFile::read(file);
  if (!read) return 1;
  Character character = read->character();
  character.weights = {};
  character.mesh = subdivided(character.mesh, static_cast<std::size_t>(std::atol(vertices)));
  const Seconds start = now();
  if (!bind(character)) return 1;
  std::printf("%u %.6f\n", character.mesh.vertexCount(), (now() - start).wall);
  return 0;
}

Json millionResults(const fs::path& file) {
  const std::string self = besideThis("bench_bind").string();
  const ProgramRun run = runProgram({self, "--bind", file.string(), "1000000", "2"});
  return {
      {"file", file.filename().string()}, {"least_vertices", 1000000},        {"done", run.ok},
      {"cpu_seconds", run.seconds.cpu},   {"wall_seconds", run.seconds.wall}, {"peak_memory_bytes", run.peak_memory}};
}

// Hard weights of a million points of the made-up character for 20 joints x 6 sites.
Json evaluationResults(const Options& options, double peak2) {
  std::vector<field::BoneSegment> bones;
  for (int j = 0; j < 20; ++j) bones.push_back({j, {0.05 * j, 0.1, 0.2}, {0.05 * j, 0.9, 0.7}});
  const FieldParameters twenty = initializeField(bones, {20, 6, FieldShape::ScaleRotation}, 4, 1);
  const Limbs limbs(withVertices({}, 1000000));
  std::vector<Vec3f> points = limbs.mesh.positions;
  points.resize(1000000);
  Samples wall[2];
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    for (int r = 0; r < options.repeats; ++r) {
      const Seconds start = now();
      if (field::evaluateHard(twenty, points).empty()) std::exit(1);
      wall[threads - 1].add((now() - start).wall);
    }
  }
  return {{"points", points.size()},
          {"one_thread_wall_seconds", asJson(wall[0])},
          {"two_threads_wall_seconds", asJson(wall[1])},
          {"allowed_seconds", 0.2 * 200e9 / peak2}};
}

// Cost against one size at a time. The solve works on a simplified mesh, so its step is measured on its own sizes.
Json sweepResults(const Options& options) {
  Json out;
  const auto measure = [&](const char* name, const LimbsSize& size, int value) {
    const StepTime time = measureStep(size, 1, std::max(2, options.repeats / 2));
    out[name].push_back({value, time.cpu.least()});
  };
  for (int vertices : {1000, 3000, 10000, 30000, 100000})
    measure("step_vertices", withVertices({}, vertices), vertices);
  for (int limbs : {2, 4, 8, 16, 32, 64, 100}) {
    LimbsSize size;
    size.limbs = limbs;
    measure("step_joints", withVertices(size, 3000), size.joints());
  }
  for (int sites : {1, 2, 4, 6, 8, 16}) {
    LimbsSize size;
    size.sites = sites;
    measure("step_sites", size, sites);
  }
  for (int poses : {4, 8, 16, 32}) {
    LimbsSize size;
    size.poses = poses;
    measure("step_poses", size, poses);
  }
  for (int vertices : {1000, 10000, 100000, 1000000}) {
    const ThreadLimit limit(1);
    const Limbs limbs(withVertices({}, vertices));
    Character character;
    character.mesh = limbs.mesh, character.skeleton = limbs.skeleton;
    Samples cpu;
    for (int r = 0; r < (vertices < 100000 ? 3 : 1); ++r) {
      const Seconds start = now();
      BindOptions all;
      all.joints = "all";
      if (!bind(character, all)) std::exit(1);
      cpu.add((now() - start).cpu);
    }
    out["bind_vertices"].push_back({character.mesh.vertexCount(), cpu.least()});
  }
  return out;
}

int run(const Options& options) {
  const double peak1 = multiplyAddRate(1, 10), peak2 = multiplyAddRate(2, 10);
  Json document = {{"multiply_add_per_second", {{"one_thread", peak1}, {"two_threads", peak2}}},
                   {"step", stepResults(options, peak2)}};
  std::vector<fs::path> files;
  if (!options.step_only) {
    document["evaluation"] = evaluationResults(options, peak2);
    files = characterFiles();
  }
  for (const fs::path& file : files) document["binds"].push_back(bindResults(file, options, peak2));
  if (files.size() == 2) {
    const auto solve = [&](int i) { return document["binds"][i]["solve_cpu_seconds"]["min"].get<double>(); };
    document["density_ratio"] = solve(1) / solve(0);
    document["million"] = millionResults(files[0]);
  }
  if (options.sweep) document["sweep"] = sweepResults(options);
  const std::string text = document.dump(2) + "\n";
  std::cout << text;
  if (!options.out.empty()) std::ofstream(options.out) << text;
  return 0;
}

} // namespace
} // namespace skincells::bench

int main(int argc, char** argv) {
  using namespace skincells::bench;
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--bind" && i + 3 < argc) return bindSubdivided(argv[i + 1], argv[i + 2], argv[i + 3]);
    if (flag == "--repeats" && i + 1 < argc)
      options.repeats = std::max(1, std::atoi(argv[++i]));
    else if (flag == "--out" && i + 1 < argc)
      options.out = argv[++i];
    else if (flag == "--sweep")
      options.sweep = true;
    else if (flag == "--step")
      options.step_only = true;
    else {
      std::fprintf(stderr, "usage: bench_bind [--repeats N] [--step | --sweep] [--out FILE]\n");
      return 1;
    }
  }
  return run(options);
}

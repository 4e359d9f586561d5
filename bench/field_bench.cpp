// Time of the field's optimization step and of its parts: 3,000 vertices x 80 joints x 6 sites x 4 poses, on the
// made-up character of limbs.h.
#include <benchmark/benchmark.h>

#include "field/initialize.h"
#include "fit/field_fit.h"
#include "kernels/kernels.h"
#include "limbs.h"
#include "skincells/threads.h"

namespace skincells {
namespace {

using bench::Limbs;

constexpr int kSteps = 50;

void reportStepTime(benchmark::State& state) {
  state.counters["step_time"] = benchmark::Counter(static_cast<double>(kSteps * state.iterations()),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void step(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const Limbs limbs;
  for (auto _ : state) {
    FieldParameters field = limbs.field;
    const auto report = fit::minimizeLosses(field, limbs.mesh, limbs.springs, limbs.sampler(), {.steps = kSteps});
    benchmark::DoNotOptimize(report.loss.back());
  }
  reportStepTime(state);
}
BENCHMARK(step)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(1);

void scalarStep(benchmark::State& state) {
  const kernels::ScalarOnly scalar;
  step(state);
}
BENCHMARK(scalarStep)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

void fitStep(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const Limbs limbs;
  const SparseWeights target = field::evaluateHard(limbs.field, limbs.mesh.positions);
  for (auto _ : state) {
    FieldParameters field = limbs.field;
    benchmark::DoNotOptimize(fit::fitToWeights(field, limbs.mesh.positions, target, {.steps = kSteps}).loss.back());
  }
  reportStepTime(state);
}
BENCHMARK(fitStep)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// The parts of the step, one thread.
void compileField(benchmark::State& state) {
  const ThreadLimit limit(1);
  const Limbs limbs;
  for (auto _ : state) benchmark::DoNotOptimize(compile(limbs.field, field::FieldMode::Relaxed).forms.data());
}
BENCHMARK(compileField)->Unit(benchmark::kMicrosecond);

// The field at the character's vertices.
struct Evaluated {
  Limbs limbs;
  field::Evaluator evaluator{limbs.mesh.positions};
  field::CompiledField compiled = compile(limbs.field, field::FieldMode::Relaxed);
  weights::WeightRows rows;

  Evaluated() { evaluator.evaluate(compiled, field::kKeepAbove, rows); }
};

// range(0): 0 leaves nothing out, 1 what the optimizer leaves out.
void evaluateField(benchmark::State& state) {
  const ThreadLimit limit(1);
  Evaluated on;
  for (auto _ : state) on.evaluator.evaluate(on.compiled, state.range(0) == 0 ? 0 : field::kKeepAbove, on.rows);
  state.counters["entries_per_point"] =
      static_cast<double>(on.rows.entryCount()) / static_cast<double>(on.rows.vertexCount());
}
BENCHMARK(evaluateField)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void differentiateField(benchmark::State& state) {
  const ThreadLimit limit(1);
  Evaluated on;
  std::vector<float> by_entry(on.rows.entryCount()), gradient(on.limbs.field.layout.size());
  for (std::size_t e = 0; e < by_entry.size(); ++e) by_entry[e] = static_cast<float>(e % 7);
  for (auto _ : state) on.evaluator.differentiate(on.compiled, on.rows, by_entry, gradient);
}
BENCHMARK(differentiateField)->Unit(benchmark::kMicrosecond);

// range(0): 1 without smoothness, 2 without location, 3 without sparsity.
void poseLosses(benchmark::State& state) {
  const ThreadLimit limit(1);
  const Evaluated on;
  std::vector<loss::Spring<float>> springs;
  for (const auto& s : on.limbs.springs) springs.push_back({s.vertex, s.joint, toFloat(s.anchor), 0.08F});
  loss::PoseLosses<float> losses(on.limbs.mesh.positions, on.limbs.mesh.triangles, springs, 4);
  const auto quads = deform::makePoseQuads<float>(on.limbs.poses, {}, 1);
  const loss::LossWeights weights{state.range(0) == 1 ? 0.0 : 1.0, state.range(0) == 2 ? 0.0 : 60.0,
                                  state.range(0) == 3 ? 0.0 : 1.0};
  std::vector<float> by_entry;
  for (auto _ : state) benchmark::DoNotOptimize(losses.evaluate(on.rows, quads, weights, by_entry).total());
}
BENCHMARK(poseLosses)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

// Hard weights of a million points for 20 joints x 6 sites.
void evaluateMillion(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const Limbs limbs;
  std::vector<field::BoneSegment> bones;
  for (int j = 0; j < 20; ++j) bones.push_back({j, {0.05 * j, 0.1, 0.2}, {0.05 * j, 0.9, 0.7}});
  const FieldParameters twenty = initializeField(bones, {20, 6, FieldShape::ScaleRotation}, 4, 1);
  std::vector<Vec3f> points;
  while (points.size() < 1000000) points.insert(points.end(), limbs.mesh.positions.begin(), limbs.mesh.positions.end());
  points.resize(1000000);
  for (auto _ : state) benchmark::DoNotOptimize(field::evaluateHard(twenty, points).weights.data());
}
BENCHMARK(evaluateMillion)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace skincells

BENCHMARK_MAIN();

#include "studies/vertex_fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells::studies {
namespace {

// A tube that bends like a pipe cleaner: every vertex follows the one joint below it.
struct Stiff {
  Character character = test::tubeCharacter(5);
  SparseWeights weights;
  fit::LossFitOptions options;

  Stiff() : weights(character.mesh.positions.size(), 1) {
    for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
      const double at = static_cast<double>(character.mesh.positions[v].y) * 5 / 4;
      weights.jointRow(v)[0] = static_cast<std::uint16_t>(std::clamp(at, 0.0, 4.0));
      weights.weightRow(v)[0] = 1;
    }
    options.steps = 100;
    options.rates.rate = 0.1;
    options.held_out = randomPoses(character.skeleton, {.count = 8, .seed = 77});
  }
  fit::PoseBatches batches() const {
    return [this](int step, int count) {
      return randomPoses(character.skeleton, {.count = count, .seed = static_cast<std::uint64_t>(step)});
    };
  }
  fit::FitReport run(int max_influences = 2, const ProgressFunction& progress = {}) {
    return minimizeVertexLosses(weights, max_influences, character.mesh, {}, batches(), options, progress);
  }
};

TEST(MinimizeVertexLosses, LowersTheLossOnPosesItHasNotSeen) {
  Stiff tube;
  const fit::FitReport report = tube.run();
  EXPECT_EQ(report.loss.size(), 100U);
  ASSERT_GE(report.held_out.size(), 2U);
  EXPECT_LT(report.held_out.back().loss, 0.7 * report.held_out.front().loss);
}

TEST(MinimizeVertexLosses, KeepsTheCapAndTheSum) {
  for (int k : {1, 2, 4}) {
    Stiff tube;
    tube.run(k);
    ASSERT_EQ(tube.weights.slots, k);
    for (std::size_t v = 0; v < tube.weights.vertexCount(); ++v) {
      float sum = 0;
      for (float w : tube.weights.weightRow(v)) sum += w;
      ASSERT_NEAR(sum, 1, 1e-5F);
    }
  }
}

TEST(MinimizeVertexLosses, SameBytesForAnyThreadCount) {
  SparseWeights results[3];
  for (int i = 0; i < 3; ++i) {
    const ThreadLimit limit(1 << i);
    Stiff tube;
    tube.options.steps = 15;
    tube.run();
    results[i] = tube.weights;
  }
  EXPECT_EQ(results[0].weights, results[1].weights);
  EXPECT_EQ(results[0].weights, results[2].weights);
  EXPECT_EQ(results[0].joints, results[2].joints);
}

TEST(MinimizeVertexLosses, StopsWhenAsked) {
  Stiff tube;
  int calls = 0;
  const fit::FitReport report = tube.run(2, [&](const Progress& p) {
    EXPECT_EQ(p.stage, "losses");
    EXPECT_EQ(p.loss.has_value(), calls > 0);
    return ++calls < 4;
  });
  EXPECT_EQ(report.stop_reason, "cancelled");
  EXPECT_EQ(report.loss.size(), 3U);
}

} // namespace
} // namespace skincells::studies

// Every implementation of a dense layer gives the same bits as the definition.
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

std::vector<float> numbers(Random& random, std::size_t count) {
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(random.uniform(-2, 2));
  return out;
}

TEST(DenseKernel, EveryTargetGivesTheSameBits) {
  test::forEachTarget([](const Kernels& run) {
    Random random(3);
    for (std::size_t rows : {0UL, 1UL, 7UL, 8UL, 9UL, 24UL})
      for (std::size_t inputs : {1UL, 5UL, 48UL})
        for (std::size_t outputs : {1UL, 4UL, 16UL, 48UL, 50UL}) {
          const std::vector<float> input = numbers(random, rows * inputs), weights = numbers(random, inputs * outputs);
          const std::vector<float> start = numbers(random, rows * outputs);
          std::vector<float> expected = start, output = start;
          for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t o = 0; o < outputs; ++o)
              for (std::size_t i = 0; i < inputs; ++i)
                expected[r * outputs + o] += input[r * inputs + i] * weights[i * outputs + o];
          run.addDense({.rows = rows,
                        .inputs = inputs,
                        .outputs = outputs,
                        .input = input.data(),
                        .weights = weights.data(),
                        .output = output.data()});
          EXPECT_EQ(output, expected) << rows << " x " << inputs << " -> " << outputs;
        }
  });
}

} // namespace
} // namespace skincells::kernels

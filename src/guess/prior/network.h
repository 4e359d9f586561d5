// The learned prior: a small network that corrects the weights of the heat by what artists did on other characters
// (docs/prior.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "guess/prior/features.h"
#include "skincells/result.h"
#include "skincells/weights.h"

namespace skincells::guess {

class Prior {
public:
  // The table that is compiled in.
  static const Prior& builtIn();
  // A table from prior/train.py. An error if it was made for other features or is damaged.
  static Result<Prior> read(std::span<const unsigned char> bytes);

  // One row per vertex of the simplified mesh, at most `max_influences` joints, sums to 1, largest first. The same
  // bytes on every instruction set and for any number of threads.
  SparseWeights weights(const PriorFeatures& features, int max_influences) const;

private:
  struct Layer {
    std::size_t inputs = 0, outputs = 0;
    std::vector<float> weights, bias; // inputs x outputs, outputs
  };
  friend class PriorRun;

  std::size_t width_ = 0; // numbers per pair of vertex and joint
  std::vector<float> mean_, inverse_spread_;
  Layer first_, second_; // from features to what is known of a pair of vertex and joint
  Layer own_;            // of the pair
  Layer context_;        // of all candidates of the vertex: weighted and plain mean
  Layer chance_;         // of the weight before the prior
  Layer hidden_;
  Layer vote_; // one output: added to the logarithm of the weight
};

std::span<const unsigned char> builtInPriorTable();

} // namespace skincells::guess

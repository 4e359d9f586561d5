#include "guess/prior/network.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/assert.h"
#include "base/parallel.h"
#include "kernels/kernels.h"

namespace skincells::guess {
namespace {

constexpr std::uint32_t kMagic = 0x50434b53; // "SKCP"
constexpr std::size_t kChunk = 64;           // vertices
constexpr float kNoJoint = -30;              // logarithm of the weight where there is no joint
constexpr float kMostVote = 3;               // the most by which the prior changes the logarithm of a weight
constexpr float kMostSpreads = 4;            // features farther from the mean are cut off

// exp for x <= 0, in operations that round alike everywhere.
float expOf(float x) {
  if (x < -80) return 0;
  const float scaled = x * 1.44269504F;
  const float whole = std::floor(scaled + 0.5F);
  const float r = (scaled - whole) * 0.693147181F;
  const float value = 1 + r * (1 + r * (0.5F + r * (0.166666667F + r * (0.0416666667F + r * 0.00833333333F))));
  return std::ldexp(value, static_cast<int>(whole));
}

// kMostVote * tanh(x / kMostVote)
float bounded(float x) {
  const float shrunk = expOf(-2 * std::abs(x) / kMostVote);
  return std::copysign(kMostVote * (1 - shrunk) / (1 + shrunk), x);
}

void cutNegative(std::span<float> values) {
  for (float& x : values) x = std::max(x, 0.0F);
}

} // namespace

// One evaluation.
class PriorRun {
public:
  PriorRun(const Prior& prior, const PriorFeatures& features)
      : prior_(prior), in_(features), count_(features.joints.size() / kCandidates), logits_(features.start),
        chances_(logits_.size()) {
    for (std::size_t i = 0; i < logits_.size(); ++i)
      if (in_.joints[i] < 0) logits_[i] = kNoJoint;
  }

  SparseWeights run(int max_influences) {
    parallelChunks(count_, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::vector<float> states = encode(begin, end);
      softmax(begin, end);
      vote(begin, end, states);
      softmax(begin, end);
    });
    SparseWeights out(count_, kCandidates);
    for (std::size_t i = 0; i < chances_.size(); ++i) {
      out.joints[i] = static_cast<std::uint16_t>(std::max(in_.joints[i], 0));
      out.weights[i] = in_.joints[i] < 0 ? 0.0F : chances_[i];
    }
    canonicalize(out, max_influences);
    return out;
  }

private:
  std::span<const int> jointsOf(std::size_t v) const {
    return std::span(in_.joints).subspan(v * kCandidates, kCandidates);
  }

  // output = bias + input * weights, row by row.
  static void apply(const Prior::Layer& layer, std::span<const float> input, std::vector<float>& output) {
    const std::size_t rows = input.size() / layer.inputs;
    output.resize(rows * layer.outputs);
    for (std::size_t r = 0; r < rows; ++r)
      std::ranges::copy(layer.bias, output.begin() + static_cast<std::ptrdiff_t>(r * layer.outputs));
    add(layer, input, output);
  }
  static void add(const Prior::Layer& layer, std::span<const float> input, std::span<float> output) {
    kernels::active().addDense({.rows = input.size() / layer.inputs,
                                .inputs = layer.inputs,
                                .outputs = layer.outputs,
                                .input = input.data(),
                                .weights = layer.weights.data(),
                                .output = output.data()});
  }

  // The state of each candidate of some vertices.
  std::vector<float> encode(std::size_t begin, std::size_t end) const {
    const auto features = static_cast<std::size_t>(featureCount());
    const std::size_t rows = (end - begin) * kCandidates;
    std::vector<float> input(rows * features), middle, state;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t f = 0; f < features; ++f) {
        const float x = in_.values[(begin * kCandidates + r) * features + f];
        input[r * features + f] =
            std::clamp((x - prior_.mean_[f]) * prior_.inverse_spread_[f], -kMostSpreads, kMostSpreads);
      }
    apply(prior_.first_, input, middle);
    cutNegative(middle);
    apply(prior_.second_, middle, state);
    cutNegative(state);
    return state;
  }

  void softmax(std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto logits = std::span(logits_).subspan(v * kCandidates, kCandidates);
      const auto chances = std::span(chances_).subspan(v * kCandidates, kCandidates);
      const float top = *std::ranges::max_element(logits);
      float sum = 0;
      for (std::size_t c = 0; c < kCandidates; ++c) {
        chances[c] = expOf(logits[c] - top);
        sum += chances[c];
      }
      for (float& p : chances) p /= sum;
    }
  }

  void vote(std::size_t begin, std::size_t end, std::vector<float>& states) {
    const std::size_t width = prior_.width_, rows = (end - begin) * kCandidates;
    std::vector<float> means((end - begin) * 2 * width), shared;
    for (std::size_t v = begin; v < end; ++v) {
      float* weighted = &means[(v - begin) * 2 * width];
      float* plain = weighted + width;
      float candidates = 0;
      for (std::size_t c = 0; c < kCandidates; ++c) {
        const bool there = jointsOf(v)[c] >= 0;
        const float chance = chances_[v * kCandidates + c];
        candidates += there ? 1.0F : 0.0F;
        for (std::size_t k = 0; k < width; ++k) {
          const float x = states[((v - begin) * kCandidates + c) * width + k];
          weighted[k] += chance * x;
          if (there) plain[k] += x;
        }
      }
      for (std::size_t k = 0; k < width; ++k) plain[k] /= std::max(candidates, 1.0F);
    }
    apply(prior_.context_, means, shared);
    std::vector<float> mixed(rows * width), hidden, votes;
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(&shared[r / kCandidates * width], width, &mixed[r * width]);
    add(prior_.own_, states, mixed);
    add(prior_.chance_, std::span(chances_).subspan(begin * kCandidates, rows), mixed);
    cutNegative(mixed);
    apply(prior_.hidden_, mixed, hidden);
    cutNegative(hidden);
    for (std::size_t i = 0; i < mixed.size(); ++i) states[i] = mixed[i] + hidden[i];
    apply(prior_.vote_, states, votes);
    for (std::size_t r = 0; r < rows; ++r)
      if (const std::size_t i = begin * kCandidates + r; in_.joints[i] >= 0) logits_[i] += bounded(votes[r]);
  }

  const Prior& prior_;
  const PriorFeatures& in_;
  std::size_t count_;
  std::vector<float> logits_, chances_;
};

SparseWeights Prior::weights(const PriorFeatures& features, int max_influences) const {
  return PriorRun(*this, features).run(max_influences);
}

Result<Prior> Prior::read(std::span<const unsigned char> bytes) {
  static_assert(std::endian::native == std::endian::little);
  const auto damaged = [](const char* why) { return Error{ErrorCode::InvalidFile, why, "table of the prior"}; };
  std::array<std::uint32_t, 3> header{}; // magic, features, width
  if (bytes.size() < sizeof header) return damaged("the file is too short");
  std::memcpy(header.data(), bytes.data(), sizeof header);
  if (header[0] != kMagic) return damaged("this is no table of the prior");
  if (header[1] != static_cast<std::uint32_t>(featureCount()))
    return damaged("the table was made for other features; train it again");
  if (header[2] > 1024) return damaged("the network is implausibly large");
  std::size_t at = sizeof header;
  bool complete = true;
  const auto take = [&](std::vector<float>& out, std::size_t count) {
    out.resize(count);
    if (bytes.size() - at < count * sizeof(float)) {
      complete = false;
      return;
    }
    std::memcpy(out.data(), bytes.data() + at, count * sizeof(float));
    at += count * sizeof(float);
  };
  const auto layer = [&](Layer& out, std::size_t inputs, std::size_t outputs, bool bias = true) {
    out.inputs = inputs;
    out.outputs = outputs;
    take(out.weights, inputs * outputs);
    if (bias) take(out.bias, outputs);
  };
  Prior prior;
  const std::size_t features = header[1], width = header[2];
  prior.width_ = width;
  take(prior.mean_, features);
  take(prior.inverse_spread_, features);
  layer(prior.first_, features, width);
  layer(prior.second_, width, width);
  layer(prior.own_, width, width, false);
  layer(prior.context_, 2 * width, width);
  layer(prior.chance_, 1, width, false);
  layer(prior.hidden_, width, width);
  layer(prior.vote_, width, 1);
  if (!complete || at != bytes.size()) return damaged("the file is incomplete or too long");
  return prior;
}

const Prior& Prior::builtIn() {
  static const Prior prior = [] {
    auto read = Prior::read(builtInPriorTable());
    SKINCELLS_ASSERT(read);
    return std::move(*read);
  }();
  return prior;
}

} // namespace skincells::guess

#include "studies/vertex_fit.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "mesh/edges.h"

namespace skincells::studies {
namespace {

constexpr float kLeastStart = 1e-3F;         // weight of a joint that only neighbors have
constexpr std::size_t kRoomPerInfluence = 2; // candidates of a vertex for each influence it may have
constexpr std::size_t kChunk = 512;

struct Candidate {
  std::uint16_t joint;
  float own, around; // weight in the vertex's own row, and in those of its neighbors together
};

void add(std::vector<Candidate>& row, std::uint16_t joint, float own, float around) {
  auto at = std::find_if(row.begin(), row.end(), [&](const Candidate& c) { return c.joint == joint; });
  if (at == row.end()) at = row.insert(row.end(), {joint, 0, 0});
  at->own += own;
  at->around += around;
}

// Joints that each vertex may use: its own first, then those of its neighbors by how much they have of them.
std::vector<std::vector<Candidate>> findCandidates(const SparseWeights& weights, const Mesh& welded, std::size_t most) {
  std::vector<std::vector<Candidate>> rows(weights.vertexCount());
  const auto give = [&](std::size_t from, std::size_t to, bool own) {
    for (std::size_t k = 0; k < weights.weightRow(from).size(); ++k)
      if (const float w = weights.weightRow(from)[k]; w > 0)
        add(rows[to], weights.jointRow(from)[k], own ? w : 0, own ? 0 : w);
  };
  for (std::size_t v = 0; v < rows.size(); ++v) give(v, v, true);
  for (const mesh::Edge& e : mesh::findEdges(welded.triangles)) {
    give(e.a, e.b, false);
    give(e.b, e.a, false);
  }
  for (auto& row : rows) {
    std::sort(row.begin(), row.end(), [](const Candidate& a, const Candidate& b) {
      if (a.own != b.own) return a.own > b.own;
      return a.around != b.around ? a.around > b.around : a.joint < b.joint;
    });
    row.resize(std::min(row.size(), most));
  }
  return rows;
}

// Rows of weights that are the softmax of free numbers, one per entry.
class SoftmaxRows {
public:
  explicit SoftmaxRows(const std::vector<std::vector<Candidate>>& candidates) {
    for (const auto& row : candidates) {
      rows_.first.push_back(static_cast<std::uint32_t>(rows_.joint.size()));
      rows_.count.push_back(static_cast<std::uint32_t>(row.size()));
      for (const Candidate& c : row) {
        rows_.joint.push_back(c.joint);
        logits_.push_back(std::log(std::max(c.own, kLeastStart)));
      }
    }
    rows_.weight.resize(logits_.size());
  }

  std::vector<float>& logits() { return logits_; }

  const weights::WeightRows& evaluate() {
    forEachRow([&](std::size_t begin, std::size_t end) {
      const float largest = *std::max_element(logits_.begin() + static_cast<std::ptrdiff_t>(begin),
                                              logits_.begin() + static_cast<std::ptrdiff_t>(end));
      float sum = 0;
      for (std::size_t e = begin; e < end; ++e) sum += rows_.weight[e] = std::exp(logits_[e] - largest);
      for (std::size_t e = begin; e < end; ++e) rows_.weight[e] /= sum;
    });
    return rows_;
  }
  // From the derivative in the weights of the last `evaluate` to that in the logits.
  void differentiate(std::span<const float> entry_gradient, std::span<float> gradient) const {
    forEachRow([&](std::size_t begin, std::size_t end) {
      float mean = 0;
      for (std::size_t e = begin; e < end; ++e) mean += rows_.weight[e] * entry_gradient[e];
      for (std::size_t e = begin; e < end; ++e) gradient[e] = rows_.weight[e] * (entry_gradient[e] - mean);
    });
  }
  SparseWeights largest(int max_influences) {
    evaluate();
    const std::uint32_t widest = rows_.count.empty() ? 1 : *std::max_element(rows_.count.begin(), rows_.count.end());
    SparseWeights out(rows_.vertexCount(), static_cast<int>(widest));
    for (std::size_t v = 0; v < rows_.vertexCount(); ++v)
      for (std::size_t k = 0; k < rows_.count[v]; ++k) {
        out.jointRow(v)[k] = rows_.joint[rows_.first[v] + k];
        out.weightRow(v)[k] = rows_.weight[rows_.first[v] + k];
      }
    canonicalize(out, max_influences);
    return out;
  }

private:
  template <class Body> void forEachRow(const Body& body) const {
    parallelChunks(rows_.vertexCount(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t v = begin; v < end; ++v)
        if (rows_.count[v] > 0) body(rows_.first[v], std::size_t{rows_.first[v]} + rows_.count[v]);
    });
  }

  weights::WeightRows rows_;
  std::vector<float> logits_;
};

} // namespace

fit::FitReport minimizeVertexLosses(SparseWeights& weights, int max_influences, const Mesh& welded,
                                    std::span<const rig::BoneSpring> springs, const fit::PoseBatches& batches,
                                    const fit::LossFitOptions& options, const ProgressFunction& progress) {
  const mesh::SolveSpace unit = mesh::unitSpace(welded.bounds());
  FieldParameters space; // only its space and cap matter to the losses
  space.unit_origin = unit.origin;
  space.unit_scale = unit.scale;
  space.max_influences = max_influences;
  fit::PoseObjective poses(welded, springs, space, options.weights);
  SoftmaxRows rows(findCandidates(weights, welded, kRoomPerInfluence * static_cast<std::size_t>(max_influences)));
  optim::Adam adam(rows.logits().size(), {{0, rows.logits().size(), static_cast<float>(options.rates.rate)}});
  std::vector<float> entry_gradient;
  optim::Objective objective;
  objective.measure = [&](int step, std::span<float> gradient) {
    const auto batch =
        poses.prepare(batches(options.pose_batches > 0 ? step % options.pose_batches : step, options.poses_per_step));
    const double loss = poses.evaluate(rows.evaluate(), batch, entry_gradient);
    rows.differentiate(entry_gradient, gradient);
    return loss;
  };
  const auto unseen = poses.prepare(options.held_out);
  if (!options.held_out.empty())
    objective.held_out = [&] { return poses.evaluate(rows.evaluate(), unseen, entry_gradient); };
  objective.go_on = fit::stepProgress("losses", progress);
  fit::FitReport report =
      optim::descend(rows.logits(), adam, {options.steps, options.schedule, options.watch}, objective);
  weights = rows.largest(max_influences);
  return report;
}

} // namespace skincells::studies

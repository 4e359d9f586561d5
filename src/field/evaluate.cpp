#include "field/evaluate.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::field {
namespace {

constexpr std::size_t kMaxChunks = 32;

BlockEvaluator& threadEvaluator() {
  thread_local BlockEvaluator evaluator;
  return evaluator;
}

} // namespace

Evaluator::Evaluator(const FieldPoints& unit_points) : points_(makePointBlocks(unit_points, PointOrder::Spatial)) {
  const std::size_t runs = points_.run_balls.size();
  blocks_per_chunk_ = kRun * std::max<std::size_t>(1, (runs + kMaxChunks - 1) / kMaxChunks);
  chunks_.resize((points_.blocks.size() + blocks_per_chunk_ - 1) / blocks_per_chunk_);
}

void Evaluator::evaluateChunk(const CompiledField& field, float keep_above, std::size_t c) {
  BlockRows& rows = chunks_[c].rows;
  rows.clear();
  BlockEvaluator& evaluator = threadEvaluator();
  evaluator.begin(field, points_, keep_above);
  const std::size_t begin = c * blocks_per_chunk_, end = std::min(points_.blocks.size(), begin + blocks_per_chunk_);
  for (std::size_t b = begin; b < end; ++b) {
    evaluator.evaluate(b);
    rows.add(evaluator, points_.pointsIn(b));
  }
}

void Evaluator::copyRows(std::size_t c, weights::WeightRows& rows) const {
  const Chunk& chunk = chunks_[c];
  std::copy_n(chunk.rows.joints().begin(), chunk.rows.entries(), rows.joint.data() + chunk.first_entry);
  std::copy_n(chunk.rows.weights().begin(), chunk.rows.entries(), rows.weight.data() + chunk.first_entry);
  const std::span<const std::uint32_t> first = chunk.rows.first();
  const auto offset = static_cast<std::uint32_t>(chunk.first_entry);
  const std::uint32_t* order = points_.order.data() + c * blocks_per_chunk_ * kernels::kBlock;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    rows.first[order[i]] = offset + first[i];
    rows.count[order[i]] = first[i + 1] - first[i];
  }
}

void Evaluator::evaluate(const CompiledField& field, float keep_above, weights::WeightRows& rows) {
  parallelChunks(chunks_.size(), 1,
                 [&](std::size_t, std::size_t, std::size_t c) { evaluateChunk(field, keep_above, c); });
  std::size_t entries = 0;
  for (Chunk& chunk : chunks_) {
    chunk.first_entry = entries;
    entries += chunk.rows.entries();
  }
  rows.first.resize(points_.count);
  rows.count.resize(points_.count);
  rows.joint.resize(entries);
  rows.weight.resize(entries);
  parallelChunks(chunks_.size(), 1, [&](std::size_t, std::size_t, std::size_t c) { copyRows(c, rows); });
}

void Evaluator::differentiateGroup(const CompiledField& field, std::size_t group, std::span<float> gradient) const {
  const std::size_t size = field.layout.sitesPerJoint() * kernels::kSiteSums, first = group * kernels::kJointGroup;
  const std::size_t end = std::min(first + kernels::kJointGroup, field.layout.joints());
  const std::size_t front_size = field.layout.normals ? field.layout.sitesPerJoint() * kernels::kFrontSums : 0;
  thread_local std::vector<float> site_sums, front_sums;
  site_sums.assign(kernels::kJointGroup * size, 0.0F);
  front_sums.assign(kernels::kJointGroup * front_size, 0.0F);
  float joint_sums[kernels::kJointGroup * kernels::kJointSums] = {};
  const auto add = [](const std::vector<float>& from, std::size_t at, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += from[at + i];
  };
  for (const Chunk& chunk : chunks_)
    for (std::size_t j = first; j < end; ++j) {
      if (chunk.sums.touched[j] == 0) continue;
      add(chunk.sums.sites, j * size, size, site_sums.data() + (j - first) * size);
      add(chunk.sums.joints, j * kernels::kJointSums, kernels::kJointSums,
          joint_sums + (j - first) * kernels::kJointSums);
      add(chunk.sums.fronts, j * front_size, front_size, front_sums.data() + (j - first) * front_size);
    }
  gradientFromSums(field, group, site_sums.data(), joint_sums, front_sums.data(), gradient);
}

void Evaluator::differentiate(const CompiledField& field, const weights::WeightRows& rows,
                              std::span<const float> entry_gradient, std::span<float> gradient) {
  SKINCELLS_ASSERT(entry_gradient.size() == rows.entryCount());
  parallelChunks(chunks_.size(), 1, [&](std::size_t, std::size_t, std::size_t c) {
    Chunk& chunk = chunks_[c];
    chunk.sums.begin(field.layout);
    chunk.rows.reverse(field, points_, c * blocks_per_chunk_, entry_gradient.data() + chunk.first_entry, chunk.sums);
  });
  parallelChunks(field.groupCount(), 2, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t group = begin; group < end; ++group) differentiateGroup(field, group, gradient);
  });
}

namespace {

// Inserts an entry into a row in canonical order.
void insertCanonical(std::span<std::uint16_t> joints, std::span<float> weights, std::size_t used, std::uint16_t joint,
                     float weight) {
  std::size_t k = used;
  for (; k > 0 && (weights[k - 1] < weight || (weights[k - 1] == weight && joints[k - 1] > joint)); --k) {
    joints[k] = joints[k - 1];
    weights[k] = weights[k - 1];
  }
  joints[k] = joint;
  weights[k] = weight;
}

} // namespace

SparseWeights evaluateHard(const FieldParameters& parameters, const FieldPoints& points) {
  const CompiledField field = compile(parameters, FieldMode::Hard);
  SparseWeights out(points.size(), parameters.max_influences);
  parallelChunks(points.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<Vec3f> unit(end - begin);
    for (std::size_t v = begin; v < end; ++v)
      unit[v - begin] = toFloat(parameters.toUnit(toDouble(points.positions[v])));
    const bool sees = parameters.layout.normals && !points.normals.empty();
    const auto normals = sees ? points.normals.subspan(begin, end - begin) : std::span<const Vec3f>{};
    const PointBlocks blocks = makePointBlocks({unit, normals}, PointOrder::AsGiven);
    BlockEvaluator& evaluator = threadEvaluator();
    evaluator.begin(field, blocks, 0);
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      evaluator.evaluate(b);
      std::size_t used[kernels::kBlock] = {};
      const std::size_t first = begin + b * kernels::kBlock;
      const std::uint32_t all = (1U << blocks.pointsIn(b)) - 1;
      for (std::size_t a = 0; a < evaluator.cells(); ++a)
        for (std::uint32_t bits = evaluator.keep[a] & all; bits != 0; bits &= bits - 1) {
          const auto i = static_cast<std::size_t>(std::countr_zero(bits));
          insertCanonical(out.jointRow(first + i), out.weightRow(first + i), used[i]++,
                          static_cast<std::uint16_t>(evaluator.joint[evaluator.slot[a]]),
                          evaluator.weight[a * kernels::kBlock + i]);
        }
    }
  });
  return out;
}

} // namespace skincells::field

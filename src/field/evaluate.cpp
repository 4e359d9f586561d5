#include "field/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::field {
namespace {

constexpr std::size_t kMostChunks = 32;

BlockEvaluator& threadEvaluator() {
  thread_local BlockEvaluator evaluator;
  return evaluator;
}

// Calls body(cell, point) for every set bit, cells ascending.
template <class Body> void forEachBit(std::span<const std::uint32_t> masks, std::uint32_t among, const Body& body) {
  for (std::size_t a = 0; a < masks.size(); ++a)
    for (std::uint32_t bits = masks[a] & among; bits != 0; bits &= bits - 1)
      body(a, static_cast<std::size_t>(std::countr_zero(bits)));
}

std::uint32_t firstBits(std::size_t count) {
  static_assert(kernels::kBlock < 32);
  return (1U << count) - 1;
}

} // namespace

Evaluator::Evaluator(std::span<const Vec3f> unit_points) : points_(makePointBlocks(unit_points, PointOrder::Spatial)) {
  const std::size_t runs = points_.run_balls.size();
  blocks_per_chunk_ = kRun * std::max<std::size_t>(1, (runs + kMostChunks - 1) / kMostChunks);
  const std::size_t points_per_chunk = blocks_per_chunk_ * kernels::kBlock;
  chunks_.resize((points_.blocks.size() + blocks_per_chunk_ - 1) / blocks_per_chunk_);
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const std::size_t points = std::min(points_.count - c * points_per_chunk, points_per_chunk);
    chunks_[c].count.resize(points), chunks_[c].reference.resize(points);
  }
  positions_.reserve(4 * points_.count);
  for (std::uint32_t v : points_.order) {
    const Vec3f& p = unit_points[v];
    positions_.insert(positions_.end(), {p.x, p.y, p.z, 0.0F});
  }
}

// Entries come cell by cell; rows want them point by point.
void Evaluator::gatherBlock(const BlockEvaluator& block, std::size_t first_point, std::size_t points, Chunk& chunk) {
  const std::uint32_t among = firstBits(points);
  const auto keep = std::span(block.keep).first(block.cells());
  std::uint32_t next[kernels::kBlock] = {};
  std::uint32_t* count = chunk.count.data() + first_point;
  std::fill_n(count, points, 0U);
  forEachBit(keep, among, [&](std::size_t, std::size_t i) { ++count[i]; });
  for (std::size_t i = 0; i < points; ++i) next[i] = chunk.entries, chunk.entries += count[i];
  chunk.makeRoom();
  std::uint16_t* joint = chunk.joint.data(); // plain pointers, so that no store makes the compiler read them again
  float* weight = chunk.weight.data();
  kernels::EntryTrace* trace = chunk.trace.data();
  const float *from_weight = block.weight.data(), *log_raw = block.log_raw.data();
  const float *inverse = block.inverse_distance.data(), *by_distance = block.by_distance.data();
  const float* by_reference = block.by_reference.data();
  forEachBit(keep, among, [&](std::size_t a, std::size_t i) {
    const std::size_t from = a * kernels::kBlock + i, to = next[i]++;
    joint[to] = block.joint[a];
    weight[to] = from_weight[from];
    trace[to] = {log_raw[from], inverse[from], by_distance[from], by_reference[from],
                 static_cast<std::uint32_t>(block.site[from])};
  });
  kernels::ReferenceTrace* reference = chunk.reference.data() + first_point;
  std::fill_n(reference, points, kernels::ReferenceTrace{});
  forEachBit(std::span(block.at_reference).first(block.cells()), among, [&](std::size_t a, std::size_t i) {
    reference[i] = {1 / std::sqrt(block.reference2()[i]),
                    static_cast<std::uint32_t>(block.site[a * kernels::kBlock + i]), block.joint[a]};
  });
  for (std::size_t i = 0; i < points; ++i)
    if (block.top[i] == kernels::kNoRaw) reference[i].site = kernels::kNoSite;
}

void Evaluator::Chunk::makeRoom() {
  if (entries <= weight.size()) return;
  const std::size_t room = 2 * std::size_t{entries};
  joint.resize(room), weight.resize(room), trace.resize(room);
}

void Evaluator::evaluateChunk(const CompiledField& field, float keep_above, std::size_t c) {
  Chunk& chunk = chunks_[c];
  chunk.entries = 0;
  BlockEvaluator& evaluator = threadEvaluator();
  evaluator.begin(field, points_, keep_above);
  const std::size_t begin = c * blocks_per_chunk_, end = std::min(points_.blocks.size(), begin + blocks_per_chunk_);
  for (std::size_t b = begin; b < end; ++b) {
    evaluator.evaluate(b);
    evaluator.findSlopes();
    gatherBlock(evaluator, (b - begin) * kernels::kBlock, points_.pointsIn(b), chunk);
  }
}

void Evaluator::evaluate(const CompiledField& field, float keep_above, weights::WeightRows& rows) {
  parallelChunks(chunks_.size(), 1,
                 [&](std::size_t, std::size_t, std::size_t c) { evaluateChunk(field, keep_above, c); });
  std::uint32_t entries = 0;
  for (Chunk& chunk : chunks_) chunk.first_entry = entries, entries += chunk.entries;
  rows.first.resize(points_.count), rows.count.resize(points_.count);
  rows.joint.resize(entries), rows.weight.resize(entries);
  parallelChunks(chunks_.size(), 1, [&](std::size_t, std::size_t, std::size_t c) {
    const Chunk& chunk = chunks_[c];
    std::copy_n(chunk.joint.begin(), chunk.entries, rows.joint.begin() + chunk.first_entry);
    std::copy_n(chunk.weight.begin(), chunk.entries, rows.weight.begin() + chunk.first_entry);
    std::uint32_t first = chunk.first_entry;
    for (std::size_t i = 0; i < chunk.count.size(); ++i) {
      const std::uint32_t v = points_.order[c * blocks_per_chunk_ * kernels::kBlock + i];
      rows.first[v] = first, rows.count[v] = chunk.count[i];
      first += chunk.count[i];
    }
  });
}

void Evaluator::differentiateChunk(const CompiledField& field, std::span<const float> entry_gradient, std::size_t c) {
  Chunk& chunk = chunks_[c];
  const std::size_t joints = field.layout.joints();
  chunk.site_sums.resize(field.layout.sites() * kernels::kSiteSums);
  chunk.joint_sums.resize(joints * kernels::kJointSums);
  chunk.touched.assign(joints, 0);
  kernels::reverseRun({.points = chunk.count.size(),
                       .position = positions_.data() + 4 * c * blocks_per_chunk_ * kernels::kBlock,
                       .count = chunk.count.data(),
                       .reference = chunk.reference.data(),
                       .joint = chunk.joint.data(),
                       .weight = chunk.weight.data(),
                       .trace = chunk.trace.data(),
                       .gradient = entry_gradient.data() + chunk.first_entry,
                       .cuts = field.cuts(),
                       .site_count = field.layout.sitesPerJoint(),
                       .centre = field.centre.data(),
                       .offset = field.offset.data(),
                       .falloff = field.falloff.data(),
                       .site_sums = chunk.site_sums.data(),
                       .joint_sums = chunk.joint_sums.data(),
                       .touched = chunk.touched.data()});
}

void Evaluator::differentiateJoint(const CompiledField& field, const FieldParameters& parameters, std::size_t j,
                                   std::span<float> gradient) const {
  const std::size_t size = field.layout.sitesPerJoint() * kernels::kSiteSums;
  thread_local std::vector<float> site_sums;
  site_sums.assign(size, 0.0F);
  float joint_sums[kernels::kJointSums] = {};
  for (const Chunk& chunk : chunks_) {
    if (chunk.touched[j] == 0) continue;
    const float* of_sites = chunk.site_sums.data() + j * size;
    for (std::size_t i = 0; i < size; ++i) site_sums[i] += of_sites[i];
    for (std::size_t i = 0; i < kernels::kJointSums; ++i)
      joint_sums[i] += chunk.joint_sums[j * kernels::kJointSums + i];
  }
  gradientFromSums(field, parameters, j, site_sums.data(), joint_sums, gradient);
}

void Evaluator::differentiate(const CompiledField& field, const FieldParameters& parameters,
                              const weights::WeightRows& rows, std::span<const float> entry_gradient,
                              std::span<float> gradient) {
  SKINCELLS_ASSERT(entry_gradient.size() == rows.entryCount());
  parallelChunks(chunks_.size(), 1,
                 [&](std::size_t, std::size_t, std::size_t c) { differentiateChunk(field, entry_gradient, c); });
  parallelChunks(field.layout.joints(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j) differentiateJoint(field, parameters, j, gradient);
  });
}

namespace {

// Puts an entry into a row that is kept in canonical order.
void insertCanonical(std::span<std::uint16_t> joints, std::span<float> weights, std::size_t used, std::uint16_t joint,
                     float weight) {
  std::size_t k = used;
  for (; k > 0 && (weights[k - 1] < weight || (weights[k - 1] == weight && joints[k - 1] > joint)); --k)
    joints[k] = joints[k - 1], weights[k] = weights[k - 1];
  joints[k] = joint, weights[k] = weight;
}

} // namespace

SparseWeights evaluateHard(const FieldParameters& parameters, std::span<const Vec3f> points) {
  const CompiledField field = compile(parameters, FieldMode::Hard);
  SparseWeights out(points.size(), parameters.max_influences);
  parallelChunks(points.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<Vec3f> unit(end - begin);
    for (std::size_t v = begin; v < end; ++v) unit[v - begin] = toFloat(parameters.toUnit(toDouble(points[v])));
    const PointBlocks blocks = makePointBlocks(unit, PointOrder::AsGiven);
    BlockEvaluator& evaluator = threadEvaluator();
    evaluator.begin(field, blocks, 0);
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      evaluator.evaluate(b);
      std::size_t used[kernels::kBlock] = {};
      const std::size_t first = begin + b * kernels::kBlock;
      forEachBit(std::span(evaluator.keep).first(evaluator.cells()), firstBits(blocks.pointsIn(b)),
                 [&](std::size_t a, std::size_t i) {
                   insertCanonical(out.jointRow(first + i), out.weightRow(first + i), used[i], evaluator.joint[a],
                                   evaluator.weight[a * kernels::kBlock + i]);
                   ++used[i];
                 });
    }
  });
  return out;
}

} // namespace skincells::field

#include "field/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::field {
namespace {

constexpr std::size_t kLeastBlocksPerChunk = 6, kMostChunks = 48;

BlockScratch& threadScratch() {
  thread_local BlockScratch scratch;
  return scratch;
}

// Calls body(cell, point) for every set bit, cells ascending.
template <class Body> void forEachBit(const std::vector<std::uint32_t>& masks, std::uint32_t among, const Body& body) {
  for (std::size_t a = 0; a < masks.size(); ++a)
    for (std::uint32_t bits = masks[a] & among; bits != 0; bits &= bits - 1)
      body(a, static_cast<std::size_t>(std::countr_zero(bits)));
}

std::uint32_t firstBits(std::size_t count) {
  return count >= 32 ? 0xFFFFFFFFU : (1U << count) - 1;
}

// Adds the derivative of a cell distance to its site's sums.
void addDistance(const CompiledField& field, std::size_t joint, std::size_t site, const Vec3f& x, float distance,
                 float g, float* joint_sums) {
  float* to = joint_sums + (site - joint * field.layout.sitesPerJoint()) * kSiteSums;
  const float* p = &field.centre[3 * site];
  const Vec3f u = x - Vec3f{p[0], p[1], p[2]};
  const float t = field.offset[site];
  float by_squared = g / distance; // 2 dL/d(d^2)
  if (distance < t) {
    // Inside, d^2 = 2 h t - t^2, and (1 - d^2 / t^2) / 2 = 1 - h / t.
    by_squared = g / t;
    to[9] += g * (t - distance);
  }
  const Vec3f gu = u * by_squared;
  to[0] += gu.x, to[1] += gu.y, to[2] += gu.z;
  to[3] += gu.x * u.x, to[4] += gu.y * u.y, to[5] += gu.z * u.z;
  to[6] += gu.x * u.y, to[7] += gu.x * u.z, to[8] += gu.y * u.z;
}

} // namespace

Evaluator::Evaluator(std::span<const Vec3f> unit_points) : points_(makePointBlocks(unit_points, PointOrder::Spatial)) {
  const std::size_t blocks = points_.blocks.size();
  blocks_per_chunk_ = std::max(kLeastBlocksPerChunk, (blocks + kMostChunks - 1) / kMostChunks);
  chunks_.resize((blocks + blocks_per_chunk_ - 1) / blocks_per_chunk_);
}

Vec3f Evaluator::pointAt(std::size_t place) const {
  const kernels::BlockPoints& block = points_.blocks[place / kernels::kBlock];
  const std::size_t i = place % kernels::kBlock;
  return {block.x[i], block.y[i], block.z[i]};
}

void Evaluator::gatherBlock(const BlockScratch& s, std::size_t points, Chunk& chunk) {
  const std::uint32_t among = firstBits(points);
  std::uint32_t count[kernels::kBlock] = {}, next[kernels::kBlock];
  forEachBit(s.keep, among, [&](std::size_t, std::size_t i) { ++count[i]; });
  auto end = static_cast<std::uint32_t>(chunk.weight.size());
  for (std::size_t i = 0; i < points; ++i) next[i] = end, end += count[i];
  chunk.count.insert(chunk.count.end(), count, count + points);
  chunk.joint.resize(end), chunk.weight.resize(end), chunk.trace.resize(end);
  forEachBit(s.keep, among, [&](std::size_t a, std::size_t i) {
    const std::size_t from = a * kernels::kBlock + i, to = next[i]++;
    chunk.joint[to] = s.joint[a];
    chunk.weight[to] = s.weight[from];
    chunk.trace[to] = {std::sqrt(s.squared[from]), s.log_raw[from], static_cast<std::uint32_t>(s.site[from])};
  });
  std::uint32_t site[kernels::kBlock] = {};
  std::uint16_t joint[kernels::kBlock] = {};
  forEachBit(s.at_reference, among, [&](std::size_t a, std::size_t i) {
    site[i] = static_cast<std::uint32_t>(s.site[a * kernels::kBlock + i]);
    joint[i] = s.joint[a];
  });
  for (std::size_t i = 0; i < points; ++i) {
    if (s.top[i] == kernels::kNoRaw) site[i] = kNoSite;
    chunk.reference.push_back(std::sqrt(s.reference2[i]));
  }
  chunk.reference_site.insert(chunk.reference_site.end(), site, site + points);
  chunk.reference_joint.insert(chunk.reference_joint.end(), joint, joint + points);
}

void Evaluator::evaluateChunk(const CompiledField& field, float keep_above, std::size_t c) {
  Chunk& chunk = chunks_[c];
  chunk.count.clear(), chunk.joint.clear(), chunk.weight.clear(), chunk.trace.clear();
  chunk.reference.clear(), chunk.reference_site.clear(), chunk.reference_joint.clear();
  BlockScratch& scratch = threadScratch();
  const std::size_t end = std::min(points_.blocks.size(), (c + 1) * blocks_per_chunk_);
  for (std::size_t b = c * blocks_per_chunk_; b < end; ++b) {
    evaluateBlock(field, points_, b, keep_above, scratch);
    gatherBlock(scratch, points_.pointsIn(b), chunk);
  }
}

void Evaluator::evaluate(const CompiledField& field, float keep_above, weights::WeightRows& rows) {
  parallelChunks(chunks_.size(), 1,
                 [&](std::size_t, std::size_t, std::size_t c) { evaluateChunk(field, keep_above, c); });
  std::uint32_t entries = 0;
  for (Chunk& chunk : chunks_) chunk.first_entry = entries, entries += static_cast<std::uint32_t>(chunk.weight.size());
  rows.first.resize(points_.count), rows.count.resize(points_.count);
  rows.joint.resize(entries), rows.weight.resize(entries);
  parallelChunks(chunks_.size(), 1, [&](std::size_t, std::size_t, std::size_t c) {
    const Chunk& chunk = chunks_[c];
    std::copy(chunk.joint.begin(), chunk.joint.end(), rows.joint.begin() + chunk.first_entry);
    std::copy(chunk.weight.begin(), chunk.weight.end(), rows.weight.begin() + chunk.first_entry);
    std::uint32_t first = chunk.first_entry;
    for (std::size_t i = 0; i < chunk.count.size(); ++i) {
      const std::uint32_t v = points_.order[c * blocks_per_chunk_ * kernels::kBlock + i];
      rows.first[v] = first, rows.count[v] = chunk.count[i];
      first += chunk.count[i];
    }
  });
}

float* Evaluator::sumsOf(Chunk& chunk, std::size_t joint, std::size_t per_joint) {
  float* sums = chunk.sums.data() + joint * per_joint;
  if (chunk.has_sums[joint] == 0) {
    chunk.has_sums[joint] = 1;
    std::fill_n(sums, per_joint, 0.0F);
  }
  return sums;
}

void Evaluator::differentiatePoint(const CompiledField& field, const Vec3f& x, std::size_t i, std::size_t begin,
                                   std::size_t end, const float* entry_gradient, Chunk& chunk) {
  const std::size_t per_joint = field.sumsPerJoint(), site_sums = per_joint - kJointSums;
  const float reference = chunk.reference[i];
  float mean = 0, by_reference = 0;
  for (std::size_t k = begin; k < end; ++k) mean += chunk.weight[k] * entry_gradient[k];
  for (std::size_t k = begin; k < end; ++k) {
    const float g = chunk.weight[k] * (entry_gradient[k] - mean); // dL/d(log_raw)
    if (g == 0) continue;
    const Trace& trace = chunk.trace[k];
    const std::size_t j = chunk.joint[k];
    float* sums = sumsOf(chunk, j, per_joint);
    sums[site_sums + 1] += g * trace.log_raw;
    const float gr = g * field.falloff[j], above = reference - trace.distance;
    float by_distance = -gr / trace.distance;
    if (field.cuts() && above > field.slack[j]) {
      by_distance -= gr / above;
      by_reference += gr / above;
    } else if (field.cuts()) {
      sums[site_sums] += gr;
    }
    addDistance(field, j, trace.site, x, trace.distance, by_distance, sums);
  }
  if (by_reference == 0) return;
  const std::size_t j = chunk.reference_joint[i];
  addDistance(field, j, chunk.reference_site[i], x, reference, by_reference, sumsOf(chunk, j, per_joint));
}

void Evaluator::differentiateChunk(const CompiledField& field, std::span<const float> entry_gradient, std::size_t c) {
  Chunk& chunk = chunks_[c];
  chunk.sums.resize(field.layout.joints() * field.sumsPerJoint());
  chunk.has_sums.assign(field.layout.joints(), 0);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < chunk.count.size(); ++i) {
    const std::size_t end = begin + chunk.count[i];
    if (chunk.reference_site[i] != kNoSite)
      differentiatePoint(field, pointAt(c * blocks_per_chunk_ * kernels::kBlock + i), i, begin, end,
                         entry_gradient.data() + chunk.first_entry, chunk);
    begin = end;
  }
}

void Evaluator::differentiate(const CompiledField& field, const FieldParameters& parameters,
                              const weights::WeightRows& rows, std::span<const float> entry_gradient,
                              std::span<float> gradient) {
  SKINCELLS_ASSERT(entry_gradient.size() == rows.entryCount());
  parallelChunks(chunks_.size(), 1,
                 [&](std::size_t, std::size_t, std::size_t c) { differentiateChunk(field, entry_gradient, c); });
  const std::size_t per_joint = field.sumsPerJoint();
  std::vector<float> sums(field.layout.joints() * per_joint, 0.0F);
  parallelChunks(field.layout.joints(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j)
      for (const Chunk& chunk : chunks_) {
        if (chunk.has_sums[j] == 0) continue;
        for (std::size_t i = j * per_joint; i < (j + 1) * per_joint; ++i) sums[i] += chunk.sums[i];
      }
  });
  gradientFromSums(field, parameters, sums, gradient);
}

namespace {

// Puts an entry into a row that is kept in canonical order.
void insertCanonical(std::span<std::uint16_t> joints, std::span<float> weights, std::size_t used, std::uint16_t joint,
                     float weight) {
  std::size_t k = used;
  for (; k > 0 && weights[k - 1] < weight; --k) joints[k] = joints[k - 1], weights[k] = weights[k - 1];
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
    BlockScratch& scratch = threadScratch();
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      evaluateBlock(field, blocks, b, 0, scratch);
      std::size_t used[kernels::kBlock] = {};
      const std::size_t first = begin + b * kernels::kBlock;
      forEachBit(scratch.keep, firstBits(blocks.pointsIn(b)), [&](std::size_t a, std::size_t i) {
        insertCanonical(out.jointRow(first + i), out.weightRow(first + i), used[i], scratch.joint[a],
                        scratch.weight[a * kernels::kBlock + i]);
        ++used[i];
      });
    }
  });
  return out;
}

} // namespace skincells::field

#include "field/block_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace skincells::field {

void BlockSums::begin(const FieldLayout& layout) {
  sites.resize(layout.sites() * kernels::kSiteSums);
  joints.resize(layout.joints() * kernels::kJointSums);
  fronts.resize(layout.normals ? layout.sites() * kernels::kFrontSums : 0);
  touched.assign(layout.joints(), 0);
}

void BlockRows::clear() {
  first_.assign(1, 0U);
  cells_.clear();
  reference2_.clear();
  cell_count_ = 0;
}

void BlockRows::makeRoom(std::size_t cells, std::size_t entries) {
  if (cells > cell_joint_.size()) {
    const std::size_t room = 2 * cells, size = room * kernels::kBlock;
    for (auto* by_cell : {&cell_joint_, &cell_keep_, &at_reference_}) by_cell->resize(room);
    for (auto* by_point : {&distance_, &log_raw_, &cell_weight_}) by_point->resize(size);
    site_.resize(size);
  }
  if (entries > weight_.size()) {
    joint_.resize(2 * entries);
    place_.resize(2 * entries);
    weight_.resize(2 * entries);
  }
}

void BlockRows::addCells(const BlockEvaluator& block, std::uint32_t points, std::uint32_t live) {
  std::uint32_t without_reference = live;
  for (std::size_t a = 0; a < block.cells(); ++a) {
    const std::size_t slot = block.slot[a], to_cell = cell_count_;
    const std::uint32_t keep = block.keep[a] & points, at_reference = block.at_reference[a] & without_reference;
    if ((keep | at_reference) == 0) continue;
    without_reference &= ~at_reference; // of several cells at distance D, only the first
    cell_joint_[to_cell] = block.joint[slot];
    cell_keep_[to_cell] = keep;
    at_reference_[to_cell] = at_reference;
    const auto copy = [to_cell](const auto& from, std::size_t cell, auto& to) {
      static_assert(sizeof(from[0]) == sizeof(to[0]));
      std::memcpy(to.data() + to_cell * kernels::kBlock, from.data() + cell * kernels::kBlock,
                  kernels::kBlock * sizeof(to[0])); // std::copy_n would not be inlined
    };
    copy(block.site, slot, site_);
    copy(block.distance, a, distance_);
    copy(block.log_raw, a, log_raw_);
    copy(block.weight, a, cell_weight_);
    ++cell_count_;
  }
}

// The block lists entries cell by cell, rows hold them point by point.
void BlockRows::addEntries(const BlockEvaluator& block, std::size_t first_cell, std::size_t points) {
  std::uint32_t next[kernels::kBlock];
  for (std::size_t i = 0; i < points; ++i) {
    next[i] = first_.back();
    first_.push_back(next[i] + static_cast<std::uint32_t>(block.kept[i]));
  }
  makeRoom(0, entries());
  // Local pointers, so that the compiler does not reload them after each store.
  std::uint16_t* joint = joint_.data();
  std::uint32_t* place = place_.data();
  float* weight = weight_.data();
  const std::size_t count = cell_count_ - first_cell;
  const std::uint32_t *keep = cell_keep_.data() + first_cell, *joint_of = cell_joint_.data() + first_cell;
  const float* from = cell_weight_.data() + first_cell * kernels::kBlock;
  for (std::size_t a = 0; a < count; ++a) {
    const auto j = static_cast<std::uint16_t>(joint_of[a]);
    for (std::uint32_t bits = keep[a]; bits != 0; bits &= bits - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(bits));
      const std::size_t at = a * kernels::kBlock + i, to = next[i]++;
      joint[to] = j;
      weight[to] = from[at];
      place[to] = static_cast<std::uint32_t>(at);
    }
  }
}

void BlockRows::add(const BlockEvaluator& block, std::size_t points) {
  static_assert(kernels::kBlock < 32);
  const std::uint32_t all = (1U << points) - 1;
  // Points with a raw weight above 0. The weights of the others do not depend on the parameters.
  std::uint32_t live = all;
  for (std::size_t i = 0; i < points; ++i)
    if (block.top[i] == kernels::kLogZero) live &= ~(1U << i);
  const std::size_t first_cell = cell_count_;
  makeRoom(first_cell + block.cells(), 0);
  addCells(block, all, live);
  addEntries(block, first_cell, points);
  for (std::uint32_t dead = all & ~live; dead != 0; dead &= dead - 1)
    for (std::size_t a = first_cell; a < cell_count_; ++a)
      cell_weight_[a * kernels::kBlock + static_cast<std::size_t>(std::countr_zero(dead))] = 0;
  cells_.push_back(static_cast<std::uint32_t>(cell_count_ - first_cell));
  reference2_.insert(reference2_.end(), block.reference2(), block.reference2() + kernels::kBlock);
}

void BlockRows::reverse(const CompiledField& field, const PointBlocks& points, std::size_t first_block,
                        const float* gradient, BlockSums& sums) const {
  thread_local std::vector<float> by_cell, by_distance, inverse_distance;
  std::size_t first_cell = 0, entry = 0;
  for (std::size_t b = 0; b < cells_.size(); first_cell += cells_[b++]) {
    const std::size_t size = cells_[b] * kernels::kBlock, begin = first_cell * kernels::kBlock;
    if (by_distance.size() < size) {
      by_distance.resize(size);
      inverse_distance.resize(size);
    }
    by_cell.assign(size, 0.0F);
    float* cell_gradient = by_cell.data();
    const std::size_t end = first_[std::min((b + 1) * kernels::kBlock, first_.size() - 1)];
    for (; entry < end; ++entry) cell_gradient[place_[entry]] = gradient[entry];
    kernels::active().reverseBlock({.points = &points.blocks[first_block + b],
                                    .cells = cells_[b],
                                    .joint = cell_joint_.data() + first_cell,
                                    .keep = cell_keep_.data() + first_cell,
                                    .at_reference = at_reference_.data() + first_cell,
                                    .distance = distance_.data() + begin,
                                    .log_raw = log_raw_.data() + begin,
                                    .weight = cell_weight_.data() + begin,
                                    .gradient = cell_gradient,
                                    .site = site_.data() + begin,
                                    .reference2 = reference2_.data() + b * kernels::kBlock,
                                    .cuts = field.cuts(),
                                    .site_count = field.layout.sitesPerJoint(),
                                    .center = field.center.data(),
                                    .offset = field.offset.data(),
                                    .falloff = field.falloff.data(),
                                    .slack = field.slack.data(),
                                    .front = field.frontView(points.normalsOf(first_block + b)),
                                    .by_distance = by_distance.data(),
                                    .inverse_distance = inverse_distance.data(),
                                    .site_sums = sums.sites.data(),
                                    .joint_sums = sums.joints.data(),
                                    .front_sums = sums.fronts.empty() ? nullptr : sums.fronts.data(),
                                    .touched = sums.touched.data()});
  }
}

} // namespace skincells::field

#include "weights/rows_edit.h"

#include <gtest/gtest.h>

namespace skincells::weights {
namespace {

SparseWeights oneRow(std::vector<std::uint16_t> joints, std::vector<float> weights) {
  SparseWeights out(1, static_cast<int>(joints.size()));
  out.joints = std::move(joints);
  out.weights = std::move(weights);
  return out;
}

TEST(RowsEdit, HalfL1IsTheWeightThatMoved) {
  const SparseWeights a = oneRow({1, 2, 0}, {0.75F, 0.25F, 0}), b = oneRow({2, 3, 0}, {0.5F, 0.5F, 0});
  EXPECT_DOUBLE_EQ(halfL1(rowOf(a, 0), rowOf(b, 0)), 0.75);
  EXPECT_DOUBLE_EQ(halfL1(rowOf(b, 0), rowOf(a, 0)), 0.75);
  EXPECT_EQ(halfL1(rowOf(a, 0), rowOf(a, 0)), 0);
}

TEST(RowsEdit, RemapJointsLeavesEmptySlotsAtJointZero) {
  SparseWeights w = oneRow({2, 0, 1}, {0.5F, 0.5F, 0});
  const std::vector<int> new_joint{7, -1, 3};
  EXPECT_EQ(firstUnmappedJoint(w, new_joint), -1);
  remapJoints(w, new_joint);
  EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{3, 7, 0}));
}

TEST(RowsEdit, FirstUnmappedJointIgnoresSlotsWithoutWeight) {
  EXPECT_EQ(firstUnmappedJoint(oneRow({1, 0}, {1, 0}), std::vector{-1, 4}), -1);
  EXPECT_EQ(firstUnmappedJoint(oneRow({0, 1}, {1, 0}), std::vector{-1, 4}), 0);
}

TEST(RowsEdit, KeepLargestKeepsOrderAndTies) {
  SparseWeights w(1, 2);
  const float weights[] = {0.25F, 0.5F, 0.25F, 0.75F, 0.5F, -1};
  for (int j = 0; j < 6; ++j) keepLargest(j, weights[j], w.jointRow(0), w.weightRow(0));
  EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{3, 1}));
  EXPECT_EQ(w.weights, (std::vector<float>{0.75F, 0.5F}));
}

TEST(RowsEdit, CopiedRowsAreEqual) {
  const SparseWeights row = oneRow({4, 2}, {0.75F, 0.25F});
  SparseWeights w(3, 2);
  setRows(row, std::vector<std::uint32_t>{0, 2}, w);
  EXPECT_TRUE(equalRows(rowOf(w, 0), rowOf(row, 0)));
  EXPECT_FALSE(equalRows(rowOf(w, 1), rowOf(row, 0)));
  EXPECT_TRUE(equalRows(rowOf(w, 0), rowOf(w, 2)));
}

} // namespace
} // namespace skincells::weights

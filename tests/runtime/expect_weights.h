// Weights of the run-time evaluators against the library's.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "skincells/apply.h"
#include "skincells/io/field_file.h"
#include "skincells/runtime/skincells_field.h"
#include "support/field_samples.h"

namespace skincells::test {

// Fields of many kinds: few and many joints, both shapes, one to eight influences, far from the origin, with and
// without normals.
inline std::vector<FieldDocument> fieldsToTry() {
  std::vector<FieldDocument> documents;
  for (FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular})
    for (int joints : {2, 4, 9, 40})
      for (int influences : {1, 2, 4, 8})
        for (bool normals : {false, true}) {
          FieldDocument document = sampleDocument(joints, 1 + joints % 6, shape, influences, normals);
          document.field.unit_scale = 1;
          document.field.unit_origin = {0.5, 0.25, -2};
          documents.push_back(std::move(document));
        }
  return documents;
}

inline std::vector<Vec3f> pointsToTry() {
  Random random(11);
  std::vector<Vec3f> points = randomPoints(random, 300);
  for (Vec3f& p : points) p += Vec3f{0.5F, 0.25F, -2};
  return points;
}

// The packed field as the header makes it from the bytes of a file.
inline std::vector<float> packed(const FieldDocument& document) {
  const auto bytes = encodeField(document);
  skc_field field;
  EXPECT_EQ(skc_open(bytes.data(), bytes.size(), &field), SKC_OK);
  std::vector<float> out(skc_packed_size(&field) / sizeof(float));
  skc_pack(&field, out.data());
  return out;
}

// Anything with count, joint[] and weight[] against row v of the library's weights.
template <class Weights> void expectRow(const SparseWeights& expected, std::size_t v, const Weights& found) {
  std::vector<double> row(64);
  for (std::size_t k = 0; k < expected.weightRow(v).size(); ++k)
    row[expected.jointRow(v)[k]] += static_cast<double>(expected.weightRow(v)[k]);
  ASSERT_LE(found.count, expected.slots);
  double sum = 0;
  for (int k = 0; k < found.count; ++k) {
    row[found.joint[k]] -= static_cast<double>(found.weight[k]);
    sum += static_cast<double>(found.weight[k]);
  }
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_LT(std::abs(*std::ranges::max_element(row, {}, [](double w) { return std::abs(w); })), 2e-4) << "point " << v;
}

// evaluate(packed, point, normal, max_influences) for all fields, points and caps; without normals, they are 0.
template <class Evaluate> void expectLikeLibrary(bool with_normals, const Evaluate& evaluate) {
  const auto points = pointsToTry();
  Random random(12);
  const auto normals = with_normals ? randomNormals(random, points.size()) : std::vector<Vec3f>(points.size());
  for (const FieldDocument& document : fieldsToTry()) {
    SCOPED_TRACE(testing::Message() << document.field.layout.joint_count << " joints, " << document.field.max_influences
                                    << " influences");
    const auto numbers = packed(document);
    for (int influences : {0, 1, document.field.max_influences}) {
      const SparseWeights expected = evaluateField(document, {points, normals}, influences);
      for (std::size_t v = 0; v < points.size(); ++v)
        expectRow(expected, v, evaluate(numbers, points[v], normals[v], influences));
    }
  }
}

} // namespace skincells::test

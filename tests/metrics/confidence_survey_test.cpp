#include <gtest/gtest.h>

#include "metrics/confidence_survey.h"
#include "support/shapes.h"

namespace skincells::metrics {
namespace {

TEST(ConfidenceSurvey, ListsTheLeastSurePlacesOnce) {
  const Mesh mesh = test::tube(4, 0.4, 17, 12);
  SparseWeights weights(mesh.vertexCount(), 2);
  std::vector<float> confidence(mesh.vertexCount(), 0.9F);
  std::uint32_t doubtful = 0;
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    const float y = mesh.positions[v].y;
    const bool upper = y > 2;
    weights.jointRow(v)[0] = upper ? 1 : 0;
    weights.jointRow(v)[1] = upper ? 0 : 1;
    weights.weightRow(v)[0] = 0.75F;
    weights.weightRow(v)[1] = 0.25F;
    if (y > 0.9F && y < 1.1F) confidence[v] = 0.2F;
    if (y > 2.9F && y < 3.1F) confidence[v] = 0.1F;
    doubtful += confidence[v] < kDoubtful ? 1 : 0;
  }
  const ConfidenceSurvey s = surveyConfidence(mesh, weights, confidence, 3);
  ASSERT_GE(s.places.size(), 2U);
  EXPECT_EQ(s.places[0].joint, 1);
  EXPECT_EQ(s.places[0].other, 0);
  EXPECT_FLOAT_EQ(static_cast<float>(s.places[0].confidence), 0.1F);
  EXPECT_EQ(toFloat(s.places[0].position), mesh.positions[s.places[0].vertex]);
  for (std::size_t i = 0; i < s.places.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_GE(length(s.places[i].position - s.places[k].position), 0.1 * mesh.bounds().diagonal());
  EXPECT_DOUBLE_EQ(s.percent_doubtful, 100.0 * doubtful / mesh.vertexCount());
  EXPECT_LT(s.of_joint[1], s.of_joint[0]);
  EXPECT_EQ(s.of_joint[2], 1); // leads nothing
  EXPECT_LT(s.mean, 0.9);
}

TEST(ConfidenceSurvey, NothingToDoubt) {
  const Mesh mesh = test::tube(4, 0.4, 17, 12);
  const std::vector<float> sure(mesh.vertexCount(), 1.0F);
  const ConfidenceSurvey s = surveyConfidence(mesh, SparseWeights(mesh.vertexCount(), 1), sure, 1);
  EXPECT_TRUE(s.places.empty());
  EXPECT_EQ(s.mean, 1);
  EXPECT_EQ(surveyConfidence({}, {}, {}, 2).of_joint, (std::vector<double>{1, 1}));
}

} // namespace
} // namespace skincells::metrics

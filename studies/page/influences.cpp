#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "field/evaluate.h"
#include "field/reference.h"
#include "studies/page/section.h"
#include "studies/page/tables.h"

namespace skincells::studies {
namespace {

// A field with parameters far beyond those that an optimization reaches.
FieldParameters wildField(Random& random, int max_influences) {
  FieldLayout layout;
  layout.joint_count = 1 + static_cast<int>(random.below(40));
  layout.site_count = 1 + static_cast<int>(random.below(8));
  layout.shape = random.below(2) == 0 ? FieldShape::ScaleRotation : FieldShape::Triangular;
  layout.normals = random.below(2) == 0;
  FieldParameters field(layout, max_influences);
  const auto fill = [&](std::span<float> values, double lo, double hi) {
    for (float& v : values) v = static_cast<float>(random.uniform(lo, hi));
  };
  fill(field.centers(), -0.5, 1.5);
  fill(field.logOffsets(), std::log(1e-4), std::log(2));
  fill(field.shapes(), -1, 1);
  fill(field.logSlacks(), std::log(1e-5), std::log(2));
  fill(field.logFalloffs(), 0, std::log(64));
  fill(field.logFronts(), std::log(0.1), std::log(20));
  return field;
}

struct Points {
  std::vector<Vec3f> positions, normals;
};
// Points in and around the unit box, and on the sites.
Points wildPoints(Random& random, FieldParameters& field, int count) {
  Points out;
  for (int i = 0; i < count; ++i) {
    const std::size_t site = random.below(static_cast<std::uint32_t>(field.layout.sites()));
    const float* c = &field.centers()[3 * site];
    out.positions.push_back(i % 8 == 0
                                ? Vec3f{c[0], c[1], c[2]}
                                : toFloat({random.uniform(-1, 2), random.uniform(-1, 2), random.uniform(-1, 2)}));
    out.normals.push_back(toFloat(random.direction() * random.uniform()));
  }
  return out;
}

struct Count {
  int most = 0;         // non-zero weights at a point
  std::size_t none = 0; // points without a valid row
  std::size_t points = 0;

  template <class Weights> void add(const Weights& row) {
    int nonzero = 0;
    double sum = 0;
    for (double w : row) {
      nonzero += w != 0;
      sum += w;
    }
    ++points;
    none += !(std::abs(sum - 1) < 1e-4);
    most = std::max(most, nonzero);
  }
};

struct Counts {
  Count definition, product, printed;
};

Counts countNonzeros(Random& random, int k, int fields, int points_each) {
  Counts out;
  for (int f = 0; f < fields; ++f) {
    FieldParameters field = wildField(random, k);
    const Points points = wildPoints(random, field, points_each);
    const std::vector<double> values(field.values.begin(), field.values.end());
    const field::ReferenceField<double> exact{field.layout, k, values};
    // With the K-th distance as printed, one joint fewer is nearer than the reference.
    field::ReferenceField<double> printed{field.layout, k - 1, values};
    for (std::size_t p = 0; p < points.positions.size(); ++p) {
      const field::ReferencePoint<double> at(toDouble(points.positions[p]), toDouble(points.normals[p]));
      const auto trace = field::evaluatePoint(exact, at, field::FieldMode::Hard);
      out.definition.add(trace.weight);
      const auto short_trace = field::evaluatePoint(printed, at, field::FieldMode::Hard);
      if (field.layout.joint_count > k) out.printed.add(short_trace.weight);
    }
    field::Evaluator evaluator({points.positions, points.normals});
    weights::WeightRows rows;
    evaluator.evaluate(field::compile(field, field::FieldMode::Hard), 0, rows);
    for (std::size_t p = 0; p < points.positions.size(); ++p)
      out.product.add(std::span(rows.weight).subspan(rows.first[p], rows.count[p]));
  }
  return out;
}

} // namespace

Result<Finding> studyInfluences(const Context& context) {
  const int fields = context.quick ? 60 : 1000, points = 64;
  Random random(19);
  Table table({"K", "points", "most non-zero, definition (float64)", "most non-zero, product (float32)",
               "rows with sum 1", "as printed: most non-zero", "as printed: points without weights"});
  bool holds = true, printed_holds = true;
  std::size_t all = 0;
  for (int k = 1; k <= 8; ++k) {
    const Counts c = countNonzeros(random, k, fields, points);
    holds = holds && c.definition.most == k && c.product.most == k && c.definition.none + c.product.none == 0;
    printed_holds = printed_holds && c.printed.most == k;
    all += c.definition.points;
    const double valid = 100 * (1 - static_cast<double>(c.definition.none + c.product.none) /
                                        static_cast<double>(c.definition.points + c.product.points));
    table.add({std::to_string(k), std::to_string(c.definition.points), std::to_string(c.definition.most),
               std::to_string(c.product.most), number(valid, 1) + " %", std::to_string(c.printed.most),
               number(100 * static_cast<double>(c.printed.none) / static_cast<double>(c.printed.points), 1) + " %"});
  }
  Finding out;
  out.holds = holds ? Holds::Yes : Holds::No;
  out.sentence = "At " + std::to_string(all) + " points of " + std::to_string(8 * fields) +
                 " random fields with 1 to 40 joints, no row has more than K weights, and some have K. " +
                 (printed_holds ? "So it is with the K-th distance as printed."
                                : "It takes the (K+1)-th distance: with the K-th, as printed, at most K - 1 are left, "
                                  "and none at all for K = 1.");
  out.notes =
      "Offsets are drawn from 0.0001 to 2, falloffs from 1 to 64, shapes from 0.4 to 2.7 times, sites from a box "
      "twice as wide as the unit box; an eighth of the points lies on sites. The product is evaluated without "
      "its own cut to K slots.";
  out.body = table.text();
  return out;
}

} // namespace skincells::studies

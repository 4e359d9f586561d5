#include "bind/field_fit.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "optim/adam.h"

namespace skincells::binding {
namespace {

std::vector<Vec3f> toUnit(const FieldParameters& field, std::span<const Vec3f> points) {
  std::vector<Vec3f> out(points.size());
  std::transform(points.begin(), points.end(), out.begin(),
                 [&](const Vec3f& p) { return toFloat(field.toUnit(toDouble(p))); });
  return out;
}

// What both ways of optimising share: the field at the mesh's points, Adam, and the loop.
class FieldDescent {
public:
  FieldDescent(FieldParameters& field, std::span<const Vec3f> points, float keep_above, double rate, double centre_rate,
               bool slack, const FieldMirror* mirror)
      : field_(field), mirror_(mirror), evaluator_(toUnit(field, points)), keep_above_(keep_above),
        gradient_(field.layout.size()), adam_(field.layout.size(), groups(field.layout, rate, centre_rate, slack)) {}

  // `measure(step, rows, entry_gradient)` returns the loss and writes its derivative in the rows' weights.
  template <class Measure>
  FitReport run(int steps, const char* stage, const ProgressFunction& progress, const Measure& measure) {
    FitReport report;
    std::vector<float> last_good = field_.values;
    for (int step = 0; step < steps; ++step) {
      if (progress && !progress(stage, static_cast<double>(step) / steps))
        return report.stop_reason = "cancelled", report;
      const field::CompiledField compiled = compile(field_, field::FieldMode::Relaxed);
      evaluator_.evaluate(compiled, keep_above_, rows_);
      const double loss = measure(step, rows_, entry_gradient_);
      if (!std::isfinite(loss)) {
        field_.values = last_good;
        return report.stop_reason = "diverged", report;
      }
      report.loss.push_back(loss);
      last_good = field_.values;
      evaluator_.differentiate(compiled, field_, rows_, entry_gradient_, gradient_);
      if (mirror_ != nullptr) mirror_->fold(field_.layout, gradient_);
      adam_.step(field_.values, gradient_, optim::cosineSchedule(step, steps));
      keepInRange();
      if (mirror_ != nullptr) mirror_->apply(field_);
    }
    report.stop_reason = "done";
    return report;
  }

private:
  static std::vector<optim::AdamGroup> groups(const FieldLayout& layout, double rate, double centre_rate, bool slack) {
    const auto all = static_cast<float>(rate);
    return {{layout.centreBegin(), layout.offsetBegin(), static_cast<float>(centre_rate)},
            {layout.offsetBegin(), layout.slackBegin(), all},
            {layout.slackBegin(), layout.falloffBegin(), slack ? all : 0.0F},
            {layout.falloffBegin(), layout.size(), all}};
  }

  // Below r = 1 the slope at cell borders is infinite.
  void keepInRange() {
    for (float& log_falloff : field_.logFalloffs()) log_falloff = std::max(log_falloff, 0.0F);
  }

  FieldParameters& field_;
  const FieldMirror* mirror_;
  field::Evaluator evaluator_;
  float keep_above_;
  weights::WeightRows rows_;
  std::vector<float> entry_gradient_, gradient_;
  optim::Adam adam_;
};

// The part of the weight loss that vertex v has, and its derivative in the row's weights.
double measureRow(const weights::WeightRows& rows, std::size_t v, const SparseWeights& target, float scale,
                  std::vector<float>& entry_gradient) {
  const auto joints = target.jointRow(v);
  const auto wanted = target.weightRow(v);
  double sum = 0;
  float missing = 0; // what the target gives to joints that the row does not have
  for (float w : wanted) missing += w * w;
  for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
    float want = 0;
    for (std::size_t k = 0; k < joints.size(); ++k)
      if (wanted[k] > 0 && joints[k] == rows.joint[e]) want = wanted[k];
    const float off = rows.weight[e] - want;
    missing -= want * want;
    sum += static_cast<double>(off * off);
    entry_gradient[e] = 2 * scale * off;
  }
  return (sum + static_cast<double>(std::max(missing, 0.0F))) * static_cast<double>(scale);
}

// The mesh of the loss in cm, about the unit box's origin so that float32 loses nothing to a far-off character.
loss::PoseLosses<float> makeLosses(const FieldParameters& field, const Mesh& welded,
                                   std::span<const BoneSpring> springs, double scale) {
  const auto toCm = [&](const Vec3d& x) { return (x - field.unit_origin) * scale; };
  std::vector<Vec3f> rest;
  for (const Vec3f& p : welded.positions) rest.push_back(toFloat(toCm(toDouble(p))));
  std::vector<loss::Spring<float>> in_cm;
  for (const BoneSpring& s : springs) {
    const Vec3d anchor = toCm(s.anchor);
    const double rest_length = length(toCm(toDouble(welded.positions[s.vertex])) - anchor);
    in_cm.push_back({s.vertex, s.joint, toFloat(anchor), static_cast<float>(rest_length)});
  }
  return {rest, welded.triangles, std::move(in_cm), field.max_influences};
}

} // namespace

FitReport fitToWeights(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                       const WeightFitOptions& options, const ProgressFunction& progress) {
  SKINCELLS_ASSERT(target.vertexCount() == points.size());
  FieldDescent descent(field, points, options.keep_above, options.rate, options.centre_rate, options.slack,
                       options.mirror);
  const float scale = 1.0F / static_cast<float>(std::max<std::size_t>(points.size(), 1));
  const auto measure = [&](int, const weights::WeightRows& rows, std::vector<float>& entry_gradient) {
    entry_gradient.resize(rows.entryCount());
    return orderedSum(points.size(), 256, 0.0, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t v = begin; v < end; ++v) sum += measureRow(rows, v, target, scale, entry_gradient);
      return sum;
    });
  };
  return descent.run(options.steps, "fit", progress, measure);
}

FitReport minimiseLosses(FieldParameters& field, const Mesh& welded, std::span<const BoneSpring> springs,
                         const PoseSampler& sampler, const LossFitOptions& options, const ProgressFunction& progress) {
  const double scale = kLossSize * field.unit_scale;
  loss::PoseLosses<float> losses = makeLosses(field, welded, springs, scale);
  FieldDescent descent(field, welded.positions, options.keep_above, options.rate, options.centre_rate, options.slack,
                       options.mirror);
  const auto measure = [&](int step, const weights::WeightRows& rows, std::vector<float>& entry_gradient) {
    const std::vector<Pose> poses = sampler(step, options.poses_per_step);
    const auto quads = deform::makePoseQuads<float>(poses, field.unit_origin, scale);
    return losses.evaluate(rows, quads, options.weights, entry_gradient).total();
  };
  return descent.run(options.steps, "losses", progress, measure);
}

} // namespace skincells::binding

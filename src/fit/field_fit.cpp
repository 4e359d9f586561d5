#include "fit/field_fit.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::fit {
namespace {

std::vector<Vec3f> toUnit(const FieldParameters& field, std::span<const Vec3f> points) {
  std::vector<Vec3f> out(points.size());
  std::transform(points.begin(), points.end(), out.begin(),
                 [&](const Vec3f& p) { return toFloat(field.toUnit(toDouble(p))); });
  return out;
}

// The spread of a cell's sites around their center, in unit boxes.
double spreadOf(std::span<const float> centers) {
  const std::size_t count = centers.size() / 3;
  const auto site = [&](std::size_t s) { return Vec3d{centers[3 * s], centers[3 * s + 1], centers[3 * s + 2]}; };
  Vec3d sum;
  for (std::size_t s = 0; s < count; ++s) sum += site(s);
  double squares = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const Vec3d offset = site(s) - sum * (1.0 / static_cast<double>(count));
    squares += dot(offset, offset);
  }
  return std::sqrt(squares / static_cast<double>(count));
}

// Of a cell with this spread.
double centerRate(const Rates& rates, double spread) {
  if (!(rates.full_spread > 0)) return rates.center_rate;
  return rates.center_rate * std::clamp(spread / rates.full_spread, kLeastCenterRate, 1.0);
}

std::vector<optim::AdamGroup> adamGroups(const FieldParameters& field, const Rates& rates, const MovingParts& moving) {
  const FieldLayout& layout = field.layout;
  const auto rate = static_cast<float>(rates.rate);
  const std::size_t n = layout.sitesPerJoint();
  const float site_rate = moving.sites ? rate : 0.0F;
  std::vector<optim::AdamGroup> groups{{layout.offsetBegin(), layout.shapeBegin(), site_rate, n},
                                       {layout.shapeBegin(), layout.slackBegin(), site_rate, layout.shapeSize() * n},
                                       {layout.slackBegin(), layout.falloffBegin(), moving.slack ? rate : 0.0F, 1},
                                       {layout.falloffBegin(), layout.size(), rate, 1}};
  for (std::size_t begin = layout.centerBegin(); moving.sites && begin < layout.offsetBegin(); begin += 3 * n) {
    const std::span<const float> centers = std::span(field.values).subspan(begin, 3 * n);
    groups.push_back({begin, begin + 3 * n, static_cast<float>(centerRate(rates, spreadOf(centers))), 3 * n});
  }
  return groups;
}

// What both optimizations share: the field at the mesh's points, and the descent.
class FieldDescent {
public:
  FieldDescent(FieldParameters& field, const FieldPoints& points, std::vector<optim::AdamGroup> groups,
               const FieldMirror* mirror)
      : field_(field), mirror_(mirror), evaluator_({toUnit(field, points.positions), points.normals}),
        adam_(field.layout.size(), std::move(groups)) {}

  // `measure(step, rows, entry_gradient)` returns the loss and writes its derivative in the rows' weights; `held_out`
  // the same without a step, or nothing.
  template <class Measure>
  FitReport run(const optim::DescentOptions& options, const char* stage, const ProgressFunction& progress,
                const Measure& measure, const std::function<double(const weights::WeightRows&)>& held_out = {}) {
    optim::Objective objective;
    objective.measure = [&](int step, std::span<float> gradient) {
      compile(field_, field::FieldMode::Relaxed, compiled_);
      evaluator_.evaluate(compiled_, field::kKeepAbove, rows_);
      const double loss = measure(step, rows_, entry_gradient_);
      if (!std::isfinite(loss)) return loss;
      evaluator_.differentiate(compiled_, rows_, entry_gradient_, gradient);
      if (mirror_ != nullptr) mirror_->fold(field_.layout, gradient);
      return loss;
    };
    if (held_out)
      objective.held_out = [&] {
        compile(field_, field::FieldMode::Relaxed, compiled_);
        evaluator_.evaluate(compiled_, field::kKeepAbove, rows_);
        return held_out(rows_);
      };
    // Below r = 1 the slope at cell borders is infinite.
    objective.constrain = [&] {
      for (float& log_falloff : field_.logFalloffs()) log_falloff = std::max(log_falloff, 0.0F);
      if (mirror_ != nullptr) mirror_->apply(field_);
    };
    objective.go_on = stepProgress(stage, progress);
    return optim::descend(field_.values, adam_, options, objective);
  }

private:
  FieldParameters& field_;
  const FieldMirror* mirror_;
  field::Evaluator evaluator_;
  field::CompiledField compiled_;
  weights::WeightRows rows_;
  std::vector<float> entry_gradient_;
  optim::Adam adam_;
};

// Measures rows against wanted weights.
class RowMeter {
public:
  RowMeter(const SparseWeights& target, std::size_t joint_count, float scale)
      : target_(target), wanted_(joint_count), scale_(scale) {}

  // Vertex v's part of the weight loss, and its derivative in the row's weights.
  float measure(const weights::WeightRows& rows, std::size_t v, float* entry_gradient) {
    const std::span<const std::uint16_t> joints = target_.jointRow(v);
    const std::span<const float> weights = target_.weightRow(v);
    float sum = 0, missing = 0; // squared target weights of joints that are not in the row
    for (std::size_t k = 0; k < joints.size(); ++k) {
      wanted_[joints[k]] += weights[k]; // unused slots have weight 0
      missing += weights[k] * weights[k];
    }
    const std::size_t begin = rows.first[v], end = begin + rows.count[v];
    for (std::size_t e = begin; e < end; ++e) {
      const float want = wanted_[rows.joint[e]], off = rows.weight[e] - want;
      missing -= want * want;
      sum += off * off;
      entry_gradient[e] = 2 * scale_ * off;
    }
    for (std::uint16_t joint : joints) wanted_[joint] = 0;
    return (sum + std::max(missing, 0.0F)) * scale_;
  }

private:
  const SparseWeights& target_;
  std::vector<float> wanted_; // of the vertex at hand, by joint; 0 between vertices
  float scale_;
};

} // namespace

std::function<bool(double, double)> stepProgress(const char* stage, const ProgressFunction& progress) {
  if (!progress) return {};
  return [stage, &progress](double fraction, double loss) {
    Progress now{stage, fraction, {}, {}};
    if (std::isfinite(loss)) now.loss = loss;
    return progress(now);
  };
}

FitReport fitToWeights(FieldParameters& field, const FieldPoints& points, const SparseWeights& target,
                       const WeightFitOptions& options, const ProgressFunction& progress) {
  SKINCELLS_ASSERT(target.vertexCount() == points.size());
  FieldDescent descent(field, points, adamGroups(field, options.rates, options.moving), options.mirror);
  const float scale = 1.0F / static_cast<float>(std::max<std::size_t>(points.size(), 1));
  const std::size_t joint_count = field.layout.joints();
  const auto measure = [&](int, const weights::WeightRows& rows, std::vector<float>& entry_gradient) {
    entry_gradient.resize(rows.entryCount());
    return orderedSum(points.size(), 256, 0.0, [&](std::size_t begin, std::size_t end) {
      RowMeter meter(target, joint_count, scale);
      double sum = 0;
      for (std::size_t v = begin; v < end; ++v)
        sum += static_cast<double>(meter.measure(rows, v, entry_gradient.data()));
      return sum;
    });
  };
  return descent.run({.steps = options.steps}, "fit", progress, measure);
}

FitReport minimizeLosses(FieldParameters& field, const Mesh& welded, std::span<const rig::BoneSpring> springs,
                         const PoseBatches& batches, const LossFitOptions& options, const ProgressFunction& progress) {
  PoseObjective objective(welded, springs, field, options.weights, options.obstacle);
  FieldDescent descent(field, {welded.positions, options.normals}, adamGroups(field, options.rates, options.moving),
                       options.mirror);
  std::vector<PoseObjective::Poses> known; // of the first steps, if poses come again
  const auto measure = [&](int step, const weights::WeightRows& rows, std::vector<float>& entry_gradient) {
    if (options.pose_batches <= 0)
      return objective.evaluate(rows, objective.prepare(batches(step, options.poses_per_step)), entry_gradient);
    const auto batch = static_cast<std::size_t>(step % options.pose_batches);
    while (known.size() <= batch)
      known.push_back(objective.prepare(batches(static_cast<int>(known.size()), options.poses_per_step)));
    return objective.evaluate(rows, known[batch], entry_gradient);
  };
  std::function<double(const weights::WeightRows&)> held_out;
  std::vector<float> unused;
  if (!options.held_out.empty())
    held_out = [&objective, &unused, poses = objective.prepare(options.held_out)](const weights::WeightRows& rows) {
      return objective.evaluate(rows, poses, unused);
    };
  return descent.run({options.steps, options.schedule, options.watch}, "losses", progress, measure, held_out);
}

} // namespace skincells::fit

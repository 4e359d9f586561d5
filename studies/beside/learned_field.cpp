#include "studies/beside/learned_field.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "base/random.h"
#include "mesh/solve_space.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

void softmaxRows(Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    m.row(i) = (m.row(i).array() - m.row(i).maxCoeff()).exp();
    m.row(i) /= m.row(i).sum();
  }
}

// From the derivative in a softmax to that in its logits.
Matrix logitGradient(const Matrix& weights, std::span<const float> weight_gradient) {
  Matrix g = Eigen::Map<const Matrix>(weight_gradient.data(), weights.rows(), weights.cols());
  const Eigen::VectorXf mean = g.cwiseProduct(weights).rowwise().sum();
  for (Index i = 0; i < g.rows(); ++i) g.row(i) = weights.row(i).cwiseProduct((g.row(i).array() - mean[i]).matrix());
  return g;
}

class VoronoiField : public LearnedField {
public:
  explicit VoronoiField(const std::vector<std::vector<Vec3d>>& sites) {
    joint_count = static_cast<int>(sites.size());
    for (const auto& list : sites)
      for (const Vec3d& p : list) {
        owner_.push_back(static_cast<int>(&list - sites.data()));
        for (double x : {p.x, p.y, p.z}) parameters_.push_back(static_cast<float>(x));
      }
    for (int j = 0; j < joint_count; ++j) parameters_.push_back(std::log(60.0F)); // cells end within a few hundredths
  }

  std::vector<optim::AdamGroup> groups(double rate) const override {
    const std::size_t centers = 3 * owner_.size();
    return {{0, centers, static_cast<float>(rate / 20)}, {centers, parameters_.size(), static_cast<float>(rate)}};
  }

  void evaluate(std::span<const Vec3f> points, std::vector<float>& weights) override {
    points_ = points;
    weights_ = Matrix(static_cast<Index>(points.size()), joint_count);
    distance_ = weights_;
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<double> sum(static_cast<std::size_t>(joint_count), 0);
      for (std::size_t s = 0; s < owner_.size(); ++s) sum[static_cast<std::size_t>(owner_[s])] += share(i, s);
      for (int j = 0; j < joint_count; ++j) {
        distance_(static_cast<Index>(i), j) =
            static_cast<float>(-std::log(std::max(sum[static_cast<std::size_t>(j)], 1e-300)) / kSharpness);
        weights_(static_cast<Index>(i), j) = -sharpness(j) * distance_(static_cast<Index>(i), j);
      }
    }
    softmaxRows(weights_);
    weights.assign(weights_.data(), weights_.data() + weights_.size());
  }

  void differentiate(std::span<const float> weight_gradient, std::span<float> gradient) override {
    const Matrix g = logitGradient(weights_, weight_gradient);
    std::ranges::fill(gradient, 0.0F);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto row = static_cast<Index>(i);
      for (int j = 0; j < joint_count; ++j)
        gradient[3 * owner_.size() + static_cast<std::size_t>(j)] -= g(row, j) * sharpness(j) * distance_(row, j);
      for (std::size_t s = 0; s < owner_.size(); ++s) {
        const int j = owner_[s];
        const float by_distance = -g(row, j) * sharpness(j);
        if (std::abs(by_distance) < 1e-12F) continue;
        // d distance_j / d |x - p_s| is the share of the site in the smooth minimum.
        const double part = share(i, s) / std::exp(-kSharpness * static_cast<double>(distance_(row, j)));
        const Vec3f u = points_[i] - site(s);
        const float far = std::max(length(u), 1e-6F);
        const Vec3f by_site = u * (-by_distance * static_cast<float>(part) / far);
        gradient[3 * s] += by_site.x;
        gradient[3 * s + 1] += by_site.y;
        gradient[3 * s + 2] += by_site.z;
      }
    }
  }

private:
  static constexpr double kSharpness = 100; // of the minimum over the sites of a joint

  Vec3f site(std::size_t s) const { return {parameters_[3 * s], parameters_[3 * s + 1], parameters_[3 * s + 2]}; }
  float sharpness(int j) const { return std::exp(parameters_[3 * owner_.size() + static_cast<std::size_t>(j)]); }
  double share(std::size_t i, std::size_t s) const {
    return std::exp(-kSharpness * static_cast<double>(length(points_[i] - site(s))));
  }

  std::vector<int> owner_; // by site
  std::span<const Vec3f> points_;
  Matrix weights_, distance_;
};

class NetworkField : public LearnedField {
public:
  NetworkField(int joints, int width, std::uint64_t seed) {
    joint_count = joints;
    sizes_ = {3 + 6 * kOctaves, width, width, joints};
    Random random(seed, 7);
    for (std::size_t l = 0; l + 1 < sizes_.size(); ++l) {
      const double most = std::sqrt(6 / static_cast<double>(sizes_[l] + sizes_[l + 1]));
      for (Index i = 0; i < sizes_[l] * sizes_[l + 1]; ++i)
        parameters_.push_back(static_cast<float>(random.uniform(-most, most)));
      parameters_.insert(parameters_.end(), static_cast<std::size_t>(sizes_[l + 1]), 0.0F);
    }
  }

  std::vector<optim::AdamGroup> groups(double rate) const override {
    return {{0, parameters_.size(), static_cast<float>(rate / 5)}};
  }

  void evaluate(std::span<const Vec3f> points, std::vector<float>& weights) override {
    layers_.assign(1, Matrix(static_cast<Index>(points.size()), sizes_[0]));
    for (std::size_t i = 0; i < points.size(); ++i) {
      Index c = 0;
      for (float x : {points[i].x, points[i].y, points[i].z}) {
        layers_[0](static_cast<Index>(i), c++) = 2 * x - 1;
        for (int o = 0; o < kOctaves; ++o) {
          const float a = x * std::ldexp(3.14159265F, o);
          layers_[0](static_cast<Index>(i), c++) = std::sin(a);
          layers_[0](static_cast<Index>(i), c++) = std::cos(a);
        }
      }
    }
    std::size_t at = 0;
    for (std::size_t l = 0; l + 1 < sizes_.size(); ++l) {
      Matrix next = layers_[l] * matrix(at, l);
      next.rowwise() += bias(at, l);
      if (l + 2 < sizes_.size())
        next = next.cwiseMax(0.0F);
      else
        softmaxRows(next);
      layers_.push_back(std::move(next));
      at += layerSize(l);
    }
    weights.assign(layers_.back().data(), layers_.back().data() + layers_.back().size());
  }

  void differentiate(std::span<const float> weight_gradient, std::span<float> gradient) override {
    Matrix g = logitGradient(layers_.back(), weight_gradient);
    std::size_t at = parameters_.size();
    for (std::size_t l = sizes_.size() - 1; l-- > 0;) {
      at -= layerSize(l);
      Eigen::Map<Matrix>(gradient.data() + at, sizes_[l], sizes_[l + 1]) = layers_[l].transpose() * g;
      Eigen::Map<Eigen::RowVectorXf>(gradient.data() + at + sizes_[l] * sizes_[l + 1], sizes_[l + 1]) =
          g.colwise().sum();
      if (l == 0) break;
      Matrix below = g * matrix(at, l).transpose();
      g = below.cwiseProduct((layers_[l].array() > 0).cast<float>().matrix());
    }
  }

private:
  static constexpr int kOctaves = 4;

  std::size_t layerSize(std::size_t l) const { return static_cast<std::size_t>((sizes_[l] + 1) * sizes_[l + 1]); }
  Eigen::Map<const Matrix> matrix(std::size_t at, std::size_t l) const {
    return {parameters_.data() + at, sizes_[l], sizes_[l + 1]};
  }
  Eigen::Map<const Eigen::RowVectorXf> bias(std::size_t at, std::size_t l) const {
    return {parameters_.data() + at + sizes_[l] * sizes_[l + 1], sizes_[l + 1]};
  }

  std::vector<Index> sizes_;
  std::vector<Matrix> layers_; // values
};

// Dense rows without weights up to 1e-4, and which entries they are.
weights::WeightRows sparse(const std::vector<float>& dense, std::size_t joints, std::vector<std::size_t>& place) {
  weights::WeightRows rows;
  place.clear();
  for (std::size_t v = 0; v * joints < dense.size(); ++v) {
    rows.first.push_back(static_cast<std::uint32_t>(rows.weight.size()));
    for (std::size_t j = 0; j < joints; ++j)
      if (const float w = dense[v * joints + j]; w > field::kKeepAbove) {
        rows.joint.push_back(static_cast<std::uint16_t>(j));
        rows.weight.push_back(w);
        place.push_back(v * joints + j);
      }
    rows.count.push_back(static_cast<std::uint32_t>(rows.weight.size()) - rows.first.back());
  }
  return rows;
}

std::vector<Vec3f> inUnitBox(const Mesh& reference, std::span<const Vec3f> points) {
  const mesh::SolveSpace unit = mesh::unitSpace(reference.bounds());
  std::vector<Vec3f> out;
  for (const Vec3f& p : points) out.push_back(toFloat(unit.toSpace(toDouble(p))));
  return out;
}

} // namespace

std::unique_ptr<LearnedField> makeVoronoiField(const std::vector<std::vector<Vec3d>>& sites) {
  return std::make_unique<VoronoiField>(sites);
}

std::unique_ptr<LearnedField> makeNetworkField(int joint_count, int width, std::uint64_t seed) {
  return std::make_unique<NetworkField>(joint_count, width, seed);
}

void optimize(LearnedField& field, const LearnedProblem& problem, int fit_steps, int loss_steps) {
  const fit::Tuning tuning;
  const std::vector<Vec3f> points = inUnitBox(problem.mesh, problem.mesh.positions);
  const auto joints = static_cast<std::size_t>(field.joint_count);
  std::vector<float> target(points.size() * joints), weights, dense_gradient(target.size());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t k = 0; k < problem.guess.weightRow(v).size(); ++k)
      target[v * joints + problem.guess.jointRow(v)[k]] += problem.guess.weightRow(v)[k];

  optim::Objective to_guess;
  to_guess.measure = [&](int, std::span<float> gradient) {
    field.evaluate(points, weights);
    double loss = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const float off = weights[i] - target[i];
      loss += static_cast<double>(off * off);
      dense_gradient[i] = 2 * off / static_cast<float>(points.size());
    }
    field.differentiate(dense_gradient, gradient);
    return loss / static_cast<double>(points.size());
  };
  optim::Adam fit_adam(field.parameters().size(), field.groups(tuning.fit_rates.rate));
  optim::descend(field.parameters(), fit_adam, {.steps = fit_steps}, to_guess);

  const mesh::SolveSpace unit = mesh::unitSpace(problem.mesh.bounds());
  FieldParameters space; // only its space and cap matter to the losses
  space.unit_origin = unit.origin;
  space.unit_scale = unit.scale;
  space.max_influences = problem.max_influences;
  fit::PoseObjective losses(problem.mesh, problem.springs, space, tuning.loss_weights);
  std::vector<float> entry_gradient;
  std::vector<std::size_t> place;
  optim::Objective to_losses;
  to_losses.measure = [&](int step, std::span<float> gradient) {
    field.evaluate(points, weights);
    const weights::WeightRows rows = sparse(weights, joints, place);
    const double loss =
        losses.evaluate(rows, losses.prepare(problem.batches(step, tuning.poses_per_step)), entry_gradient);
    std::ranges::fill(dense_gradient, 0.0F);
    for (std::size_t e = 0; e < place.size(); ++e) dense_gradient[place[e]] = entry_gradient[e];
    field.differentiate(dense_gradient, gradient);
    return loss;
  };
  optim::Adam loss_adam(field.parameters().size(), field.groups(tuning.loss_rates.rate));
  optim::descend(field.parameters(), loss_adam, {.steps = loss_steps}, to_losses);
}

SparseWeights weightsAt(LearnedField& field, const Mesh& problem_mesh, std::span<const Vec3f> points, int slots) {
  const std::vector<Vec3f> unit_points = inUnitBox(problem_mesh, points);
  const auto joints = static_cast<std::size_t>(field.joint_count);
  std::vector<float> weights;
  field.evaluate(unit_points, weights);
  SparseWeights out(points.size(), slots);
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t j = 0; j < joints; ++j)
      weights::keepLargest(static_cast<int>(j), weights[v * joints + j], out.jointRow(v), out.weightRow(v));
  canonicalize(out, slots);
  return out;
}

} // namespace skincells::studies

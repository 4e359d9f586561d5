// Other fields from positions to weights, optimized like skin cells: fitted to the guess, then to the pose losses.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fit/field_fit.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"
#include "weights/rows.h"

namespace skincells::studies {

// A function of flat parameters that gives every joint a weight at every point of the unit box; the sum is 1.
class LearnedField {
public:
  virtual ~LearnedField() = default;
  std::vector<float>& parameters() { return parameters_; }
  // The rates of its parameters at the first step, relative to that of the losses.
  virtual std::vector<optim::AdamGroup> groups(double rate) const = 0;
  // weights: one row of joint_count numbers per point.
  virtual void evaluate(std::span<const Vec3f> points, std::vector<float>& weights) = 0;
  // gradient: the derivative of sum(weight_gradient * weights) in the parameters, for the last points and weights.
  virtual void differentiate(std::span<const float> weight_gradient, std::span<float> gradient) = 0;

  int joint_count = 0;

protected:
  std::vector<float> parameters_;
};

// A softmax of -r_j d_j(x), d_j a smooth minimum of the distances to the sites of joint j (after Feng et al. 2023,
// smooth Voronoi diagrams). sites: one list per joint, in the unit box.
std::unique_ptr<LearnedField> makeVoronoiField(const std::vector<std::vector<Vec3d>>& sites);

// A network with two hidden layers of `width` and the position with four octaves of sines as its input.
std::unique_ptr<LearnedField> makeNetworkField(int joint_count, int width, std::uint64_t seed);

struct LearnedProblem {
  const Mesh& mesh; // in bind space
  std::span<const rig::BoneSpring> springs;
  const SparseWeights& guess;
  const fit::PoseBatches& batches;
  int max_influences = 4;
};
// fit_steps to the guess, then loss_steps to the pose losses, with the product's settings.
void optimize(LearnedField& field, const LearnedProblem& problem, int fit_steps, int loss_steps);

// All weights at bind-space points above 1e-4, `slots` per row at most. unit: as for the mesh of the problem.
SparseWeights weightsAt(LearnedField& field, const Mesh& problem_mesh, std::span<const Vec3f> points, int slots);

} // namespace skincells::studies

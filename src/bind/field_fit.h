// Optimising a field: towards given weights, and towards low pose losses.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bind/field_mirror.h"
#include "field/evaluate.h"
#include "loss/pose_losses.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/progress.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::binding {

// Losses are measured with the character's largest side at this length.
inline constexpr double kLossSize = 170; // cm

struct FitReport {
  std::vector<double> loss; // before each step
  std::string stop_reason;  // "done", "cancelled", or "diverged": the last finite parameters were kept
};

struct WeightFitOptions {
  int steps = 60;
  double rate = 0.03;                   // of Adam at the first step, falling as a cosine
  double centre_rate = 0.003;           // the same for site centres, in unit boxes
  bool slack = false;                   // also move log c
  float keep_above = field::kKeepAbove; // see field::Evaluator
  const FieldMirror* mirror = nullptr;  // keeps the field symmetric; nullptr: it is free
};

// Moves the field so that its relaxed weights at the bind-space `points` come close to `target` (one row per point):
// Adam on the mean over points of |W - target|^2. The progress function is told "fit".
FitReport fitToWeights(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                       const WeightFitOptions& options = {}, const ProgressFunction& progress = {});

// Ties a vertex to a point that moves with a joint.
struct BoneSpring {
  std::uint32_t vertex = 0;
  std::uint32_t joint = 0; // of the field
  Vec3d anchor;            // in bind space
};

// The poses of one step. Each has one map per joint of the field, from bind space to posed space; the same step
// must always give the same poses.
using PoseSampler = std::function<std::vector<Pose>(int step, int count)>;

struct LossFitOptions {
  int steps = 100;
  int poses_per_step = 4;               // a multiple of 4 wastes nothing
  double rate = 0.03;                   // of Adam at the first step, falling as a cosine
  double centre_rate = 0.0015;          // the same for site centres, in unit boxes
  bool slack = true;                    // also move log c
  loss::LossWeights weights = {};       // of the losses
  float keep_above = field::kKeepAbove; // see field::Evaluator
  const FieldMirror* mirror = nullptr;  // keeps the field symmetric; nullptr: it is free
};

// Moves the field towards low pose losses on a welded mesh in bind space. The progress function is told "losses".
FitReport minimiseLosses(FieldParameters& field, const Mesh& welded, std::span<const BoneSpring> springs,
                         const PoseSampler& sampler, const LossFitOptions& options = {},
                         const ProgressFunction& progress = {});

} // namespace skincells::binding

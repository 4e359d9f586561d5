// Optimizing a field: toward given weights, and toward low pose losses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "field/evaluate.h"
#include "fit/field_mirror.h"
#include "fit/pose_objective.h"
#include "fit/tuning.h"
#include "optim/descent.h"
#include "skincells/field.h"
#include "skincells/progress.h"
#include "skincells/weights.h"

namespace skincells::fit {

using FitReport = optim::DescentReport;

// Which parameters move. The falloff and the front factor of each cell always do.
struct MovingParts {
  bool sites = true; // centers, offsets and shapes
  bool slack = true; // log c
};

struct WeightFitOptions {
  int steps = 0;
  Rates rates; // fall to zero as a cosine
  MovingParts moving = {.slack = false};
  const FieldMirror* mirror = nullptr; // keeps the field symmetric; nullptr: it is free
};

// Moves the field so that its relaxed weights at the bind-space `points` approach `target` (one row per point): Adam on
// the mean over points of |W - target|^2. Reports progress as the stage "fit".
FitReport fitToWeights(FieldParameters& field, const FieldPoints& points, const SparseWeights& target,
                       const WeightFitOptions& options, const ProgressFunction& progress = {});

struct LossFitOptions {
  int steps = 0;
  int poses_per_step = 4;
  int pose_batches = 0; // after this many steps, the poses of the first one come again; 0: every step has its own
  Rates rates;
  optim::Schedule schedule = optim::Schedule::Cosine;
  MovingParts moving = {};
  loss::LossWeights weights = {};
  std::vector<Pose> held_out = {};          // poses never trained on; if any, the state with their lowest loss is kept
  optim::WatchOptions watch = {};           // how the held-out loss is used
  const FieldMirror* mirror = nullptr;      // keeps the field symmetric; nullptr: it is free
  std::span<const Vec3f> normals = {};      // of the vertices, for a field that sees them; empty: they have none
  const loss::Obstacle* obstacle = nullptr; // in bind space: what the mesh must stay out of; nullptr: nothing
};

// Moves the field toward low pose losses on a welded mesh in bind space. Reports progress as the stage "losses".
FitReport minimizeLosses(FieldParameters& field, const Mesh& welded, std::span<const rig::BoneSpring> springs,
                         const PoseBatches& batches, const LossFitOptions& options,
                         const ProgressFunction& progress = {});

// Adapts a progress function to what a descent calls before each step.
std::function<bool(double, double)> stepProgress(const char* stage, const ProgressFunction& progress);

} // namespace skincells::fit

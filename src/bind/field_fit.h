// Optimizing a field: towards given weights, and towards low pose losses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bind/field_mirror.h"
#include "bind/pose_objective.h"
#include "field/evaluate.h"
#include "optim/descent.h"
#include "skincells/field.h"
#include "skincells/progress.h"
#include "skincells/weights.h"

namespace skincells::binding {

using FitReport = optim::DescentReport;

struct WeightFitOptions {
  int steps = 60;
  double rate = 0.03;                   // of Adam at the first step, falling as a cosine
  double center_rate = 0.003;           // the same for site centers, in unit boxes
  bool sites = true;                    // move the sites: centers, offsets, shapes
  bool slack = false;                   // also move log c
  float keep_above = field::kKeepAbove; // see field::Evaluator
  const FieldMirror* mirror = nullptr;  // keeps the field symmetric; nullptr: it is free
};

// Moves the field so that its relaxed weights at the bind-space `points` come close to `target` (one row per point):
// Adam on the mean over points of |W - target|^2. The progress function is told "fit".
FitReport fitToWeights(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                       const WeightFitOptions& options = {}, const ProgressFunction& progress = {});

struct LossFitOptions {
  int steps = 100;
  int poses_per_step = 4;      // a multiple of 4 wastes nothing
  double rate = 0.03;          // of Adam at the first step
  double center_rate = 0.0015; // the same for site centers, in unit boxes
  optim::Schedule schedule = optim::Schedule::Cosine;
  bool sites = true;                    // move the sites: centers, offsets, shapes
  bool slack = true;                    // also move log c
  loss::LossWeights weights = {};       // of the losses
  std::vector<Pose> held_out = {};      // never trained on; where there are any, the best state by them is kept
  optim::WatchOptions watch = {};       // how they are used
  float keep_above = field::kKeepAbove; // see field::Evaluator
  const FieldMirror* mirror = nullptr;  // keeps the field symmetric; nullptr: it is free
};

// Moves the field towards low pose losses on a welded mesh in bind space. The progress function is told "losses".
FitReport minimizeLosses(FieldParameters& field, const Mesh& welded, std::span<const BoneSpring> springs,
                         const PoseSampler& sampler, const LossFitOptions& options = {},
                         const ProgressFunction& progress = {});

// The progress function as a descent asks it.
std::function<bool(double, double)> stepProgress(const char* stage, const ProgressFunction& progress);

} // namespace skincells::binding

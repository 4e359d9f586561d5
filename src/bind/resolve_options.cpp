// What expert options mean that the caller left open.
#include "skincells/bind.h"

namespace skincells {
namespace {

template <class V> void settle(std::optional<V>& option, V value) {
  if (!option) option = value;
}

// Steps of fit, pose losses and refit.
struct Steps {
  int fit, losses, refit;
};

Steps stepsOf(BindQuality quality) {
  switch (quality) {
  case BindQuality::Draft:
    return {30, 30, 20};
  case BindQuality::High:
    return {120, 300, 80};
  case BindQuality::Normal:
    break;
  }
  return {60, 70, 40};
}

// Larionov et al. 2025: one rate, a fixed set of poses, the skeleton as it is, the mesh as it is, nothing afterwards.
void settlePaper(BindOptions& o) {
  settle(o.location_weight, 6000.0);
  settle(o.fit_steps, 0);
  settle(o.steps, 1500);
  settle(o.refit_steps, 0);
  settle(o.poses_per_step, 16);
  settle(o.pose_set, 1024);
  settle(o.rate, 1e-3);
  settle(o.center_rate, 1e-3);
  settle(o.rate_schedule, RateSchedule::Constant);
  settle(o.start, FieldStart::Paper);
  settle(o.optimized_mesh, OptimizedMesh::Full);
  settle(o.guard, false);
}

void settleDefault(BindOptions& o) {
  const bool by_vertex = o.ablation == BindAblation::Vertex;
  settle(o.start, FieldStart::Surface);
  settle(o.optimized_mesh, OptimizedMesh::Simplified);
  if (by_vertex) o.optimized_mesh = OptimizedMesh::Full; // nothing else could be carried over to the vertices
  const Steps steps = stepsOf(o.quality);
  const bool guessed = o.start == FieldStart::Surface && !by_vertex;
  settle(o.fit_steps, guessed ? steps.fit : 0);
  settle(o.steps, steps.losses);
  settle(o.refit_steps, guessed ? steps.refit : 0);
  settle(o.location_weight, 60.0);
  settle(o.poses_per_step, 4);
  settle(o.pose_set, 0);
  settle(o.rate, 0.03);
  settle(o.center_rate, 0.0015);
  settle(o.rate_schedule, RateSchedule::Cosine);
  settle(o.guard, true);
}

} // namespace

BindOptions resolveOptions(BindOptions o) {
  if (o.preset == BindPreset::Paper) settlePaper(o);
  settleDefault(o); // also whatever a preset leaves open
  settle(o.smoothness_weight, 1.0);
  settle(o.sparsity_weight, 1.0);
  settle(o.guess_share, 0.5);
  settle(o.early_stop, true);
  return o;
}

} // namespace skincells

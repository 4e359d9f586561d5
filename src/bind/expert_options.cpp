#include "bind/expert_options.h"

namespace skincells::binding {
namespace {

constexpr const char* kExpert = "Expert options";
constexpr double kMostWeight = 1e6;
constexpr std::int64_t kMostSteps = 100000;

using options::grouped;
using options::Lone;
using options::orAuto;

Option<BindOptions> expertReal(const char* name, std::optional<double> BindOptions::*field, double lo, double hi,
                               const char* help) {
  return grouped(kExpert, orAuto(options::real(name, &Lone<double>::value, lo, hi, help), field));
}

Option<BindOptions> expertInteger(const char* name, std::optional<int> BindOptions::*field, std::int64_t lo,
                                  std::int64_t hi, const char* help) {
  return grouped(kExpert, orAuto(options::integer(name, &Lone<int>::value, lo, hi, help), field));
}

Option<BindOptions> expertFlag(const char* name, std::optional<bool> BindOptions::*field, const char* help) {
  return grouped(kExpert, orAuto(options::flag(name, &Lone<bool>::value, help), field));
}

template <class E>
Option<BindOptions> expertChoice(const char* name, std::optional<E> BindOptions::*field,
                                 std::vector<std::pair<std::string, E>> choices, const char* help) {
  return grouped(kExpert, orAuto(options::choice(name, &Lone<E>::value, std::move(choices), help), field));
}

void addLosses(OptionTable<BindOptions>& table) {
  table.push_back(expertReal("smoothness-weight", &BindOptions::smoothness_weight, 0, kMostWeight,
                             "of the loss that keeps the detail of the surface"));
  table.push_back(expertReal("location-weight", &BindOptions::location_weight, 0, kMostWeight,
                             "of the springs to the bones; --stiffness multiplies it"));
  table.push_back(expertReal("sparsity-weight", &BindOptions::sparsity_weight, 0, kMostWeight,
                             "of the loss that punishes more than the allowed influences"));
}

void addSteps(OptionTable<BindOptions>& table) {
  table.push_back(expertInteger("fit-steps", &BindOptions::fit_steps, 0, kMostSteps,
                                "steps towards the surface guess before the pose losses"));
  table.push_back(expertInteger("steps", &BindOptions::steps, 0, kMostSteps, "steps of the pose losses"));
  table.push_back(expertInteger("refit-steps", &BindOptions::refit_steps, 0, kMostSteps,
                                "steps towards the mean of result and guess after the pose losses"));
  table.push_back(expertReal("guess-share", &BindOptions::guess_share, 0, 1, "share of the guess in that mean"));
  table.push_back(expertInteger("poses-per-step", &BindOptions::poses_per_step, 1, 64,
                                "poses that a step of the pose losses looks at; multiples of 4 waste nothing"));
  table.push_back(expertInteger("pose-set", &BindOptions::pose_set, 0, kMostSteps,
                                "poses drawn once, of which each step takes some; 0: new ones for each step"));
  table.push_back(expertReal("rate", &BindOptions::rate, 1e-6, 10, "Adam's first rate in the pose losses"));
  table.push_back(expertReal("center-rate", &BindOptions::center_rate, 1e-6, 10,
                             "the same for the centers of sites, in unit boxes"));
  table.push_back(expertChoice<RateSchedule>("rate-schedule", &BindOptions::rate_schedule,
                                             {{"cosine", RateSchedule::Cosine}, {"constant", RateSchedule::Constant}},
                                             "how the rates fall to zero, or do not"));
  table.push_back(expertFlag("early-stop", &BindOptions::early_stop,
                             "end the pose losses when the loss over poses not trained on has settled"));
}

void addStart(OptionTable<BindOptions>& table) {
  table.push_back(expertChoice<FieldStart>(
      "start", &BindOptions::start,
      {{"surface", FieldStart::Surface}, {"bones", FieldStart::Bones}, {"paper", FieldStart::Paper}},
      "of the field; surface: sharp cells on bones corrected by the mesh, springs to visible bones, rigid parts; "
      "bones: sharp cells on the skeleton as it is; paper: nearly uniform cells on it"));
  table.push_back(
      expertChoice<OptimizedMesh>("optimized-mesh", &BindOptions::optimized_mesh,
                                  {{"simplified", OptimizedMesh::Simplified}, {"full", OptimizedMesh::Full}},
                                  "where the losses are measured; the result is for the full mesh either way"));
  table.push_back(grouped(kExpert, options::choice<BindOptions, VertexStart>(
                                       "vertex-start", &BindOptions::vertex_start,
                                       {{"heat", VertexStart::Heat}, {"proximity", VertexStart::Proximity}},
                                       "whose weights --ablation vertex starts from")));
  table.push_back(expertFlag("guard", &BindOptions::guard,
                             "give up a result that is broken or far worse than its start for a safer one"));
}

} // namespace

OptionTable<BindOptions> withExpertOptions(OptionTable<BindOptions> table) {
  addLosses(table);
  addSteps(table);
  addStart(table);
  return table;
}

} // namespace skincells::binding

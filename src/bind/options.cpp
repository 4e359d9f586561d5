#include "bind/expert_options.h"
#include "skincells/bind.h"

namespace skincells {

const OptionTable<BindOptions>& bindOptionTable() {
  static const OptionTable<BindOptions> table = binding::withExpertOptions({
      options::choice<BindOptions, BindMethod>(
          "method", &BindOptions::method,
          {{"skin-cells", BindMethod::SkinCells}, {"heat", BindMethod::Heat}, {"proximity", BindMethod::Proximity}},
          "how weights are computed; skin-cells: a field optimized over random poses; heat: the bone each vertex sees "
          "from "
          "inside, spread over the surface; proximity: the nearest bones, 1/d^3.5"),
      options::integer("max-influences", &BindOptions::max_influences, 1, kMaxInfluences,
                       "most joints that a vertex may follow"),
      options::text("joints", &BindOptions::joints, "auto | all | weighted | FILE",
                    "which joints may deform; auto: leave out IK targets, controls, end joints and the like; weighted: "
                    "those that carry weight in the input's skin; FILE: a list of names or patterns"),
      options::text("keep-joints", &BindOptions::keep_joints, "names or patterns, separated by commas",
                    "joints that deform whatever --joints says"),
      options::text("drop-joints", &BindOptions::drop_joints, "names or patterns, separated by commas",
                    "joints that do not deform whatever --joints says"),
      options::choice<BindOptions, SymmetryChoice>(
          "symmetry", &BindOptions::symmetry, {{"auto", SymmetryChoice::Auto}, {"off", SymmetryChoice::Off}},
          "auto: where skeleton and mesh mirror each other, so do the weights"),
      options::choice<BindOptions, BindQuality>(
          "quality", &BindOptions::quality,
          {{"draft", BindQuality::Draft}, {"normal", BindQuality::Normal}, {"high", BindQuality::High}},
          "how long skin cells are optimized: 30, 70 or at most 300 steps of the pose losses"),
      options::real("stiffness", &BindOptions::stiffness, 0.01, 100.0,
                    "large: the skin follows the bones; small: it bends smoothly"),
      options::integer("sites", &BindOptions::sites, 1, 16, "sites per skin cell"),
      options::choice<BindOptions, TrainingPoses>(
          "poses", &BindOptions::poses,
          {{"auto", TrainingPoses::Auto}, {"ranges", TrainingPoses::Ranges}, {"clips", TrainingPoses::Clips}},
          "which poses skin cells are optimized over; ranges (also auto): random ones within the ranges of motion; "
          "clips: those of the file\'s clips"),
      options::text(
          "rom", &BindOptions::rom, "auto | clips | humanoid | generic | FILE",
          "how far joints turn in random poses; generic (also auto): one cone for all; humanoid: by the part of the "
          "body that a name or a VRM file tells; clips: as far as the file\'s clips turn them; FILE: a range file"),
      options::integer("seed", &BindOptions::seed, 0, std::int64_t{1} << 62U, "of the random poses"),
      options::choice<BindOptions, BindPreset>(
          "preset", &BindOptions::preset, {{"default", BindPreset::Default}, {"paper", BindPreset::Paper}},
          "what the expert options that are left at auto mean; paper: Larionov et al. 2025 to the letter (slow)"),
      options::choice<BindOptions, BindAblation>(
          "ablation", &BindOptions::ablation,
          {{"none", BindAblation::None},
           {"falloff", BindAblation::Falloff},
           {"sparse-falloff", BindAblation::SparseFalloff},
           {"vertex", BindAblation::Vertex}},
          "optimize less, for comparison; falloff: only each cell's falloff; sparse-falloff: falloff and slack; "
          "vertex: each vertex's weights by themselves, without a field"),
  });
  return table;
}

} // namespace skincells

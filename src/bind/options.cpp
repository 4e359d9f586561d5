#include "skincells/bind.h"

namespace skincells {

const OptionTable<BindOptions>& bindOptionTable() {
  static const OptionTable<BindOptions> table{
      options::choice<BindOptions, BindMethod>(
          "method", &BindOptions::method,
          {{"skin-cells", BindMethod::SkinCells}, {"heat", BindMethod::Heat}, {"proximity", BindMethod::Proximity}},
          "how weights are computed; skin-cells: a field optimised over random poses; heat: the bone each vertex sees "
          "from "
          "inside, spread over the surface; proximity: the nearest bones, 1/d^3.5"),
      options::integer("max-influences", &BindOptions::max_influences, 1, kMaxInfluences,
                       "most joints that a vertex may follow"),
      options::text("joints", &BindOptions::joints, "auto | all | weighted | FILE",
                    "which joints may deform; auto: leave out IK targets, controls, end joints and the like; weighted: "
                    "those that carry weight in the input's skin; FILE: a list of names or patterns"),
      options::choice<BindOptions, SymmetryChoice>(
          "symmetry", &BindOptions::symmetry, {{"auto", SymmetryChoice::Auto}, {"off", SymmetryChoice::Off}},
          "auto: where skeleton and mesh mirror each other, so do the weights"),
      options::choice<BindOptions, BindQuality>(
          "quality", &BindOptions::quality,
          {{"draft", BindQuality::Draft}, {"normal", BindQuality::Normal}, {"high", BindQuality::High}},
          "how long skin cells are optimised"),
      options::real("stiffness", &BindOptions::stiffness, 0.01, 100.0,
                    "large: the skin follows the bones; small: it bends smoothly"),
      options::integer("sites", &BindOptions::sites, 1, 16, "sites per skin cell"),
      options::choice<BindOptions, TrainingPoses>(
          "poses", &BindOptions::poses,
          {{"auto", TrainingPoses::Auto}, {"ranges", TrainingPoses::Ranges}, {"clips", TrainingPoses::Clips}}, "TBD"),
      options::text("rom", &BindOptions::rom, "auto | clips | humanoid | generic | FILE", "TBD"),
      options::integer("seed", &BindOptions::seed, 0, std::int64_t{1} << 62U, "of the random poses"),
  };
  return table;
}

} // namespace skincells

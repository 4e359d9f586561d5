#include "rig/motion/joint_motions.h"
#include "skincells/bind.h"

namespace skincells {

const OptionTable<BindOptions>& bindOptionTable() {
  static const OptionTable<BindOptions> table{
      options::choice<BindOptions, BindMethod>(
          "method", &BindOptions::method,
          {{"skin-cells", BindMethod::SkinCells}, {"heat", BindMethod::Heat}, {"proximity", BindMethod::Proximity}},
          "how weights are computed; skin-cells: a field optimized over random poses; heat: the bone each vertex sees "
          "from inside, diffused over the surface; proximity: the nearest bones, 1/d^3.5"),
      options::integer("max-influences", &BindOptions::max_influences, 1, kMaxInfluences, "most joints per vertex"),
      options::text("joints", &BindOptions::joints, "auto | all | weighted | FILE",
                    "which joints may deform; auto: leave out IK targets, controls, end joints and the like; weighted: "
                    "those that carry weight in the input's skin; FILE: a list of names or patterns"),
      options::text("keep-joints", &BindOptions::keep_joints, "names or patterns, separated by commas",
                    "joints that deform whatever --joints says"),
      options::text("drop-joints", &BindOptions::drop_joints, "names or patterns, separated by commas",
                    "joints that do not deform whatever --joints says"),
      options::text(
          "part", &BindOptions::parts, "NAME=rigid:JOINT | NAME=follow | NAME=field, separated by commas",
          "what is known of parts of the mesh, by name or pattern; rigid: the part follows one joint; follow: "
          "as one piece, what it touches; field: it bends, whatever it looks like"),
      options::choice<BindOptions, SkeletonChoice>(
          "skeletons", &BindOptions::skeletons,
          {{"separate", SkeletonChoice::Separate}, {"together", SkeletonChoice::Together}},
          "files with several characters; separate: each mesh follows the joints of its own skin's skeleton; together: "
          "any joint"),
      options::choice<BindOptions, SymmetryChoice>("symmetry", &BindOptions::symmetry,
                                                   {{"auto", SymmetryChoice::Auto}, {"off", SymmetryChoice::Off}},
                                                   "auto: symmetric weights where skeleton and mesh are symmetric"),
      options::choice<BindOptions, BindQuality>("quality", &BindOptions::quality,
                                                {{"draft", BindQuality::Draft}, {"normal", BindQuality::Normal}},
                                                "how long skin cells are optimized; draft: about half the steps"),
      options::real("stiffness", &BindOptions::stiffness, 0.01, 100.0,
                    "large: the skin follows the bones; small: it bends smoothly"),
      options::integer("sites", &BindOptions::sites, 1, 16, "sites per skin cell"),
      options::toggle("normals", &BindOptions::normals,
                      "skin cells see which way the surface faces, so that limbs close to each other share less"),
      options::choice<BindOptions, TrainingPoses>(
          "training-poses", &BindOptions::poses, {{"ranges", TrainingPoses::Ranges}, {"clips", TrainingPoses::Clips}},
          "poses that skin cells are optimized over; ranges: random poses within the ranges of motion; clips: poses of "
          "the file's clips"),
      rig::romOption(&BindOptions::rom),
      options::integer("seed", &BindOptions::seed, 0, std::int64_t{1} << 62U, "seed of the random poses"),
      options::toggle("early-stop", &BindOptions::early_stop,
                      "stop optimizing when the loss on held-out poses has settled"),
      options::toggle("guard", &BindOptions::guard,
                      "fall back to a safer result when the optimized one is broken or far worse than its start"),
      options::real("time-limit", &BindOptions::time_limit, 0.0, 1e6,
                    "seconds after which the best result so far is kept; 0: no limit"),
      options::choice<BindOptions, InterruptChoice>(
          "on-interrupt", &BindOptions::on_interrupt,
          {{"discard", InterruptChoice::Discard}, {"keep", InterruptChoice::Keep}},
          "what Ctrl+C or TERM leaves; discard: nothing; keep: the best result so far, or weights by proximity"),
  };
  return table;
}

namespace {

struct OriginText {
  const char *name, *reason;
};
const OriginText& textOf(PartOrigin origin) {
  static constexpr OriginText kTexts[] = {
      {"bends", "bound vertex by vertex"},
      {"accessory", "small and without a bone inside: follows what it touches as one piece"},
      {"one_joint", "nearly all of it belongs to one joint: follows it as one piece"},
      {"leaf_inside", "all of it is nearest to the joint inside: follows it as one piece"},
      {"speck", "too small to be seen bending: follows the surface nearest to it"},
      {"loose", "no triangle uses it: bound by its position"},
      {"torn", "far outside the character: takes the mean of its neighbors"},
      {"scenery", "far from every joint: follows the topmost joint"},
      {"rigid_by_name", "--part says that it follows this joint"},
      {"follow_by_name", "--part says that it follows what it touches as one piece"},
      {"field_by_name", "--part says that it bends"},
  };
  return kTexts[static_cast<std::size_t>(origin)];
}

} // namespace

const char* partOriginName(PartOrigin origin) {
  return textOf(origin).name;
}
const char* partOriginReason(PartOrigin origin) {
  return textOf(origin).reason;
}

} // namespace skincells

#include "studies/page/section.h"

namespace skincells::studies {

std::span<const Section> allSections() {
  static const Section kSections[] = {
      {"influences", "At most K influences, anywhere",
       "With the slack c at 0, no point of space has more than K non-zero weights, whatever the parameters.",
       studyInfluences},
      {"stability", "Numerical stability",
       "Weights can be computed in float32 for large exponents and distances, where a softmax of distances fails.",
       studyStability},
      {"sites", "Offset and several sites",
       "The offset t makes the distance smooth at a site, and several sites let a cell follow bent parts.", studySites},
      {"stiffness", "Smooth folds against kept volume",
       "One weight trades smooth folds for a body that keeps its volume.", studyStiffness},
      {"methods", "Beside other methods",
       "Skin cells come closer to the skins of artists than proximity, bone heat, voxels and bounded biharmonic "
       "weights.",
       studyMethods},
      {"levels", "Levels of detail from one field",
       "One field skins coarser and finer meshes of a character as well as a transfer or a bind of each.", studyLevels},
      {"garments", "Garments",
       "Fields with a collision term keep clothes out of the body with less stretch than proximity, attribute transfer "
       "and robust transfer, and the field of one skirt fits similar ones.",
       studyGarments},
      {"convergence", "Convergence",
       "Moving whole cells converges 5 times as fast as moving falloffs alone and 3.5 times as fast as moving weights "
       "per "
       "vertex.",
       studyConvergence},
      {"robustness", "Robustness and time",
       "Every character can be processed, in less than the paper's minute; tetrahedra cannot be made of most.",
       studyRobustness, false},
      {"printed", "The method as printed", "The printed start, rate and weights can be used as they are.",
       studyPrinted},
      {"settled", "The method without a guess", "Cells on bones and pose losses alone come near the skins of artists.",
       studySettled, false, true},
      {"ablations", "What each part is worth", "Moving all of a cell improves wrists, elbows, muzzles and capes.",
       studyAblations, false},
      {"points", "Points without connectivity",
       "The method needs only a neighborhood of points, not a mesh: point clouds and splats can be optimized directly "
       "(future work in the paper).",
       studyPoints},
  };
  return kSections;
}

} // namespace skincells::studies

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "bind/training_poses.h"
#include "fit/pose_objective.h"
#include "fit/tuning.h"
#include "mesh/solve_space.h"
#include "mesh/solve_weld.h"
#include "studies/page/cases.h"
#include "studies/page/closeup.h"
#include "studies/page/tables.h"
#include "studies/problem.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

weights::WeightRows rowsOf(const SparseWeights& weights) {
  weights::WeightRows rows;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    rows.first.push_back(static_cast<std::uint32_t>(rows.weight.size()));
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
      if (weights.weightRow(v)[k] > 0) {
        rows.joint.push_back(weights.jointRow(v)[k]);
        rows.weight.push_back(weights.weightRow(v)[k]);
      }
    rows.count.push_back(static_cast<std::uint32_t>(rows.weight.size()) - rows.first.back());
  }
  return rows;
}

// The smoothness loss of a skin in poses, per vertex: how far posed detail is from turned rest detail, in cm^2.
double foldLoss(const Case& c, const SparseWeights& weights) {
  const Weld weld = mesh::weldForSolve(c.character.mesh);
  const Mesh welded = mesh::solveMesh(c.character.mesh, weld);
  const mesh::SolveSpace unit = mesh::unitSpace(welded.bounds());
  FieldParameters space;
  space.unit_origin = unit.origin;
  space.unit_scale = unit.scale;
  fit::PoseObjective objective(welded, {}, space, {.smoothness = 1, .location = 0, .sparsity = 0});
  std::vector<float> gradient;
  return objective.evaluate(rowsOf(gatherRows(weights, weld.first_vertex)), objective.prepare(c.poses), gradient) /
         static_cast<double>(welded.positions.size());
}

Image elbowPicture(const Case& c, int joint, const std::vector<std::pair<std::string, SparseWeights>>& skins) {
  const Pose pose = turnedPose(c.character.skeleton, joint, {0, 1, 0}, -100);
  std::vector<SheetCell> cells;
  for (const auto& [name, weights] : skins)
    cells.push_back({closeUp(c, weights, pose, c.character.skeleton.bindPosition(joint),
                             0.09 * c.character.mesh.bounds().diagonal(), View::Top, 230),
                     name});
  return contactSheet(cells, {.columns = static_cast<int>(cells.size()), .title = "", .text_size = 8});
}

} // namespace

Result<Finding> studyStiffness(const Context& context) {
  SKINCELLS_TRY(c, readCase(context.examples + "/biped_apose_reference.glb", context.quick ? 8 : 20));
  const int elbow_joint = c.character.skeleton.find("forearm.L");
  if (elbow_joint < 0) return Error{ErrorCode::Mismatch, "has no joint forearm.L", c.name};
  Table table(
      {"location weight", "fold loss, cm^2", "stretch", "flipped triangles, %", "volume change, %", "error, %"});
  Series folds{"fold loss", {}, {}}, volumes{"volume change, %", {}, {}};
  std::vector<std::pair<std::string, SparseWeights>> skins;
  const std::vector<double> locations =
      context.quick ? std::vector<double>{1, 60, 6000} : std::vector<double>{0.6, 6, 20, 60, 200, 600, 6000};
  for (double location : locations) {
    SKINCELLS_TRY(done,
                  runVariant(c.character, {.variant = Variant::Bones, .location = location, .joints = "weighted"}));
    const ShapeStatistics shape = shapeOf(c, done.weights);
    const double fold = foldLoss(c, done.weights);
    table.add({number(location, 1), number(fold, 4), number(shape.stretch_rms, 3), number(shape.flipped_percent, 2),
               number(shape.volume_percent, 2), number(errorOf(c, done.weights), 3)});
    folds.x.push_back(location);
    folds.y.push_back(fold);
    volumes.x.push_back(location);
    volumes.y.push_back(shape.volume_percent);
    if (location == 0.6 || location == 60 || location == 6000)
      skins.emplace_back("location " + number(location, 1), std::move(done.weights));
  }
  // Stiffer: less smooth folds, but more volume.
  const bool folds_grow = folds.y.back() > 1.02 * folds.y.front(), volume_kept = volumes.y.back() < volumes.y.front();
  Finding out;
  out.holds = folds_grow && volume_kept ? Holds::Yes : folds_grow || volume_kept ? Holds::Partly : Holds::No;
  out.sentence = "From a weight of " + number(locations.front(), 1) + " to " + number(locations.back(), 0) +
                 ", the fold loss goes from " + number(folds.y.front(), 4) + " to " + number(folds.y.back(), 4) +
                 " and the change of volume from " + number(volumes.y.front(), 1) + " to " +
                 number(volumes.y.back(), 1) + " %.";
  out.notes = "The method without a guess on one character, 100 steps, random poses up to 35 degrees. `--stiffness` of "
              "`bind` scales the same weight. The fold loss is the smoothness term alone, per vertex.";
  out.body = table.text() + "\n";
  SKINCELLS_TRY(curve, picture(context, "stiffness", "Fold loss and change of volume by the location weight", [&] {
                  return linePlot({folds, volumes}, {"", "location weight", "", true, true});
                }));
  SKINCELLS_TRY(elbow, picture(context, "stiffness_elbow",
                               "An elbow bent by 100 degrees, seen from above, for three location weights",
                               [&] { return elbowPicture(c, elbow_joint, skins); }));
  out.body += curve + elbow;
  return out;
}

} // namespace skincells::studies

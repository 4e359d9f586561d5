#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "studies/page/cases.h"
#include "studies/page/closeup.h"
#include "studies/page/tables.h"

namespace skincells::studies {
namespace {

// A place of a character and the motion that shows it.
struct Spot {
  const char *name, *character, *joint;
  Vec3d axis;             // in bind space
  double degrees, radius; // of the diagonal
  View view;
};
constexpr Spot kSpots[] = {
    {"wrist", "biped_apose", "hand.L", {1, 0, 0}, 80, 0.05, View::Front},
    {"elbow", "biped_apose", "forearm.L", {0, 1, 0}, -100, 0.08, View::Top},
    {"muzzle", "quadruped", "jaw", {1, 0, 0}, 25, 0.08, View::Side},
    {"cape", "knight", "thigh.L", {1, 0, 0}, -60, 0.2, View::Back},
};

struct Way {
  const char* name;
  Variant variant;
  int steps; // of the losses; -1: its own
};
constexpr Way kWays[] = {{"guess fitted, no losses", Variant::Guessed, 0},
                         {"falloff", Variant::Falloff, -1},
                         {"falloff and slack", Variant::SparseFalloff, -1},
                         {"all of a cell", Variant::Guessed, -1},
                         {"per vertex", Variant::Vertex, -1},
                         {"`bind`", Variant::Product, -1}};

} // namespace

Result<Finding> studyAblations(const Context& context) {
  Table table(
      {"place", "what moves", "stretch", "edges beyond a factor of 2, %", "flipped, %", "moved from the guess, %"});
  std::vector<SheetCell> cells;
  int better = 0, places = 0;
  for (const Spot& spot : kSpots) {
    SKINCELLS_TRY(c, readCase(context.examples + "/" + spot.character + ".glb", 4));
    const int joint = c.character.skeleton.find(spot.joint);
    if (joint < 0) return Error{ErrorCode::Mismatch, "has no such joint", spot.joint};
    const double diagonal = c.character.mesh.bounds().diagonal();
    const Vec3d center = c.character.skeleton.bindPosition(joint);
    const Mesh part = around(c.character.mesh, center, spot.radius * diagonal);
    std::vector<Pose> poses;
    for (double share : {0.5, 1.0})
      poses.push_back(turnedPose(c.character.skeleton, joint, spot.axis, share * spot.degrees));
    SparseWeights guess;
    double guess_stretch = 0;
    for (const Way& way : kWays) {
      SKINCELLS_TRY(done, runVariant(c.character, {.variant = way.variant, .steps = way.steps}));
      const ShapeStatistics shape = shapeStatistics(part, done.weights, poses);
      if (guess.empty()) {
        guess = done.weights;
        guess_stretch = shape.stretch_rms;
      }
      const double moved =
          compareWeights(c.character.mesh, guess, done.weights, {{"spot", poses}}).sets.front().error.rms;
      table.add({spot.name, way.name, number(shape.stretch_rms, 4), number(shape.extreme_edges_percent, 2),
                 number(shape.flipped_percent, 2), number(moved, 3)});
      if (way.variant == Variant::Guessed && way.steps < 0) {
        ++places;
        better += shape.stretch_rms < guess_stretch;
      }
      if (!context.pictures.empty())
        cells.push_back({closeUp(c, done.weights, poses.back(), center, spot.radius * diagonal, spot.view, 170),
                         std::string(spot.name) + ": " + way.name});
    }
  }
  Finding out;
  out.holds = better == places ? Holds::Yes : better > 0 ? Holds::Partly : Holds::No;
  out.sentence = "Moving all of a cell toward the losses stretches the surface less than the guess at " +
                 std::to_string(better) + " of " + std::to_string(places) + " places.";
  out.notes =
      "One joint turned halfway and fully: a wrist and an elbow, the jaw of a fox, and a thigh under a cape without "
      "bones. The surface within 5 to 20 % of the diagonal around the joint.";
  out.body = table.text() + "\n";
  SKINCELLS_TRY(shown, picture(context, "ablations", "Wrist, elbow, muzzle and cape, for what moves", [&] {
                  return contactSheet(cells,
                                      {.columns = static_cast<int>(std::size(kWays)), .title = "", .text_size = 7});
                }));
  out.body += shown;
  return out;
}

} // namespace skincells::studies

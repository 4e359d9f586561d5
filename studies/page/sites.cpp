#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "bind/skin_cells.h"
#include "field/initialize.h"
#include "field/reference.h"
#include "fit/field_fit.h"
#include "fit/site_placement.h"
#include "mesh/solve_space.h"
#include "mesh/solve_weld.h"
#include "skincells/viz/sheet.h"
#include "studies/page/cases.h"
#include "studies/page/tables.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

// One joint in the plane z = 0, with a bent limb of `sites` sites.
FieldParameters bentLimb(int sites, double offset) {
  FieldParameters field({1, sites, FieldShape::Triangular}, 1);
  for (int s = 0; s < sites; ++s) {
    const double at = sites == 1 ? 0.5 : static_cast<double>(s) / (sites - 1);
    const Vec3d p = at < 0.5 ? Vec3d{0.25 + 0.7 * at, 0.25 + 0.4 * at, 0}
                             : Vec3d{0.6 + 0.1 * (at - 0.5), 0.45 + 0.7 * (at - 0.5), 0};
    field.centers()[3 * static_cast<std::size_t>(s)] = static_cast<float>(p.x);
    field.centers()[3 * static_cast<std::size_t>(s) + 1] = static_cast<float>(p.y);
  }
  for (float& v : field.logOffsets()) v = static_cast<float>(std::log(offset));
  return field;
}

double distanceAt(const FieldParameters& field, double x, double y) {
  const std::vector<double> values(field.values.begin(), field.values.end());
  const field::ReferenceField<double> exact{field.layout, 1, values};
  double least = INFINITY;
  for (std::size_t s = 0; s < field.layout.sites(); ++s)
    least = std::min(least, field::siteDistance(exact, s, field::ReferencePoint<double>({x, y, 0})));
  return least;
}

Image distancePicture() {
  std::vector<SheetCell> cells;
  for (int sites : {1, 6})
    for (double t : {0.001, 0.1, 0.3}) {
      const FieldParameters field = bentLimb(sites, t);
      cells.push_back({colorMap(200,
                                [&](double x, double y) {
                                  const double d = distanceAt(field, x, y);
                                  const Rgb c = sequentialColor(1 - std::min(1.0, d / 0.7));
                                  const bool line = std::fmod(d + 0.03, 0.05) < 0.006;
                                  return line ? Rgb{c.r * 0.5F, c.g * 0.5F, c.b * 0.5F} : c;
                                }),
                       std::to_string(sites) + (sites == 1 ? " site, t = " : " sites, t = ") + number(t, 3)});
    }
  return contactSheet(cells, {.columns = 3, .title = "", .text_size = 8});
}

// The steepest change of the logarithm of the distance within 0.05 of a site, per unit: what a weight of falloff 1
// changes by.
double steepest(double offset) {
  const FieldParameters field = bentLimb(1, offset);
  const double x = static_cast<double>(field.values[0]), y = static_cast<double>(field.values[1]);
  constexpr double kStep = 1e-4;
  double most = 0;
  for (double r = kStep; r < 0.05; r += kStep)
    most = std::max(
        most, std::abs(std::log(distanceAt(field, x + r, y)) - std::log(distanceAt(field, x + r - kStep, y))) / kStep);
  return most;
}

// The error of a field fitted to the reference itself.
Result<double> fittedError(const Case& c, int sites, int steps) {
  SKINCELLS_TRY(rig, rigOf(c));
  const Weld weld = mesh::weldForSolve(c.character.mesh);
  const Mesh welded = mesh::solveMesh(c.character.mesh, weld);
  const mesh::SolveSpace unit = mesh::unitSpace(welded.bounds());
  std::vector<int> field_joint(c.character.skeleton.joints.size(), -1);
  for (std::size_t j = 0; j < rig.deforming.size(); ++j) field_joint[rig.deforming[j]] = static_cast<int>(j);
  std::vector<field::BoneSegment> bones;
  for (const rig::BoneSegment& b : rig::boneSegments(rig))
    bones.push_back({field_joint[b.joint], unit.toSpace(b.a), unit.toSpace(b.b)});
  FieldParameters field = field::initializeField(bones, {static_cast<int>(rig.deforming.size()), sites}, 4, 0);
  field.unit_origin = unit.origin;
  field.unit_scale = unit.scale;
  SparseWeights target = gatherRows(c.reference, weld.first_vertex);
  canonicalize(target, 4);
  weights::remapJoints(target, field_joint);
  const fit::Tuning tuning;
  fit::placeSites(field, welded.positions, target);
  fit::fitToWeights(field, welded.positions, target, {.steps = steps, .rates = tuning.fit_rates});
  SparseWeights rows = field::evaluateHard(field, welded.positions);
  weights::remapJoints(rows, rig.deforming);
  return errorOf(c, gatherRows(rows, weld.welded_of_vertex));
}

} // namespace

Result<Finding> studySites(const Context& context) {
  SKINCELLS_TRY(cases, generatedCases(context));
  Table slopes({"offset t", "steepest change of log d near a site"});
  std::vector<double> steep;
  for (double t : {1e-4, 1e-3, 1e-2, 1e-1}) {
    steep.push_back(steepest(t));
    slopes.add({number(t, 4), number(steep.back(), 1)});
  }
  std::vector<std::string> head{"sites per cell"};
  for (const Case& c : cases) head.push_back(c.name);
  Table fits(head);
  std::vector<double> one, six;
  for (int sites : context.quick ? std::vector<int>{1, 6} : std::vector<int>{1, 2, 4, 6, 8, 12}) {
    std::vector<std::string> row{std::to_string(sites)};
    for (const Case& c : cases) {
      SKINCELLS_TRY(error, fittedError(c, sites, context.quick ? 60 : 200));
      row.push_back(number(error, 3));
      if (sites == 1) one.push_back(error);
      if (sites == 6) six.push_back(error);
    }
    fits.add(row);
  }
  const double gain = geometricMean(six) / geometricMean(one);
  Finding out;
  const bool smooth = steep.back() < 0.01 * steep.front();
  out.holds = smooth && gain < 0.8 ? Holds::Yes : smooth || gain < 0.8 ? Holds::Partly : Holds::No;
  out.sentence = "Near a site, log d changes by up to " + number(steep.back(), 0) + " per unit with t = 0.1 and by " +
                 number(steep.front(), 0) + " with t = 0.0001; a field of 6 sites follows a given skin with " +
                 number(100 * gain, 0) + " % of the error of one site.";
  out.body = slopes.text() +
             "\nFields fitted to the reference skin itself: rms distance in random poses, in % of the diagonal.\n\n" +
             fits.text() + "\n";
  SKINCELLS_TRY(shown, picture(context, "sites",
                               "Distance to a cell of one site (above) and of six, offsets 0.001, 0.1 and 0.3",
                               distancePicture));
  out.body += shown;
  return out;
}

} // namespace skincells::studies

#include "garment/fitting.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "garment/tuning.h"
#include "joints/joint_list.h"
#include "mesh/simplify.h"
#include "mesh/solve_weld.h"
#include "weights/interpolate.h"

namespace skincells::garment {
namespace {

Result<void> checkBody(const Character& garment, const Body& body) {
  if (body.mesh.triangles.empty())
    return Error{ErrorCode::NoMesh,
                 "the body has no triangles, so nothing can be worn on it; give a body with a surface", garment.name};
  if (body.weights.vertexCount() != body.mesh.positions.size())
    return Error{ErrorCode::Mismatch, "the body has no weights; bind it first", garment.name};
  for (std::uint16_t j : body.weights.joints)
    if (j >= garment.skeleton.joints.size())
      return Error{ErrorCode::Mismatch, "the body's weights are for another skeleton", garment.name};
  return {};
}

// Garment and body as one character, because what deforms both may deform either.
Character together(const Character& garment, const Body& body) {
  Character both{garment.name, garment.mesh, garment.skeleton, {}};
  const std::uint32_t first = both.mesh.vertexCount();
  both.mesh.positions.insert(both.mesh.positions.end(), body.mesh.positions.begin(), body.mesh.positions.end());
  for (const Triangle& t : body.mesh.triangles)
    both.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  both.mesh.sections.clear();
  return both;
}

Result<std::vector<JointDecision>> chooseFor(const Character& garment, const Body& body, const JointChoice& choice) {
  if (choice.joints == "weighted") return chooseJoints(garment, choice.joints, {choice.keep, choice.drop});
  SKINCELLS_TRY(decisions, chooseJoints(together(garment, body), choice.joints, {choice.keep, choice.drop}));
  for (std::size_t i = 0; i < body.weights.weights.size(); ++i) {
    JointDecision& d = decisions[body.weights.joints[i]];
    if (body.weights.weights[i] > 0 && d.rule != "user") d.deforms = true;
  }
  return decisions;
}

Body simplified(const Body& body, double cell) {
  const mesh::Clustered simple = mesh::clusterVertices(body.mesh, cell);
  return {simple.mesh, weights::averagedWeights(simple, body.weights)};
}

// The share of garment vertices that are well inside the body, and the mean distance of all from its surface, in sizes
// of the body.
struct RestFit {
  double inside = 0, distance = 0;
};
RestFit measureRest(const Mesh& welded, const WornBody& body) {
  RestFit fit;
  for (const Vec3f& p : welded.positions) {
    const double d = body.surface().nearest(toDouble(p), INFINITY).distance / body.size();
    fit.inside += d < -0.01;
    fit.distance += std::abs(d);
  }
  const auto count = static_cast<double>(welded.positions.size());
  return {fit.inside / count, fit.distance / count};
}

void warn(const Character& garment, const WornBody& body, const Fitting& fitting, Warnings& out) {
  const RestFit rest = measureRest(fitting.welded, body);
  const Vec3d sides = fitting.welded.bounds().size();
  const double size = std::max({sides.x, sides.y, sides.z}) / body.size();
  if (rest.distance > 0.5 || rest.distance > 2 * size)
    out.push_back({"garment.far",
                   "the garment is far from the body (on average more than " +
                       std::string(rest.distance > 0.5 ? "half the body's size" : "twice its own size") +
                       "); are both in the same unit and pose?",
                   garment.name});
  else if (rest.inside > 0.3)
    out.push_back({"garment.inside",
                   std::to_string(std::lround(100 * rest.inside)) +
                       " % of the garment is inside the body at rest, and stays as deep as it is; is it in the body's "
                       "pose?",
                   garment.name});
  if (body.turnedParts() > 0)
    out.push_back({"garment.body_inside_out",
                   std::to_string(body.turnedParts()) +
                       (body.turnedParts() == 1 ? " part of the body faces inward and was"
                                                : " parts of the body face inward and were") +
                       " turned around",
                   garment.name});
  if (body.isOpen())
    out.push_back({"garment.body_open",
                   "most of the body is open, so that inside and outside are known only close to its surface",
                   garment.name});
}

} // namespace

Result<Fitting> fitOn(const Character& garment, const Body& body, const GarmentOptions& options,
                      const JointChoice& choice, int max_influences) {
  SKINCELLS_CHECK(options::validate(garmentOptionTable(), options));
  SKINCELLS_CHECK(checkBody(garment, body));
  ClothOptions cloth_options{max_influences, {}};
  if (options.garment_joints != "auto") {
    SKINCELLS_TRY(chosen, joints::jointsNamed(garment.skeleton, options.garment_joints, "--garment-joints"));
    cloth_options.chosen = std::move(chosen);
  }
  SKINCELLS_TRY(decisions, chooseFor(garment, body, choice));
  Fitting out;
  out.welded = mesh::solveMesh(garment.mesh, mesh::weldForSolve(garment.mesh));
  const WornBody worn(body, out.welded);
  out.cloth = guessCloth(out.welded, garment.skeleton, worn, std::move(decisions), cloth_options);
  if (out.cloth.moving.empty())
    return Error{ErrorCode::NoJoints, "no joint is left that may move the garment; name more of them",
                 "--garment-joints"};
  out.body = {worn.mesh(), worn.weights()};
  out.under = verticesUnder(worn, out.cloth.covered);
  out.size = worn.size();
  out.margin = options.margin / 100 * out.size;
  out.reach = kTuning.reach / 100 * out.size;
  out.coarse = simplified(partOf(worn, out.under), kTuning.obstacle_cell / 100 * out.size);
  if (!out.cloth.own.empty())
    out.motion = std::make_shared<ChainMotion>(garment.skeleton, ownBones(garment.skeleton, out.cloth.own), out.welded,
                                               out.coarse, std::max(out.margin, kTuning.chain_margin / 100 * out.size));
  warn(garment, worn, out, out.warnings);
  return out;
}

} // namespace skincells::garment

#include <algorithm>

#include "base/try.h"
#include "metrics/fill_unweighted.h"
#include "rig/names/find_joint.h"
#include "skincells/transfer.h"
#include "transfer/skeletons.h"

namespace skincells {
namespace {

constexpr double kLeastMatched = 0.5; // share of the body's weight on joints that the garment's skeleton has

} // namespace

Result<PlacedBody> placeBody(const Character& body, const Character& garment, AlignChoice align) {
  if (body.weights.empty())
    return Error{ErrorCode::Mismatch, "the body has no weights; bind it first, or give its field", body.name};
  if (body.mesh.triangles.empty()) return Error{ErrorCode::NoMesh, "the body has no triangles", body.name};
  const WeightStatistics statistics = weightStatistics(body.weights, body.skeleton.jointCount());
  const std::vector<int> match_of = rig::matchNames(body.skeleton, garment.skeleton);
  std::vector<int> stand_in(match_of); // by joint of the body: itself or the nearest joint above that is matched
  for (int j : parentFirstOrder(body.skeleton)) {
    const int parent = body.skeleton.joints[j].parent;
    if (stand_in[j] < 0 && parent >= 0) stand_in[j] = stand_in[parent];
  }
  double mass = 0, matched_mass = 0;
  int missing = 0, any = -1;
  std::string example;
  std::vector<int> joints, match;
  for (int j = 0; j < body.skeleton.jointCount(); ++j) {
    const double m = statistics.mass_of_joint[j];
    mass += m;
    if (match_of[j] >= 0) {
      matched_mass += m;
      if (any < 0) any = match_of[j];
      if (m > 0) {
        joints.push_back(j);
        match.push_back(match_of[j]);
      }
    } else if (m > 0 && missing++ == 0) {
      example = body.skeleton.joints[j].name;
    }
  }
  if (!(matched_mass > kLeastMatched * mass))
    return Error{ErrorCode::Mismatch,
                 std::to_string(missing) + " joints of the body, such as '" + example +
                     "', are not in the garment's skeleton; joints are matched by name, so give the garment the body's "
                     "skeleton (--rig), or a body with the same names",
                 garment.name};
  SKINCELLS_TRY(alignment,
                transfer::alignSkeletons(body.skeleton, joints, garment.skeleton, match, align, garment.name));
  PlacedBody out;
  out.alignment = alignment;
  out.body.mesh = body.mesh;
  if (!(alignment.field_from_mesh == Affine{})) {
    const Affine garment_from_body = alignment.field_from_mesh.inverse();
    for (Vec3f& p : out.body.mesh.positions) p = toFloat(garment_from_body.apply(toDouble(p)));
  }
  for (int& j : stand_in)
    if (j < 0) j = any;
  out.body.weights = body.weights;
  metrics::fillUnweighted(body.mesh.positions, out.body.weights);
  transfer::renameJoints(out.body.weights, stand_in);
  if (missing > 0)
    out.warnings.push_back({"garment.missing_joints",
                            std::to_string(missing) + " joints of the body, such as '" + example +
                                "', are not in the garment's skeleton; what they move follows the joints above them",
                            garment.name});
  return out;
}

} // namespace skincells

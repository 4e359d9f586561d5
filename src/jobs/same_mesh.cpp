#include "jobs/same_mesh.h"

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/table.h"
#include "weights/rows_edit.h"

namespace skincells::jobs {
namespace {

Error mismatch(const CharacterFile& a, const CharacterFile& b, const std::string& why) {
  return {ErrorCode::Mismatch, why + "; only skins of the same mesh can be compared (reference: " + a.info().path + ")",
          b.info().path};
}

} // namespace

Result<void> checkSameMesh(const CharacterFile& reference, const CharacterFile& other) {
  const Mesh &a = reference.character().mesh, &b = other.character().mesh;
  if (a.vertexCount() != b.vertexCount())
    return mismatch(reference, other,
                    "has " + text::grouped(b.vertexCount()) + " vertices where the reference has " +
                        text::grouped(a.vertexCount()));
  const double tolerance = 1e-3 * a.bounds().diagonal();
  for (std::size_t v = 0; v < a.positions.size(); ++v)
    if (length(toDouble(a.positions[v]) - toDouble(b.positions[v])) > tolerance)
      return mismatch(reference, other, "vertex " + std::to_string(v) + " is at another position");
  return {};
}

Result<SparseWeights> weightsOverReference(const CharacterFile& reference, const CharacterFile& other) {
  const Skeleton &a = reference.character().skeleton, &b = other.character().skeleton;
  const std::vector<int> match = rig::matchNames(b, a);
  SparseWeights w = other.character().weights;
  if (w.empty()) return mismatch(reference, other, "has no weights");
  if (const int j = weights::firstUnmappedJoint(w, match); j >= 0)
    return mismatch(reference, other,
                    "puts weight on the joint '" + b.joints[j].name + "', which the reference does not have");
  weights::remapJoints(w, match);
  return w;
}

Result<std::vector<SparseWeights>> weightsOfAll(const CharacterFile& first,
                                                const std::vector<const CharacterFile*>& others) {
  std::vector<SparseWeights> out{first.character().weights};
  for (const CharacterFile* other : others) {
    SKINCELLS_CHECK(checkSameMesh(first, *other));
    SKINCELLS_TRY(weights, weightsOverReference(first, *other));
    out.push_back(std::move(weights));
  }
  return out;
}

} // namespace skincells::jobs

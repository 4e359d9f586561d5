// Weights from a field for any mesh or points of the same character.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/character.h"
#include "skincells/field_document.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

// The document of a field that `bind` computed (`result.field` must be set), with the parts that have separate weights.
// The caller fills in units, up-axis and provenance. Adds the warning "field.incomplete" if some vertices have weights
// that neither the field nor a part gives.
FieldDocument describeField(const Character& character, const BindResult& result, Warnings& warnings);

// Evaluates the field at points of its bind space: one canonical row per point over the field's joints. Ignores parts.
// max_influences: at most the field's; 0: the field's. The field is evaluated with this cap; rows are not truncated.
SparseWeights evaluateField(const FieldDocument& document, const FieldPoints& points, int max_influences = 0);

enum class AlignChoice {
  Auto, // find rotation, scale and translation between the two bind poses from the joints
  None, // both are in the same space
};

struct ApplyOptions {
  int max_influences = 0; // most joints per vertex, 0: the field's; the field is evaluated with this cap
  AlignChoice align = AlignChoice::Auto;
};
const OptionTable<ApplyOptions>& applyOptionTable();

// The map from the mesh's bind space to the field's.
struct Alignment {
  Affine field_from_mesh;      // exactly the identity if the joints are at the same positions
  double scale = 1;            // field units per mesh unit
  double rotation_degrees = 0; // angle of the rotation
  double residual_percent = 0; // rms distance of the aligned joints, in % of the skeleton's size
};

struct ApplyResult {
  SparseWeights weights; // one canonical row per vertex, over the character's joints
  Alignment alignment;
  int max_influences = 0;
  int rigid_part_count = 0; // parts of the mesh that were recognized and got a separate row
  Warnings warnings;
  double seconds = 0;
};

// Weights for a mesh of the character that the field was made for. Joints correspond by name (equal names in order).
// On the mesh that was bound, with the same number of influences, the result has the same bytes as the bind's.
// If the field sees normals, they are computed from the triangles. normals: those of the vertices of a mesh without
// triangles, of any length; empty: they have none.
// Fails with Mismatch if joints of the field are missing or the bind poses do not line up.
Result<ApplyResult> applyField(const FieldDocument& document, const Character& character,
                               const ApplyOptions& options = {}, std::span<const Vec3f> normals = {});

} // namespace skincells

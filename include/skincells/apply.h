// One field, every mesh: weights from a field for any mesh or points of the same character.
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

// The document of a field that `bind` computed (`result.field` must be there), with the parts that were given weights
// of their own. Space and provenance are left for the caller to fill in. Where some vertices have weights that neither
// the field nor a part explains, a warning "field.incomplete" says how many.
FieldDocument describeField(const Character& character, const BindResult& result, Warnings& warnings);

// The field at points of its own bind space: one canonical row per point over the field's joints. Parts play no role.
// max_influences: no more than the field's, which is evaluated with this cap rather than cut off; 0: the field's.
SparseWeights evaluateField(const FieldDocument& document, std::span<const Vec3f> points, int max_influences = 0);

enum class AlignChoice {
  Auto, // find the turn, scale and shift between the two bind poses from the joints
  None, // both are in one space
};

struct ApplyOptions {
  int max_influences = 0; // most joints per vertex, 0: the field's; the field is evaluated with this cap
  AlignChoice align = AlignChoice::Auto;
};
const OptionTable<ApplyOptions>& applyOptionTable();

// How the mesh's bind space lies in the field's.
struct Alignment {
  Affine field_from_mesh;      // exactly the identity where the joints stand at the same places
  double scale = 1;            // field units per mesh unit
  double rotation_degrees = 0; // of the turn
  double residual_percent = 0; // rms distance of the joints afterwards, in % of the skeleton's size
};

struct ApplyResult {
  SparseWeights weights; // one canonical row per vertex, over the character's joints
  Alignment alignment;
  int max_influences = 0;
  int rigid_part_count = 0; // parts of the mesh that were recognized and got their own row
  Warnings warnings;
  double seconds = 0;
};

// Weights for a mesh of the character that the field was made for. Joints correspond by name (equal names in order).
// On the mesh that was bound, with the same number of influences, the result has the same bytes as the bind's.
// Fails with Mismatch when joints of the field are missing, or the bind poses do not line up.
Result<ApplyResult> applyField(const FieldDocument& document, const Character& character,
                               const ApplyOptions& options = {});

} // namespace skincells

// A bind that builds on something else than the library's prior.
#pragma once

#include "guess/prior/network.h"
#include "skincells/bind.h"
#include "skincells/field_document.h"

namespace skincells {

struct BindBasis {
  const FieldDocument* start = nullptr; // the field of a character with the same skeleton: it takes fewer steps
  bool same_shape = false; // and nearly the same shape: the weights of the start take the place of the guess
  const guess::Prior* prior = &guess::Prior::builtIn(); // nullptr: the guess is heat alone
};

// Like `bind`. With a start, the joints that deform are those of the start, and its cells are where the optimization
// begins; fails (Mismatch) if the joints differ in name, parent or place, or the options ask for another kind of field.
// A file with several skeletons makes no use of a start.
Result<BindResult> bindOn(const BindBasis& basis, const Character& character, const BindOptions& options = {},
                          const ProgressFunction& progress = {});

} // namespace skincells

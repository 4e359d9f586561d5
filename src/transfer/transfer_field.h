// A field fitted to existing weights.
#pragma once

#include <span>

#include "skincells/progress.h"
#include "skincells/transfer.h"

namespace skincells::transfer {

struct FittedField {
  FieldDocument document;
  FieldFit fit;
};

// Least squares on the weights at the source's vertices. weighted: the joints with weights, at least one.
// Error: Cancelled.
Result<FittedField> fitField(const Character& character, std::span<const int> weighted, int max_influences,
                             const TransferOptions& options, const ProgressFunction& progress);

} // namespace skincells::transfer

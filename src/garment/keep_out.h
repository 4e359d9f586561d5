// Existing rows of a garment, changed as little as keeps it out of its body.
#pragma once

#include <vector>

#include "garment/fitting.h"

namespace skincells::garment {

// Poses of the skeleton: in the first, places inside the body are searched for; the others judge the changes.
struct KeepOutPoses {
  std::vector<Pose> searched, held_out;
};

// rows: of the welded garment, canonical, with the slots of fitting.cloth.weights; for example those of a bind of body
// and garment together. remade: other rows of the same form. Where cloth enters the body, its rows are blended toward
// those that follow the body below it, with a soft border. Vertices at the place of a body vertex keep their row: no
// seam opens. A change is kept only if less of the cloth is inside the body in the held-out poses, and the cloth
// stretches no more. If remade rows are much better, they are the start instead. Otherwise, the result is `rows`.
SparseWeights keepOut(const Fitting& fitting, const SparseWeights& rows, const SparseWeights& remade,
                      const KeepOutPoses& poses);

} // namespace skincells::garment

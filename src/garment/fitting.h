// Everything about a garment and its body that does not depend on the method: the guess, what to stay out of, and how
// own joints move.
#pragma once

#include <memory>

#include "garment/chain_motion.h"
#include "garment/cloth_rows.h"
#include "garment/worn_body.h"
#include "skincells/garment.h"

namespace skincells::garment {

// Which joints of the garment's skeleton may deform garment or body; see BindOptions.
struct JointChoice {
  std::string joints = "auto", keep, drop;
};

struct Fitting {
  Mesh welded; // the garment
  ClothGuess cloth;
  Body body;               // welded, facing outward
  std::vector<char> under; // by vertex of the body: whether it is under the garment
  Body coarse;             // the part under the garment, with fewer vertices
  double size = 0;         // of the body: its largest side
  double margin = 0;       // in bind units
  double reach = 0;
  std::shared_ptr<const ChainMotion> motion; // nullptr without own joints
  Warnings warnings;
};

// garment: checked, and must outlive the result. Fails if the body has no surface or no weights, and for patterns that
// match no joint.
Result<Fitting> fitOn(const Character& garment, const Body& body, const GarmentOptions& options,
                      const JointChoice& choice, int max_influences);

} // namespace skincells::garment

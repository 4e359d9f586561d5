#include "skincells/garment.h"

namespace skincells {

const OptionTable<GarmentOptions>& garmentOptionTable() {
  static const OptionTable<GarmentOptions> table{
      options::real("margin", &GarmentOptions::margin, 0.0, 10.0,
                    "distance that a garment keeps from its body, in % of the body's largest side; where it is nearer "
                    "at rest, its distance at rest"),
      options::text("garment-joints", &GarmentOptions::garment_joints, "auto | names or patterns, separated by commas",
                    "joints that may move the garment; auto: its own joints, and the body's where own joints do not "
                    "carry the cloth"),
  };
  return table;
}

} // namespace skincells

#include "skincells/bind.h"

namespace skincells {

const OptionTable<BindOptions>& bindOptionTable() {
  static const OptionTable<BindOptions> table{
      options::choice<BindOptions, BindMethod>("method", &BindOptions::method,
                                               {{"proximity", BindMethod::Proximity}, {"heat", BindMethod::Heat}},
                                               "how weights are computed; proximity: the nearest bones, 1/d^3.5; heat: "
                                               "the bone each vertex sees from inside, spread over the surface"),
      options::integer("max-influences", &BindOptions::max_influences, 1, kMaxInfluences,
                       "most joints that a vertex may follow"),
      options::text("joints", &BindOptions::joints, "auto | all | weighted | FILE",
                    "which joints may deform; auto: leave out IK targets, controls, end joints and the like; weighted: "
                    "those that carry weight in the input's skin; FILE: a list of names or patterns"),
  };
  return table;
}

} // namespace skincells

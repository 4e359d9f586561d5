// Progress callbacks for long-running work.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skincells {

struct Progress {
  std::string_view stage;
  double fraction = 0;                               // share of the whole work, 0 .. 1
  std::optional<double> loss = std::nullopt;         // most recent loss, if the stage minimizes one
  std::optional<double> seconds_left = std::nullopt; // estimate for the whole work, once there is one
};

// Called repeatedly during the work. Return false to stop: the work then ends soon, with the best result so far. May be
// empty.
using ProgressFunction = std::function<bool(const Progress&)>;

// How long a stage took.
struct StageTime {
  std::string name;
  double seconds = 0;
};

} // namespace skincells

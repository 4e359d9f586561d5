// How long work tells its caller where it is, and asks whether to go on.
#pragma once

#include <functional>
#include <string_view>

namespace skincells {

// Called now and then with the stage's name and how much of the whole is done (0 .. 1). Return false to stop:
// the work then ends soon, with the best result it has.
using ProgressFunction = std::function<bool(std::string_view stage, double fraction)>;

} // namespace skincells

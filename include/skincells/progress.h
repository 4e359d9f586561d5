// How long work tells its caller where it is, and asks whether to go on.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace skincells {

// Where the work is.
struct Progress {
  std::string_view stage;
  double fraction = 0;                // of the whole that is done, 0 .. 1
  std::optional<double> loss;         // where the stage minimizes one: as it was last
  std::optional<double> seconds_left; // an estimate for the whole, once there is something to judge by
};

// Called now and then. Return false to stop: the work then ends soon, with the best result it has.
// Made from anything that can be called with a `Progress`, or with the stage's name and the fraction alone.
class ProgressFunction {
public:
  ProgressFunction() = default;

  template <class F>
  requires(!std::same_as<F, ProgressFunction> && std::is_invocable_r_v<bool, F&, const Progress&>)
      ProgressFunction(F function)
      : call_(std::move(function)) {}

  template <class F>
  requires(!std::is_invocable_r_v<bool, F&, const Progress&> &&
           std::is_invocable_r_v<bool, F&, std::string_view, double>) ProgressFunction(F function) {
    if constexpr (std::same_as<F, std::function<bool(std::string_view, double)>>)
      if (!function) return;
    call_ = [f = std::move(function)](const Progress& p) mutable -> bool { return f(p.stage, p.fraction); };
  }

  explicit operator bool() const { return static_cast<bool>(call_); }
  bool operator()(const Progress& progress) const { return call_(progress); }
  bool operator()(std::string_view stage, double fraction) const { return call_({stage, fraction, {}, {}}); }

private:
  std::function<bool(const Progress&)> call_;
};

// How long a stage took.
struct StageTime {
  std::string name;
  double seconds = 0;
};

} // namespace skincells

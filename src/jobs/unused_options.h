// Options that would do nothing are refused rather than ignored.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "skincells/options.h"

namespace skincells::jobs {

// Fails if one of these options has another value than its default. chosen: what makes them useless, "--method heat".
template <class T>
Result<void> refuseUnused(const OptionTable<T>& table, const T& values, std::initializer_list<std::string_view> names,
                          const std::string& chosen) {
  for (const Option<T>& option : table)
    if (std::ranges::find(names, option.name) != names.end() && option.get(values) != option.default_text)
      return Error{ErrorCode::InvalidOption, "does nothing with " + chosen + "; leave it out", "--" + option.name};
  return {};
}

} // namespace skincells::jobs

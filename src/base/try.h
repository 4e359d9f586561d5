// SKINCELLS_TRY(name, expression): unwraps a Result or returns its error from the enclosing function.
// SKINCELLS_CHECK(expression): the same for Result<void>.
#pragma once

#include "skincells/result.h"

#define SKINCELLS_TRY(name, expression)                                                                                \
  auto name##_result = (expression);                                                                                   \
  if (!name##_result) return std::move(name##_result).error();                                                         \
  auto& name = *name##_result

#define SKINCELLS_CHECK(expression)                                                                                    \
  do {                                                                                                                 \
    if (auto check_result = (expression); !check_result) return std::move(check_result).error();                       \
  } while (false)

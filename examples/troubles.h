// Characters with the troubles of the first hour: what people export by accident.
#pragma once

#include <span>

#include "skincells/io/scene.h"

namespace skincells::examples {

struct Trouble {
  const char* name;
  const char* description;
  Scene (*make)();
};

std::span<const Trouble> troubles();

} // namespace skincells::examples

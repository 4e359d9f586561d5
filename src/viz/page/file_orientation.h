// Which way a character file stands and looks: the same for pictures, pages and the viewer.
#pragma once

#include "skincells/io/character_file.h"
#include "skincells/options.h"
#include "skincells/result.h"
#include "skincells/rig.h"
#include "skincells/viz/camera.h"

namespace skincells::page {

// The orientation in bind space. Fails if `front` points up or down.
Result<Orientation> orientationOf(const CharacterFile& file, Front front);

// The option that sets the front.
template <class T> Option<T> frontOption(Front T::*field) {
  return options::choice<T, Front>(
      "front", field,
      {{"auto", Front::Auto},
       {"x", Front::X},
       {"minus-x", Front::MinusX},
       {"y", Front::Y},
       {"minus-y", Front::MinusY},
       {"z", Front::Z},
       {"minus-z", Front::MinusZ}},
      "the axis of the scene along which the character looks; auto: guessed from names and "
      "places of the joints");
}

} // namespace skincells::page

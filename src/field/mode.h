// The two ways to read a field.
#pragma once

namespace skincells::field {

enum class FieldMode {
  Relaxed, // with the cells' slack c: every joint has some weight and feels gradients
  Hard,    // c = 0: at most K weights are not zero
};

} // namespace skincells::field

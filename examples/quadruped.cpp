#include "characters.h"
namespace skincells::examples {
Model makeQuadruped() {
  return {};
}
} // namespace skincells::examples

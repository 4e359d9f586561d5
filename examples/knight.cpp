#include "characters.h"
namespace skincells::examples {
Model makeKnight() {
  return {};
}
} // namespace skincells::examples

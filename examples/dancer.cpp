#include "characters.h"
namespace skincells::examples {
Model makeDancer() {
  return {};
}
} // namespace skincells::examples

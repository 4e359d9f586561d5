#include "characters.h"
namespace skincells::examples {
Model makeRobot() {
  return {};
}
} // namespace skincells::examples

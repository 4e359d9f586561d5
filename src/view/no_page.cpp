// Stands in for the page in builds without it (SKINCELLS_BUILD_VIEWER=OFF).
#include "view/page_template.h"

namespace skincells::view {

std::string_view pageTemplate() {
  return {};
}
std::string_view pagePolicy() {
  return {};
}

} // namespace skincells::view

// An empty page for builds without the viewer (SKINCELLS_BUILD_VIEWER=OFF).
#include "viz/viewer/page_template.h"

namespace skincells::viewer {

std::string_view pageTemplate() {
  return {};
}
std::string_view pagePolicy() {
  return {};
}

} // namespace skincells::viewer

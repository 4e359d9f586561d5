# The table of the prior (prior/table.bin, made by prior/train.py) as a C++ source. Sets SKINCELLS_PRIOR_SOURCE.
set(table ${PROJECT_SOURCE_DIR}/prior/table.bin)
set(SKINCELLS_PRIOR_SOURCE ${PROJECT_BINARY_DIR}/prior/table.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(READ ${table} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(CONFIGURE OUTPUT ${SKINCELLS_PRIOR_SOURCE} CONTENT
"#include \"guess/prior/network.h\"

namespace skincells::guess {

static const unsigned char kBytes[] = {
@bytes@};

std::span<const unsigned char> builtInPriorTable() {
  return kBytes;
}

} // namespace skincells::guess
" @ONLY)

# The outlines of DejaVu Sans as a C++ source, for text in pictures. Sets SKINCELLS_FONT_SOURCE.
find_package(Freetype REQUIRED)
find_file(SKINCELLS_FONT DejaVuSans.ttf
  PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts /usr/local/share/fonts
  DOC "The font for text in pictures (Debian: fonts-dejavu-core)" REQUIRED)
set(SKINCELLS_FONT_SOURCE ${PROJECT_BINARY_DIR}/font/dejavu_sans.cpp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/font)
add_executable(skincells_make_font ${PROJECT_SOURCE_DIR}/cmake/make_font.cpp)
target_link_libraries(skincells_make_font PRIVATE Freetype::Freetype)
add_custom_command(OUTPUT ${SKINCELLS_FONT_SOURCE}
  COMMAND skincells_make_font ${SKINCELLS_FONT} ${SKINCELLS_FONT_SOURCE}
  DEPENDS skincells_make_font ${SKINCELLS_FONT} VERBATIM)

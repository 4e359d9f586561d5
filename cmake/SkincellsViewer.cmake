# The viewer page (web/), built with npm and compiled into the library. Sets SKINCELLS_VIEWER_SOURCE to the C++ source
# with the page, or to one without.

find_program(SKINCELLS_NPM npm)
find_program(SKINCELLS_NODE NAMES node nodejs)
set(viewer_default OFF)
if(SKINCELLS_NPM AND SKINCELLS_NODE)
  set(viewer_default ON)
endif()
option(SKINCELLS_BUILD_VIEWER "Build the viewer page for 'skincells view' (needs npm)" ${viewer_default})

set(SKINCELLS_VIEWER_SOURCE ${PROJECT_SOURCE_DIR}/src/viz/viewer/no_page.cpp)
if(NOT SKINCELLS_BUILD_VIEWER)
  message(STATUS "skincells: no viewer page (npm is missing, or SKINCELLS_BUILD_VIEWER is OFF)")
  return()
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
# All files that the page is made from: a new module must rebuild the page without being listed here.
file(GLOB_RECURSE viewer_modules CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
set(viewer_inputs build_page.mjs index.html package.json package-lock.json single_file.ts tsconfig.json vite.config.ts)
list(TRANSFORM viewer_inputs PREPEND ${web}/)

set(SKINCELLS_VIEWER_SOURCE ${PROJECT_BINARY_DIR}/web/viewer_page.cpp)
add_custom_command(OUTPUT ${SKINCELLS_VIEWER_SOURCE}
  COMMAND ${SKINCELLS_NODE} ${web}/build_page.mjs ${SKINCELLS_VIEWER_SOURCE} ${PROJECT_BINARY_DIR}/web/page
  DEPENDS ${viewer_inputs} ${viewer_modules}
  COMMENT "Building the viewer page"
  VERBATIM)

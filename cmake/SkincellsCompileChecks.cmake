# Things that must compile, although no program uses them.

# skincells_check_headers(TARGET): compiles each public header alone, and twice, so that none depends on what a
# user included before it, and each can be included twice. Built on request only: one compiler is enough.
function(skincells_check_headers target)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/include/skincells/*.h)
  list(APPEND headers skincells/version.h)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    target_sources(${target} PRIVATE ${source})
  endforeach()
  target_compile_options(${target} PRIVATE -O0)
  target_link_libraries(${target} PRIVATE skincells skincells_flags)
endfunction()

# skincells_check_sample(TARGET FILE): compiles the first C++ sample of a Markdown page, so that it cannot go stale.
function(skincells_check_sample target file)
  file(READ ${file} page)
  if(NOT page MATCHES "```cpp\n([^`]*)```")
    message(FATAL_ERROR "${file} has no C++ sample")
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${CMAKE_MATCH_1}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  add_library(${target} OBJECT ${source})
  target_link_libraries(${target} PRIVATE skincells skincells_flags)
endfunction()

# skincells_check_headers(TARGET): compiles each public header alone, and twice, so that none leans on what a
# user happened to include before it, and each survives being included again.
function(skincells_check_headers target)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/skincells/*.h)
  list(APPEND headers skincells/version.h)
  add_library(${target} OBJECT)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    target_sources(${target} PRIVATE ${source})
  endforeach()
  target_link_libraries(${target} PRIVATE skincells skincells_flags)
endfunction()

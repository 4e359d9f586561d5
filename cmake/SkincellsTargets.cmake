# Compiler flags shared by every target of this project, and the function that makes a room.

add_library(skincells_flags INTERFACE)
target_compile_options(skincells_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wextra-semi -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>) # g++ 12 sees overlaps in std::string that are not there
if(SKINCELLS_WARNINGS_AS_ERRORS)
  target_compile_options(skincells_flags INTERFACE -Werror)
endif()
if(SKINCELLS_SANITIZE)
  target_compile_options(skincells_flags INTERFACE
    -fsanitize=${SKINCELLS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(skincells_flags INTERFACE -fsanitize=${SKINCELLS_SANITIZE})
endif()
if(SKINCELLS_QUICK_COMPILE)
  # Without times in them ccache can tell that two precompiled headers are the same.
  target_compile_options(skincells_flags INTERFACE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(SKINCELLS_ASSERTS OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(skincells_flags INTERFACE SKINCELLS_ENABLE_ASSERTS=1)
endif()

if(SKINCELLS_FORCE_SCALAR)
  target_compile_definitions(skincells_flags INTERFACE SKINCELLS_NO_SIMD=1)
endif()

# skincells_precompile(TARGET PRIVATE <header>...) or (TARGET REUSE_FROM other): compiles large third-party headers once
# for all sources of a target, or of several, where SKINCELLS_QUICK_COMPILE asks for it. Sources include what they
# need all the same: other builds hold them to it.
function(skincells_precompile)
  if(SKINCELLS_QUICK_COMPILE)
    target_precompile_headers(${ARGV})
  endif()
endfunction()

# skincells_room(NAME [TEXT] SOURCES a.cpp b.cpp ROOMS base mesh LIBRARIES TBB::tbb)
#
# One folder of src/ as one object library. ROOMS are the rooms it may include (the dependency rule of
# docs/architecture.md, which tools/check_layers.py enforces on the include lines); LIBRARIES are third-party.
# A TEXT room works on JSON and computes little: half its compile time would go into optimizing the JSON library.
function(skincells_room name)
  cmake_parse_arguments(ROOM "TEXT" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(target skincells_${name})
  add_library(${target} OBJECT)
  foreach(source IN LISTS ROOM_SOURCES)
    # A source that the build makes has a full path.
    if(IS_ABSOLUTE ${source})
      target_sources(${target} PRIVATE ${source})
    else()
      target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${name}/${source})
    endif()
  endforeach()
  target_include_directories(${target} PUBLIC
    ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${target} PRIVATE skincells_flags ${ROOM_LIBRARIES})
  foreach(room IN LISTS ROOM_ROOMS)
    target_link_libraries(${target} PRIVATE skincells_${room})
  endforeach()
  if(ROOM_TEXT)
    skincells_precompile(${target} PRIVATE <nlohmann/json.hpp>)
  elseif(SKINCELLS_QUICK_COMPILE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  set_property(GLOBAL APPEND PROPERTY SKINCELLS_ROOM_TARGETS ${target})
endfunction()

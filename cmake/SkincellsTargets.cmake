# Compiler flags shared by every target of this project, and the function that makes a room.

add_library(skincells_flags INTERFACE)
target_compile_options(skincells_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wextra-semi -ffp-contract=off
  # g++ 12 sees overlaps and overflows in std::string that are not there.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>")
if(SKINCELLS_WARNINGS_AS_ERRORS)
  target_compile_options(skincells_flags INTERFACE -Werror)
endif()
if(SKINCELLS_SANITIZE)
  target_compile_options(skincells_flags INTERFACE
    -fsanitize=${SKINCELLS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(skincells_flags INTERFACE -fsanitize=${SKINCELLS_SANITIZE})
endif()
if(SKINCELLS_PRECOMPILE)
  # Without times in them ccache can tell that two precompiled headers are the same.
  target_compile_options(skincells_flags INTERFACE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(SKINCELLS_ASSERTS OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(skincells_flags INTERFACE SKINCELLS_ENABLE_ASSERTS=1)
endif()

if(SKINCELLS_FORCE_SCALAR)
  target_compile_definitions(skincells_flags INTERFACE SKINCELLS_NO_SIMD=1)
endif()

# skincells_precompile(TARGET PRIVATE <header>...) or (TARGET REUSE_FROM other): with SKINCELLS_PRECOMPILE, compiles
# large headers once for all sources of a target, or of several. Sources include what they need all the same; presets
# without SKINCELLS_PRECOMPILE check this.
function(skincells_precompile)
  if(SKINCELLS_PRECOMPILE)
    target_precompile_headers(${ARGV})
  endif()
endfunction()

# skincells_room(NAME [TEXT] SOURCES a.cpp b.cpp ROOMS base mesh LIBRARIES TBB::tbb)
#
# One folder of src/ as one object library. ROOMS are the rooms it may include (the layer table of
# docs/architecture.md, which tools/check_layers.py enforces on the include lines); LIBRARIES are third-party.
# Rooms below src/viz belong to the product viz, capi to the product c, all others to the product skincells.
# A TEXT room works on JSON and computes little: it is optimized less, because half of its compile time would go into
# optimizing the JSON library. One precompiled header serves all TEXT rooms, another one all other rooms.
set(SKINCELLS_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <span>
  <string> <string_view> <vector>)
function(skincells_room name)
  cmake_parse_arguments(ROOM "TEXT" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" target skincells_room_${name})
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
    string(REPLACE "/" "_" room skincells_room_${room})
    target_link_libraries(${target} PRIVATE ${room})
  endforeach()
  if(ROOM_TEXT)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(SKINCELLS_QUICK_COMPILE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(name STREQUAL "base")
    skincells_precompile(${target} PRIVATE ${SKINCELLS_STANDARD_HEADERS})
  elseif(name STREQUAL "text")
    skincells_precompile(${target} PRIVATE ${SKINCELLS_STANDARD_HEADERS} <filesystem> <nlohmann/json.hpp>)
  elseif(ROOM_TEXT)
    skincells_precompile(${target} REUSE_FROM skincells_room_text)
  else()
    skincells_precompile(${target} REUSE_FROM skincells_room_base)
  endif()
  set(product skincells)
  if(name MATCHES "^viz/")
    set(product viz)
  elseif(name STREQUAL "capi")
    set(product c)
  endif()
  set_property(GLOBAL APPEND PROPERTY SKINCELLS_ROOMS_OF_${product} ${target})
endfunction()

# skincells_library(TARGET PRODUCT name LIBRARIES ...): the rooms of a product as one installed library.
function(skincells_library target)
  cmake_parse_arguments(LIBRARY "" "PRODUCT" "LIBRARIES" ${ARGN})
  add_library(${target})
  add_library(skincells::${LIBRARY_PRODUCT} ALIAS ${target})
  get_property(rooms GLOBAL PROPERTY SKINCELLS_ROOMS_OF_${LIBRARY_PRODUCT})
  foreach(room IN LISTS rooms)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:skincells_flags> ${LIBRARY_LIBRARIES})
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 EXPORT_NAME ${LIBRARY_PRODUCT})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${target}++) # libskincells.so is the C library
  endif()
endfunction()

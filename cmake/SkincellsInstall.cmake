# What `cmake --install` puts where: library, public headers, CMake package, program and import helper. The product viz
# (pictures, report pages, viewer) is for those who ask: engines need neither it nor its dependencies.
option(SKINCELLS_INSTALL_VIZ "Install the library viz and its headers too" OFF)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/skincells)

set(products skincells)
set(without_viz PATTERN "viz" EXCLUDE)
if(SKINCELLS_INSTALL_VIZ)
  list(APPEND products skincells_viz)
  set(without_viz "")
endif()
install(TARGETS ${products} skincells_c EXPORT skincells
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skincells ${PROJECT_BINARY_DIR}/include/skincells
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" ${without_viz})

# A static library hands its own libraries on to whoever links it; a shared one keeps them to itself.
get_target_property(library_type skincells TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(SKINCELLS_IS_STATIC ON)
else()
  set(SKINCELLS_IS_STATIC OFF)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/skincells-config.cmake.in
  ${PROJECT_BINARY_DIR}/skincells-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/skincells-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/skincells-config.cmake ${PROJECT_BINARY_DIR}/skincells-config-version.cmake
  DESTINATION ${package_folder})
configure_file(${CMAKE_CURRENT_LIST_DIR}/skincells.pc.in ${PROJECT_BINARY_DIR}/skincells.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skincells.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT skincells NAMESPACE skincells:: FILE skincells-targets.cmake DESTINATION ${package_folder})

# The component program is what a release archive holds: no headers, no libraries to link.
if(TARGET skincells_cli)
  install(TARGETS skincells_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  set(completions ${PROJECT_BINARY_DIR}/cli/completions)
  install(FILES ${completions}/skincells DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${completions}/_skincells DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
  install(FILES ${completions}/skincells.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  install(FILES ${completions}/skincells.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/skincells COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

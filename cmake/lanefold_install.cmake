# SPDX-License-Identifier: Apache-2.0
# Install rules: find_package(lanefold [COMPONENTS core simd memory execution]).
# Every component has an export set of its own, so that it loads only the packages that it and its modules need.
include(CMakePackageConfigHelpers)

set(lanefold_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/lanefold")
get_property(LANEFOLD_COMPONENTS GLOBAL PROPERTY LANEFOLD_COMPONENTS)

# The table holds what the configuration file must know of each component, as CMake code.
set(LANEFOLD_COMPONENT_TABLE "")
foreach(component IN LISTS LANEFOLD_COMPONENTS)
  install(
    TARGETS lanefold_${component}
    EXPORT lanefold-${component}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  )
  install(EXPORT lanefold-${component} NAMESPACE lanefold:: DESTINATION "${lanefold_cmake_dir}")

  get_property(modules GLOBAL PROPERTY LANEFOLD_MODULES_OF_${component})
  get_property(packages GLOBAL PROPERTY LANEFOLD_PACKAGES_OF_${component})
  string(APPEND LANEFOLD_COMPONENT_TABLE "set(_lanefold_modules_of_${component} ${modules})\n")
  string(APPEND LANEFOLD_COMPONENT_TABLE "set(_lanefold_packages_of_${component} \"${packages}\")\n")
endforeach()

configure_package_config_file(
  cmake/lanefold-config.cmake.in "${PROJECT_BINARY_DIR}/lanefold-config.cmake"
  INSTALL_DESTINATION "${lanefold_cmake_dir}"
)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lanefold-config-version.cmake" COMPATIBILITY SameMinorVersion
)
install(
  FILES "${PROJECT_BINARY_DIR}/lanefold-config.cmake" "${PROJECT_BINARY_DIR}/lanefold-config-version.cmake"
  DESTINATION "${lanefold_cmake_dir}"
)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

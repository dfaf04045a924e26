# SPDX-License-Identifier: Apache-2.0
# Debian packages by `cpack -G DEB`: liblanefold-dev (component dev) and, with the tools, lanefold-tools (component tools).
# It comes last: CPack takes the install components that are known by then.

# The packages whose headers and libraries the components of this build need.
set(depends g++ pkg-config) # lanefold-c++ asks pkg-config
foreach(component IN LISTS LANEFOLD_COMPONENTS)
  get_property(packages GLOBAL PROPERTY LANEFOLD_PACKAGES_OF_${component})
  foreach(package IN LISTS packages)
    if(package STREQUAL "xsimd")
      list(APPEND depends "libxsimd-dev (>= 8.1)")
    elseif(package STREQUAL "TBB")
      list(APPEND depends libtbb-dev)
    elseif(package MATCHES "^Boost COMPONENTS (.+)$")
      list(APPEND depends libboost-${CMAKE_MATCH_1}-dev)
    elseif(package STREQUAL "OpenCL")
      list(APPEND depends ocl-icd-opencl-dev opencl-clhpp-headers)
    elseif(NOT package STREQUAL "Threads")
      message(FATAL_ERROR "lanefold: cmake/lanefold_deb.cmake knows no Debian package for ${package}")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES depends)
list(JOIN depends ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanefold)
set(CPACK_PACKAGE_CONTACT "The Lanefold maintainers <maintainers@lanefold.example>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES OFF)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_COMPONENTS_ALL dev)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblanefold-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "This package holds the headers, the static libraries and the files for CMake and pkg-config."
)

if(TARGET lanefold_info)
  list(APPEND CPACK_COMPONENTS_ALL tools)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME lanefold-tools)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_COMPONENT_TOOLS_DESCRIPTION
      "This package holds lanefold-info, which says what the machine has, and lanefold-bench where it was built."
  )
  if(TARGET lanefold_bench)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS python3)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS python3-matplotlib)
  endif()
endif()

# Debian wants the licence under the name of each package.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  install(
    FILES LICENSE
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}"
    RENAME copyright
    COMPONENT ${component} EXCLUDE_FROM_ALL
  )
endforeach()
include(CPack)

# SPDX-License-Identifier: Apache-2.0
# Install rules: find_package(lanefold [COMPONENTS <module>...]).
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
    FILE_SET other_names DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILE_SET details DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  )
  install(EXPORT lanefold-${component} NAMESPACE lanefold:: DESTINATION "${lanefold_cmake_dir}")

  get_property(modules GLOBAL PROPERTY LANEFOLD_MODULES_OF_${component})
  get_property(packages GLOBAL PROPERTY LANEFOLD_PACKAGES_OF_${component})
  string(APPEND LANEFOLD_COMPONENT_TABLE "set(_lanefold_modules_of_${component} ${modules})\n")
  string(APPEND LANEFOLD_COMPONENT_TABLE "set(_lanefold_packages_of_${component} \"${packages}\")\n")
endforeach()

# For users without CMake: liblanefold.a with the objects of all modules, and lanefold.pc. Its package is found from where
# the file lies, so that the folder can be moved.
add_library(lanefold_archive STATIC)
set_target_properties(lanefold_archive PROPERTIES OUTPUT_NAME lanefold LINKER_LANGUAGE CXX)
set(LANEFOLD_PC_FLAGS "")
set(LANEFOLD_PC_LIBRARIES "")
set(LANEFOLD_PC_REQUIRES "")
foreach(component IN LISTS LANEFOLD_COMPONENTS)
  get_target_property(type lanefold_${component} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_sources(lanefold_archive PRIVATE $<TARGET_OBJECTS:lanefold_${component}>)
  endif()
  get_property(packages GLOBAL PROPERTY LANEFOLD_PACKAGES_OF_${component})
  foreach(package IN LISTS packages)
    if(package MATCHES "^Boost COMPONENTS (.+)$")
      list(APPEND LANEFOLD_PC_LIBRARIES -lboost_${CMAKE_MATCH_1})
    elseif(package STREQUAL "Threads")
      list(APPEND LANEFOLD_PC_LIBRARIES -pthread)
    else()
      string(REPLACE "TBB" "tbb" package "${package}")
      list(APPEND LANEFOLD_PC_REQUIRES "${package}")
    endif()
  endforeach()
endforeach()
if(TARGET lanefold_gpu)
  get_target_property(options lanefold_gpu INTERFACE_LINK_OPTIONS)
  list(TRANSFORM options REPLACE "^LINKER:" "-Wl,")
  list(APPEND LANEFOLD_PC_LIBRARIES ${options})
endif()
if(LANEFOLD_CHECKED)
  list(APPEND LANEFOLD_PC_FLAGS -DLANEFOLD_CHECKED=1)
endif()
list(APPEND LANEFOLD_PC_FLAGS ${LANEFOLD_SANITIZE_COMPILE_OPTIONS})
list(APPEND LANEFOLD_PC_LIBRARIES ${LANEFOLD_SANITIZE_LINK_OPTIONS})
foreach(list IN ITEMS FLAGS LIBRARIES REQUIRES)
  list(REMOVE_DUPLICATES LANEFOLD_PC_${list})
  list(JOIN LANEFOLD_PC_${list} " " LANEFOLD_PC_${list})
endforeach()
file(RELATIVE_PATH LANEFOLD_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/lanefold.pc.in "${PROJECT_BINARY_DIR}/lanefold.pc" @ONLY)
install(TARGETS lanefold_archive ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${PROJECT_BINARY_DIR}/lanefold.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# For build files that name a compiler for SYCL, or another implementation's package.
file(RELATIVE_PATH LANEFOLD_DRIVER_PREFIX "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix")
foreach(list IN ITEMS FLAGS PARAMETERS)
  get_property(LANEFOLD_DRIVER_${list} GLOBAL PROPERTY LANEFOLD_KERNEL_${list})
  list(JOIN LANEFOLD_DRIVER_${list} " " LANEFOLD_DRIVER_${list})
endforeach()
configure_file(cmake/lanefold-c++.in "${PROJECT_BINARY_DIR}/lanefold-c++" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/lanefold-c++" DESTINATION "${CMAKE_INSTALL_BINDIR}")
# The same under the names of other compilers, for files that name these themselves.
file(RELATIVE_PATH driver "/prefix/${CMAKE_INSTALL_DATADIR}/lanefold/sycl-compilers"
     "/prefix/${CMAKE_INSTALL_BINDIR}/lanefold-c++"
)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/sycl-compilers")
foreach(compiler IN ITEMS acpp clang++ dpcpp icpx syclcc)
  file(CREATE_LINK "${driver}" "${PROJECT_BINARY_DIR}/sycl-compilers/${compiler}" SYMBOLIC)
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/sycl-compilers" DESTINATION "${CMAKE_INSTALL_DATADIR}/lanefold")
foreach(package IN ITEMS AdaptiveCpp ComputeCpp DPCPP IntelDPCPP IntelSYCL OpenSYCL hipSYCL)
  set(folder "${CMAKE_INSTALL_DATADIR}/lanefold/sycl-packages/lib/cmake/${package}")
  file(RELATIVE_PATH LANEFOLD_PACKAGE_PREFIX "/prefix/${folder}" "/prefix")
  configure_file(cmake/package-of-others.cmake.in "${PROJECT_BINARY_DIR}/${package}Config.cmake" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${package}Config.cmake" DESTINATION "${folder}")
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
        cmake/lanefold-variant.cmake cmake/lanefold-localise.sh cmake/lanefold-sycl.cmake
  DESTINATION "${lanefold_cmake_dir}"
)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

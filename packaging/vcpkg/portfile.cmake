# SPDX-License-Identifier: Apache-2.0
# An overlay port of the working tree that it lies in: a port of a release would fetch an archive by its hash.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(
  OUT_FEATURE_OPTIONS options
  FEATURES tbb LANEFOLD_TBB gpu LANEFOLD_GPU fibers LANEFOLD_BOOST_CONTEXT fibers LANEFOLD_BOOST_FIBER
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DLANEFOLD_INSTALL=ON -DLANEFOLD_BUILD_TESTS=OFF -DLANEFOLD_BUILD_EXAMPLES=OFF
          -DLANEFOLD_BUILD_BENCHMARKS=OFF -DLANEFOLD_BUILD_TOOLS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lanefold)
vcpkg_fixup_pkgconfig()
# A port has no programs outside of tools/, and who builds with vcpkg needs no driver of a compiler.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin"
     "${CURRENT_PACKAGES_DIR}/share/lanefold/sycl-compilers"
)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

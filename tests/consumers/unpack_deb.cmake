# SPDX-License-Identifier: Apache-2.0
# Packs the build tree BUILD into Debian packages below the emptied FOLDER, and unpacks them into FOLDER/root.
file(REMOVE_RECURSE "${FOLDER}")
execute_process(
  COMMAND "${CPACK}" -G DEB --config "${BUILD}/CPackConfig.cmake" -B "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY
)
file(GLOB packages "${FOLDER}/*.deb")
if(NOT packages MATCHES "/liblanefold-dev_")
  message(FATAL_ERROR "no package liblanefold-dev among '${packages}'")
endif()
foreach(package IN LISTS packages)
  execute_process(COMMAND "${DPKG}" -x "${package}" "${FOLDER}/root" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT EXISTS "${FOLDER}/root/usr/share/doc/liblanefold-dev/copyright")
  message(FATAL_ERROR "the package liblanefold-dev holds no licence")
endif()

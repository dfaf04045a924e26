# SPDX-License-Identifier: Apache-2.0
# The version lives in include/lanefold/version.hpp and nowhere else.

# Reads LANEFOLD_VERSION_{MAJOR,MINOR,PATCH} from the header and puts "major.minor.patch" into `result`.
function(lanefold_read_version header result)
  file(READ "${header}" text)
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    if(NOT text MATCHES "#define LANEFOLD_VERSION_${part} ([0-9]+)")
      message(FATAL_ERROR "lanefold: no LANEFOLD_VERSION_${part} in ${header}")
    endif()
    list(APPEND version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
endfunction()

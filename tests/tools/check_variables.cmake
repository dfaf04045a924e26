# SPDX-License-Identifier: Apache-2.0
# The table of environment variables in DOCUMENT has each variable that PROGRAM (lanefold-info) knows.
execute_process(COMMAND "${PROGRAM}" --json OUTPUT_VARIABLE output)
file(READ "${DOCUMENT}" document)
string(JSON count LENGTH "${output}" environment)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON name GET "${output}" environment ${index} name)
  string(FIND "${document}" "| `${name}` |" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${DOCUMENT} has no line for ${name}")
  endif()
endforeach()

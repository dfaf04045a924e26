# SPDX-License-Identifier: Apache-2.0
# Checks that a misuse is a compile error with a readable message. SOURCE has a line `// misuse: <part of the message>`
# and code between `#ifdef LANEFOLD_MISUSE` and `#endif`: with the macro the compiler must fail and say that; without it
# the file must compile. Only the thorough run asks the latter (CORRECT_TOO): it is half of the time, and who breaks it
# breaks other tests as well. HEADER, if it is not empty, is included first; where it is SOURCE itself it is precompiled.
list(TRANSFORM INCLUDES PREPEND "-I")
set(command "${COMPILER}" -std=c++20 ${FLAGS} ${INCLUDES})
if(HEADER STREQUAL SOURCE)
  execute_process(COMMAND ${command} -x c++-header "${HEADER}" -o "${HEADER}.gch" COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

file(STRINGS "${SOURCE}" line REGEX "^// misuse: " LIMIT_COUNT 1)
if(NOT line)
  message(FATAL_ERROR "${SOURCE} has no line `// misuse: <part of the message>`")
endif()
string(REGEX REPLACE "^// misuse: " "" expected "${line}")

if(HEADER)
  list(APPEND command -include "${HEADER}")
endif()
list(APPEND command -fsyntax-only "${SOURCE}")

if(CORRECT_TOO)
  execute_process(COMMAND ${command} RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "does not compile even without the misuse:\n${errors}")
  endif()
endif()
execute_process(COMMAND ${command} -DLANEFOLD_MISUSE RESULT_VARIABLE code ERROR_VARIABLE errors)
if(code EQUAL 0)
  message(FATAL_ERROR "the misuse compiles; expected an error with: ${expected}")
endif()
string(FIND "${errors}" "${expected}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "expected an error with: ${expected}\ngot:\n${errors}")
endif()

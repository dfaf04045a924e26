# SPDX-License-Identifier: Apache-2.0
# Runs PROGRAM with ARGUMENTS (separated by |) and checks what it prints. CHECKS, separated by |:
#   fails:CODE        the exit status, which is 0 otherwise
#   says:TEXT         the output has the text
#   json:A.B.0=VALUE  the output is JSON that has the value there
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" arguments "${ARGUMENTS}")
set(quoted "") # a list that is expanded loses arguments that are empty
foreach(argument IN LISTS arguments)
  string(APPEND quoted " [==[${argument}]==]")
endforeach()
string(REPLACE "|" ";" checks "${CHECKS}")
set(wanted 0)
if(CHECKS MATCHES "fails:([0-9]+)")
  set(wanted ${CMAKE_MATCH_1})
endif()
cmake_language(
  EVAL CODE
  "execute_process(COMMAND [==[${PROGRAM}]==] ${quoted} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)"
)
if(NOT code STREQUAL wanted)
  message(FATAL_ERROR "exit status ${code}, expected ${wanted}:\n${output}${errors}")
endif()
foreach(check IN LISTS checks)
  if(check MATCHES "^says:(.*)$")
    string(FIND "${output}${errors}" "${CMAKE_MATCH_1}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "expected \"${CMAKE_MATCH_1}\" in:\n${output}${errors}")
    endif()
  elseif(check MATCHES "^json:([^=]*)=(.*)$")
    set(expected "${CMAKE_MATCH_2}")
    string(REPLACE "." ";" path "${CMAKE_MATCH_1}")
    string(JSON value GET "${output}" ${path})
    if(NOT value STREQUAL expected)
      message(FATAL_ERROR "expected ${CMAKE_MATCH_1} to be ${expected}, it is ${value}, in:\n${output}")
    endif()
  endif()
endforeach()

# SPDX-License-Identifier: Apache-2.0
# lanefold_add_variant(<name> SOURCES <source>... [OPTIONS <compiler option>...] LIBRARIES <target>...)
#
# Makes an object library of sources that are compiled for another instruction set than the rest of the program, such as
# OPTIONS -march=x86-64-v4. Of inline functions and of functions from templates the linker keeps one copy of each name, which
# may be the one with instructions that the processor lacks. In a variant all of these, Lanefold's, the standard library's
# and the program's own, become local to it; variables that the program shares stay shared. <name> is a target to link:
# target_link_libraries(program PRIVATE <name>). It needs GNU's ld and objcopy.
function(lanefold_add_variant name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES OR NOT arg_LIBRARIES)
    message(FATAL_ERROR "lanefold_add_variant(${name}): it takes SOURCES and LIBRARIES, and OPTIONS")
  endif()
  if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
    message(FATAL_ERROR "lanefold_add_variant(${name}): there is no objcopy or nm; install binutils or set CMAKE_OBJCOPY and CMAKE_NM")
  endif()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lanefold-localise.sh")
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_objects PRIVATE ${arg_LIBRARIES})
  target_compile_options(${name}_objects PRIVATE ${arg_OPTIONS})
  set_target_properties(${name}_objects PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF POSITION_INDEPENDENT_CODE ON)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  add_custom_command(
    OUTPUT "${object}"
    COMMAND sh "${script}" "${CMAKE_LINKER}" "${CMAKE_NM}" "${CMAKE_OBJCOPY}" "${object}"
            $<TARGET_OBJECTS:${name}_objects>
    DEPENDS ${name}_objects $<TARGET_OBJECTS:${name}_objects> "${script}"
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Making what ${name} has twice its own"
  )
  add_library(${name} STATIC "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC ${arg_LIBRARIES})
endfunction()

# SPDX-License-Identifier: Apache-2.0
# add_sycl_to_target(TARGET <target> [SOURCES <source>...]), as AdaptiveCpp's and Intel's packages have it, or
# add_sycl_to_target(<target> ...): the target is compiled and linked with all of Lanefold, and with flags that change no
# result (lanefold::kernel_flags). SOURCES are not asked for: every source file may have kernels. A program that has the
# function from another package keeps that.
if(NOT COMMAND add_sycl_to_target)
  function(add_sycl_to_target)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SOURCES")
    if(NOT arg_TARGET)
      list(POP_FRONT arg_UNPARSED_ARGUMENTS arg_TARGET) # as in triSYCL and ComputeCpp before version 1
    endif()
    if(NOT TARGET "${arg_TARGET}")
      message(FATAL_ERROR "add_sycl_to_target: it takes TARGET and the name of a target, not '${arg_TARGET}'")
    endif()
    # Not target_link_libraries: of one target all calls have a keyword, or none has.
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY LINK_LIBRARIES lanefold::lanefold lanefold::kernel_flags)
  endfunction()
endif()

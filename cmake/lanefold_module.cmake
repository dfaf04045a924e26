# SPDX-License-Identifier: Apache-2.0
# The library's targets. The global property LANEFOLD_COMPONENTS lists them (without "lanefold_") in the order of the
# module graph; cmake/lanefold_install.cmake installs them from what is recorded here.

# Lists the headers that do nothing but include another one of their component: names by which programs look for it. They
# compile if that one does: to compile them, too, took a quarter of the time of all.
function(_lanefold_other_names result)
  set(other_names)
  foreach(header IN LISTS ARGN)
    file(STRINGS "${header}" code REGEX "^[^/]")
    if(code MATCHES "^#pragma once;#include <([^>;]+)>$")
      if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/include/${CMAKE_MATCH_1}")
        list(APPEND other_names "${header}")
      endif()
    endif()
  endforeach()
  set(${result} "${other_names}" PARENT_SCOPE)
endfunction()

# Adds what every component has: the alias, its headers (found below include/), its place in the list.
function(_lanefold_add_component name scope)
  set(target lanefold_${name})
  add_library(lanefold::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp")
  set(details ${headers})
  list(FILTER details INCLUDE REGEX "/detail/")
  list(FILTER headers EXCLUDE REGEX "/detail/")
  set(base_dirs BASE_DIRS "${CMAKE_CURRENT_SOURCE_DIR}/include")
  _lanefold_other_names(other_names ${headers})
  list(REMOVE_ITEM headers ${other_names})
  target_sources(
    ${target} ${scope} FILE_SET HEADERS ${base_dirs} FILES ${headers}
    ${scope} FILE_SET other_names TYPE HEADERS ${base_dirs} FILES ${other_names}
    ${scope} FILE_SET details TYPE HEADERS ${base_dirs} FILES ${details}
  )
  # That headers compile alone matters most for those that users include; the thorough run asks it of all.
  if(NOT LANEFOLD_TEST_THOROUGH)
    set_property(TARGET ${target} PROPERTY INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
  endif()
  set_property(GLOBAL APPEND PROPERTY LANEFOLD_COMPONENTS ${name})
endfunction()

# lanefold::core: the common vocabulary, headers only.
function(lanefold_add_core)
  add_library(lanefold_core INTERFACE)
  _lanefold_add_component(core INTERFACE)
  target_compile_features(lanefold_core INTERFACE cxx_std_20)
  # Definitions that change the meaning of the headers travel with the target, so that users and library always agree.
  if(LANEFOLD_CHECKED)
    target_compile_definitions(lanefold_core INTERFACE LANEFOLD_CHECKED=1)
  endif()
  target_compile_options(lanefold_core INTERFACE ${LANEFOLD_SANITIZE_COMPILE_OPTIONS})
  target_link_options(lanefold_core INTERFACE ${LANEFOLD_SANITIZE_LINK_OPTIONS})
endfunction()

# lanefold_add_module(<name> [MODULES <module>...] [PACKAGES <find_package arguments>...]
#                     [PUBLIC <target>...] [PRIVATE <target>...])
#
# Makes lanefold_<name> (alias lanefold::<name>) from include/ and src/**.cpp of the current directory: a static library,
# or an interface library as long as there is no source. Rooms of a module are made in the same way. MODULES are the
# modules and rooms it may include: nobody sees the include directory of one that is not linked. PACKAGES are found here
# and by find_package(lanefold COMPONENTS <name>), each one string such as "Boost COMPONENTS context fiber". PUBLIC
# and PRIVATE are targets of these packages.
# Sources are compiled for the baseline instruction set, except *_sse2.cpp, *_avx2.cpp, *_avx512.cpp, which are compiled
# for theirs and left out where the processor is another one. With LANEFOLD_DISPATCH=OFF the last two are left out, too.
function(lanefold_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "MODULES;PACKAGES;PUBLIC;PRIVATE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lanefold_add_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(module IN LISTS arg_MODULES)
    if(NOT TARGET lanefold_${module})
      message(FATAL_ERROR "lanefold_add_module(${name}): module ${module} must come first; the graph has no cycles")
    endif()
  endforeach()
  foreach(package IN LISTS arg_PACKAGES)
    separate_arguments(arguments UNIX_COMMAND "${package}")
    find_package(${arguments} REQUIRED)
  endforeach()

  set(target lanefold_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp")
  if(NOT LANEFOLD_X86)
    list(FILTER sources EXCLUDE REGEX "_(sse2|avx2|avx512)\\.cpp$")
  elseif(NOT LANEFOLD_DISPATCH)
    list(FILTER sources EXCLUDE REGEX "_(avx2|avx512)\\.cpp$")
  endif()
  if(sources)
    set(scope PUBLIC)
    foreach(isa IN ITEMS sse2 avx2 avx512)
      set(isa_sources ${sources})
      list(FILTER isa_sources INCLUDE REGEX "_${isa}\\.cpp$")
      if(isa_sources AND LANEFOLD_UNITY_BUILD) # CMake leaves sources that have options of their own alone
        list(REMOVE_ITEM sources ${isa_sources})
        list(TRANSFORM isa_sources REPLACE "(.+)" "#include \"\\1\"\n")
        list(JOIN isa_sources "" includes)
        set(isa_sources "${CMAKE_CURRENT_BINARY_DIR}/${name}_${isa}.cpp")
        file(CONFIGURE OUTPUT "${isa_sources}" CONTENT "${includes}" @ONLY)
        list(APPEND sources "${isa_sources}")
      endif()
      set_property(SOURCE ${isa_sources} APPEND PROPERTY COMPILE_OPTIONS ${LANEFOLD_ISA_FLAGS_${isa}})
    endforeach()
    add_library(${target} STATIC ${sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD "${LANEFOLD_UNITY_BUILD}")
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE} "$<BUILD_INTERFACE:lanefold_warnings>")
    target_compile_options(${target} PRIVATE -fopenmp-simd)
    target_compile_definitions(${target} PRIVATE LANEFOLD_OPENMP_SIMD=1 $<$<BOOL:${LANEFOLD_DISPATCH}>:LANEFOLD_DISPATCH=1>)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  _lanefold_add_component(${name} ${scope})

  set(module_targets ${arg_MODULES})
  list(TRANSFORM module_targets PREPEND "lanefold_")
  target_link_libraries(${target} ${scope} lanefold_core ${module_targets} ${arg_PUBLIC})
  set_property(GLOBAL PROPERTY LANEFOLD_MODULES_OF_${name} core ${arg_MODULES})
  set_property(GLOBAL PROPERTY LANEFOLD_PACKAGES_OF_${name} "${arg_PACKAGES}")
endfunction()

# lanefold::lanefold: all modules.
function(lanefold_add_umbrella)
  get_property(components GLOBAL PROPERTY LANEFOLD_COMPONENTS)
  set(targets ${components})
  list(TRANSFORM targets PREPEND "lanefold_")
  add_library(lanefold_lanefold INTERFACE)
  add_library(lanefold::lanefold ALIAS lanefold_lanefold)
  set_target_properties(lanefold_lanefold PROPERTIES EXPORT_NAME lanefold)
  target_link_libraries(lanefold_lanefold INTERFACE ${targets})
  set_property(GLOBAL PROPERTY LANEFOLD_MODULES_OF_lanefold ${components})
  set_property(GLOBAL APPEND PROPERTY LANEFOLD_COMPONENTS lanefold)
endfunction()

# lanefold::kernel_flags: not part of lanefold::lanefold. A target that links it is compiled with flags that change no
# result, and by which compilers vectorise more kernels: floating-point exceptions and errno are given up, which keep
# arithmetic behind conditions scalar, and g++'s limits for arrays that may overlap and for conditions are raised.
function(lanefold_add_kernel_flags)
  add_library(lanefold_kernel_flags INTERFACE)
  add_library(lanefold::kernel_flags ALIAS lanefold_kernel_flags)
  set_target_properties(lanefold_kernel_flags PROPERTIES EXPORT_NAME kernel_flags)
  set(flags -fno-math-errno -fno-trapping-math)
  set(parameters vect-max-version-for-alias-checks=100 max-unswitch-insns=1000 logical-op-non-short-circuit=0
                 max-tree-if-conversion-phi-args=64
  )
  list(TRANSFORM parameters PREPEND "--param=")
  target_compile_options(
    lanefold_kernel_flags INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:${flags}>"
                                    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${parameters}>"
  )
  set_property(GLOBAL APPEND PROPERTY LANEFOLD_COMPONENTS kernel_flags)
  set_property(GLOBAL PROPERTY LANEFOLD_KERNEL_FLAGS ${flags})
  set_property(GLOBAL PROPERTY LANEFOLD_KERNEL_PARAMETERS ${parameters})
endfunction()

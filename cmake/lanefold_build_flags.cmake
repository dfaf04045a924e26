# SPDX-License-Identifier: Apache-2.0
# Flags of what is built in this repository. Nothing here changes global flags or reaches a user's target, with one
# exception that has to: a sanitizer must be linked into everything that links the library.
#
#   lanefold_warnings      warnings, and memory for the compiler, for the library's own sources
#   lanefold_build_flags   warnings, the instruction set LANEFOLD_ISA, -fopenmp-simd: for tests, examples, benchmarks
#   LANEFOLD_X86           whether the target is x86-64
#   LANEFOLD_ISA_FLAGS_<isa>  what selects an instruction set
#   LANEFOLD_ISA_RUNS      whether this machine can run code compiled for LANEFOLD_ISA

include(CheckCXXCompilerFlag)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(LANEFOLD_X86 TRUE)
else()
  set(LANEFOLD_X86 FALSE)
endif()

# ---- instruction sets

set(LANEFOLD_ISA_FLAGS_sse2 -march=x86-64)
set(LANEFOLD_ISA_FLAGS_avx2 -march=x86-64-v3)
set(LANEFOLD_ISA_FLAGS_avx512 -march=x86-64-v4)
check_cxx_compiler_flag(-march=native LANEFOLD_HAVE_MARCH_NATIVE)
if(CMAKE_CROSSCOMPILING)
  set(LANEFOLD_ISA_FLAGS_native "") # what the compiler is set up for
elseif(LANEFOLD_HAVE_MARCH_NATIVE)
  set(LANEFOLD_ISA_FLAGS_native -march=native)
  # clang 19 turns on two features of processors with AVX10.1 that it then warns of together.
  check_cxx_compiler_flag("-march=native -Werror" LANEFOLD_MARCH_NATIVE_IS_QUIET)
  if(NOT LANEFOLD_MARCH_NATIVE_IS_QUIET)
    check_cxx_compiler_flag("-march=native -mno-avx10.1-256 -Werror" LANEFOLD_MARCH_NATIVE_WITHOUT_AVX10_IS_QUIET)
    if(LANEFOLD_MARCH_NATIVE_WITHOUT_AVX10_IS_QUIET)
      list(APPEND LANEFOLD_ISA_FLAGS_native -mno-avx10.1-256)
    endif()
  endif()
else()
  set(LANEFOLD_ISA_FLAGS_native -mcpu=native)
endif()

if(NOT LANEFOLD_ISA MATCHES "^(native|sse2|avx2|avx512)$")
  message(FATAL_ERROR "LANEFOLD_ISA is \"${LANEFOLD_ISA}\"; it must be native, sse2, avx2 or avx512")
endif()
if(NOT LANEFOLD_X86 AND NOT LANEFOLD_ISA STREQUAL "native")
  message(FATAL_ERROR "LANEFOLD_ISA=${LANEFOLD_ISA} needs an x86-64 target; this is ${CMAKE_SYSTEM_PROCESSOR}")
endif()

# Finds out whether tests compiled for LANEFOLD_ISA can run here, unless the user says it (`-DLANEFOLD_ISA_RUNS=OFF`). Tests
# that are cross-compiled for another processor are run, too: by CMAKE_CROSSCOMPILING_EMULATOR.
function(lanefold_check_isa_runs)
  if(DEFINED LANEFOLD_ISA_RUNS_${LANEFOLD_ISA})
    return()
  endif()
  set(runs TRUE)
  if(LANEFOLD_X86 AND NOT CMAKE_CROSSCOMPILING AND LANEFOLD_ISA MATCHES "^avx")
    # Asks for the single features: g++ 12 has no __builtin_cpu_supports for the names of the levels.
    set(features avx2 fma bmi bmi2)
    if(LANEFOLD_ISA STREQUAL "avx512")
      list(APPEND features avx512f avx512bw avx512dq avx512vl avx512cd)
    endif()
    list(TRANSFORM features REPLACE "(.+)" "__builtin_cpu_supports(\"\\1\")")
    list(JOIN features " && " condition)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/lanefold_isa_${LANEFOLD_ISA}.cpp")
    file(WRITE "${source}" "int main() { return (${condition}) ? 0 : 1; }\n")
    try_run(exit_code compiled "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/lanefold_isa" "${source}")
    if(NOT compiled OR NOT exit_code EQUAL 0)
      set(runs FALSE)
      message(STATUS "lanefold: this CPU has no ${LANEFOLD_ISA}: its tests are built, not run")
    endif()
  endif()
  set(LANEFOLD_ISA_RUNS_${LANEFOLD_ISA} ${runs} CACHE INTERNAL "This machine runs code for ${LANEFOLD_ISA}")
endfunction()
if(NOT DEFINED LANEFOLD_ISA_RUNS)
  lanefold_check_isa_runs()
  set(LANEFOLD_ISA_RUNS ${LANEFOLD_ISA_RUNS_${LANEFOLD_ISA}})
endif()

# ---- warnings

add_library(lanefold_warnings INTERFACE)
target_compile_options(lanefold_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
# g++ 12 and 13 say "may be used uninitialized" about the undefined-vector idiom of their own intrinsics headers, and
# about the ABI of vectors wider than the baseline ISA in functions that are always inlined.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(lanefold_warnings INTERFACE -Wno-psabi)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    target_compile_options(lanefold_warnings INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
  # g++ 12 at -O3 finds overlaps of 2^63 bytes in the concatenation of strings (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(lanefold_warnings INTERFACE -Wno-restrict)
  endif()
  # g++ 12 collects its garbage from 128 MiB on, which a precompiled header of 190 MB has from the start: a tenth of the time
  # (tests/execution/reduction_test.cpp 13.1 and 11.5 s) for some 100 MB more.
  target_compile_options(lanefold_warnings INTERFACE --param=ggc-min-expand=200 --param=ggc-min-heapsize=400000)
endif()

add_library(lanefold_build_flags INTERFACE)
target_link_libraries(lanefold_build_flags INTERFACE lanefold_warnings)
target_compile_options(lanefold_build_flags INTERFACE ${LANEFOLD_ISA_FLAGS_${LANEFOLD_ISA}} -fopenmp-simd)
target_compile_definitions(lanefold_build_flags INTERFACE LANEFOLD_OPENMP_SIMD=1)

# ---- sanitizers

set(LANEFOLD_SANITIZE_COMPILE_OPTIONS "")
set(LANEFOLD_SANITIZE_LINK_OPTIONS "")
if(LANEFOLD_SANITIZE)
  if(NOT LANEFOLD_SANITIZE MATCHES "^(address|undefined|address,undefined|undefined,address|thread)$")
    message(
      FATAL_ERROR "LANEFOLD_SANITIZE is \"${LANEFOLD_SANITIZE}\"; it must be address, undefined, both (comma), or thread"
    )
  endif()
  set(LANEFOLD_SANITIZE_COMPILE_OPTIONS -fsanitize=${LANEFOLD_SANITIZE} -fno-omit-frame-pointer)
  set(LANEFOLD_SANITIZE_LINK_OPTIONS -fsanitize=${LANEFOLD_SANITIZE})
  if(LANEFOLD_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND LANEFOLD_SANITIZE_COMPILE_OPTIONS -Wno-tsan) # atomic_fence: it does not see what fences order
  endif()
  if(LANEFOLD_SANITIZE MATCHES "undefined")
    list(APPEND LANEFOLD_SANITIZE_COMPILE_OPTIONS -fno-sanitize-recover=undefined)
    # These four take two thirds of what the sanitizers cost to compile (tests/execution/control_flow_test.cpp with clang 19
    # and -O1: 13 s plain, 35 s with all, 21 s without these), and AddressSanitizer sees most of what they see.
    if(LANEFOLD_SANITIZE MATCHES "address" AND NOT LANEFOLD_TEST_THOROUGH)
      list(APPEND LANEFOLD_SANITIZE_COMPILE_OPTIONS -fno-sanitize=null,pointer-overflow,object-size,vptr)
    endif()
  endif()
endif()

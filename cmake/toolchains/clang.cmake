# SPDX-License-Identifier: Apache-2.0
# Clang: version 19, the one that CI tests, when it is there; else the newest one found.
find_program(
  LANEFOLD_CLANGXX
  NAMES clang++-19 clang++-22 clang++-21 clang++-20 clang++-18 clang++-17 clang++-16 clang++
  REQUIRED
)
mark_as_advanced(LANEFOLD_CLANGXX)
set(CMAKE_CXX_COMPILER "${LANEFOLD_CLANGXX}")

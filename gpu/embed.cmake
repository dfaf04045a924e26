# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=a.cl|b.cl -DOUTPUT=x.cpp -P embed.cmake: writes a source file that holds the files as strings.
set(entries "")
string(REPLACE "|" ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  # A string literal of more than 64 KiB is an error for some compilers, and 16 KiB is what the standard promises.
  string(LENGTH "${text}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 part)
    string(APPEND literals "\n     R\"==(${part})==\"")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  string(APPEND entries "    {\"${name}\",${literals}},\n")
endforeach()
file(
  WRITE "${OUTPUT}"
  "// Written by gpu/embed.cmake.
#include \"opencl/device_files.hpp\"

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

const std::vector<device_file>& device_files() {
  static const std::vector<device_file> files = {
${entries}  };
  return files;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
"
)

# SPDX-License-Identifier: Apache-2.0
# Writes a C++ file that holds kernel files and definitions untouched:
#   cmake -D KERNELS=FOLDER [-D DEFINITIONS=FOLDER] [-D SHARED=FOLDER] [-D NAMESPACE=NAME -D FUNCTION=NAME] -D OUTPUT=FILE.cpp -P embed.cmake
# Files keep the name that an #include gives them. NAMESPACE::FUNCTION returns them: vergence::gpu::embedded_files, if
# nothing else is said.
set(roots ${KERNELS})
set(prefixes /)
if(DEFINED DEFINITIONS)
  list(APPEND roots ${DEFINITIONS})
  list(APPEND prefixes /definitions/)
endif()
if(DEFINED SHARED)
  list(APPEND roots ${SHARED})
  list(APPEND prefixes /gpu/shared/)
endif()
if(NOT DEFINED FUNCTION)
  set(NAMESPACE vergence::gpu)
  set(FUNCTION embedded_files)
endif()
set(entries "")
foreach(root prefix IN ZIP_LISTS roots prefixes)
  file(GLOB_RECURSE files RELATIVE "${root}" "${root}/*.cl" "${root}/*.h")
  list(SORT files)
  foreach(name IN LISTS files)
    string(SUBSTRING "${prefix}${name}" 1 -1 included)
    file(READ "${root}/${name}" text)
    # Compilers limit the length of one literal: pieces of 8000 characters stand side by side.
    string(LENGTH "${text}" length)
    set(pieces "")
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${text}" ${at} 8000 piece)
      string(APPEND pieces "R\"vergence(${piece})vergence\" ")
      math(EXPR at "${at} + 8000")
    endwhile()
    # As string views, which know their lengths: to count them while compiling is more work than Clang's limit of steps allows.
    string(STRIP "${pieces}" pieces)
    string(APPEND entries "    {\"${included}\"sv, ${pieces}sv},\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}.new" "// Generated from the kernel files and definitions.
#include \"gpu/program.hpp\"

namespace ${NAMESPACE} {
namespace {
using namespace std::string_view_literals;
constexpr vergence::gpu::EmbeddedFile files[] = {
${entries}};
}  // namespace
std::span<const vergence::gpu::EmbeddedFile> ${FUNCTION}() { return files; }
}  // namespace ${NAMESPACE}
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")

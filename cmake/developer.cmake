# Flags of the project itself, on an internal interface target, so that consumers get none of them.
add_library(vergence_flags INTERFACE)
# Bits first: the compiler may not fuse a*b+c, on any target.
target_compile_options(vergence_flags INTERFACE -ffp-contract=off)
# GCC looks for garbage in its memory from 128 MiB on, which most files of the project pass: later is 8 % faster.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(vergence_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(VERGENCE_DEVELOPER)
  target_compile_options(vergence_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wpedantic
                                                  -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast)
  # Errors are left to the compilers that the project is checked with: newer ones see ghosts in headers of libraries.
  if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13) OR
     (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15))
    target_compile_options(vergence_flags INTERFACE -Werror)
  endif()
endif()
if(VERGENCE_TSAN)
  target_compile_definitions(vergence_flags INTERFACE VERGENCE_TSAN)
endif()
# A lower level than -O3 for code without kernels, which compiles faster so. All files of a target have the same one, and
# all targets that share precompiled headers: GCC 12 crashes where a file's level differs from theirs.
function(vergence_optimise target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
  # GCC 12 warns without reason at -O1.
  if(level EQUAL 1 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# Headers that most files of the project include. Every file names what it needs all the same: `scripts/test-all` builds
# without precompiled headers too.
set(vergence_standard_headers <algorithm> <array> <cmath> <cstddef> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <mutex> <optional> <span> <string> <string_view> <type_traits> <utility> <vector>)

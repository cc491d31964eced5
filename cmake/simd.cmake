# Which SIMD targets are compiled, and into which objects (src/cpu/foreach_target.hpp).
set(VERGENCE_SIMD_FIRST "" CACHE STRING "SIMD target with objects of its own, by Highway's name (AVX2); native: this machine's best; empty: all in one object")
option(VERGENCE_SIMD_REST "With VERGENCE_SIMD_FIRST: the objects of the other targets too; OFF: a program for this machine alone" ON)

# The best target of x86-64 that this machine runs.
function(vergence_native_simd result)
  get_property(known GLOBAL PROPERTY vergence_native_simd)
  if(known)
    set(${result} ${known} PARENT_SCOPE)
    return()
  endif()
  set(program ${PROJECT_BINARY_DIR}/native_simd.cpp)
  file(WRITE ${program} "
    #define HWY_WANT_AVX3_DL
    #include <hwy/targets.h>
    #include <cstdio>
    int main() {
      const std::int64_t targets = hwy::SupportedTargets();
      const char* name = targets & HWY_AVX3_DL ? \"AVX3_DL\" : targets & HWY_AVX3 ? \"AVX3\" : targets & HWY_AVX2 ? \"AVX2\" :
                         targets & HWY_SSE4 ? \"SSE4\" : \"SSSE3\";
      std::puts(name);
    }
  ")
  try_run(run compiled ${PROJECT_BINARY_DIR}/native_simd ${program} LINK_LIBRARIES hwy::hwy COMPILE_DEFINITIONS -DHWY_DISABLED_TARGETS=0x7F
          RUN_OUTPUT_VARIABLE name)
  if(NOT compiled OR NOT run EQUAL 0)
    message(FATAL_ERROR "this machine's best SIMD target cannot be found: give VERGENCE_SIMD_FIRST one of AVX3_DL AVX3 AVX2 SSE4 SSSE3 instead of 'native', and VERGENCE_SIMD a list instead of 'runnable'")
  endif()
  string(STRIP "${name}" name)
  set_property(GLOBAL PROPERTY vergence_native_simd ${name})
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# Instrumented code takes minutes a file to compile for all five targets of x86-64; checking a few of them is a choice.
# Code that is compiled to be tested here needs those that this machine runs, and no others.
function(vergence_simd_targets targets)
  if(targets STREQUAL runnable AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_CROSSCOMPILING)
    vergence_native_simd(best)
    set(all AVX3_DL AVX3 AVX2 SSE4 SSSE3)
    list(FIND all ${best} place)
    list(SUBLIST all ${place} -1 targets)
  elseif(targets STREQUAL runnable)
    set(targets "")
  endif()
  if(targets)
    string(REGEX REPLACE "[ ;]+" "|HWY_" targets "${targets}")
    target_compile_definitions(vergence_flags INTERFACE "HWY_DISABLED_TARGETS=~(HWY_${targets})")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # All Highways give the same five targets: bits 0 to 6 are the ones above AVX3_DL, such as AVX3_ZEN4, which Debian 12's
    # does not know and which would bring the project no instruction that it uses.
    target_compile_definitions(vergence_flags INTERFACE HWY_DISABLED_TARGETS=0x7F)
  endif()
endfunction()
find_package(hwy REQUIRED)
vergence_simd_targets("${VERGENCE_SIMD}")

function(vergence_simd_first target first file)
  set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_DEFINITIONS VERGENCE_SIMD_FIRST=HWY_${first})
endfunction()

# Adds `sources` to `target`, with a second object for each file of SIMD code where VERGENCE_SIMD_FIRST asks for it.
function(vergence_simd_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  set(first ${VERGENCE_SIMD_FIRST})
  if(first STREQUAL native)
    if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(first "")
    else()
      vergence_native_simd(first)
    endif()
  endif()
  set(linked "~std::int64_t{0}")
  set(rest_names)
  if(first)
    foreach(file IN LISTS ARGN)
      file(STRINGS ${file} found REGEX "^#define VERGENCE_SIMD_FILE" LIMIT_COUNT 1)
      if(found)
        vergence_simd_first(${target} ${first} ${file})
        if(VERGENCE_SIMD_REST)
          string(REGEX REPLACE "[/.]" "_" name ${file})
          file(CONFIGURE OUTPUT rest/${name}.cpp @ONLY CONTENT "// The other SIMD targets of this file.
#define VERGENCE_SIMD_REST
#include \"cpu/@file@\"
namespace vergence::cpu::rest {
extern const char @name@;
const char @name@ = 0;
}
")
          target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/rest/${name}.cpp)
          vergence_simd_first(${target} ${first} ${CMAKE_CURRENT_BINARY_DIR}/rest/${name}.cpp)
          list(APPEND rest_names ${name})
        endif()
      endif()
    endforeach()
    if(NOT VERGENCE_SIMD_REST)
      set(linked HWY_${first})
    endif()
    message(STATUS "SIMD: ${first} in objects of its own, others: ${VERGENCE_SIMD_REST}")
  endif()
  # An archive gives only what somebody asks for, which a weak name does not.
  set(declared "")
  set(asked "")
  foreach(name IN LISTS rest_names)
    string(APPEND declared "extern const char ${name};\n")
    string(APPEND asked "      &rest::${name},\n")
  endforeach()
  file(CONFIGURE OUTPUT simd_objects.cpp @ONLY CONTENT "// Written by cmake/simd.cmake.
#include <hwy/detect_targets.h>
#include \"cpu/simd_objects.hpp\"
namespace vergence::cpu {
namespace rest {
@declared@}
std::int64_t linked_targets() {
  static const char* const volatile objects[] = {
@asked@      nullptr};
  (void)objects[0];
  return @linked@;
}
}
")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/simd_objects.cpp)
endfunction()

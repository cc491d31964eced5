# Files of one folder, compiled a few at a time: from nothing that takes half as long, because most of a small file's time is
# its headers. A change then compiles its neighbours again, so that builds for development (presets dev, clang) do without it.
option(VERGENCE_UNITY "Compile the files of a folder a few at a time" OFF)
set(vergence_unity_files 8)

# Groups what the target has by now. Folders that match WITHOUT (a regular expression) are compiled file by file: kernels,
# which Highway compiles once for each SIMD target by including them, and folders whose files are alike, each with helpers of
# the same names. So is generated code.
function(vergence_compile_together target)
  cmake_parse_arguments(ARG "" "WITHOUT" "" ${ARGN})
  if(NOT VERGENCE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(own_folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${own_folder})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} NORMALIZE generated)
    if(source MATCHES "\\.cpp$" AND NOT generated AND NOT (ARG_WITHOUT AND folder MATCHES "${ARG_WITHOUT}"))
      string(MAKE_C_IDENTIFIER "${folder}" group)
      math(EXPR number "0${files_${group}} / ${vergence_unity_files}")
      math(EXPR files_${group} "0${files_${group}} + 1")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group}_${number})
    endif()
  endforeach()
  # A file does not see its neighbours' own names elsewhere, so that these two warn without reason here.
  set(ignored "#pragma GCC diagnostic ignored \"-Wshadow\"\n")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    string(APPEND ignored "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_CODE_BEFORE_INCLUDE "${ignored}")
endfunction()

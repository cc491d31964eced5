# Finds single libraries of OpenCV 4: Debian and Ubuntu ship core, imgproc, calib3d, ... in packages of their own, but
# OpenCV's CMake files only with everything. Gives OpenCVPieces::<component> for each component asked for.
find_path(OpenCVPieces_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
mark_as_advanced(OpenCVPieces_INCLUDE_DIR)
if(OpenCVPieces_INCLUDE_DIR)
  file(STRINGS ${OpenCVPieces_INCLUDE_DIR}/opencv2/core/version.hpp lines REGEX "#define CV_VERSION_(MAJOR|MINOR|REVISION)")
  string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
  list(JOIN numbers "." OpenCVPieces_VERSION)
endif()
foreach(piece IN LISTS OpenCVPieces_FIND_COMPONENTS)
  find_library(OpenCVPieces_${piece}_LIBRARY opencv_${piece})
  mark_as_advanced(OpenCVPieces_${piece}_LIBRARY)
  if(OpenCVPieces_${piece}_LIBRARY AND OpenCVPieces_INCLUDE_DIR)
    set(OpenCVPieces_${piece}_FOUND TRUE)
    if(NOT TARGET OpenCVPieces::${piece})
      add_library(OpenCVPieces::${piece} UNKNOWN IMPORTED)
      # System headers: the project's warnings do not apply to them.
      set_target_properties(OpenCVPieces::${piece} PROPERTIES IMPORTED_LOCATION "${OpenCVPieces_${piece}_LIBRARY}"
                            INTERFACE_INCLUDE_DIRECTORIES "${OpenCVPieces_INCLUDE_DIR}")
    endif()
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVPieces REQUIRED_VARS OpenCVPieces_INCLUDE_DIR VERSION_VAR OpenCVPieces_VERSION HANDLE_COMPONENTS)

# The differential run on seeded cases needs no libFuzzer: every preset builds it, with the tests or with the fuzz targets.
if(NOT TARGET stereo_differential)
  find_package(fmt REQUIRED)
  add_executable(stereo_differential ${CMAKE_CURRENT_LIST_DIR}/stereo_differential.cpp ${CMAKE_CURRENT_LIST_DIR}/stereo_compare.cpp)
  target_include_directories(stereo_differential PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../src ${CMAKE_CURRENT_LIST_DIR})
  target_link_libraries(stereo_differential PRIVATE vergence vergence_flags fmt::fmt)
endif()

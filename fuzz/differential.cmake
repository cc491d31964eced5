# The differential runs on seeded cases need no libFuzzer: every preset builds them, with the tests or with the fuzz targets.
if(NOT TARGET stereo_differential)
  find_package(fmt REQUIRED)
  foreach(domain stereo motion track)
    add_executable(${domain}_differential ${CMAKE_CURRENT_LIST_DIR}/${domain}_differential.cpp
      ${CMAKE_CURRENT_LIST_DIR}/${domain}_compare.cpp ${CMAKE_CURRENT_LIST_DIR}/differential.cpp)
    target_include_directories(${domain}_differential PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../src ${CMAKE_CURRENT_LIST_DIR}/../tests
                                                              ${CMAKE_CURRENT_LIST_DIR})
    target_link_libraries(${domain}_differential PRIVATE vergence vergence_flags fmt::fmt)
  endforeach()
endif()

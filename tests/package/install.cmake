# Installs the build folder BUILD into an empty PREFIX and checks that what people look for is there.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(wanted include/vergence/stereo.hpp include/vergence/version.hpp share/doc/vergence/LICENSE share/doc/vergence/CHANGELOG.md)
  if(NOT EXISTS ${PREFIX}/${wanted})
    message(SEND_ERROR "not installed: ${wanted}")
  endif()
endforeach()

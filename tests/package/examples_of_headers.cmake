# The examples in the comments of the public headers compile.
execute_process(COMMAND ${PYTHON} ${SCRIPT} ${INCLUDES} ${OUTPUT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(status)
  message(FATAL_ERROR "the examples could not be gathered:\n${text}")
endif()
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I ${INCLUDES} ${OUTPUT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(status)
  message(FATAL_ERROR "an example does not compile:\n${text}")
endif()

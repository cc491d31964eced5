# Flags of the project itself, on an internal interface target, so that consumers get none of them.
add_library(vergence_flags INTERFACE)
# Bits first: the compiler may not fuse a*b+c, on any target.
target_compile_options(vergence_flags INTERFACE -ffp-contract=off)
if(VERGENCE_DEVELOPER)
  target_compile_options(vergence_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wpedantic
                                                  -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Werror)
endif()
if(VERGENCE_TSAN)
  target_compile_definitions(vergence_flags INTERFACE VERGENCE_TSAN)
endif()

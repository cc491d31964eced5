// SPDX-License-Identifier: Apache-2.0
// Modules of the program: shared objects that hold a library which few commands need, opened at their first use.
#pragma once

#include <initializer_list>
#include <string>

namespace vergence {

/// What dlopen gives for the first of the places that can be opened: paths beside the program, as it was built or as an
/// installation has it. Null where none can be, with the reason.
void* open_program_module(std::initializer_list<const char*> places, std::string& reason);

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// What PoCL, the OpenCL driver for processors, needs of its surroundings, and does not say or does not survive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vergence::gpu::opencl {

/// Whether a device with this CL_DEVICE_VERSION is one of PoCL.
bool is_pocl(std::string_view version);

/// Why PoCL cannot compile for a processor here, with the cure; "" where nothing is known to be missing. It calls the
/// linker, and ends the process where there is none.
std::string pocl_refusal();

/// Held while this process compiles this text: PoCL removes a program's file before it writes it anew, so that another
/// process that reads it in between gets an empty program, and ends where it loads that. After a minute it is given up;
/// null where PoCL's folder holds no lock.
std::shared_ptr<void> pocl_lock(const std::string& text);

/// Whether PoCL is asked for the binaries of programs: not where VERGENCE_POCL_BINARIES is "off". For a binary PoCL
/// compiles each kernel once more, for work-groups of any size, but programs are loaded faster. Else a kernel's text
/// serves as its code, and PoCL finds what it compiled in its own cache.
bool pocl_gives_binaries();
std::vector<std::byte> as_code(std::string_view text);
/// The text in a code of as_code(); "" for the binary of a program.
std::string text_of(std::span<const std::byte> code);

/// Why PoCL would end the process when asked for its devices, with the cure; else "".
std::string fatal_environment();

/// Why no driver of OpenCL is loaded: a limit of the address space (ulimit -v) in which PoCL's compiler crashes or
/// never ends. Else "".
std::string small_address_space();

/// The folder that PoCL would keep its kernels in, where it can be neither made nor written; else "".
std::string unusable_cache_folder();

/// Why the OpenCL loader sees no driver, whatever is installed, with the cure: the environment sends it to a place that
/// names none. Else "".
std::string hidden_drivers();

}  // namespace vergence::gpu::opencl

// SPDX-License-Identifier: Apache-2.0
// NVRTC, NVIDIA's compiler as a library: machine code from a kernel's text. It needs neither a GPU nor a driver.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vergence::gpu::cuda {

/// Whether NVRTC can be opened; if not, *reason (where given) names the libraries that were looked for.
bool nvrtc_available(std::string* reason);

/// 1000 * major + 10 * minor, as driver_version(); 0 without NVRTC.
int nvrtc_version();

/// Whether it makes code for an architecture ("sm_90"); if not, *reason (where given) names those it does.
bool nvrtc_supports(const std::string& architecture, std::string* reason);

/// Machine code (a cubin) from assembled text. Error(device) with the compiler's first error, which names a file and a
/// line of it, or that says why there is no compiler. Without `optimise` it is code to look at, not to run, made in
/// half of the time.
std::vector<std::byte> nvrtc_compile(const std::string& text, const std::string& architecture, bool optimise = true);

}  // namespace vergence::gpu::cuda

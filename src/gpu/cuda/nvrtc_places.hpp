// SPDX-License-Identifier: Apache-2.0
// Where NVRTC may lie: the names of its library and the folders that are searched for it.
#pragma once

#include <string>
#include <vector>

namespace vergence::gpu::cuda {

/// What the search depends on. The default members are those of no machine; see this_process().
struct NvrtcSurroundings {
  std::string chosen{};       ///< VERGENCE_NVRTC: a path, or a name on the loader's path. Nothing else is tried then.
  std::string virtual_env{};  ///< VIRTUAL_ENV.
  std::string home{};         ///< HOME.
  std::string path{};         ///< PATH: where python3 is.
  std::string program{};      ///< The program's own file.
  std::string root{};         ///< Stands before the paths of the system: /usr.
  int driver_major = 0;       ///< Of CUDA, as the driver has it; 0 without a driver.
};
NvrtcSurroundings this_process();

/// The folders that are searched after the loader's path, in this order: the toolkit's; those of Python packages
/// (nvidia-cuda-nvrtc-cu12 and the like) in the active virtual environment, in the python3 of PATH, in the user's
/// packages and in the system's; the one that scripts/common.sh unpacks beside the builds. The toolkit's is always
/// listed, the others where they exist.
std::vector<std::string> nvrtc_folders(const NvrtcSurroundings& surroundings);

/// Names and paths to open, in this order. Newer versions come first, and each on the loader's path before each in
/// the folders. Machine code from a compiler of a later major version than the driver's may be refused by the driver,
/// so that those versions come last.
std::vector<std::string> nvrtc_libraries(const NvrtcSurroundings& surroundings);

/// Why there is no NVRTC, what was searched, and what to do. `reason`: what the loader said.
std::string nvrtc_missing(const NvrtcSurroundings& surroundings, const std::string& reason);

}  // namespace vergence::gpu::cuda

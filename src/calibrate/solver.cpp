// SPDX-License-Identifier: Apache-2.0
// Opens the module with OpenCV.
#include "calibrate/solver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <string>

#include "modules/open.hpp"
#include "vergence/error.hpp"

namespace vergence::calibrate {
namespace {

constexpr const char* left_out =
    "this build has no calibration: it needs OpenCV's calib3d; install it with its headers (Debian: "
    "libopencv-calib3d-dev; ChArUco boards: libopencv-contrib-dev too) and build again, with VERGENCE_CALIBRATE on";

using MakeSolver = Solver* (*)(int version);

void* open_module() {
  std::string reason;
  if (void* const handle = open_program_module({VERGENCE_SOLVER_BUILT, VERGENCE_SOLVER_INSTALLED}, reason))
    return handle;
  throw Error(
      ErrorCode::unsupported,
      fmt::format("the module vergence_opencv.so of `calibrate` cannot be opened ({}): install the package "
                  "vergence-calibration, or OpenCV's calib3d, and keep the module where it was built or installed",
                  reason));
}

Solver& open_solver() {
  static const std::unique_ptr<Solver> opened = [] {
    void* const function = dlsym(open_module(), "vergence_calibrate_solver");
    Solver* const made = function == nullptr ? nullptr : reinterpret_cast<MakeSolver>(function)(solver_version);
    if (made == nullptr)
      throw Error(ErrorCode::unsupported, "the module vergence_opencv.so is of another version: build it again");
    return std::unique_ptr<Solver>(made);
  }();
  return *opened;
}

}  // namespace

Solver& solver() {
  if (!VERGENCE_SOLVER) throw Error(ErrorCode::unsupported, left_out);
  return open_solver();
}

}  // namespace vergence::calibrate

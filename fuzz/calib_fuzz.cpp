// SPDX-License-Identifier: Apache-2.0
// Any text as a calibration file: alone, with chosen cameras, and as one of a pair.
#include "io/calibration.hpp"

#include <string_view>

#include "map_consumers.hpp"

namespace {

void check(const vergence::Calibration& calibration) {
  vergence::fuzz::require(calibration.focal_px > 0 && calibration.baseline_m > 0);
  vergence::fuzz::require(calibration.size.width >= 0 && calibration.size.height >= 0 && calibration.disparities >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view left = text.substr(0, size / 2);
  const std::string_view right = text.substr(size / 2);
  using vergence::fuzz::accept_errors;
  accept_errors([&] { check(vergence::io::parse_calibration(text, "x", {})); });
  accept_errors([&] { check(vergence::io::parse_calibration(text, "x", {1, 2})); });
  accept_errors([&] { check(vergence::io::parse_calibration_pair(left, "l", right, "r")); });
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Runs a case on every target and reports the first difference.
#include "stereo_compare.hpp"

#include <fmt/format.h>

namespace vergence::fuzz {

StereoCompare::StereoCompare() : reference_("reference") {
  int threads = 1;
  for (const std::string& target : Device::simd_targets()) {
    // One target after the other gets one thread, two, three: the bytes may not depend on it either.
    devices_.emplace_back("cpu", DeviceOptions{threads, target});
    names_.append(names_.empty() ? "" : ", ").append(target);
    threads = threads % 3 + 1;
  }
}

std::string StereoCompare::difference(const StereoCase& stereo_case, const StereoRunOptions& run) const {
  const StereoRun expected = run_stereo(reference_, stereo_case, run);
  for (const Device& device : devices_) {
    const std::string text = first_difference(expected, run_stereo(device, stereo_case, run));
    if (!text.empty()) return fmt::format("{}: {}\n{}", device.description(), text, describe(stereo_case));
  }
  return expected.intact ? std::string() : "reference: wrote outside its maps\n" + describe(stereo_case);
}

}  // namespace vergence::fuzz

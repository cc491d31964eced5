// SPDX-License-Identifier: Apache-2.0
// Runs a motion case on every device and reports the first difference.
#include "motion_compare.hpp"

#include <fmt/format.h>

#include "support/zero_vector.hpp"

namespace vergence::fuzz {

MotionCompare::MotionCompare() : reference_("reference") {
  int threads = 1;
  for (const std::string& target : Device::simd_targets()) {
    // One target after the other gets one thread, two, three: the bytes may not depend on it either.
    devices_.emplace_back("cpu", DeviceOptions{threads, target});
    names_.append(names_.empty() ? "" : ", ").append(target);
    threads = threads % 3 + 1;
  }
}

MotionCompare MotionCompare::on_gpus() {
  MotionCompare compare{std::vector<Device>{}};
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available || !info.gpu) continue;
    compare.devices_.emplace_back(info.name);
    compare.names_.append(compare.names_.empty() ? "" : ", ").append(info.name);
  }
  return compare;
}

template <class P>
std::string MotionCompare::difference(const MotionCase& motion_case, const MotionFrames<P>& frames, int padding) const {
  const MotionRun expected = run_motion(reference_, motion_case, frames, {padding});
  std::string text = test::above_zero(motion_case, frames, expected);
  if (text.empty() && !expected.intact) text = "memory outside a map, or a frame, was changed";
  if (!text.empty()) return fmt::format("reference: {}\n{}", text, describe(motion_case));
  // Search full takes other ways where the second best is not asked for.
  const bool twice = motion_case.options.search == MotionSearch::full;
  for (const Device& device : devices_)
    for (const bool all_maps : {true, false}) {
      if (!all_maps && !twice) continue;
      MotionRunOptions options{padding, all_maps};
      options.exchanged = true;
      options.prediction = all_maps;
      text = first_difference(expected, run_motion(device, motion_case, frames, options));
      if (!text.empty())
        return fmt::format("{}{}: {}\n{}", device.description(), all_maps ? "" : ", without second_j", text,
                           describe(motion_case));
    }
  return {};
}
template std::string MotionCompare::difference(const MotionCase&, const MotionFrames<std::uint8_t>&, int) const;
template std::string MotionCompare::difference(const MotionCase&, const MotionFrames<std::uint16_t>&, int) const;

std::string MotionCompare::difference(const MotionCase& motion_case, int padding) const {
  if (motion_case.options.depth == Depth::u8)
    return difference(motion_case, make_motion_frames<std::uint8_t>(motion_case), padding);
  return difference(motion_case, make_motion_frames<std::uint16_t>(motion_case), padding);
}

}  // namespace vergence::fuzz

// SPDX-License-Identifier: Apache-2.0
// Runs cases of tracks and filters on every device and reports the first difference.
#include "track_compare.hpp"

#include <fmt/format.h>

#include "vergence/verify.hpp"

namespace vergence::fuzz {

TrackCompare::TrackCompare() : reference_("reference") {
  int threads = 1;
  for (const std::string& target : Device::simd_targets()) {
    // One target after the other gets one thread, two, three: the bits may not depend on it either.
    devices_.emplace_back("cpu", DeviceOptions{threads, target});
    names_.append(names_.empty() ? "" : ", ").append(target);
    threads = threads % 3 + 1;
  }
}

TrackCompare TrackCompare::on_gpus() {
  TrackCompare compare{std::vector<Device>{}};
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available || !info.gpu) continue;
    Device device(info.name);
    if (!verify_leaves_out(device).empty()) continue;
    compare.devices_.push_back(std::move(device));
    compare.names_.append(compare.names_.empty() ? "" : ", ").append(info.name);
  }
  return compare;
}

template <class P>
std::string TrackCompare::difference(const TrackCase& track_case, const TrackFrames<P>& frames,
                                     const TrackPoints& points, int padding) const {
  const TrackRun expected = run_track(reference_, track_case, frames, points, padding);
  if (!expected.intact) return fmt::format("reference: a frame was changed\n{}", describe(track_case));
  for (const Device& device : devices_) {
    const std::string text = first_difference(expected, run_track(device, track_case, frames, points, padding));
    if (!text.empty()) return fmt::format("{}: {}\n{}", device.description(), text, describe(track_case));
  }
  return {};
}
template std::string TrackCompare::difference(const TrackCase&, const TrackFrames<std::uint8_t>&, const TrackPoints&,
                                              int) const;
template std::string TrackCompare::difference(const TrackCase&, const TrackFrames<std::uint16_t>&, const TrackPoints&,
                                              int) const;

std::string TrackCompare::difference(const TrackCase& track_case, int padding) const {
  const TrackPoints points = make_track_points(track_case);
  if (track_case.options.depth == Depth::u8)
    return difference(track_case, make_track_frames<std::uint8_t>(track_case), points, padding);
  return difference(track_case, make_track_frames<std::uint16_t>(track_case), points, padding);
}

std::string TrackCompare::difference(const FilterCase& filter_case, int padding) const {
  const FilterRun expected = run_filters(reference_, filter_case, padding);
  if (!expected.intact) return fmt::format("reference: memory was changed\n{}", describe(filter_case));
  for (const Device& device : devices_) {
    const std::string text = first_difference(expected, run_filters(device, filter_case, padding));
    if (!text.empty()) return fmt::format("{}: {}\n{}", device.description(), text, describe(filter_case));
  }
  return {};
}

}  // namespace vergence::fuzz

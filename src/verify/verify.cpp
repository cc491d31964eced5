// SPDX-License-Identifier: Apache-2.0
// vergence::verify: the promise "the same bits on every device", tried on the machine at hand.
#include <fmt/format.h>

#include <string>

#include "vergence/device.hpp"
#include "vergence/error.hpp"
#include "vergence/verify.hpp"
#include "verify/filter_run.hpp"
#include "verify/motion_run.hpp"
#include "verify/rectify_run.hpp"
#include "verify/stereo_cases.hpp"
#include "verify/stereo_run.hpp"
#include "verify/track_run.hpp"

namespace vergence {
namespace {

/// Large enough for every border, band and vector tail; small enough for the reference to try hundreds in seconds.
constexpr Size largest{56, 40};

/// Empty, or how the device differs in a case of `domain`, which `run` runs on a device.
template <class Case, class Run>
std::string try_case(const char* domain, const Case& one, const Device& reference, const Device& device,
                     std::uint64_t& hash, const Run& run) {
  const auto expected = run(reference), got = run(device);
  hash = hash_run(got, hash);
  const std::string difference = first_difference(expected, got);
  return difference.empty() ? difference : fmt::format("{}, {}; {}", domain, describe(one), difference);
}

std::string try_stereo(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const StereoCase one = make_stereo_case(seed, largest);
  return try_case("stereo", one, reference, device, hash,
                  [&](const Device& on) { return run_stereo(on, one, usual_run(one)); });
}

std::string try_motion(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const MotionCase one = make_motion_case(seed, largest);
  MotionRunOptions options;
  options.all_maps = seed % 4 < 2;  // without second_j, search full takes another way
  return try_case("motion", one, reference, device, hash,
                  [&](const Device& on) { return run_motion(on, one, options); });
}

std::string try_filters(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const FilterCase one = make_filter_case(seed, largest);
  return try_case("filters", one, reference, device, hash,
                  [&](const Device& on) { return run_filters(on, one, static_cast<int>(seed % 7)); });
}

std::string try_rectify(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const RectifyCase one = make_rectify_case(seed, largest);
  return try_case("rectification", one, reference, device, hash,
                  [&](const Device& on) { return run_rectify(on, one, static_cast<int>(seed % 7)); });
}

std::string try_tracks(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const TrackCase one = make_track_case(seed, largest);
  return try_case("tracks", one, reference, device, hash,
                  [&](const Device& on) { return run_track(on, one, static_cast<int>(seed % 11)); });
}

/// Empty where the device has the domain that `make` makes an object of, else why not.
template <class Make>
std::string refusal(const char* domain, Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return fmt::format("{}: {}", domain, error.what());
  }
  return {};
}

std::string no_filters_on(const Device& device) {
  return refusal("filters", [&] { PictureFilter(device, largest); });
}
std::string no_tracks_on(const Device& device) {
  return refusal("tracks", [&] { PointFlow(device, largest); });
}

}  // namespace

std::string verify_leaves_out(const Device& device) {
  const std::string no_filters = no_filters_on(device), no_tracks = no_tracks_on(device);
  return no_filters + (no_filters.empty() || no_tracks.empty() ? "" : "; ") + no_tracks;
}

VerifyReport verify(const Device& device, std::uint64_t seed, int cases) {
  if (cases < 1) throw Error(ErrorCode::invalid_argument, fmt::format("cases is {}: at least 1 is needed", cases));
  const Device reference("reference");
  VerifyReport report;
  const std::string no_filters = no_filters_on(device), no_tracks = no_tracks_on(device);
  for (; report.cases < cases; ++report.cases) {
    // Consecutive seeds, so that one case can be run again alone.
    const std::uint64_t one = seed + static_cast<std::uint64_t>(report.cases);
    std::string difference = try_stereo(reference, device, one, report.hash);
    const auto go_on = [&](auto try_one, const std::string& left_out) {
      if (!left_out.empty()) return;
      const std::string next = try_one(reference, device, one, report.hash);
      if (difference.empty()) difference = next;
    };
    go_on(try_motion, {});
    go_on(try_filters, no_filters);
    go_on(try_rectify, {});
    go_on(try_tracks, no_tracks);
    if (!difference.empty() && report.differences++ == 0) report.first = difference;
  }
  return report;
}

}  // namespace vergence

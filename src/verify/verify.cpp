// SPDX-License-Identifier: Apache-2.0
// vergence::verify: the promise "the same bits on every device", tried on the machine at hand.
#include <fmt/format.h>

#include <string>

#include "vergence/device.hpp"
#include "vergence/error.hpp"
#include "verify/cases.hpp"
#include "verify/motion_run.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

/// Large enough for every border, band and vector tail; small enough for the reference to try hundreds in seconds.
constexpr Size largest{56, 40};

/// Empty, or how the device differs in the stereo case of that seed.
std::string try_stereo(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const StereoCase stereo_case = make_stereo_case(seed, largest);
  const StereoRunOptions run = usual_run(stereo_case);
  const StereoRun expected = run_stereo(reference, stereo_case, run);
  const StereoRun got = run_stereo(device, stereo_case, run);
  hash = hash_run(got, hash);
  const std::string difference = first_difference(expected, got);
  return difference.empty() ? difference : fmt::format("stereo, {}; {}", describe(stereo_case), difference);
}

std::string try_motion(const Device& reference, const Device& device, std::uint64_t seed, std::uint64_t& hash) {
  const MotionCase motion_case = make_motion_case(seed, largest);
  MotionRunOptions run;
  run.all_maps = seed % 4 < 2;  // without second_j, search full takes another way
  const MotionRun expected = run_motion(reference, motion_case, run);
  const MotionRun got = run_motion(device, motion_case, run);
  hash = hash_run(got, hash);
  const std::string difference = first_difference(expected, got);
  return difference.empty() ? difference : fmt::format("motion, {}; {}", describe(motion_case), difference);
}

}  // namespace

VerifyReport verify(const Device& device, std::uint64_t seed, int cases) {
  if (cases < 1) throw Error(ErrorCode::invalid_argument, fmt::format("cases is {}: at least 1 is needed", cases));
  const Device reference("reference");
  VerifyReport report;
  for (; report.cases < cases; ++report.cases) {
    // Consecutive seeds, so that one case can be run again alone.
    const std::uint64_t one = seed + static_cast<std::uint64_t>(report.cases);
    std::string difference = try_stereo(reference, device, one, report.hash);
    const std::string of_motion = try_motion(reference, device, one, report.hash);
    if (difference.empty()) difference = of_motion;
    if (!difference.empty() && report.differences++ == 0) report.first = difference;
  }
  return report;
}

}  // namespace vergence

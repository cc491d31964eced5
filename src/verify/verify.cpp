// SPDX-License-Identifier: Apache-2.0
// vergence::verify: the promise "the same bits on every device", tried on the machine at hand.
#include <fmt/format.h>

#include "vergence/device.hpp"
#include "vergence/error.hpp"
#include "verify/cases.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

/// Large enough for every border, band and vector tail; small enough for the reference to try hundreds in seconds.
constexpr Size largest{56, 40};

}  // namespace

VerifyReport verify(const Device& device, std::uint64_t seed, int cases) {
  if (cases < 1) throw Error(ErrorCode::invalid_argument, fmt::format("cases is {}: at least 1 is needed", cases));
  const Device reference("reference");
  VerifyReport report;
  for (; report.cases < cases; ++report.cases) {
    // Consecutive seeds, so that one case can be run again alone.
    const StereoCase stereo_case = make_stereo_case(seed + static_cast<std::uint64_t>(report.cases), largest);
    const StereoRunOptions run = usual_run(stereo_case);
    const StereoRun expected = run_stereo(reference, stereo_case, run);
    const StereoRun got = run_stereo(device, stereo_case, run);
    report.hash = hash_run(got, report.hash);
    const std::string difference = first_difference(expected, got);
    if (difference.empty()) continue;
    if (report.differences++ == 0) report.first = fmt::format("{}; {}", describe(stereo_case), difference);
  }
  return report;
}

}  // namespace vergence

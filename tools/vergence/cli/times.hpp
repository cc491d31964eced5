// SPDX-License-Identifier: Apache-2.0
// Times in reports: of the runs of a command, and of a GPU's own clock.
#pragma once

#include <string>
#include <vector>

#include "cli/json.hpp"
#include "vergence/device.hpp"

namespace vergence::cli {

struct Times {
  double median = 0;
  double min = 0;
  double max = 0;
};
/// Of at least one time.
Times summarise_times(std::vector<double> ms);

/// 0.123 ms, 12.3 ms, 1234 ms: three digits or all whole ones.
std::string ms_text(double ms);
/// "12.3 ms (median of 9, 11.8 .. 14.0)"; a single time that follows no run that was not timed says so.
std::string times_text(const std::vector<double>& ms, bool warmed_up);
Json times_json(const Times& times);

/// "upload 0.11 ms, kernels 0.62 ms, download 0.10 ms; 7 programs compiled in 412 ms, 2 from the cache"; `measured`:
/// the device's clock was on.
std::string device_times_text(const DeviceTimes& times, bool measured);
Json device_times_json(const DeviceTimes& times);

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Times in reports.
#include "cli/times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vergence::cli {

Times summarise_times(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  const std::size_t middle = ms.size() / 2;
  const double median = ms.size() % 2 == 1 ? ms[middle] : (ms[middle - 1] + ms[middle]) / 2;
  return {median, ms.front(), ms.back()};
}

std::string ms_text(double ms) {
  const int decimals = ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", ms, decimals);
}

std::string times_text(const std::vector<double>& ms, bool warmed_up) {
  const Times times = summarise_times(ms);
  if (ms.size() == 1) return ms_text(times.median) + " ms" + (warmed_up ? "" : " (first run)");
  return fmt::format("{} ms (median of {}, {} .. {})", ms_text(times.median), ms.size(), ms_text(times.min),
                     ms_text(times.max));
}

Json times_json(const Times& times) {
  return Json{
      {"median", json_number(times.median, 4)}, {"min", json_number(times.min, 4)}, {"max", json_number(times.max, 4)}};
}

std::string device_times_text(const DeviceTimes& times, bool measured) {
  std::string text;
  if (measured)
    text = fmt::format("upload {} ms, kernels {} ms, download {} ms; ", ms_text(times.upload_ms),
                       ms_text(times.kernel_ms), ms_text(times.download_ms));
  return text + fmt::format("{} programs compiled in {} ms, {} from the cache", times.compiled,
                            ms_text(times.compile_ms), times.cached);
}

Json device_times_json(const DeviceTimes& times) {
  return Json{{"compile", json_number(times.compile_ms, 4)},
              {"compiled", times.compiled},
              {"cached", times.cached},
              {"upload", json_number(times.upload_ms, 4)},
              {"kernel", json_number(times.kernel_ms, 4)},
              {"download", json_number(times.download_ms, 4)}};
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` tells about its run, for people and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "stereo_run.hpp"

namespace vergence::cli {
namespace {

struct Times {
  double median = 0;
  double min = 0;
  double max = 0;
};

Times summarise(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  const std::size_t middle = ms.size() / 2;
  const double median = ms.size() % 2 == 1 ? ms[middle] : (ms[middle - 1] + ms[middle]) / 2;
  return {median, ms.front(), ms.back()};
}

/// 10^9 disparity evaluations per second: pixels of a frame times candidates, by the median time.
double gde_per_second(const StereoResult& result, double median_ms) {
  const double pixels = static_cast<double>(result.matched) / static_cast<double>(result.frames);
  return median_ms > 0 ? pixels * result.options.disparities / (median_ms * 1e6) : 0;
}

double density(const StereoResult& result) {
  return 100.0 * static_cast<double>(result.with_disparity) / static_cast<double>(result.matched);
}

/// 0.123 ms, 12.3 ms, 1234 ms: three digits or all whole ones.
std::string ms_text(double ms) {
  const int decimals = ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", ms, decimals);
}

std::string times_text(const StereoResult& result, const Times& times) {
  if (result.ms.size() == 1) return ms_text(times.median) + " ms" + (result.warmed_up ? "" : " (first run)");
  return fmt::format("{} ms (median of {}, {} .. {})", ms_text(times.median), result.ms.size(), ms_text(times.min),
                     ms_text(times.max));
}

/// "upload 0.11 ms, kernels 0.62 ms, download 0.10 ms; 7 kernels compiled in 412 ms, 2 from the cache"
std::string device_times_text(const StereoResult& result) {
  const DeviceTimes& times = *result.device_times;
  std::string text;
  if (result.measured)
    text = fmt::format("upload {} ms, kernels {} ms, download {} ms; ", ms_text(times.upload_ms),
                       ms_text(times.kernel_ms), ms_text(times.download_ms));
  return text + fmt::format("{} programs compiled in {} ms, {} from the cache", times.compiled,
                            ms_text(times.compile_ms), times.cached);
}

/// How to run longer, where the run was too short for its energy.
std::string longer(const StereoResult& result) {
  const EnergyReport& report = result.energy->report;
  const double repeat = static_cast<double>(result.energy->frames) / static_cast<double>(result.frames);
  const double wanted = std::ceil(1.2 * report.needed_seconds / report.seconds * repeat);
  return wanted > 1e6 ? "" : fmt::format("--repeat {:.0f} would do", wanted);
}

Json device_times_json(const StereoResult& result) {
  const DeviceTimes& times = *result.device_times;
  return Json{{"compile", json_number(times.compile_ms, 4)},
              {"compiled", times.compiled},
              {"cached", times.cached},
              {"upload", json_number(times.upload_ms, 4)},
              {"kernel", json_number(times.kernel_ms, 4)},
              {"download", json_number(times.download_ms, 4)}};
}

}  // namespace

Json stereo_report_json(const StereoResult& result) {
  const Times times = summarise(result.ms);
  Json report = json_report();
  report["device"] = result.device;
  report["device_description"] = result.device_description;
  report["settings"] = settings_json(result.options);
  report["size"] = Json{{"width", result.size.width}, {"height", result.size.height}};
  report["frames"] = result.frames;
  report["ms"] = Json{
      {"median", json_number(times.median, 4)}, {"min", json_number(times.min, 4)}, {"max", json_number(times.max, 4)}};
  if (result.device_times) report["device_ms"] = device_times_json(result);
  if (result.energy) report["energy"] = energy_json(*result.energy);
  report["gde_per_s"] = json_number(gde_per_second(result, times.median), 4);
  report["density"] = json_number(density(result), 4);
  if (result.scores) report["scores"] = scores_json(*result.scores);
  report["hash"] = hash_text(result.hash);
  Json outputs = Json::object();
  for (const OutputName& output : result.outputs) outputs[output.key] = output.path;
  report["outputs"] = std::move(outputs);
  report["warnings"] = result.warnings;
  return report;
}

void print_stereo_report(const StereoResult& result) {
  const StereoOptions& options = result.options;
  const Times times = summarise(result.ms);
  print("pictures   {}x{}, {} bits{}\n", result.size.width, result.size.height, options.depth == Depth::u8 ? 8 : 16,
        result.stream ? fmt::format(", {} frames", result.frames) : "");
  print("search     {} window {}, disparities {} .. {}\n", stereo_get(options, "cost"), stereo_get(options, "window"),
        options.min_disparity, static_cast<std::int64_t>(options.min_disparity) + options.disparities - 1);
  print("device     {}: {}\n", result.device, result.device_description);
  print("matching   {}, {:.3g} G disparity evaluations per second\n", times_text(result, times),
        gde_per_second(result, times.median));
  if (result.device_times) print("on device  {}\n", device_times_text(result));
  if (result.energy) print_energy(*result.energy, "pair", longer(result));
  print("disparity  at {:.2f} % of the pixels, hash {}\n", density(result), hash_text(result.hash));
  for (const OutputName& output : result.outputs) print("wrote      {} ({})\n", output.path, output.what);
  if (!result.scores) return;
  if (result.stream) print("scores: means over {} frames\n", result.frames);
  print_scores(*result.scores);
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` tells about its run, for people and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/rig_refine.hpp"
#include "cli/times.hpp"
#include "stereo/run.hpp"
#include "stereo/upright.hpp"

namespace vergence::cli {
namespace {

/// 10^9 disparity evaluations per second: pixels of a frame times candidates, by the median time.
double gde_per_second(const StereoResult& result, double median_ms) {
  const double pixels = static_cast<double>(result.matched) / static_cast<double>(result.frames);
  const double candidates = static_cast<double>(result.candidates) / static_cast<double>(result.frames);
  return median_ms > 0 ? pixels * candidates / (median_ms * 1e6) : 0;
}

/// Percent of the pixels that were to get a disparity.
double share(const StereoResult& result, std::int64_t pixels) {
  return 100.0 * static_cast<double>(pixels) / static_cast<double>(result.matched);
}
double density(const StereoResult& result) { return share(result, result.with_disparity); }
double measured(const StereoResult& result) { return share(result, result.with_disparity - result.filled); }
double filled(const StereoResult& result) { return share(result, result.filled); }
double invalid(const StereoResult& result) { return share(result, result.matched - result.with_disparity); }

/// How to run longer, where the run was too short for its energy.
std::string longer(const StereoResult& result) {
  const EnergyReport& report = result.energy->report;
  const double repeat = static_cast<double>(result.energy->frames) / static_cast<double>(result.frames);
  const double wanted = std::ceil(1.2 * report.needed_seconds / report.seconds * repeat);
  return wanted > 1e6 ? "" : fmt::format("--repeat {:.0f} would do", wanted);
}

/// ", 3 frames (1 .. 3)".
std::string frames_text(std::int64_t first, std::int64_t frames) {
  return fmt::format(", {} frame{} ({} .. {})", frames, frames == 1 ? "" : "s", first, first + frames - 1);
}

/// Where the number of disparities comes from, unless that is known.
std::string range_text(const StereoResult& result) {
  if (result.disparities_from == "calibration") return " (ndisp of the calibration)";
  if (result.disparities_from == "auto") return " (found in the first frame)";
  if (result.ranges.size() > 1) {
    const SearchedRange& last = result.ranges.back();
    return fmt::format(" (in the first frame; changed {} time{}, from frame {} on to {} .. {})",
                       result.ranges.size() - 1, result.ranges.size() == 2 ? "" : "s", last.frame, last.min_disparity,
                       last.min_disparity + last.disparities - 1);
  }
  if (result.disparities_from == "follow") return " (found in the first frame, and followed)";
  if (result.disparities_from == "unknown") return " (the first frame does not tell)";
  return result.disparities_from == "width" ? " (the picture is no wider)" : "";
}

/// How costs are summed beyond the window.
std::string paths_text(const StereoOptions& options) {
  if (options.aggregate == StereoAggregate::window) return {};
  return fmt::format(", {} paths with penalties {} and {}{}", options.paths, options.p1, options.p2,
                     options.p2_slope > 0 ? fmt::format(" (p2-slope {})", options.p2_slope) : "");
}

/// Of a pair.
double rectification_ms(const StereoResult& result) {
  return result.rectified->ms / static_cast<double>(result.frames);
}

Json rectified_json(const StereoResult& result) {
  const RectificationResult& rectified = *result.rectified;
  const RectifiedRig& rig = rectified.rig;
  const auto [geometry, valid] = upright(rig);
  Json json = Json::object();
  json["reason"] = rectified.reason;
  json["source"] = Json{{"width", rectified.source.width}, {"height", rectified.source.height}};
  json["focal_px"] = geometry.focal_px;
  json["center_px"] = Json::array({geometry.center_x, geometry.center_y});
  json["baseline_m"] = geometry.baseline_m;
  json["turned"] = rig.turned;
  json["valid"] = Json::array({valid.x, valid.y, valid.width, valid.height});
  json["ms"] = json_number(rectification_ms(result), 3);
  return json;
}

void print_rectified(const StereoResult& result) {
  const RectificationResult& rectified = *result.rectified;
  const RectifiedRig& rig = rectified.rig;
  const auto [geometry, valid] = upright(rig);
  print("rectified  {} ({}){}\n", rectified.reason == "--rectify" ? "as asked for" : rectified.reason,
        rectified.reason == "--rectify" ? "--rectify" : "--no-rectify takes pictures as they are",
        rig.turned == 0 ? ""
                        : fmt::format(", turned by 90 degrees {} to be matched, and back",
                                      rig.turned < 0 ? "to the left" : "to the right"));
  print(
      "           focal {:.2f} px, principal point ({:.2f}, {:.2f}), baseline {:.6g} m, valid {}x{} px from ({}, {}) "
      "on; {:.3g} ms a pair\n",
      geometry.focal_px, geometry.center_x, geometry.center_y, geometry.baseline_m, valid.width, valid.height, valid.x,
      valid.y, rectification_ms(result));
}

}  // namespace

Json stereo_report_json(const StereoResult& result) {
  const Times times = summarise_times(result.ms);
  Json report = json_report();
  report["device"] = result.device;
  report["device_description"] = result.device_description;
  report["settings"] = stereo_settings_json(result.options);
  report["size"] = Json{{"width", result.size.width}, {"height", result.size.height}};
  report["pixels"] = pixels_json(result.options.depth, result.input_max);
  report["rectified"] = result.rectified ? rectified_json(result) : Json();
  report["rows"] = rig_report_json(result.rows);
  if (result.refined) report["refined"] = refined_json(*result.refined);
  report["disparities_from"] = result.disparities_from;
  if (result.disparities_from == "follow") {
    Json ranges = Json::array();
    for (const SearchedRange& range : result.ranges)
      ranges.push_back(
          Json{{"frame", range.frame}, {"min_disparity", range.min_disparity}, {"disparities", range.disparities}});
    report["ranges"] = std::move(ranges);
  }
  report["frames"] = result.frames;
  report["first_frame"] = result.first_frame;
  report["ms"] = times_json(times);
  if (result.device_times) report["device_ms"] = device_times_json(*result.device_times);
  if (result.live) report["live"] = live_json(*result.live);
  if (result.shares) report["stream"] = pipeline_json(*result.shares);
  if (result.energy) report["energy"] = energy_json(*result.energy);
  report["gde_per_s"] = json_number(gde_per_second(result, times.median), 4);
  report["density"] = json_number(density(result), 4);
  report["measured"] = json_number(measured(result), 4);
  report["filled"] = json_number(filled(result), 4);
  report["invalid"] = json_number(invalid(result), 4);
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
  const Times times = summarise_times(result.ms);
  print("pictures   {}x{}, {}{}\n", result.size.width, result.size.height, pixels_text(options.depth, result.input_max),
        result.stream ? frames_text(result.first_frame, result.frames) : "");
  if (result.rectified) print_rectified(result);
  // Above 10 m there is a warning.
  if (constexpr double long_baseline = 2; result.baseline_m > long_baseline && result.baseline_m <= most_baseline_m)
    print(
        "metres     baseline {:.4g} m, as of trucks and aircraft: files of smaller rigs count in cm, mm or squares "
        "(--unit)\n",
        result.baseline_m);
  if (const std::string rows = rig_report_text(result.rows); !rows.empty()) print("rows       {}\n", rows);
  if (result.refined) print("refined    {}\n", refined_text(*result.refined));
  print("search     {} window {}{}, disparities {} .. {}{}{}\n", stereo_get(options, "cost"),
        stereo_get(options, "window"), paths_text(options), options.min_disparity,
        static_cast<std::int64_t>(options.min_disparity) + options.disparities - 1, range_text(result),
        options.reject_ties ? "" : ", ties kept");
  print("device     {}: {}\n", result.device, result.device_description);
  print("matching   {}, {:.3g} G disparity evaluations per second{}\n", times_text(result.ms, result.warmed_up),
        gde_per_second(result, times.median),
        result.read_ahead ? ", while the next pair is read (--repeat 1 times it alone)" : "");
  if (result.device_times) print("on device  {}\n", device_times_text(*result.device_times, result.measured));
  if (result.live) print_live(*result.live);
  if (result.shares) print_pipeline(*result.shares);
  if (result.energy) print_energy(*result.energy, "pair", longer(result));
  print("disparity  measured {:.2f} %, filled {:.2f} %, invalid {:.2f} %, hash {}\n", measured(result), filled(result),
        invalid(result), hash_text(result.hash));
  for (const OutputName& output : result.outputs) print("wrote      {} ({})\n", output.path, output.what);
  if (!result.scores) return;
  if (result.stream) print("scores: means over {} frames\n", result.frames);
  print_scores(*result.scores);
}

}  // namespace vergence::cli

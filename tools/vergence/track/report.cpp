// SPDX-License-Identifier: Apache-2.0
// What `vergence track` tells about its run, for people and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "cli/command.hpp"
#include "cli/times.hpp"
#include "track/run.hpp"

namespace vergence::cli {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN(); }

double survival(const TrackTotals& totals) {
  return 100 * share(static_cast<double>(totals.found), static_cast<double>(totals.sought));
}
double mean_length(const TrackTotals& totals) {
  return share(static_cast<double>(totals.ages), static_cast<double>(totals.started + totals.resumed));
}
double mean_residual(const TrackTotals& totals) { return share(totals.residual, static_cast<double>(totals.found)); }

/// "12.34 % of ...", or "-" where there was nothing to take a share or a mean of.
std::string figure(double value, int decimals, std::string_view behind) {
  return std::isfinite(value) ? fmt::format("{:.{}f}{}", value, decimals, behind) : "-";
}

std::string reasons(const TrackTotals& totals) {
  std::string text;
  for (std::size_t i = 1; i < TrackTotals::statuses; ++i)
    if (totals.lost[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", totals.lost[i], to_text(static_cast<TrackStatus>(i)));
  return text.empty() ? "none" : text;
}

/// "median 1.20, 90 % 3.41, 99 % 18.20, greatest 61.07 grey levels".
std::string distribution_text(const Distribution& values, std::string_view unit) {
  if (values.count() == 0) return "-";
  return fmt::format("median {:.2f}, 90 % {:.2f}, 99 % {:.2f}, greatest {:.2f} {}", values.quantile(0.5),
                     values.quantile(0.9), values.quantile(0.99), values.greatest(), unit);
}
Json distribution_json(const Distribution& values) {
  return Json{{"points", values.count()},
              {"median", json_number(values.quantile(0.5), 4)},
              {"p90", json_number(values.quantile(0.9), 4)},
              {"p99", json_number(values.quantile(0.99), 4)},
              {"max", json_number(values.greatest(), 4)}};
}

std::int64_t lost_for(const TrackTotals& totals, TrackStatus why) { return totals.lost[static_cast<std::size_t>(why)]; }

std::string residual_text(const TrackOptions& options, const TrackTotals& totals) {
  std::string text = distribution_text(totals.residuals, "grey levels");
  if (totals.residuals.count() == 0) return text;
  if (options.max_residual == 0) return text + "; any is accepted";
  return text + fmt::format("; {} above {}{}, lost", lost_for(totals, TrackStatus::residual), options.max_residual,
                            options.depth == Depth::u8 ? "" : " of 8 bits");
}
std::string way_back_text(const TrackOptions& options, const TrackTotals& totals) {
  if (options.forward_backward == 0) return "not checked";
  if (totals.ways_back.count() + totals.not_back == 0) return "-";
  return distribution_text(totals.ways_back, "px") + fmt::format("; {} farther than {} or lost on the way, lost",
                                                                 lost_for(totals, TrackStatus::forward_backward),
                                                                 options.forward_backward);
}

Json residual_json(const TrackOptions& options, const TrackTotals& totals) {
  Json json = distribution_json(totals.residuals);
  json["limit"] = options.max_residual;
  json["above"] = lost_for(totals, TrackStatus::residual);
  return json;
}
Json way_back_json(const TrackOptions& options, const TrackTotals& totals) {
  if (options.forward_backward == 0) return nullptr;
  Json json = distribution_json(totals.ways_back);
  json["not_back"] = totals.not_back;
  json["limit"] = options.forward_backward;
  json["above"] = lost_for(totals, TrackStatus::forward_backward);
  return json;
}

std::string lost_warning(const TrackTotals& totals, bool explained) {
  constexpr std::int64_t enough = 100;
  constexpr std::int64_t few = 10;  // percent
  if (totals.started + totals.resumed == 0)
    return "no frame shows a point that could be followed: they are flat, or the mask or region leaves nothing";
  if (explained || totals.sought < enough || 100 * totals.found >= few * totals.sought) return "";
  return fmt::format(
      "of {} points that were looked for in a next frame only {:.2g} % were found (lost: {}): check that the frames "
      "follow each other at once and in their order, that their size and format are right, that they do not flicker, "
      "and --max-residual, --forward-backward and --levels",
      totals.sought, survival(totals), reasons(totals));
}

/// Without limits, points that are lost are found elsewhere.
std::string chance_warning(const TrackResult& result) {
  constexpr double most = 14;  // grey levels; noise of 8 makes 9
  constexpr std::int64_t enough = 50;
  const TrackTotals& totals = result.totals;
  if (result.options.max_residual != 0 || result.options.forward_backward != 0 || totals.residuals.count() < enough)
    return "";
  const double median = totals.residuals.quantile(0.5);
  if (median < most) return "";
  return fmt::format(
      "points are found where their windows differ by {:.1f} grey levels in the median from what was followed, and no "
      "limit is set: many are found by chance: give --max-residual and --forward-backward (20 and 1 by default), or "
      "more --levels for what moves farther",
      median);
}

/// So far apart that a few fill the frame.
std::string room_warning(const TrackResult& result) {
  constexpr std::int64_t few = 10;
  const int apart = std::max(result.options.min_distance, 1);
  const auto places = [apart](int side) { return std::int64_t{(side + apart - 1) / apart}; };
  const std::int64_t room = places(result.size.width) * places(result.size.height);
  if (room >= few || room >= result.options.points) return "";
  return fmt::format(
      "--min-distance {} leaves room for about {} points in {}x{} px, and points is {}: give the distance between them "
      "in px, such as 10",
      apart, room, result.size.width, result.size.height, result.options.points);
}

}  // namespace

std::vector<std::string> doubts_about_points(const TrackResult& result, bool explained, std::vector<std::string> cuts) {
  std::string lost = lost_warning(result.totals, explained);
  std::vector<std::string> lines = lost.empty() ? std::move(cuts) : std::vector{std::move(lost)};
  for (std::string line : {lines.empty() && !explained ? chance_warning(result) : "", room_warning(result)})
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

void print_track_report(const TrackResult& result) {
  const TrackOptions& options = result.options;
  const TrackTotals& totals = result.totals;
  print("video      {}x{}, {}, {} frames ({} .. {})\n", result.size.width, result.size.height,
        pixels_text(options.depth, result.input_max), result.frames, result.first_frame,
        result.first_frame + result.frames - 1);
  print("settings   {} points, window {}, {} coarse levels, at most {} steps\n", options.points, options.window,
        result.levels, options.iterations);
  print("device     {}: {}\n", result.device, result.device_description);
  print("time       {} per frame\n", times_text(result.ms, true));
  for (const auto& [map, rate] : result.measured_maps) print("measured   {}: {:.1f} frames per second\n", map, rate);
  if (result.live) print_live(*result.live);
  if (result.stream) print_pipeline(*result.stream);
  if (result.energy) print_energy(*result.energy, "frame", "give more frames");
  if (result.resumed_frame) print("resumed    {} tracks of frame {}\n", totals.resumed, *result.resumed_frame);
  print("tracks     {} started, {} alive after the last frame\n", totals.started, totals.alive);
  print("survival   {}\n", figure(survival(totals), 2, " % of the points of a frame are found in the next"));
  print("length     {}\n",
        figure(mean_length(totals), 1, fmt::format(" frames on average, the longest {}", totals.oldest)));
  print("residual   {}\n", residual_text(options, totals));
  print("way back   {}\n", way_back_text(options, totals));
  print("lost       {}\n", reasons(totals));
  print("hash       {}\n", hash_text(result.hash));
  for (const OutputName& output : result.outputs) print("wrote      {} ({})\n", output.path, output.what);
}

void print_track_json(const TrackResult& result) {
  const TrackTotals& totals = result.totals;
  Json report = json_report();
  report["device"] = result.device;
  report["device_description"] = result.device_description;
  report["settings"] = track_settings_json(result.options);
  report["size"] = Json{{"width", result.size.width}, {"height", result.size.height}};
  report["pixels"] = pixels_json(result.options.depth, result.input_max);
  report["levels"] = result.levels;
  report["frames"] = result.frames;
  report["first_frame"] = result.first_frame;
  report["ms"] = times_json(summarise_times(result.ms));
  if (!result.measured_maps.empty()) {
    Json maps = Json::object();
    for (const auto& [map, rate] : result.measured_maps) maps[map] = json_number(rate, 3);
    report["measured_maps"] = std::move(maps);
  }
  if (result.live) report["live"] = live_json(*result.live);
  if (result.stream) report["stream"] = pipeline_json(*result.stream);
  if (result.energy) report["energy"] = energy_json(*result.energy);
  report["resumed"] =
      result.resumed_frame ? Json{{"frame", *result.resumed_frame}, {"tracks", totals.resumed}} : Json();
  report["started"] = totals.started;
  report["alive"] = totals.alive;
  report["survival"] = json_number(survival(totals), 4);
  report["mean_length"] = json_number(mean_length(totals), 4);
  report["longest"] = totals.oldest;
  report["mean_residual"] = json_number(mean_residual(totals), 4);
  report["residual"] = residual_json(result.options, totals);
  report["way_back"] = way_back_json(result.options, totals);
  Json lost = Json::object();
  for (std::size_t i = 1; i < TrackTotals::statuses; ++i)
    lost[std::string(to_text(static_cast<TrackStatus>(i)))] = totals.lost[i];
  report["lost"] = std::move(lost);
  report["hash"] = hash_text(result.hash);
  Json outputs = Json::object();
  for (const OutputName& output : result.outputs) outputs[output.key] = output.path;
  report["outputs"] = std::move(outputs);
  report["warnings"] = result.warnings;
  print_json(report);
}

}  // namespace vergence::cli

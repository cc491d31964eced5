// SPDX-License-Identifier: Apache-2.0
// Outputs in metres: depth, its deviation, point clouds.
#include "stereo/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "stereo/rgbd.hpp"
#include "vergence/cloud.hpp"

namespace vergence::cli {
namespace {

constexpr float unknown = std::numeric_limits<float>::infinity();
constexpr double farthest = 1e6;  // m
constexpr double usual_error = 0.25;
constexpr int usual_per_metre = 1000, rgbd_per_metre = 5000, most_per_metre = 1'000'000;

struct DepthLimits {
  double near_m = 0;
  double far_m = std::numeric_limits<double>::infinity();
};

DepthLimits limits_of(const MetricArguments& arguments) {
  DepthLimits limits;
  if (arguments.near_m) limits.near_m = parse_positive("--near", *arguments.near_m, farthest);
  if (arguments.far_m) limits.far_m = parse_positive("--far", *arguments.far_m, farthest);
  if (limits.near_m >= limits.far_m)
    throw UsageError(fmt::format("--near is '{}' and --far is '{}': the far limit must be the larger one",
                                 *arguments.near_m, *arguments.far_m));
  return limits;
}

double error_of(const MetricArguments& arguments) {
  constexpr double most = 1000;
  return arguments.error_px ? parse_positive("--match-error", *arguments.error_px, most) : usual_error;
}

/// What is filled was not measured: it gets no depth.
void forget_filled(Image<float>& metres, const Image<std::uint8_t>& mask) {
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x)
      if (mask(x, y) == filled_pixel) metres(x, y) = unknown;
}

/// What a map of depths holds.
struct DepthSpan {
  float low = unknown, high = 0;  ///< Of all depths.
  std::int64_t within = 0;        ///< Depths that the limits leave.
};
DepthSpan forget_beyond(Image<float>& metres, const DepthLimits& limits) {
  DepthSpan span;
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      float& depth = metres(x, y);
      if (!std::isfinite(depth)) continue;
      span.low = std::min(span.low, depth), span.high = std::max(span.high, depth);
      if (depth >= limits.near_m && depth <= limits.far_m)
        ++span.within;
      else
        depth = unknown;
    }
  return span;
}

/// Where more than a tenth of the measured pixels get no depth, the offset is wrong; without one, disparity 0 is far
/// away and has none either. `name`: as the user gave it.
std::string no_depth_warning(const std::string& name, const StereoMaps& maps, const Calibration& geometry) {
  constexpr std::int64_t most_percent = 10;
  std::int64_t measured = 0, without = 0;
  for (int y = 0; y < maps.pixels.height(); ++y)
    for (int x = 0; x < maps.pixels.width(); ++x) {
      const double pixels = maps.pixels(x, y);
      if (!std::isfinite(pixels) || (!maps.mask.empty() && maps.mask(x, y) != measured_pixel)) continue;
      ++measured;
      without += pixels + geometry.offset_px <= 0 && (pixels != 0 || geometry.offset_px != 0) ? 1 : 0;
    }
  if (100 * without <= most_percent * measured) return {};
  return fmt::format(
      "{}: {} % of the measured pixels have no depth: disparity + doffs is not above 0: check --doffs or the "
      "calibration",
      name, 100 * without / measured);
}

/// Of an output without a depth.
std::string empty_warning(const MetricOutput& output, const DepthSpan& span, const MetricArguments& arguments) {
  const char* const what = output.output == Output::cloud ? "points" : "depths";
  if (span.low > span.high) return fmt::format("{} has no {}: no pixel has a depth", output.name, what);
  return fmt::format(
      "{} has no {}: depths are {:.3g} .. {:.3g} m, and none lies within --near {} and --far {}, which are in m",
      output.name, what, span.low, span.high, arguments.near_m.value_or("0"), arguments.far_m.value_or("inf"));
}

/// Returns a warning, else "".
std::string write_depths(const MetricOutput& output, const Image<float>& metres, int per_metre) {
  const std::int64_t saturated = write_depth(output.path, metres.view(), per_metre);
  if (saturated == 0) return {};
  const std::string steps = per_metre == usual_per_metre ? "mm" : fmt::format("steps of 1/{} m", per_metre);
  return fmt::format("{}: {} depths lie outside 1 .. 65535 {} and are stored as these limits; .pfm holds all",
                     output.name, saturated, steps);
}

void write_deviation(const std::string& path, const Image<float>& metres, const Calibration& geometry,
                     double error_px) {
  Image<float> deviation(metres.size());
  depth_deviation(metres.view(), geometry.focal_px, geometry.baseline_m, error_px, deviation.view());
  write_depth(path, deviation.view());
}

void write_coloured_depth(const MetricOutput& output, const Image<float>& metres, const StereoMaps& maps,
                          const FrameContext& frame, bool include_filled) {
  const ColourRange range = frame.coloured.depths(metres, maps.mask);
  ColourOptions colours{.low = range.low, .high = range.high, .unit = "m", .name = "depth"};
  if (include_filled && !maps.mask.empty()) colours.mask = maps.mask.view();
  frame.coloured.write(output.output, output.path, colour_map(metres.view(), colours));
}

}  // namespace

int per_metre_of(const MetricArguments& arguments, Output output) {
  if (arguments.per_metre)
    return static_cast<int>(parse_integer("--depth-steps", *arguments.per_metre, 1, most_per_metre));
  return output == Output::rgbd ? rgbd_per_metre : usual_per_metre;
}

void add_metric_options(Command command, MetricArguments& arguments) {
  const char* const group = "Outputs";
  command
      .flag("--include-filled", arguments.include_filled,
            "Depth and cloud hold filled pixels too, not measured ones alone")
      .group(group);
  command.add("--near", arguments.near_m, "Depths below are unknown, in all outputs in metres").type("M").group(group);
  command.add("--far", arguments.far_m, "Depths above are unknown, likewise").type("M").group(group);
  command
      .add("--depth-steps", arguments.per_metre,
           "Steps per metre of a .png of --depth, and of --rgbd: 1000 is mm (RealSense), 5000 TUM's RGB-D [1 .. "
           "1000000; default: 1000, of --rgbd 5000]")
      .type("N")
      .group(group);
  command
      .add("--match-error", arguments.error_px,
           "Standard deviation of the disparities, for --depth-deviation [default: 0.25]")
      .type("PX")
      .group(group);
  command
      .flag("--cloud-organised", arguments.organised,
            "The cloud has a point for every pixel, row by row; unknown ones are not a number")
      .group(group);
  command.flag("--cloud-normals", arguments.normals, "The cloud has the surface's direction at each point")
      .group(group);
}

void check_metric(const MetricArguments& arguments, const std::map<Output, std::string>& outputs) {
  const auto wanted = [&outputs](Output output) { return outputs.contains(output); };
  const bool metric = wanted(Output::depth) || wanted(Output::depth_color) || wanted(Output::cloud) ||
                      wanted(Output::depth_deviation) || wanted(Output::rgbd);
  if (arguments.include_filled && !metric)
    throw UsageError("--include-filled needs --depth FILE, --depth-color FILE, --cloud FILE or --rgbd DIR");
  if ((arguments.near_m || arguments.far_m) && !metric)
    throw UsageError(fmt::format("{} needs --depth FILE, --depth-color FILE, --cloud FILE or --rgbd DIR",
                                 arguments.near_m ? "--near" : "--far"));
  limits_of(arguments);
  const bool steps = wanted(Output::rgbd) || (wanted(Output::depth) && ending(outputs.at(Output::depth)) == ".png");
  if (arguments.per_metre && !steps)
    throw UsageError("--depth-steps needs --depth NAME.png or --rgbd DIR: the other formats hold metres");
  per_metre_of(arguments, Output::depth);
  if (arguments.error_px && !wanted(Output::depth_deviation))
    throw UsageError("--match-error needs --depth-deviation FILE");
  error_of(arguments);
  if ((arguments.organised || arguments.normals) && !wanted(Output::cloud))
    throw UsageError(
        fmt::format("{} needs --cloud FILE", arguments.organised ? "--cloud-organised" : "--cloud-normals"));
}

std::string match_error_warning(const MetricArguments& arguments, const StereoOptions& options) {
  const double error = error_of(arguments), by_chance = options.disparities / std::sqrt(12.0);
  if (!arguments.error_px || error < by_chance) return {};
  return fmt::format(
      "--match-error {:g} px is no less than disparities have that are chosen by chance, {:.3g} px of {} candidates: "
      "give the deviation of good ones, such as 0.25",
      error, by_chance, options.disparities);
}

std::vector<std::string> write_metric(const MetricOutput& output, const StereoMaps& maps, const FrameContext& frame,
                                      const MetricArguments& arguments) {
  const Calibration& geometry = frame.geometry.value();
  Image<float> metres(maps.pixels.size());
  pixels_to_depth(maps.pixels.view(), geometry.focal_px, geometry.baseline_m, geometry.offset_px, metres.view());
  if (!arguments.include_filled) forget_filled(metres, maps.mask);
  const DepthSpan span = forget_beyond(metres, limits_of(arguments));
  std::vector<std::string> warnings;
  if (std::string line = frame.looks ? no_depth_warning(output.name, maps, geometry) : ""; !line.empty())
    warnings.push_back(std::move(line));
  else if (span.within == 0)
    warnings.push_back(empty_warning(output, span, arguments));
  else if (output.output == Output::depth_color && frame.looks && frame.coloured.doubts_range(output.output))
    if (std::string outside = frame.coloured.outside_warning(output.output, output.name, span.low, span.high);
        !outside.empty())
      warnings.push_back(std::move(outside));
  if (output.output == Output::cloud) {
    write_cloud(output.path, metres.view(), geometry, {frame.colours, arguments.organised, arguments.normals});
  } else if (output.output == Output::depth_color) {
    write_coloured_depth(output, metres, maps, frame, arguments.include_filled);
  } else if (output.output == Output::rgbd) {
    frame.rgbd->add(frame.number.value_or(0), frame.colours, metres, geometry);
  } else if (output.output == Output::depth_deviation) {
    write_deviation(output.path, metres, geometry, error_of(arguments));
  } else if (std::string saturated = write_depths(output, metres, per_metre_of(arguments, Output::depth));
             !saturated.empty()) {
    warnings.push_back(std::move(saturated));
  }
  return warnings;
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` writes.
#include "stereo/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "cli/strict.hpp"
#include "stereo/metric.hpp"

namespace vergence::cli {
namespace {

/// One kind of output: its option, its name for people and in JSON, the endings it can have.
struct Kind {
  Output output;
  const char* option;
  const char* what;
  const char* key;
  const char* endings;
  const char* type;
  const char* help;
};

constexpr std::array<Kind, 13> kinds{{
    {Output::disparity, "-o,--output", "disparity", "disparity", ".png .pfm .npy", "FILE",
     "Disparity: .png 16-bit, 256 x px, 0 = invalid (KITTI); .pfm px, inf = invalid; .npy 1/16 px"},
    {Output::color, "--color", "coloured map", "color", ".png .ppm .mp4 .y4m", "FILE",
     "Coloured disparity with a legend, from min-disparity to min-disparity + disparities; filled pixels pale and "
     "dotted, invalid ones hatched [.png .ppm; of a sequence .mp4 .y4m]"},
    {Output::gray, "--gray", "grey map", "gray", ".png .pgm .npy", "PNG",
     "8-bit disparity: (d - min-disparity) * 255 / disparities, rounded down; invalid = 0"},
    {Output::cost, "--cost-map", "winner's cost", "cost", ".npy .pfm", "FILE",
     "Window cost of each pixel's winner: .npy uint32 (2^32 - 1 = none) or .pfm (inf = none)"},
    {Output::confidence, "--confidence", "confidence", "confidence", ".png .pgm .npy", "PNG",
     "Confidence: 255 * (second best - best cost) / second best, 0 where not measured"},
    {Output::confidence_color, "--confidence-color", "coloured confidence", "confidence_color", ".png .ppm .mp4 .y4m",
     "FILE", "Confidence in colours with a legend, as --color"},
    {Output::validity, "--validity", "validity", "validity", ".png .pgm .npy", "FILE",
     "Validity: 255 measured, 128 filled, 0 invalid"},
    {Output::other, "--other", "other view's disparity", "other", ".png .pfm .npy", "FILE",
     "Disparity of the other picture, as -o; needs outside skip"},
    {Output::depth, "--depth", "depth", "depth", ".pfm .png .npy", "FILE",
     "Depth of measured pixels: .pfm and .npy in m, .png 16-bit in mm; unknown: inf, 0"},
    {Output::depth_color, "--depth-color", "coloured depth", "depth_color", ".png .ppm .mp4 .y4m", "FILE",
     "Depth in colours with a legend in m, as --color"},
    {Output::cloud, "--cloud", "point cloud", "cloud", ".ply .pcd", "FILE",
     "Coloured points in m (x right, y down, z forward), of measured pixels, binary"},
    {Output::depth_deviation, "--depth-deviation", "deviation of depth", "depth_deviation", ".pfm .npy", "FILE",
     "Standard deviation of each depth in m, for an error of the disparities of --match-error"},
    {Output::rgbd, "--rgbd", "RGB-D folder", "rgbd", "", "DIR",
     "New folder in TUM's RGB-D layout: rgb/ and depth/ (16-bit .png, 5000 steps a metre), rgb.txt, depth.txt, "
     "associations.txt, camera.txt; times by --rate"},
}};

/// "-o,--output" -> "--output".
std::string long_name(const Kind& kind) {
  const std::string_view option = kind.option;
  return std::string(option.substr(option.find("--")));
}

/// "folder/" is "folder".
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void check_folder(const std::string& path) {
  if (has_frame_number(path))
    throw UsageError(fmt::format("--rgbd is '{}': one folder holds all frames, leave the number out", path));
  std::error_code problem;
  if (std::filesystem::exists(path, problem))
    throw Error(ErrorCode::io, fmt::format("--rgbd '{}' exists: give the name of a new folder", path));
}

template <class Disparity>
Image<std::uint8_t> gray_map(const Image<Disparity>& map, int invalid, const StereoOptions& options) {
  Image<std::uint8_t> gray(map.size());
  const std::int64_t low = std::int64_t{options.min_disparity} * 16;
  const std::int64_t range = std::int64_t{options.disparities} * 16;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      const std::int64_t value = map(x, y) == invalid ? 0 : (map(x, y) - low) * 255 / range;
      gray(x, y) = static_cast<std::uint8_t>(std::clamp<std::int64_t>(value, 0, 255));
    }
  return gray;
}

Image<std::uint8_t> validity_picture(const Image<std::uint8_t>& mask) {
  Image<std::uint8_t> picture(mask.size());
  constexpr std::array<std::uint8_t, 3> levels{0, 255, 128};
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) picture(x, y) = levels[std::min<std::size_t>(mask(x, y), 2)];
  return picture;
}

/// Grey maps go into pictures or arrays, by the name's ending.
void write_grey(const std::string& path, const Image<std::uint8_t>& map) {
  if (ending(path) == ".npy")
    write_npy(path, map.view());
  else
    write_picture(path, map.view());
}

template <class Disparity>
void write_disparity_map(Output output, const std::string& path, const Image<Disparity>& map,
                         const Image<std::uint8_t>& mask, const FrameContext& frame) {
  if (output == Output::gray) return write_grey(path, gray_map(map, frame.invalid, frame.options));
  if (output != Output::color) return write_disparity(path, map.view(), frame.invalid);
  const ColourRange range = frame.coloured.disparities(frame.options);
  ColourOptions colours{.low = range.low, .high = range.high};
  if (frame.options.fill != StereoFill::none) colours.mask = mask.view();
  frame.coloured.write(output, path, colour_map(map.view(), frame.invalid, colours));
}

/// Where --color-range holds none of the map's disparities, or is far too wide: one line, else "".
template <class Disparity>
std::string colour_warning(const std::string& name, const Image<Disparity>& map, const FrameContext& frame) {
  if (!frame.looks || !frame.coloured.doubts_range(Output::color)) return {};
  constexpr double steps = 16;  // of a px
  int least = std::numeric_limits<int>::max(), largest = std::numeric_limits<int>::min();
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (map(x, y) != frame.invalid)
        least = std::min<int>(least, map(x, y)), largest = std::max<int>(largest, map(x, y));
  return frame.coloured.outside_warning(Output::color, name, least / steps, largest / steps);
}

/// Pixels that were not measured have no confidence.
void write_coloured_confidence(const std::string& path, const StereoMaps& maps, const FrameContext& frame) {
  Image<float> map(maps.confidence.size());
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      map(x, y) = maps.mask(x, y) == measured_pixel ? static_cast<float>(maps.confidence(x, y))
                                                    : std::numeric_limits<float>::infinity();
  frame.coloured.write(Output::confidence_color, path,
                       colour_map(map.view(), {.low = 0, .high = 255, .name = "confidence"}));
}

}  // namespace

void add_output_options(Command command, OutputArguments& outputs) {
  for (const Kind& kind : kinds) {
    command
        .add(
            kind.option,
            [&outputs, output = kind.output](const std::string& path) {
              outputs.paths[output] = output == Output::rgbd ? without_slashes(path) : path;
            },
            kind.help)
        .type(kind.type)
        .group("Outputs");
  }
  add_metric_options(command, outputs.metric);
  add_colour_options(command, outputs.colours);
}

std::vector<OutputName> output_names(const OutputArguments& outputs) {
  std::vector<OutputName> names;
  for (const Kind& kind : kinds) {
    const auto found = outputs.paths.find(kind.output);
    if (found != outputs.paths.end())
      names.push_back({long_name(kind), kind.what, kind.key, found->second, true,
                       kind.output == Output::rgbd || names_video(found->second)});
  }
  return names;
}

bool wants_depth(const OutputArguments& outputs) {
  const auto wanted = [&outputs](Output output) { return outputs.paths.contains(output); };
  return wanted(Output::depth) || wanted(Output::depth_color) || wanted(Output::cloud) ||
         wanted(Output::depth_deviation) || wanted(Output::rgbd);
}

void check_range_fits(const OutputArguments& outputs, const StereoOptions& options) {
  const std::int64_t last = std::int64_t{options.min_disparity} + options.disparities - 1;
  if (options.min_disparity >= 0 && last <= 255) return;
  for (const Kind& kind : kinds) {
    const auto found = outputs.paths.find(kind.output);
    if (found == outputs.paths.end() || ending(found->second) != ".png") continue;
    if (kind.output == Output::disparity || kind.output == Output::other)
      throw UsageError(
          fmt::format("{} '{}' cannot hold disparities {} .. {}: KITTI's PNG holds 0 .. 255, use .pfm or .npy",
                      long_name(kind), found->second, options.min_disparity, last));
  }
}

void check_outputs(const OutputArguments& outputs, const StereoOptions& options) {
  check_metric(outputs.metric, outputs.paths);
  for (const Kind& kind : kinds) {
    const auto found = outputs.paths.find(kind.output);
    if (found == outputs.paths.end()) continue;
    const OutputName name{long_name(kind), kind.what, kind.key, found->second};
    if (kind.output == Output::depth && (name.path == "u8" || name.path == "u16"))  // its meaning once
      throw UsageError(
          fmt::format("--depth is '{0}': it names the file of the depth map; the type of the pixels is "
                      "now --pixel-depth {0}",
                      name.path));
    if (kind.output == Output::rgbd)
      check_folder(name.path);
    else
      check_ending(name, kind.endings);
    if (kind.output == Output::other && options.outside != StereoOutside::skip)
      throw UsageError(fmt::format("--other needs outside skip, it is {}", stereo_get(options, "outside")));
  }
}

StereoMaps::StereoMaps(Size size, bool wide_range, bool fills, const OutputArguments& outputs) : wide(wide_range) {
  const auto wanted = [&outputs](Output output) { return outputs.paths.contains(output); };
  if (wide)
    wide_map = Image<std::int32_t>(size);
  else
    narrow = Image<std::int16_t>(size);
  if (wanted(Output::other) && wide) other_wide = Image<std::int32_t>(size);
  if (wanted(Output::other) && !wide) other_narrow = Image<std::int16_t>(size);
  if (fills || wanted(Output::validity) || wanted(Output::confidence_color)) mask = Image<std::uint8_t>(size);
  if (wanted(Output::confidence) || wanted(Output::confidence_color)) confidence = Image<std::uint8_t>(size);
  if (wanted(Output::cost)) cost = Image<std::uint32_t>(size);
}

StereoOutput StereoMaps::output() {
  StereoOutput output{.mask = mask, .confidence = confidence, .cost = cost};
  if (wide)
    output.disparity = wide_map, output.other_disparity = other_wide;
  else
    output.disparity = narrow, output.other_disparity = other_narrow;
  return output;
}

void compute_maps(StereoMatcher& matcher, const StereoFrame& frame, StereoMaps& maps) {
  matcher.compute({frame.left, frame.right}, maps.output());
}

bool can_overtake(const OutputArguments& outputs) {
  const auto can = [](const auto& item) {
    switch (item.first) {
      case Output::disparity:
      case Output::gray:
      case Output::cost:
      case Output::confidence:
      case Output::validity:
      case Output::other:
        return true;
      default:
        return false;
    }
  };
  return std::all_of(outputs.paths.begin(), outputs.paths.end(), can);
}

std::vector<std::string> write_outputs(const OutputArguments& outputs, StereoMaps& maps, const FrameContext& frame,
                                       HeldFiles& held, const Turn& turn) {
  std::vector<std::string> warnings;
  FileGroup files;
  for (const auto& item : outputs.paths) {
    const Output output = item.first;
    // Videos have their names only when they are whole, strict or not.
    const std::string name = frame.number ? frame_path(item.second, *frame.number) : item.second;
    const bool grows = names_video(name) || output == Output::rgbd;
    const std::string path = grows ? name : held.place(name);
    const WriteGuard guard;
    switch (output) {
      case Output::disparity:
      case Output::color:
      case Output::gray:
        if (output == Output::color)
          if (std::string line =
                  maps.wide ? colour_warning(name, maps.wide_map, frame) : colour_warning(name, maps.narrow, frame);
              !line.empty())
            warnings.push_back(std::move(line));
        if (maps.wide)
          write_disparity_map(output, path, maps.wide_map, maps.mask, frame);
        else
          write_disparity_map(output, path, maps.narrow, maps.mask, frame);
        break;
      case Output::other:
        if (maps.wide)
          write_disparity_map(output, path, maps.other_wide, {}, frame);
        else
          write_disparity_map(output, path, maps.other_narrow, {}, frame);
        break;
      case Output::cost:
        write_cost(path, maps.cost.view());
        break;
      case Output::confidence:
        write_grey(path, maps.confidence);
        break;
      case Output::confidence_color:
        write_coloured_confidence(path, maps, frame);
        break;
      case Output::validity:
        write_grey(path, validity_picture(maps.mask));
        break;
      case Output::depth:
      case Output::depth_color:
      case Output::cloud:
      case Output::depth_deviation:
      case Output::rgbd:
        for (std::string& line : write_metric({output, path, name}, maps, frame, outputs.metric))
          warnings.push_back(std::move(line));
        break;
    }
  }
  turn();
  const WriteGuard guard;
  files.commit();
  if (frame.number && !held.holds())
    for (const auto& [output, name] : outputs.paths)
      if (!names_video(name) && output != Output::rgbd) is_whole(name, frame_path(name, *frame.number));
  return warnings;
}

}  // namespace vergence::cli

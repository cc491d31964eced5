// SPDX-License-Identifier: Apache-2.0
// Boards, lenses and outputs on the command line.
#include "calibrate/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "cli/command.hpp"
#include "cli/rig_option.hpp"

namespace vergence::cli {
namespace {

constexpr int most_corners = 100;

/// "25mm": in metres.
double parse_metres(std::string_view option, const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 3> units{{{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}}};
  for (const auto& [unit, metres] : units) {
    if (text.size() <= unit.size() || !text.ends_with(unit)) continue;
    constexpr double most = 1e5;
    return parse_positive(option, text.substr(0, text.size() - unit.size()), most) * metres;
  }
  throw UsageError(fmt::format("{} is '{}': give a length with its unit, such as 25mm, 2.5cm or 0.025m", option, text));
}

/// "DICT_4X4_50" or "4x4_50" as "4X4_50".
std::string dictionary_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text.starts_with("DICT_") ? text.substr(5) : text;
}

}  // namespace

calibrate::Board parse_board(const CalibrateArguments& arguments) {
  calibrate::Board board;
  constexpr std::string_view charuco = "charuco:";
  std::string text = arguments.board;
  if (text.starts_with(charuco)) {
    board.kind = calibrate::Board::Kind::charuco;
    text = text.substr(charuco.size());
  }
  const bool markers = board.kind == calibrate::Board::Kind::charuco;
  const auto [columns, rows] = parse_size("--board", text, 3, most_corners);
  board.columns = markers ? columns - 1 : columns;
  board.rows = markers ? rows - 1 : rows;
  board.square_m = parse_metres("--square", arguments.square);
  if (!markers) {
    if (arguments.marker || arguments.dictionary)
      throw UsageError("--marker and --dictionary are for ChArUco boards: --board charuco:COLUMNSxROWS");
    return board;
  }
  if (!arguments.marker || !arguments.dictionary)
    throw UsageError(
        "a ChArUco board needs --marker (a marker's side, such as 18mm) and --dictionary (such as 4X4_50)");
  board.marker_m = parse_metres("--marker", *arguments.marker);
  if (board.marker_m >= board.square_m)
    throw UsageError(fmt::format("--marker is '{}' and --square '{}': a marker lies inside a square", *arguments.marker,
                                 arguments.square));
  board.dictionary = dictionary_name(*arguments.dictionary);
  return board;
}

calibrate::Lens parse_lens(const CalibrateArguments& arguments) {
  const std::string name = arguments.lens.value_or("pinhole");
  if (name == "pinhole") return calibrate::Lens::pinhole5;
  if (name == "pinhole-4") return calibrate::Lens::pinhole4;
  if (name == "rational") return calibrate::Lens::rational;
  if (name == "fisheye") return calibrate::Lens::fisheye;
  throw UsageError(fmt::format("--lens is '{}': allowed are pinhole, pinhole-4, rational, fisheye", name));
}

namespace {

RigOutput parse_output(const std::string& text) {
  RigOutput output;
  const std::size_t colon = text.find(':');
  const auto named = colon == std::string::npos ? std::nullopt : rig_format_named(text.substr(0, colon));
  if (named) {
    output.format = *named;
    output.paths = {text.substr(colon + 1)};
  } else {
    const auto format = opencv_format(text);
    if (!format)
      throw UsageError(
          fmt::format("--output is '{}', which does not tell its format: name it .yml, .xml or .json (OpenCV), or "
                      "write a format before it, such as kalibr:{}",
                      text, text));
    output.format = *format;
    output.paths = {text};
  }
  if (output.format == RigFormat::kitti_raw) throw UsageError("--output: kitti-raw is read only, not written");
  if (output.format != RigFormat::ros && output.format != RigFormat::euroc) return output;
  const std::size_t comma = output.paths[0].find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == output.paths[0].size())
    throw UsageError(fmt::format("--output is '{}': {} has two files, such as {}:left.yaml,right.yaml", text,
                                 rig_format_name(output.format), rig_format_name(output.format)));
  const std::string both = output.paths[0];
  output.paths = {both.substr(0, comma), both.substr(comma + 1)};
  return output;
}

}  // namespace

std::vector<RigOutput> parse_outputs(const CalibrateArguments& arguments, calibrate::Lens lens) {
  std::vector<RigOutput> outputs;
  for (const std::string& text : arguments.outputs) {
    outputs.push_back(parse_output(text));
    const RigFormat format = outputs.back().format;
    const bool four = lens == calibrate::Lens::pinhole4 || lens == calibrate::Lens::fisheye;
    if ((format == RigFormat::kalibr || format == RigFormat::euroc) && !four)
      throw UsageError(
          fmt::format("--output is '{}': {} holds four coefficients of a lens, give --lens pinhole-4 or "
                      "fisheye",
                      text, rig_format_name(format)));
  }
  return outputs;
}

std::vector<OutputName> output_names(const CalibrateArguments& arguments, const std::vector<RigOutput>& rigs) {
  std::vector<OutputName> names;
  for (const RigOutput& rig : rigs)
    for (const std::string& path : rig.paths) names.push_back({"--output", "calibration", "output", path, false});
  if (arguments.coverage) {
    names.push_back({"--coverage", "picture of the coverage", "coverage", *arguments.coverage, false});
    check_ending(names.back(), ".png .ppm");
  }
  return names;
}

}  // namespace vergence::cli

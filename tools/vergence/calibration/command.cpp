// SPDX-License-Identifier: Apache-2.0
// `vergence calibration`: says what calibration files hold, and writes them in another format.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/describe.hpp"
#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/rig_doubts.hpp"
#include "cli/rig_option.hpp"
#include "cli/signals.hpp"
#include "cli/strict.hpp"
#include "vergence/rig_io.hpp"
#include "vergence/rig_words.hpp"

namespace vergence::cli {
namespace {

struct CalibrationArguments {
  std::string action;
  std::vector<std::string> files;
  std::optional<std::string> output, other, format, size;
  RigArguments rig;
  bool strict = false;
  bool json = false;
};

RigFormat writing_format(const CalibrationArguments& arguments) {
  if (arguments.format) {
    if (const auto format = rig_format_named(*arguments.format)) return *format;
    throw UsageError(
        fmt::format("--format is '{}': allowed are opencv-yaml, opencv-xml, opencv-json, ros, kalibr, euroc, "
                    "kitti-odometry, middlebury",
                    *arguments.format));
  }
  if (const auto format = opencv_format(*arguments.output); format && !arguments.other) return *format;
  throw UsageError("the output's name does not tell its format: give --format, such as kalibr or ros");
}

void check_usage(const CalibrationArguments& arguments) {
  if (arguments.files.size() > 2)
    throw UsageError(
        fmt::format("{} files are given: allowed are one, or two (left and right, or intrinsics and "
                    "extrinsics)",
                    arguments.files.size()));
  if (arguments.action == "show") {
    for (const auto& [name, given] :
         {std::pair{"--output", arguments.output.has_value()}, std::pair{"--other", arguments.other.has_value()},
          std::pair{"--format", arguments.format.has_value()}})
      if (given) throw UsageError(fmt::format("{} is for `convert`: `show` writes no file", name));
  } else if (arguments.action != "convert") {
    throw UsageError(fmt::format("ACTION is '{}': allowed are show, convert", arguments.action));
  } else if (!arguments.output) {
    throw UsageError("`convert` needs --output: give the file to write");
  }
}

RigFile read_checked(const CalibrationArguments& arguments, Warnings& warnings) {
  RigFile file = read_rig(arguments.files, rig_read_options(arguments.rig));
  warnings.add(idle_unit_warning(arguments.rig, file));
  if (!arguments.size) {
    for (const std::string& doubt : file.doubts) warnings.add(doubt);
    return file;
  }
  constexpr int most = 65535;
  const auto [width, height] = parse_size("--size", *arguments.size, 1, most);
  const Size size{width, height};
  const bool told = file.rig.left.size != Size{} || file.rig.right.size != Size{};
  const StereoRig rig = told ? scaled_rig(file.rig, size) : with_size(file.rig, size);
  for (const std::string& doubt : doubts_of(file, rig)) warnings.add(doubt);
  file.rig = rig;
  return file;
}

int run_show(const CalibrationArguments& arguments) {
  Warnings warnings(arguments.strict);
  const RigFile file = read_checked(arguments, warnings);
  if (arguments.json) {
    Json report = json_report();
    report["format"] = std::string(rig_format_name(file.format));
    report["rig"] = rig_json(file.rig);
    report["warnings"] = warnings.lines();
    print_json(report);
    return success;
  }
  print("{:<10}{}\n", "format", rig_format_name(file.format));
  for (const std::string& line : describe_rig(file.rig)) print("{}\n", line);
  return success;
}

int run_convert(const CalibrationArguments& arguments) {
  const RigFormat format = writing_format(arguments);
  std::vector<OutputName> outputs{{"--output", "calibration", "output", *arguments.output, false}};
  if (arguments.other) outputs.push_back({"--other", "right camera's calibration", "other", *arguments.other, false});
  const bool two = format == RigFormat::ros || format == RigFormat::euroc;
  if (two != (outputs.size() == 2))
    throw UsageError(two ? fmt::format("{} has two files: give --other for the right camera's", rig_format_name(format))
                         : fmt::format("--other is for ros and euroc: {} has one file", rig_format_name(format)));
  check_distinct(outputs, arguments.files, FrameRange{0, 0});
  check_names(outputs);
  Warnings warnings(arguments.strict);
  const RigFile file = read_checked(arguments, warnings);
  std::vector<std::string> paths;
  paths.reserve(outputs.size());
  for (const OutputName& output : outputs) paths.push_back(output.path);
  {
    const WriteGuard guard;
    write_rig(paths, file.rig, format);
  }
  const std::string rest = left_out(file.rig, format);
  if (arguments.json) {
    Json report = json_report();
    report["format"] = std::string(rig_format_name(file.format));
    report["written"] = std::string(rig_format_name(format));
    report["outputs"] = paths;
    report["left_out"] = rest;
    report["warnings"] = warnings.lines();
    print_json(report);
    return success;
  }
  print("read      {}\n", rig_format_name(file.format));
  print("wrote     {}: {}{}\n", rig_format_name(format), paths[0], two ? ", " + paths[1] : std::string());
  if (!rest.empty()) print("left out  {}\n", rest);
  return success;
}

int run(const CalibrationArguments& arguments) {
  check_usage(arguments);
  return arguments.action == "show" ? run_show(arguments) : run_convert(arguments);
}

}  // namespace

void add_calibration(Program& program) {
  Command command = program.add("calibration",
                                "Show what a calibration of two cameras says, or convert it\n\n"
                                "`show` says lenses, fields of view, baseline and angles in words; `convert` writes "
                                "another format. Files are of\n"
                                "OpenCV (YAML, XML, JSON: one, or intrinsics and extrinsics), Kalibr, KITTI or "
                                "Middlebury, or two of ROS or EuRoC\n"
                                "(left, right), and are recognised by what is in them.");
  const auto arguments = std::make_shared<CalibrationArguments>();
  command.add("ACTION", arguments->action, "What to do [show, convert]").required().choices({"show", "convert"});
  command.add("FILE", arguments->files, "The calibration: one file, or two").type("FILE").required().repeatable();
  command.add("-o,--output", arguments->output, "convert: the file to write").type("FILE");
  command.add("--other", arguments->other, "convert: the right camera's file, of ros and euroc").type("FILE");
  command
      .add("--format", arguments->format,
           "convert: format to write [opencv-yaml, opencv-xml, opencv-json, ros, kalibr, euroc, kitti-odometry, "
           "middlebury; default: by .yml, .yaml, .xml, .json]")
      .type("NAME")
      .choices({"opencv-yaml", "opencv-xml", "opencv-json", "ros", "kalibr", "euroc", "kitti-odometry", "middlebury"});
  command
      .add(
          "--size", arguments->size,
          "Size of the pictures, where the file tells none; else it is scaled to this one, by one factor for width and "
          "height [px]")
      .type("WxH");
  add_rig_options(command, arguments->rig);
  add_strict_option(command, arguments->strict);
  command.flag("--json", arguments->json, "Print one JSON object");
  command.common(
      "ACTION is `show` (lenses, baseline and angles in words) or `convert`. One FILE, or two (left, right).",
      {{"--output", "convert: the file to write"},
       {"--other", "convert: the right camera's file"},
       {"--format", "opencv-yaml, ros, kalibr, euroc, ..."},
       {"--size", "Of the pictures, or to scale to, px"},
       {"--unit", "Of the file's translations: m, cm, mm"},
       {"--cameras", "Of files with more than two cameras"},
       {"--fisheye", "OpenCV's files: lenses are fisheyes"},
       {"--strict", "A warning is an error"},
       {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

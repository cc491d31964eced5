// SPDX-License-Identifier: Apache-2.0
// `vergence stereo`: its command line.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"
#include "stereo/run.hpp"

namespace vergence::cli {
namespace {

constexpr const char* description =
    "Disparity map of a rectified stereo pair, sequence or video\n\n"
    "The pictures must be RECTIFIED: a point lies in the same row of both, and left pixel x matches right pixel x - "
    "d.\n"
    "Raw ones are rectified by --calibration, where that holds distortion or a rotation, or with --rectify.\n"
    "Grey or colour, 8 or 16 bits. Sequences have a number in their name (left_%04d.png), which outputs need and "
    "keep.\n"
    "Settings come from the preset, then from a settings file, then from options. Without any output the pair is "
    "matched,\n"
    "timed and scored.";

constexpr const char* examples =
    "Examples:\n"
    "  vergence stereo left.png right.png --disparities 128 -o d.pfm --color d.png\n"
    "  vergence stereo left.png right.png --preset quality --truth truth.pfm --json\n"
    "  vergence stereo left_%04d.png right_%04d.png --frames 0:99 -o map_%04d.png\n"
    "  vergence stereo left_%04d.png right_%04d.png --device cpu,cuda:0 -o map_%04d.png\n"
    "  vergence stereo pairs.mp4 --layout side-by-side --color map_%04d.png\n"
    "  vergence stereo left.png right.png --calibration calib.txt --depth depth.pfm --cloud points.ply\n"
    "  vergence stereo raw_left.png raw_right.png --calibration rig.yml --rectify --cloud points.ply";

int run(const StereoArguments& arguments) {
  const StereoResult result = run_stereo(arguments);
  for (const std::string& warning : result.warnings) warn(warning);
  if (arguments.json)
    print_json(stereo_report_json(result));
  else
    print_stereo_report(result);
  return success;
}

void add_inputs(Command command, StereoArguments& arguments) {
  command.add("LEFT", arguments.left, "Left picture, numbered sequence or video; with --layout, both in one")
      .required();
  command.add("RIGHT", arguments.right, "Right picture, sequence or video");
  command
      .add(
          "--layout", arguments.layout,
          "How the pictures come [pair, side-by-side, top-bottom (the left one at the left or the top); default: pair]")
      .type("WORD")
      .choices({"pair", "side-by-side", "top-bottom"});
  command
      .add("--frames", arguments.frames,
           "Frames A to B, both included: numbers of the names, in videos from 0 [A:B, A:, :B, A; default: all]")
      .type("A:B");
}

void add_running(Command command, StereoArguments& arguments) {
  command
      .add("--repeat", arguments.repeat,
           "Match each frame this many times and report the times, after a run that is not timed [1 .. 1000000; "
           "default: 1]")
      .type("N");
  command.flag("--json", arguments.json, "Print one JSON object: device, settings, times, scores, hash, outputs");
  add_strict_option(command, arguments.strict);
  command.add("--save-settings", arguments.save_settings, "Write all settings of this run as JSON, for --settings")
      .type("FILE");
}

}  // namespace

void add_stereo(Program& program) {
  Command command = program.add("stereo", description);
  const auto arguments = std::make_shared<StereoArguments>();
  add_inputs(command, *arguments);
  add_running(command, *arguments);
  add_output_options(command, arguments->outputs);
  add_first_option(command, arguments->first);
  add_stereo_settings_options(command, arguments->settings);
  add_device_options(command, arguments->device);
  add_stream_options(command, arguments->stream);
  add_live_options(command, arguments->live);
  add_energy_options(command, arguments->energy, "pair");
  command.add("--truth", arguments->truth.file, "Score against this: a picture (0 = unknown), .pfm or .npy")
      .type("FILE")
      .group("Ground truth");
  add_truth_options(command, arguments->truth);
  add_geometry_options(command, arguments->geometry);
  add_rectification_options(command, arguments->rectification);
  command
      .add("--left-mask", arguments->left_mask,
           "Of rectified pictures: mask of the left one, 0 where it shows nothing (`rectify --left-mask`)")
      .type("FILE")
      .group("Rectification (of raw pictures)");
  command.add("--right-mask", arguments->right_mask, "The same of the right one")
      .type("FILE")
      .group("Rectification (of raw pictures)");
  command.common(
      "The pair must be RECTIFIED, or --rectify: left pixel x matches right pixel x - d of its row. Pictures, numbered "
      "ones (left_%04d.png) or videos.",
      {{"--output", "Disparities: .pfm, .npy, or .png (KITTI's, 256 x px)"},
       {"--color", "Map in colours, with a legend: .png .ppm .mp4 .y4m"},
       {"--depth", "Depth: .pfm and .npy in m, .png in mm"},
       {"--cloud", "Points in m, with colours: .ply"},
       {"--preset", "Settings, such as fast, quality: `vergence presets`"},
       {"--disparities", "Number of candidates, px; auto, follow: found"},
       {"--aggregate", "sgm: semi-global matching, as --preset quality"},
       {"--calibration", "Of the rig: for metres, and for raw pictures"},
       {"--rectify", "Pictures are raw; on by itself if that file says so"},
       {"--stream", "Live input: a named pipe, -, udp://..., rtsp://..."},
       {"--device", "cpu, opencl, cuda, ...: `vergence devices`"},
       {"--frames", "Numbers of the frames, both included"},
       {"--json", "Print one JSON object: settings, times, scores, hash"}});
  add_settings_note(command, R"({"settings": {"cost": "census-9x7", "window": 9, "uniqueness": 10}})");
  add_partial_note(command);
  command.footer(examples);
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// `vergence motion`: its command line.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "cli/words.hpp"
#include "motion/run.hpp"

namespace vergence::cli {
namespace {

constexpr const char* description =
    "Where every block of each frame of a video went\n\n"
    "A vector points from a block of the current frame to where it was found in the reference frame, an earlier one.\n"
    "Videos, numbered pictures (frame_%04d.png), raw YUV with --size and --format, or - for standard input. Settings\n"
    "come from the preset, then from a settings file, then from options. Without any output the video is searched,\n"
    "predicted and scored.";

constexpr const char* examples =
    "Examples:\n"
    "  vergence motion clip.mp4 -o vectors.csv --overlay arrows.mp4\n"
    "  vergence motion clip.mp4 --preset fast --compare full --json\n"
    "  vergence motion frame_%04d.png --block 8 --range 32,16 --subpel quarter -o flow_%04d.flo\n"
    "  vergence motion clip.mp4 --preset exhaustive --device cpu,cuda:0 -o vectors.npy\n"
    "  vergence motion clip.yuv --size 416x240 --range -64:63 --compensated predicted.y4m --residue heat.mp4\n"
    "  ffmpeg -i clip.mkv -f yuv4mpegpipe - | vergence motion - -o vectors.npy";

int run(const MotionArguments& arguments) {
  const MotionResult result = run_motion(arguments);
  for (const std::string& warning : result.warnings) warn(warning);
  if (arguments.json)
    print_motion_json(result);
  else
    print_motion_report(result);
  return success;
}

void add_inputs(Command command, MotionArguments& arguments) {
  add_video_options(command, arguments.video, "the videos that are written");
  command
      .add("--reference-distance", arguments.reference,
           "The reference frame is this many frames earlier [1 .. 64; default: 1]")
      .type("N");
  command
      .add("--reference-source", arguments.reference_source,
           "The reference frame as it is in the video, or as it was itself predicted [original, reconstruction; "
           "default: original]")
      .type("WORD")
      .choices({"original", "reconstruction"});
  command.flag("--independent", arguments.independent,
               "Find each field by itself, as if none were known of the frame before: several devices can then "
               "share the video, whatever the search");
  command
      .add("--all-sizes", arguments.all_sizes,
           "Vectors of blocks of 8, 16, 32 and 64 px in one pass; needs search full and block 8 [off, on; "
           "default: off]")
      .type(switch_type)
      .group("Settings");
}

void add_running(Command command, MotionArguments& arguments) {
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type, const char* help) {
    command.add(name, value, help).type(type);
  };
  add("--check", arguments.check, "PX",
      "Search the other way too, and report which vectors lead back to within this distance in x and y [0 .. 512 in "
      "steps of "
      "0.25; unit: px; default: off]");
  command.flag("--ssim", arguments.ssim,
               "Report the structural similarity (SSIM) of prediction and frame too, which takes time");
  add("--compare", arguments.compare, "SEARCH",
      "Run this search too (full, say), or all of them, and print loss, speed-up and normalised gain against it [all, "
      "or a "
      "word of --search; default: off]");
  add("--repeat", arguments.repeat, "N",
      "Search each frame this many times and report the times, after a run that is not timed [1 .. 1000000; default: "
      "1]");
  command.flag("--json", arguments.json, "Print one JSON object: device, settings, times, scores, hash, outputs");
  add("--save-settings", arguments.save_settings, "FILE", "Write all settings of this run as JSON, for --settings");
}

}  // namespace

void add_motion(Program& program) {
  Command command = program.add("motion", description);
  const auto arguments = std::make_shared<MotionArguments>();
  add_inputs(command, *arguments);
  add_running(command, *arguments);
  add_motion_output_options(command, arguments->outputs);
  add_first_option(command, arguments->first);
  add_motion_settings_options(command, arguments->settings);
  add_device_options(command, arguments->device);
  add_stream_options(command, arguments->stream);
  add_energy_options(command, arguments->energy, "field");
  command.common(
      "A video, numbered pictures (frame_%04d.png), raw video with --size, or - for standard input. A vector points to "
      "where its block was in an earlier frame.",
      {{"--output", "Vectors: .csv .json .npy, and .flo with %d"},
       {"--overlay", "Frames with an arrow for each block: .mp4 .y4m"},
       {"--compensated", "Frames as vectors predict them: .mp4 .y4m"},
       {"--residue", "What these leave, as heat: .mp4 .y4m"},
       {"--preset", "fast, default or exhaustive"},
       {"--search", "full, step, diamond, hexagon, tz, hierarchical"},
       {"--block", "Size of blocks, 4 .. 64, px"},
       {"--range", "Displacements that are tried, px"},
       {"--subpel", "none, half or quarter pixels"},
       {"--device", "cpu, opencl, cuda, ...: `vergence devices`"},
       {"--frames", "Numbers of the frames, both included"},
       {"--json", "Print one JSON object: settings, times, hash"}});
  add_settings_note(command, R"({"settings": {"search": "hexagon", "block": 16, "overlap": true}})");
  add_partial_note(command);
  command.footer(examples);
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

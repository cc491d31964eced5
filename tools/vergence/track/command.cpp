// SPDX-License-Identifier: Apache-2.0
// `vergence track`: its command line.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "track/run.hpp"

namespace vergence::cli {
namespace {

constexpr const char* description =
    "Follow points along a video\n\n"
    "Points with structure around them are found, followed from frame to frame, and replaced when they are lost. "
    "Videos,\n"
    "numbered pictures (frame_%04d.png), raw YUV with --size and --format, or - for standard input. Settings come from "
    "the\n"
    "preset, then from a settings file, then from options. Without any output the points are followed and counted.";

constexpr const char* examples =
    "Examples:\n"
    "  vergence track clip.mp4 -o tracks.csv --overlay tracks.mp4\n"
    "  vergence track clip.mp4 --preset strict --points 1000 --json\n"
    "  vergence track frame_%04d.png --points-file corners.txt -o tracks.npy\n"
    "  vergence track clip.mp4 --resume tracks.csv -o longer.csv\n"
    "  vergence track clip.mp4 --map prepare=cpu,update=cuda:0 -o tracks.csv\n"
    "  ffmpeg -i clip.mkv -f yuv4mpegpipe - | vergence track - -o tracks.json";

int run(const TrackArguments& arguments) {
  const TrackResult result = run_track(arguments);
  for (const std::string& warning : result.warnings) warn(warning);
  if (arguments.json)
    print_track_json(result);
  else
    print_track_report(result);
  return success;
}

}  // namespace

void add_track(Program& program) {
  Command command = program.add("track", description);
  const auto arguments = std::make_shared<TrackArguments>();
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type, const char* help) {
    command.add(name, value, help).type(type);
  };
  add_video_options(command, arguments->video, "the overlay");
  add("--points-file", arguments->points_file, "FILE",
      "Follow these points of the first frame: x and y in px, a point to a line, without a header, or the last frame "
      "of "
      "a .csv that -o wrote; no others, unless --points says so");
  add("--resume", arguments->resume, "FILE",
      "Go on with the tracks of a file that -o wrote, after its last frame, under the same settings; -o begins with "
      "that "
      "file's frames [.csv .json .npy]");
  add("--points-mask", arguments->mask, "FILE", "Picture of the frames' size: points are found where it is not 0");
  command.flag("--json", arguments->json, "Print one JSON object: device, settings, times, counts, hash, outputs");
  add("--save-settings", arguments->save_settings, "FILE", "Write all settings of this run as JSON, for --settings");
  add_track_output_options(command, arguments->outputs);
  add_first_option(command, arguments->first);
  add_track_settings_options(command, arguments->settings);
  add_device_options(command, arguments->device);
  command
      .add("--map", arguments->map,
           "Which device does which stage, prepare=DEVICE,update=DEVICE; or auto: the fastest of all mappings "
           "of the processor and the GPUs, or of what --device names, measured on the first frames")
      .type("MAP")
      .group("Device");
  add_stream_options(command, arguments->stream);
  add_energy_options(command, arguments->energy, "frame");
  command.common("A video, numbered pictures (frame_%04d.png), raw video with --size, or - for standard input.",
                 {{"--output", "Tracks: .csv .json .npy"},
                  {"--overlay", "Frames with the tracks: .mp4 .y4m"},
                  {"--preset", "fast, default or strict"},
                  {"--points", "How many tracks are kept up"},
                  {"--window", "Window that is compared, odd, px"},
                  {"--min-distance", "Least distance of a new point, px"},
                  {"--max-residual", "A greater difference loses a point, levels"},
                  {"--forward-backward", "So far off after the way back is lost, px"},
                  {"--points-file", "Points to follow: x and y in px, one a line"},
                  {"--device", "cpu, opencl, cuda: `vergence devices`"},
                  {"--frames", "Numbers of the frames, both included"},
                  {"--json", "Print one JSON object: settings, times, hash"}});
  add_settings_note(command, R"({"settings": {"points": 500, "window": 15, "gain-offset": true}})");
  add_partial_note(command,
                   "With a name that ends in .csv, .json or .npy, --resume goes on with the\n"
                   "tracks of one.");
  command.footer(examples);
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

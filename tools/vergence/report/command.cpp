// SPDX-License-Identifier: Apache-2.0
// `vergence report`: a match as one page that needs no server and no network.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "cli/strict.hpp"
#include "report/page.hpp"
#include "view/pair_doubts.hpp"
#include "view/start.hpp"

namespace vergence::cli {
namespace {

struct ReportArguments {
  std::string output;
  StereoArguments stereo;
};

int run(const ReportArguments& arguments) {
  if (!arguments.output.ends_with(".html"))
    throw UsageError(
        fmt::format("OUT is '{}': the report is a page, give a name that ends with .html", arguments.output));
  const std::unique_ptr<ViewScene> scene = open_view_scene(arguments.stereo, arguments.stereo);
  if (!scene->is_pair()) throw UsageError("RIGHT is missing: the report is of a pair");
  ViewDevices devices(arguments.stereo.device);
  const ViewStart start = view_start(arguments.stereo, *scene, devices, "report");
  Warnings warnings(arguments.stereo.strict);
  for (const std::string& line : start.warnings) warnings.add(line);
  check_writable({"OUT", "report", "page", arguments.output});
  ViewWork work{*scene, devices};
  ViewMatching matching(work);
  ViewRequest request;
  request.mask = true;
  request.match.device = start.device;
  request.match.preset = start.preset;
  request.match.settings.options = start.options;
  request.match.settings.max_value_given = true;  // the pictures' has been taken already
  const auto maps = matching.match(request, request.match);
  for (const std::string& line : pair_doubts(arguments.stereo, arguments.stereo, *maps, request.match.settings))
    warnings.add(line);
  const std::string page = report_page(*maps, report_of(*maps), *scene, warnings.lines());
  const WriteGuard guard;
  AtomicFile file(arguments.output);
  file.write(page);
  file.commit();
  print("wrote   {}\n", arguments.output);
  return success;
}

}  // namespace

void add_report(Program& program) {
  Command command = program.add(
      "report",
      "Write a match as one page: pictures, plots, settings, scores\n\n"
      "OUT.html holds all that it shows and needs no network. The pictures must be RECTIFIED; without any, the\n"
      "built-in scene is matched. Of a sequence, the first frame is reported.");
  const auto arguments = std::make_shared<ReportArguments>();
  StereoArguments& stereo = arguments->stereo;
  command.add("OUT", arguments->output, "The page: .html").required();
  add_view_inputs(command, stereo);
  add_view_settings(command, stereo);
  add_strict_option(command, stereo.strict);
  command.common("OUT.html holds all that it shows. Without pictures the built-in scene is matched.",
                 {{"--truth", "Score against this map: a picture, .pfm or .npy"},
                  {"--calibration", "Its number of disparities"},
                  {"--preset", "Settings: `vergence presets`"},
                  {"--device", "cpu, opencl, cuda, ...: `vergence devices`"}});
  add_settings_note(command, R"({"settings": {"cost": "census-9x7", "window": 9, "uniqueness": 10}})");
  command.footer(
      "Examples:\n"
      "  vergence report scene.html\n"
      "  vergence report a.html left.png right.png --truth truth.pfm --preset quality");
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// `vergence tune`: the fastest launch configurations of a GPU, kept for later runs.
#include "vergence/tune.hpp"
#include "cli/program.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/device_option.hpp"
#include "cli/json.hpp"

namespace vergence::cli {
namespace {

struct TuneArguments {
  DeviceArguments device;
  std::optional<std::string> entry;
  std::string size = "1280x720";
  std::string repeat = "5";
  std::string seed = "1";
  bool json = false;
};

TuneOptions options_of(const TuneArguments& arguments) {
  TuneOptions options;
  const auto [width, height] = parse_size("--size", arguments.size, 64, 16384);
  options.size = {width, height};
  options.repeat = static_cast<int>(parse_integer("--repeat", arguments.repeat, 1, 1000));
  options.seed =
      static_cast<std::uint64_t>(parse_integer("--seed", arguments.seed, 0, std::numeric_limits<long long>::max()));
  return options;
}

std::string text_of(const TuneCandidate& candidate) {
  std::string text;
  for (const auto& [name, number] : candidate.numbers)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
  return text;
}

Json json_of(const TuneResult& result) {
  Json candidates = Json::array();
  for (const TuneCandidate& one : result.candidates) {
    Json numbers = Json::object();
    for (const auto& [name, number] : one.numbers) numbers[name] = number;
    candidates.push_back(Json{{"numbers", std::move(numbers)}, {"ms", json_number(one.ms, 4)}, {"wrong", one.wrong}});
  }
  return Json{{"entry", result.entry},
              {"candidates", std::move(candidates)},
              {"winner", result.winner},
              {"folder", result.folder}};
}

void print_result(const TuneResult& result) {
  print("{}\n", result.entry);
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const TuneCandidate& one = result.candidates[i];
    const char* const mark = i == result.winner ? "*" : " ";
    const std::string outcome = one.wrong.empty() ? fmt::format("{:10.4f} ms", one.ms) : "refused: " + one.wrong;
    print("{} {}{}  {}\n", mark, text_of(one), i == 0 ? " (default)" : "", outcome);
  }
}

int run(const TuneArguments& arguments) {
  const TuneOptions options = options_of(arguments);
  if (arguments.device.no_kernel_cache)
    throw UsageError(
        "--no-kernel-cache leaves the cache folder alone, where `tune` keeps the winners: drop one of them");
  const Device device = open_device(arguments.device);
  if (const std::string problem = cache_folder_problem(); !problem.empty() && !tune_entries(device).empty())
    throw Error(ErrorCode::io, "winners cannot be kept: " + problem);  // before minutes of measuring
  std::vector<std::string> entries = tune_entries(device);
  const bool any = !entries.empty();
  if (arguments.entry || !any) entries = {arguments.entry.value_or("")};
  if (any && !arguments.json) print("device {}: {}\n", device.name(), device.description());
  Json all = Json::array();
  bool wrong = false;
  std::string folder;
  for (const std::string& entry : entries) {
    const TuneResult result = as_usage([&] { return tune(device, entry, options); });
    for (const TuneCandidate& one : result.candidates) wrong = wrong || !one.wrong.empty();
    folder = result.folder;
    if (arguments.json)
      all.push_back(json_of(result));
    else
      print_result(result);
  }
  if (arguments.json) {
    Json report = json_report();
    report["device"] = device.name();
    report["description"] = device.description();
    report["size"] = Json{{"width", options.size.width}, {"height", options.size.height}};
    report["entries"] = std::move(all);
    print_json(report);
  } else {
    print("winners (*) are kept in {}\n", folder);
  }
  return wrong ? failure : success;
}

}  // namespace

void add_tune(Program& program) {
  Command command = program.add(
      "tune",
      "Find the fastest launch configurations of a GPU, and keep them\n\n"
      "Candidates change speed and nothing else; each is checked against the reference before it may win. Winners are\n"
      "kept in the cache folder by device and driver, and used by all later runs.");
  const auto arguments = std::make_shared<TuneArguments>();
  command
      .add("--entry", arguments->entry,
           "Tune this alone [match-sad, match-ssd, match-census, match-sgm, motion-full, motion-search, "
           "track-prepare, track-points; default: all, one after the other]")
      .type("NAME");
  command.add("--size", arguments->size, "Size of the pictures in px [64x64 .. 16384x16384; default: 1280x720]")
      .type("WxH");
  command
      .add("--repeat", arguments->repeat,
           "Frames in a measurement, fewer where they take long; the least of three counts [1 .. 1000; default: 5]")
      .type("N");
  command.add("--seed", arguments->seed, "Seed of the pictures [0 .. 2^63 - 1; default: 1]").type("N");
  command.flag("--json", arguments->json, "Print one JSON object");
  add_device_options(command, arguments->device);
  command.common("Candidates change speed and nothing else. Later runs on this device use the winners.",
                 {{"--device", "opencl, cuda, ...: `vergence devices`"},
                  {"--entry", "Tune this alone; `--help-all` names all"},
                  {"--size", "Size of the pictures, px"},
                  {"--repeat", "Frames in a measurement"},
                  {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

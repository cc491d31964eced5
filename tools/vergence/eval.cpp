// SPDX-License-Identifier: Apache-2.0
// `vergence eval`: scores of a disparity file against the truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "command.hpp"
#include "scores.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

struct EvalArguments {
  std::string disparity;
  std::optional<std::string> invalid;
  TruthArguments truth;
  bool json = false;
};

/// Of other files, a value for invalid pixels would be ignored.
void check_takes_invalid(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return;  // reading it says what is wrong
  std::string start(6, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != "\x93NUMPY")
    throw UsageError(fmt::format("--invalid is for .npy files of 1/16 px, and {} is none: leave it out", path));
}

int run(const EvalArguments& arguments) {
  Truth truth(arguments.truth);
  std::optional<int> invalid;
  if (arguments.invalid)
    invalid = static_cast<int>(parse_integer("--invalid", *arguments.invalid, -2147483648LL, 2147483647LL));
  if (invalid) check_takes_invalid(arguments.disparity);
  const Image<float> map = read_disparity(arguments.disparity, invalid);
  truth.load(0, map.size());
  const StereoScores scores = truth.score(map.view());
  if (!arguments.json) {
    print_scores(scores);
    return success;
  }
  Json report = json_report();
  report["disparity"] = arguments.disparity;
  report["truth"] = *arguments.truth.file;
  report["size"] = Json{{"width", map.width()}, {"height", map.height()}};
  report["scores"] = scores_json(scores);
  print_json(report);
  return success;
}

}  // namespace

void add_eval(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "eval",
      "Score a disparity map against ground truth\n\n"
      "Both of one size. The map: KITTI's 16-bit PNG, PFM (px) or NPY, as `vergence stereo -o` writes them.\n"
      "bad: share of pixels of known truth that have a disparity and are off by more than the threshold.");
  const auto arguments = std::make_shared<EvalArguments>();
  command->add_option("DISPARITY", arguments->disparity, "Disparity map: .png (KITTI, x256), .pfm or .npy")->required();
  command->add_option("TRUTH", arguments->truth.file, "Ground truth: a picture (0 = unknown), .pfm or .npy")
      ->required();
  command
      ->add_option("--invalid", arguments->invalid,
                   "The value of invalid pixels in an .npy file that does not note it [1/16 px]")
      ->type_name("N");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  add_truth_options(*command, arguments->truth);
  command->callback([&action, arguments] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// `vergence eval`: scores of a disparity file against the truth.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"
#include "eval/file_pairs.hpp"
#include "eval/score_watch.hpp"
#include "eval/scores.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

/// The first frame and every hundredth are looked at.
constexpr std::int64_t frames_between_doubts = 100;

struct EvalArguments {
  std::string disparity;
  std::optional<std::string> invalid;
  std::optional<std::string> frames;
  std::optional<std::string> validity;
  TruthArguments truth;
  bool json = false;
  bool strict = false;
};

/// Of other files, a value for invalid pixels would be ignored.
void check_takes_invalid(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return;  // reading it says what is wrong
  std::string start(256, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (!start.starts_with("\x93NUMPY"))
    throw UsageError(fmt::format("--invalid is for .npy files of 1/16 px, and {} is none: leave it out", path));
  const std::size_t type = start.find("'descr'");
  if (const std::size_t kind = start.find_first_of("fiu", type + 7);
      type != std::string::npos && kind != std::string::npos && start[kind] == 'f')
    throw UsageError(
        fmt::format("--invalid is for .npy files of 1/16 px, and {} holds floats, which are px and have infinity: "
                    "leave it out",
                    path));
}

/// A map and its scores.
struct Scored {
  Size size;
  StereoScores scores;
};

/// Scores of a map without disparities would be shares of nothing.
void require_any(const std::string& path, const Image<float>& map) {
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (std::isfinite(map(x, y))) return;
  throw Error(
      ErrorCode::bad_data,
      fmt::format("disparity map {}: no pixel has a disparity, so that there is nothing to score: check that it is "
                  "the right file",
                  path));
}

/// What was written with a map has a disparity where the map has one, and nowhere else.
void require_same_pixels(const std::string& path, const Image<float>& map, const std::string& validity_path,
                         const Image<std::uint8_t>& validity) {
  constexpr const char* names[] = {"invalid", "measured", "filled"};
  std::int64_t others = 0;
  std::string first;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      const bool has = std::isfinite(map(x, y));
      if (has == (validity(x, y) != 0) || ++others > 1) continue;
      first = fmt::format("({}, {}) is {}, and the map has {} disparity there", x, y, names[validity(x, y)],
                          has ? "a" : "no");
    }
  if (others == 0) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("validity {} is not that of {}: {} pixel{} differ{}, the first one {}: give what stereo "
                          "--validity wrote with this map",
                          validity_path, path, others, others == 1 ? "" : "s", others == 1 ? "s" : "", first));
}

/// Other programs write numbers where there is no disparity: -1, 0, or a large one. They would be scored as wrong.
std::string mark_warning(const std::string& path, const Image<float>& map, ImageView<const float> truth) {
  const std::optional<UnknownNumber> mark = inspect_unknown_number(map.view(), truth);
  if (!mark) return "";
  return fmt::format(
      "disparity map {} is {:.6g} px at {:.1f} % of the pixels, and wrong there, as where that means that there is "
      "none: "
      "mark these by +infinity in .pfm and .npy of floats, by 0 in .png, or give --invalid for .npy of integers",
      path, mark->value, mark->percent);
}

/// What looks at a frame besides scoring it.
struct Watched {
  Warnings& warnings;
  ScoreWatch& watch;
  bool due = true;
};

Scored score_file(const FilePair& files, const EvalArguments& arguments, const std::optional<int>& invalid,
                  Truth& truth, Watched watched) {
  if (invalid) check_takes_invalid(files.a);
  const Image<float> map = read_disparity(files.a, invalid);
  require_disparities("disparity map", files.a, map.view());
  if (!is_numbered(arguments.disparity)) require_any(files.a, map);  // a frame of a sequence may be lost
  truth.load(files.number, map.size());
  const auto look = [&] {
    truth.doubts(map.view(), [&](const std::string& line) { watched.warnings.add(line); });
    watched.warnings.add(mark_warning(files.a, map, truth.pixels()));
  };
  if (watched.due) look();
  Image<std::uint8_t> validity;
  if (arguments.validity) {
    const std::string path = file_of(*arguments.validity, files.number);
    validity = read_validity(path, map.size());
    require_same_pixels(files.a, map, path, validity);
  }
  const Scored scored{map.size(), truth.score(map.view(), validity.view())};
  if (watched.watch.stands_out(scored.scores, [&] { return inspect_edges_met(map.view(), truth.pixels()); })) {
    const std::size_t told = watched.warnings.lines().size();
    if (!watched.due) look();
    if (watched.warnings.lines().size() == told && !truth.is_doubted())
      watched.warnings.add(watched.watch.warning(files.number, files.b));
  }
  return scored;
}

Json size_json(Size size) { return Json{{"width", size.width}, {"height", size.height}}; }

Json report_head(const EvalArguments& arguments) {
  Json report = json_report();
  report["disparity"] = arguments.disparity;
  report["truth"] = *arguments.truth.file;
  return report;
}

void print_one(const EvalArguments& arguments, const Scored& scored, const Warnings& warnings) {
  if (!arguments.json) return print_scores(scored.scores);
  Json report = report_head(arguments);
  report["size"] = size_json(scored.size);
  report["scores"] = scores_json(scored.scores);
  report["warnings"] = warnings.lines();
  print_json(report);
}

/// Numbered files, one after the other, and the means.
void score_sequence(const EvalArguments& arguments, const FilePairs& files, const std::optional<int>& invalid,
                    Truth& truth, Warnings& warnings) {
  ScoreMean mean;
  Json per_frame = Json::array();
  if (!arguments.json) print_frame_scores_head();
  std::int64_t count = 0;
  ScoreWatch watch;
  for (const FilePair& pair : files.pairs) {
    const bool due = count++ % frames_between_doubts == 0;
    const Scored scored = score_file(pair, arguments, invalid, truth, {warnings, watch, due});
    mean.add(scored.scores);
    if (arguments.json)
      per_frame.push_back(
          Json{{"frame", pair.number}, {"size", size_json(scored.size)}, {"scores", scores_json(scored.scores)}});
    else
      print_frame_scores(pair.number, scored.scores);
  }
  if (!arguments.json) {
    print("\nmeans over {} frames\n", files.pairs.size());
    return print_scores(mean.mean());
  }
  Json report = report_head(arguments);
  report["frames"] = files.pairs.size();
  report["scores"] = scores_json(mean.mean());
  report["per_frame"] = std::move(per_frame);
  report["warnings"] = warnings.lines();
  print_json(report);
}

int run(const EvalArguments& arguments) {
  Truth truth(arguments.truth);
  std::optional<int> invalid;
  if (arguments.invalid)
    invalid = static_cast<int>(parse_integer("--invalid", *arguments.invalid, -2147483648LL, 2147483647LL));
  const FilePairs files =
      pair_files({"DISPARITY", arguments.disparity}, {"TRUTH", *arguments.truth.file}, arguments.frames);
  if (!files.numbered) {
    const std::string why = fmt::format("DISPARITY '{}' is one file", arguments.disparity);
    check_one_truth(arguments.truth, why);
    check_one_file("--validity", arguments.validity, why);
  }
  Warnings warnings(arguments.strict);
  if (files.numbered) {
    for (const std::string& line : files.notices) warnings.add(line);
    score_sequence(arguments, files, invalid, truth, warnings);
  } else {
    ScoreWatch watch;
    const Scored scored = score_file(files.pairs.front(), arguments, invalid, truth, {warnings, watch});
    print_one(arguments, scored, warnings);
  }
  return success;
}

}  // namespace

void add_eval(Program& program) {
  Command command = program.add(
      "eval",
      "Score a disparity map against ground truth\n\n"
      "Both of one size. The map: KITTI's 16-bit PNG, PFM (px) or NPY, as `vergence stereo -o` writes them. Numbered\n"
      "names (map_%04d.pfm truth_%04d.pfm) stand for all files with a number there: each is scored, and the means.\n"
      "bad: share of pixels of known truth that have a disparity and are off by more than the threshold.");
  const auto arguments = std::make_shared<EvalArguments>();
  command.add("DISPARITY", arguments->disparity, "Disparity map: .png (KITTI, x256), .pfm or .npy").required();
  command.add("TRUTH", arguments->truth.file, "Ground truth: a picture (0 = unknown), .pfm or .npy").required();
  command
      .add("--invalid", arguments->invalid,
           "The value of invalid pixels in an .npy file that does not note it [1/16 px]")
      .type("N");
  command
      .add("--validity", arguments->validity,
           "What `stereo --validity` wrote with the map: scores measured pixels apart from filled ones")
      .type("FILE");
  add_pair_options(command, arguments->frames);
  command.flag("--json", arguments->json, "Print one JSON object");
  add_strict_option(command, arguments->strict);
  add_truth_options(command, arguments->truth);
  command.common(
      "The map: KITTI's .png, .pfm or .npy, as `vergence stereo -o` writes it. Numbered names (map_%04d.pfm "
      "truth_%04d.pfm) are scored pair by pair.",
      {{"--truth-scale", "Truth's number for 1 px: tsukuba 16, KITTI 256"},
       {"--mask", "255 = visible in both pictures: scored apart"},
       {"--validity", "What `stereo --validity` wrote with the map"},
       {"--invalid", "Its invalid value, of .npy of integers"},
       {"--max-disparity", "Clip the map to 0 .. this, px"},
       {"--round", "Round the map to whole px"},
       {"--frames", "Numbers of the files, both included"},
       {"--strict", "A warning is an error"},
       {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Scores against ground truth.
#include "eval/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/masks.hpp"
#include "cli/program.hpp"
#include "eval/file_pairs.hpp"
#include "eval/other_frames.hpp"
#include "eval/truth_values.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

void check_size(const std::string& what, const std::string& path, Size size, Size map) {
  if (size == map) return;
  throw Error(ErrorCode::bad_data, fmt::format("{} {} is {}x{}, the disparity map {}x{}: give one of the map's size",
                                               what, path, size.width, size.height, map.width, map.height));
}

constexpr int most_levels = 3;  // visible, hidden, outside
constexpr const char* mask_meaning = "255 where a pixel is visible in both pictures, else another number, such as 0";

void require_visible(const std::string& path, const Image<std::uint8_t>& mask) {
  int largest = 0;
  for (int y = 0; y < mask.height(); ++y)
    largest = std::max<int>(largest, *std::max_element(mask.row(y), mask.row(y) + mask.width()));
  if (largest < 255)
    throw Error(ErrorCode::bad_data, fmt::format("mask {} has no pixel of value 255, its largest is {}: it must be {}",
                                                 path, largest, mask_meaning));
}

/// Where truth beyond --max-disparity is compared with a map that is clipped to it.
std::string clip_warning(const Image<float>& truth, double most) {
  constexpr double some = 0.05;
  std::int64_t known = 0, above = 0;
  double largest = 0;
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) {
      const double value = truth(x, y);
      if (!std::isfinite(value)) continue;
      ++known;
      above += value > most + 1 ? 1 : 0;
      largest = std::max(largest, value);
    }
  if (static_cast<double>(above) <= some * static_cast<double>(known)) return {};
  return fmt::format(
      "{:.0f} % of the truth are above --max-disparity {}, to which the map is clipped, and cannot be met: give {} or "
      "more",
      100.0 * static_cast<double>(above) / static_cast<double>(known), most, std::ceil(largest));
}

void forget_outside(const Rect& region, Image<float>& truth) {
  for (int y = 0; y < truth.height(); ++y) {
    const bool within = y >= region.y && y < region.y + region.height;
    for (int x = 0; x < truth.width(); ++x)
      if (!within || x < region.x || x >= region.x + region.width) truth(x, y) = std::numeric_limits<float>::infinity();
  }
}

/// Applies `act` to every share of pixels, in both operands alike.
template <class Act>
void for_each_share(StereoScore& into, const StereoScore& from, Act act) {
  for (std::size_t i = 0; i < into.bad.size(); ++i) {
    act(into.bad[i], from.bad[i]);
    act(into.total_bad[i], from.total_bad[i]);
  }
  act(into.invalid, from.invalid);
  act(into.density, from.density);
  act(into.d1, from.d1);
  act(into.total_d1, from.total_d1);
}
/// The same for the errors in px, which are none where no pixel is valid.
template <class Act>
void for_each_error(StereoScore& into, const StereoScore& from, Act act) {
  for (std::size_t i = 0; i < into.quantiles.size(); ++i) act(into.quantiles[i], from.quantiles[i]);
  act(into.average_error, from.average_error);
  act(into.rms, from.rms);
}

void accumulate(StereoScore& sum, const StereoScore& score, int& valid_frames) {
  const auto add = [](double& a, double b) { a += b; };
  for_each_share(sum, score, add);
  sum.pixels += score.pixels;
  sum.valid_pixels += score.valid_pixels;
  if (score.valid_pixels == 0) return;
  for_each_error(sum, score, add);
  ++valid_frames;
}

void divide(StereoScore& sum, int frames, int valid_frames) {
  for_each_share(sum, sum, [frames](double& a, double) { a /= frames; });
  for_each_error(sum, sum, [valid_frames](double& a, double) {
    a = valid_frames > 0 ? a / valid_frames : std::numeric_limits<double>::quiet_NaN();
  });
}

Json score_json(const StereoScore& score) {
  Json bad = Json::object();
  Json total = Json::object();
  for (std::size_t i = 0; i < score.bad.size(); ++i) {
    const std::string threshold = fmt::format("{}", StereoScore::thresholds[i]);
    bad[threshold] = json_number(score.bad[i], 4);
    total[threshold] = json_number(score.total_bad[i], 4);
  }
  Json quantiles = Json::object();
  for (std::size_t i = 0; i < score.quantiles.size(); ++i)
    quantiles[std::to_string(StereoScore::quantile_percents[i])] = json_number(score.quantiles[i], 4);
  return Json{{"pixels", score.pixels},
              {"valid_pixels", score.valid_pixels},
              {"bad", bad},
              {"total_bad", total},
              {"invalid", json_number(score.invalid, 4)},
              {"density", json_number(score.density, 4)},
              {"average_error", json_number(score.average_error, 4)},
              {"rms", json_number(score.rms, 4)},
              {"quantiles", quantiles},
              {"d1", json_number(score.d1, 4)},
              {"total_d1", json_number(score.total_d1, 4)}};
}

void print_score(const char* title, const StereoScore& score) {
  print("{} ({} pixels of known truth)\n", title, score.pixels);
  print("  off by more than  {:>9} {:>9} {:>9} {:>9}\n", "0.5 px", "1 px", "2 px", "4 px");
  const auto row = [](const char* name, const std::array<double, 4>& shares) {
    print("  {:<16}  {:>7.2f} % {:>7.2f} % {:>7.2f} % {:>7.2f} %\n", name, shares[0], shares[1], shares[2], shares[3]);
  };
  row("bad", score.bad);
  row("bad + invalid", score.total_bad);
  print("  invalid {:.2f} %, KITTI D1 {:.2f} % (with invalid {:.2f} %)\n", score.invalid, score.d1, score.total_d1);
  if (score.valid_pixels == 0) return;
  print("  average error {:.3f} px, rms {:.3f} px, A50 {:.3f}, A90 {:.3f}, A95 {:.3f}, A99 {:.3f} px\n",
        score.average_error, score.rms, score.quantiles[0], score.quantiles[1], score.quantiles[2], score.quantiles[3]);
}

}  // namespace

void add_truth_options(Command command, TruthArguments& arguments) {
  const char* const group = "Ground truth";
  command
      .add("--truth-scale", arguments.scale,
           "Stored truth value per px of disparity, such as 16 for tsukuba, 256 for KITTI [above 0; default: 1]")
      .type("S")
      .group(group);
  command
      .add("--mask", arguments.mask, "8-bit picture, 255 where a pixel is visible in both pictures: scores these apart")
      .type("FILE")
      .group(group);
  command
      .add("--max-disparity", arguments.max_disparity,
           "Clip disparities to 0 .. this before they are scored [px, at least 0; default: not clipped]")
      .type("PX")
      .group(group);
  command
      .flag("--round", arguments.round, "Round disparities to whole px before they are scored, for truth in whole px")
      .group(group);
}

void check_no_truth_options(const TruthArguments& arguments) {
  const auto refuse = [](const char* option) { throw UsageError(fmt::format("{} needs --truth FILE", option)); };
  if (arguments.scale) refuse("--truth-scale");
  if (arguments.mask) refuse("--mask");
  if (arguments.max_disparity) refuse("--max-disparity");
  if (arguments.round) refuse("--round");
}

void check_one_file(const char* option, const std::optional<std::string>& path, std::string_view why) {
  if (path && is_numbered(*path))
    throw UsageError(fmt::format("{} '{}' stands for numbered files, and {}: give one file", option, *path, why));
}

void check_one_truth(const TruthArguments& arguments, std::string_view why) {
  check_one_file("--truth", arguments.file, why);
  check_one_file("--mask", arguments.mask, why);
}

Truth::Truth(const TruthArguments& arguments) : arguments_(arguments) {
  if (arguments.scale) scale_ = parse_positive("--truth-scale", *arguments.scale, 1e9);
  if (arguments.max_disparity)
    options_.max_disparity = parse_number("--max-disparity", *arguments.max_disparity, 0, 1e6);
  options_.round = arguments.round;
}

void require_disparities(const char* what, const std::string& path, ImageView<const float> map) {
  constexpr double most = 1e6;     // px, of the mean
  constexpr double least = 1e-20;  // of the largest: usual numbers become far smaller ones, or far larger
  double sum = 0, largest = 0;
  std::int64_t known = 0;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      const double value = std::abs(static_cast<double>(map(x, y)));
      if (!std::isfinite(value)) continue;
      sum += value;
      largest = std::max(largest, value);
      ++known;
    }
  if ((known > 0 && sum > most * static_cast<double>(known)) || (largest > 0 && largest < least))
    throw Error(ErrorCode::bad_data,
                fmt::format("{} {}: values up to {:.2g} px are no disparities: check its byte order "
                            "and its unit",
                            what, path, largest));
}

void Truth::load(std::int64_t frame, Size size) {
  const std::string path = file_of(arguments_.file.value(), frame);
  FloatMapOptions options;
  options.scale = scale_;
  truth_ = read_float_map(path, options);
  name_ = path;
  frame_ = frame;
  require_disparities("truth", path, truth_.view());
  check_size("truth", path, truth_.size(), size);
  if (region_) forget_outside(*region_, truth_);
  if (!arguments_.mask) return;
  const std::string mask_path = file_of(*arguments_.mask, frame);
  mask_ = read_mask(mask_path, mask_meaning);
  mask_name_ = mask_path;
  check_size("mask", mask_path, mask_.size(), size);
  require_visible(mask_path, mask_);
}

StereoScores Truth::score(ImageView<const float> pixels, ImageView<const std::uint8_t> validity) const {
  StereoScoreOptions options = options_;
  options.validity = validity;
  return score_stereo(pixels, truth_.view(), mask_.view(), options);
}

void Truth::doubts(ImageView<const float> pixels, const std::function<void(std::string)>& warn, bool of_good_pair) {
  // What was told is not looked for again: `look` is called for every frame of a stream.
  const auto tell = [&warn](bool& told, const auto& look) {
    if (told) return;
    std::string line = look();
    if (line.empty()) return;
    told = true;
    warn(std::move(line));
  };
  if (of_good_pair)
    tell(doubted_, [&] {
      std::string line = doubtful_map(pixels);
      const bool first = !std::exchange(has_looked_, true);
      if (line.empty() && !first) return line;
      std::string other = other_frame_warning(*arguments_.file, frame_, scale_, pixels, truth_.view(), !line.empty());
      return other.empty() ? line : other;
    });
  if (!mask_.empty()) {
    tell(doubted_mask_, [&] { return mask_warning(mask_name_, mask_.view(), mask_meaning, most_levels); });
    tell(doubted_mask_, [&] { return inverted_mask_warning(mask_name_, mask_.view(), truth_.view()); });
  }
  if (arguments_.max_disparity) tell(doubted_clip_, [&] { return clip_warning(truth_, *options_.max_disparity); });
}

std::string Truth::doubtful_map(ImageView<const float> pixels) const {
  if (std::string line = truth_values_warning(name_, pixels, truth_.view()); !line.empty()) return line;
  return truth_warning(name_, inspect_truth(pixels, truth_.view()), scale_, arguments_.scale.has_value());
}

std::vector<std::string> Truth::files(const FrameRange& frames) const {
  std::vector<std::string> names{arguments_.file.value()};
  if (arguments_.mask) names.push_back(*arguments_.mask);
  const auto add = [&](const char* what, const std::string& path) {
    std::error_code problem;
    for (std::int64_t frame = frames.first; frames.last < 0 || frame <= frames.last; ++frame) {
      const std::string name = file_of(path, frame);
      if (!std::filesystem::exists(name, problem)) {
        if (frames.last < 0 && frame > frames.first) return;
        throw Error(ErrorCode::not_found, fmt::format("{} {} does not exist: frame {} needs it, check the name or "
                                                      "choose frames",
                                                      what, name, frame));
      }
      names.push_back(name);
      if (name == path) return;  // one file for all
    }
  };
  add("truth", arguments_.file.value());
  if (arguments_.mask) add("mask", *arguments_.mask);
  return names;
}

Image<std::uint8_t> read_validity(const std::string& path, Size size) {
  GreyPicture picture = read_grey(path);
  check_size("validity", path, picture.size(), size);
  const auto refuse = [&path](int value) {
    throw Error(ErrorCode::bad_data, fmt::format("validity {} holds {}: allowed are 255 (measured), 128 (filled) and 0 "
                                                 "(invalid), as stereo --validity writes them, or 1, 2 and 0",
                                                 path, value));
  };
  if (picture.depth != Depth::u8) refuse(picture.max_value);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      std::uint8_t& value = picture.u8(x, y);
      if (value == 255)
        value = 1;
      else if (value == 128)
        value = 2;
      else if (value > 2)
        refuse(value);
    }
  return std::move(picture.u8);
}

void ScoreMean::add(const StereoScores& scores) {
  accumulate(sum_.all, scores.all, valid_frames_);
  if (scores.non_occluded) {
    if (!sum_.non_occluded) sum_.non_occluded.emplace();
    accumulate(*sum_.non_occluded, *scores.non_occluded, valid_non_occluded_);
  }
  if (scores.measured) {
    if (!sum_.measured) sum_.measured.emplace();
    if (scores.measured->pixels > 0) {  // a frame without measured pixels has no shares of them
      accumulate(*sum_.measured, *scores.measured, valid_measured_);
      ++measured_frames_;
    }
  }
  ++frames_;
}

StereoScores ScoreMean::mean() const {
  StereoScores result = sum_;
  divide(result.all, frames_, valid_frames_);
  if (result.non_occluded) divide(*result.non_occluded, frames_, valid_non_occluded_);
  if (result.measured) divide(*result.measured, measured_frames_, valid_measured_);
  return result;
}

Json scores_json(const StereoScores& scores) {
  Json report{{"all", score_json(scores.all)}};
  if (scores.non_occluded) report["non_occluded"] = score_json(*scores.non_occluded);
  if (scores.measured) report["measured"] = score_json(*scores.measured);
  return report;
}

void print_scores(const StereoScores& scores) {
  print_score("all", scores.all);
  if (scores.non_occluded) print_score("non-occluded", *scores.non_occluded);
  if (!scores.measured) return;
  if (scores.measured->pixels == 0) return print("measured: no pixel of known truth\n");
  print_score("measured", *scores.measured);
}

void print_frame_scores_head() {
  print("{:>8} {:>9} {:>9} {:>9} {:>9} {:>9}  {}\n", "frame", "> 0.5 px", "> 1 px", "> 2 px", "> 4 px", "invalid",
        "average error");
}

void print_frame_scores(std::int64_t frame, const StereoScores& scores) {
  const StereoScore& score = scores.all;
  print("{:>8} {:>7.2f} % {:>7.2f} % {:>7.2f} % {:>7.2f} % {:>7.2f} %  {}\n", frame, score.bad[0], score.bad[1],
        score.bad[2], score.bad[3], score.invalid,
        score.valid_pixels > 0 ? fmt::format("{:.3f} px", score.average_error) : "-");
}

}  // namespace vergence::cli

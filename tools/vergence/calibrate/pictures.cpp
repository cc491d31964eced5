// SPDX-License-Identifier: Apache-2.0
// Reads pairs of pictures and videos for `calibrate`.
#include "calibrate/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"

namespace vergence::cli {
namespace {

bool numbered(const std::string& path) {
  std::error_code problem;
  return has_frame_number(path) && !std::filesystem::exists(path, problem);
}

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, numbers.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  if (numbers.size() > shown) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

/// Numbers of `some` that `all` lacks.
std::vector<std::int64_t> missing_from(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& some) {
  std::vector<std::int64_t> missing;
  std::set_difference(some.begin(), some.end(), all.begin(), all.end(), std::back_inserter(missing));
  return missing;
}

}  // namespace

PairPictures::PairPictures(const CalibrateArguments& arguments) : arguments_(arguments) {
  if (arguments.frames) range_ = as_usage([&] { return parse_frame_range(*arguments.frames); });
  const bool pair = arguments.layout == "pair";
  if (!pair && arguments.layout != "side-by-side" && arguments.layout != "top-bottom")
    throw UsageError(fmt::format("--layout is '{}': allowed are pair, side-by-side, top-bottom", arguments.layout));
  if (pair && !arguments.right)
    throw UsageError(
        "RIGHT is missing: give the pictures of both cameras, or --layout side-by-side or top-bottom for "
        "pictures that hold both");
  if (!pair && arguments.right)
    throw UsageError(fmt::format("--layout {} takes one source that holds both pictures, RIGHT is '{}'",
                                 arguments.layout, *arguments.right));
  const bool left = numbered(arguments.left), right = !pair || numbered(*arguments.right);
  if (left && right) {
    find_numbers();
    return;
  }
  try {
    video_ = open(arguments.left, arguments.right.value_or(""), range_);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());
    throw;
  }
  if (!video_->is_stream())
    throw UsageError(
        fmt::format("{} is a single picture: give numbered ones, such as left_%02d.png for left_01.png, "
                    "left_02.png, ..., or a video",
                    arguments.left));
}

void PairPictures::find_numbers() {
  std::vector<std::string> names{arguments_.left};
  if (arguments_.right) names.push_back(*arguments_.right);
  std::vector<std::vector<std::int64_t>> numbers;
  for (const std::string& name : names) {
    std::vector<std::int64_t> found = existing_numbers(name);
    std::erase_if(found, [&](std::int64_t n) { return n < range_.first || (range_.last >= 0 && n > range_.last); });
    if (found.empty())
      throw Error(ErrorCode::not_found,
                  fmt::format("no picture is called {}{}: give a name with %d or %02d for the number", name,
                              arguments_.frames ? " with a number of --frames" : ""));
    numbers.push_back(std::move(found));
  }
  for (std::size_t i = 0; numbers.size() == 2 && i < 2; ++i) {
    const std::vector<std::int64_t> missing = missing_from(numbers[1 - i], numbers[i]);
    if (!missing.empty())
      throw Error(
          ErrorCode::bad_data,
          fmt::format("{} has {} pictures and {} has {}: {} lacks the numbers {}; give each picture its partner, "
                      "or move it away",
                      names[0], numbers[0].size(), names[1], numbers[1].size(), names[1 - i], numbers_text(missing)));
  }
  numbers_ = std::move(numbers[0]);
}

StereoSource PairPictures::open(const std::string& left, const std::string& right, const FrameRange& range) const {
  if (arguments_.layout == "side-by-side") return {left, StereoLayout::side_by_side, range};
  if (arguments_.layout == "top-bottom") return {left, StereoLayout::top_bottom, range};
  return {left, right, range};
}

std::string PairPictures::name(std::int64_t number) const {
  return video_ ? fmt::format("frame {}", number) : frame_path(arguments_.left, number);
}

std::optional<StereoFrame> PairPictures::next() {
  if (video_) return video_->next();
  if (at_ == numbers_.size()) return std::nullopt;
  const std::int64_t number = numbers_[at_++];
  const std::string left = frame_path(arguments_.left, number);
  StereoSource source = open(left, arguments_.right ? frame_path(*arguments_.right, number) : std::string(), {});
  std::optional<StereoFrame> frame = source.next();
  if (!frame) return frame;
  if (file_notices_.empty()) file_notices_ = source.notices();  // the same of all, mostly
  frame->index = number;
  const Size size = frame->left.size();
  if (first_.empty()) {
    first_ = left;
    size_ = size;
  }
  if (size != size_)
    throw Error(ErrorCode::bad_data, fmt::format("{} has {}x{} pixels and {} {}x{}: all pictures of a calibration have "
                                                 "one size",
                                                 left, size.width, size.height, first_, size_.width, size_.height));
  return frame;
}

std::vector<std::string> PairPictures::files() const {
  std::vector<std::string> files = video_ ? video_->files() : std::vector<std::string>{};
  files.push_back(arguments_.left);
  if (arguments_.right) files.push_back(*arguments_.right);
  for (const std::int64_t number : numbers_) {
    files.push_back(frame_path(arguments_.left, number));
    if (arguments_.right) files.push_back(frame_path(*arguments_.right, number));
  }
  return files;
}

std::vector<std::string> PairPictures::notices() const {
  if (!video_) {
    std::vector<std::string> lines{left_out_notice(arguments_.left)};
    if (arguments_.right) lines.push_back(left_out_notice(*arguments_.right));
    lines.insert(lines.end(), file_notices_.begin(), file_notices_.end());
    return lines;
  }
  std::vector<std::string> lines = video_->notices();
  lines.push_back(video_->warning());
  return lines;
}

}  // namespace vergence::cli

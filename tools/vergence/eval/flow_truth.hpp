// SPDX-License-Identifier: Apache-2.0
// What `vergence eval-tracks` is asked for, and the known flow that it reads.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

struct EvalTracksArguments {
  std::string tracks;
  std::string truth;
  std::optional<std::string> frame;
  std::optional<std::string> truth_first;
  std::optional<std::string> frames;
  bool json = false;
};

/// The number at the end of a file's name: 10 of flow10.flo.
inline std::optional<std::int64_t> number_of(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::size_t start = stem.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  std::int64_t number = 0;
  const auto [stop, problem] = std::from_chars(stem.data() + start, stem.data() + stem.size(), number);
  return problem == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The known flow: one file for one pair of frames, or a numbered one per pair.
class FlowTruth {
 public:
  explicit FlowTruth(const EvalTracksArguments& arguments) : path_(arguments.truth) {
    std::error_code problem;
    numbered_ = has_frame_number(path_) && !std::filesystem::exists(path_, problem);
    const long long most = std::numeric_limits<std::int32_t>::max();
    if (arguments.frame) {
      if (numbered_)
        throw UsageError(fmt::format("--frame is for one file of flow, and {} names many: use --truth-first", path_));
      frame_ = parse_integer("--frame", *arguments.frame, 0, most);
    }
    if (arguments.truth_first) {
      if (!numbered_)
        throw UsageError(
            fmt::format("--truth-first is for numbered files (flow_%04d.flo), {} is one: use --frame", path_));
      first_number_ = parse_integer("--truth-first", *arguments.truth_first, 0, most);
    }
    if (numbered_) {
      check_gaps();
      return;
    }
    load(path_);  // a bad file is told of before the tracks are read
    if (!frame_) frame_ = number_of(path_);
  }

  /// Tells of the frames of the tracks, one by one. A file whose name has no number can belong to two frames alone.
  void meet(std::int64_t frame) {
    if (numbered_) return;
    ++frames_;
    if (!frame_) assumed_ = frame_ = frame;
    if (assumed_ && frames_ > 2)
      throw UsageError(
          fmt::format("the tracks have more than two frames, and the name of the flow {} has no number that tells from "
                      "which one it leads: say so with --frame",
                      path_));
  }
  /// Flow from this frame to the next; empty where there is none.
  ImageView<const FlowVector> from(std::int64_t frame) {
    if (!numbered_) return frame_ == frame ? flow_.view() : ImageView<const FlowVector>();
    if (!std::binary_search(numbers_.begin(), numbers_.end(), first_number_ + frame)) return {};
    const std::string file = frame_path(path_, first_number_ + frame);
    const Size before = flow_.size();
    load(file);
    if (before != Size{} && flow_.size() != before)
      throw Error(ErrorCode::bad_data,
                  fmt::format("truth {} is {}x{}, the one before {}x{}: all frames are of one size", file,
                              flow_.width(), flow_.height(), before.width, before.height));
    return flow_.view();
  }
  Size size() const { return flow_.size(); }
  /// Do the tracks begin at frame 1 and end one behind the last flow, which begins at 0?
  bool is_counted_from_0(std::int64_t first, std::int64_t last) const {
    return numbered_ && first_number_ == 0 && first == 1 && !numbers_.empty() && numbers_.front() == 0 &&
           numbers_.back() == last - 2;
  }
  /// For the message that no pair of frames has a truth.
  std::string missing(std::int64_t first, std::int64_t last) const {
    if (!numbered_)
      return fmt::format(
          "the truth leads from frame {} to frame {}, and the tracks go from frame {} to {}: choose it "
          "with --frame",
          *frame_, *frame_ + 1, first, last);
    if (std::binary_search(numbers_.begin(), numbers_.end(), first_number_ + first))
      return fmt::format(
          "no flow leads from a frame of the tracks to their next one: they go from frame {} to {} and leave frames "
          "out, and {} leads from one frame to the next: number the frames one by one, or give flow of their steps",
          first, last, path_);
    return fmt::format(
        "{} does not exist, nor does another for frames {} to {}: check the name, or say with "
        "--truth-first which number belongs to frame 0",
        frame_path(path_, first_number_ + first), first, last);
  }

 private:
  void load(const std::string& path) { flow_ = read_flo(path); }
  void check_gaps() {
    check_number({"TRUTH", "", "", path_, true});
    numbers_ = existing_numbers(path_);
    for (std::size_t i = 1; i < numbers_.size(); ++i)
      if (numbers_[i] != numbers_[i - 1] + 1)
        throw Error(ErrorCode::not_found,
                    fmt::format("truth {} does not exist, and number {} does: add it, or leave the others out",
                                frame_path(path_, numbers_[i - 1] + 1), numbers_[i]));
  }

  std::string path_;
  bool numbered_ = false;
  std::optional<std::int64_t> frame_;    ///< Of one file: from which it leads.
  std::optional<std::int64_t> assumed_;  ///< That frame, where neither an option nor the name tells it.
  std::int64_t frames_ = 0;              ///< Of the tracks, so far.
  std::vector<std::int64_t> numbers_;    ///< Of numbered files.
  std::int64_t first_number_ = 0;
  Image<FlowVector> flow_;
};

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// The pictures of `vergence calibrate`, and the boards in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/arguments.hpp"
#include "calibrate/select.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Pairs of a video, or of numbered pictures, whose numbers may have gaps.
class PairPictures {
 public:
  /// Throws UsageError and Error: a single picture, numbers that one side lacks.
  explicit PairPictures(const CalibrateArguments& arguments);
  /// Throws Error where a pair has another size than the first.
  std::optional<StereoFrame> next();
  bool is_video() const { return video_.has_value(); }
  double rate() const { return video_ ? video_->rate() : 0; }
  std::int64_t count() const { return video_ ? video_->count().value_or(-1) : std::ssize(numbers_); }
  /// LEFT and RIGHT as they were given, and every file that is read.
  std::vector<std::string> files() const;
  std::vector<std::string> notices() const;
  /// The left picture's name, or its number in the video.
  std::string name(std::int64_t number) const;

 private:
  StereoSource open(const std::string& left, const std::string& right, const FrameRange& range) const;
  void find_numbers();

  const CalibrateArguments& arguments_;
  FrameRange range_;
  std::vector<std::int64_t> numbers_;
  std::size_t at_ = 0;
  std::optional<StereoSource> video_;
  Size size_;
  std::string first_;
  std::vector<std::string> file_notices_;  ///< Of the first pair that has any.
};

/// What was found.
struct FoundBoards {
  Size size;
  std::int64_t pictures = 0;  ///< Pairs that were looked at.
  std::vector<calibrate::View> views;
  std::vector<std::int64_t> without_left, without_right;  ///< Numbers of pictures that show no board.
  /// Numbers of pairs in which all corners lie where those of an earlier pair do, and of that one: no views.
  std::vector<std::pair<std::int64_t, std::int64_t>> again;
  std::int64_t candidates = 0;  ///< Of a video: frames with the board in both pictures, of which `views` were chosen.
  double edge_px = 0;           ///< Median width of edges in the views; 0: not measured.
};

/// Throws Error(bad_data) where no picture shows the board, saying which board is seen instead, if one is; and where
/// the board has more corners than was said.
FoundBoards find_boards(calibrate::Solver& solver, PairPictures& pictures, const calibrate::Board& board,
                        int most_views);

}  // namespace vergence::cli

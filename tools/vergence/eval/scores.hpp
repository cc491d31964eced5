// SPDX-License-Identifier: Apache-2.0
// Scores against ground truth: options, reading, printing. Used by `stereo` and `eval`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/score.hpp"

namespace vergence::cli {

class Command;

struct TruthArguments {
  std::optional<std::string> file;
  std::optional<std::string> scale;
  std::optional<std::string> mask;
  std::optional<std::string> max_disparity;
  bool round = false;
};

/// Adds --truth-scale, --mask, --max-disparity and --round (the truth's own name is an option of `stereo` and an
/// argument of `eval`).
void add_truth_options(Command command, TruthArguments& arguments);

/// UsageError where one of these options is given: without truth they would do nothing.
void check_no_truth_options(const TruthArguments& arguments);

/// UsageError where a name stands for numbered files, and `why` there is one map.
void check_one_file(const char* option, const std::optional<std::string>& path, std::string_view why);
/// UsageError where truth or mask stands for numbered files, and `why` there is one map.
void check_one_truth(const TruthArguments& arguments, std::string_view why);

/// Ground truth of one frame or of a numbered sequence.
class Truth {
 public:
  /// Reads option values; UsageError.
  explicit Truth(const TruthArguments& arguments);

  /// Truth outside the region is taken as unknown: what was not to be matched is not scored.
  void limit_to(const Rect& region) { region_ = region; }
  /// Reads truth and mask of a frame; Error where they cannot be read or differ in size from the map.
  void load(std::int64_t frame, Size size);
  /// Scores a map (px, +infinity = invalid) against what was loaded.
  /// Where `validity` (a matcher's mask) is not empty, measured pixels are scored apart, too.
  StereoScores score(ImageView<const float> pixels, ImageView<const std::uint8_t> validity = {}) const;
  /// What was loaded, in px; not finite where it is unknown.
  ImageView<const float> pixels() const { return truth_.view(); }
  /// Tells `warn`, with the cure, of each thing that makes the scores of this map meaningless; of each kind, once.
  /// Not of the truth itself where the map is that of a pair that is wrong: its cause would be another one.
  void doubts(ImageView<const float> pixels, const std::function<void(std::string)>& warn, bool of_good_pair = true);
  /// Something is told of the truth already, other than of its mask.
  bool is_doubted() const { return doubted_; }
  /// The names of truth and mask as they were given, and their files that are read for these frames; Error where one
  /// does not exist. Where the last frame is not known, up to the first that does not exist.
  std::vector<std::string> files(const FrameRange& frames) const;

 private:
  std::string doubtful_map(ImageView<const float> pixels) const;
  TruthArguments arguments_;
  double scale_ = 1;
  StereoScoreOptions options_;
  std::optional<Rect> region_;
  Image<float> truth_;
  std::string name_;  ///< Of the truth's file.
  std::int64_t frame_ = 0;
  bool has_looked_ = false;  ///< At the truths of other frames.
  bool doubted_ = false, doubted_mask_ = false, doubted_clip_ = false;
  Image<std::uint8_t> mask_;
  std::string mask_name_;
};

/// The mean of each score over the frames of a sequence; pixels are summed. Errors in px are means over the frames that
/// have a valid pixel, NaN where none has.
class ScoreMean {
 public:
  void add(const StereoScores& scores);
  bool empty() const { return frames_ == 0; }
  StereoScores mean() const;

 private:
  StereoScores sum_;
  int frames_ = 0;
  int valid_frames_ = 0, valid_non_occluded_ = 0;
  int measured_frames_ = 0, valid_measured_ = 0;
};

/// What `stereo --validity` wrote, as a matcher's mask: 1 measured, 2 filled, 0 invalid. Error where it cannot be read,
/// is of another size than the map, or holds other values.
Image<std::uint8_t> read_validity(const std::string& path, Size size);

/// Error where the known values of a map, in px, are absurd: read in the wrong byte order. `what` is for messages.
void require_disparities(const char* what, const std::string& path, ImageView<const float> map);

Json scores_json(const StereoScores& scores);
void print_scores(const StereoScores& scores);
/// A line for each frame of a sequence, of all pixels, below a head.
void print_frame_scores_head();
void print_frame_scores(std::int64_t frame, const StereoScores& scores);

}  // namespace vergence::cli

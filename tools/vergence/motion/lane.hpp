// SPDX-License-Identifier: Apache-2.0
// One search of a video's frames: the estimator, what it keeps from field to field, and how good its predictions are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/io.hpp"
#include "vergence/motion.hpp"
#include "vergence/score.hpp"

namespace vergence::cli {

/// Blocks per row and column of a frame; the last ones may be cut by its edge.
Size grid_of(Size size, Size block);

/// What is known of the blocks of one size.
struct BlockField {
  Size block;
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost;
  Image<std::uint64_t> j, second_j;  ///< Empty where not wanted.
  Image<std::uint8_t> confidence;    ///< Empty where not wanted.
  Image<std::uint8_t> consistent;    ///< Empty where not wanted: 1 where the search back leads home.
  Image<MotionVector> back;          ///< Of the search back; empty where not wanted.
};

struct MotionWants {
  bool j = false;
  bool second_j = false;
  bool confidence = false;
  bool chroma = false;  ///< The prediction with its chroma.
  bool ssim = false;
  /// Quarter px by which the search back may miss.
  std::optional<int> check;
  /// Each field is found by itself, whatever the one before was.
  bool independent = false;
  /// Blocks of 8, 16, 32 and 64 px in one pass.
  bool all_sizes = false;
};
/// Whether a field depends on the one before it.
bool carries_on(const MotionOptions& options, const MotionWants& wants);

/// What is said of one field.
struct FieldReport {
  std::int64_t frame = 0;
  std::uint64_t cost = 0;  ///< Sum over the blocks.
  PredictionScore score;   ///< Not with all-sizes.
  double entropy = 0;      ///< Bits per vector.
  bool cut = false;
  std::int64_t consistent = 0;  ///< Blocks.
};

/// All that is found for one frame.
struct FoundMotion {
  std::vector<BlockField> fields;  ///< One, or four with all-sizes.
  /// The current frame as predicted, in the place of what stood here; without a luma with all-sizes.
  std::shared_ptr<YuvFrame> prediction;
  FieldReport report;
};

class MotionLane {
 public:
  /// Throws as MotionEstimator.
  MotionLane(const Device& device, Size size, const MotionOptions& options, const MotionWants& wants);

  /// Finds the motion of `current` in `reference`, both of the lane's size and depth. May be called again for the same
  /// pair, to be timed.
  void search(const GreyPicture& current, const GreyPicture& reference, FoundMotion& found);
  /// What follows from the vectors that were found: search back, prediction. Where fields carry on, the next search
  /// starts from these vectors.
  void finish(std::int64_t frame, const YuvFrame& current, const YuvFrame& reference, FoundMotion& found);
  /// How good the prediction is. The lane may search meanwhile.
  void score(const YuvFrame& current, FoundMotion& found) const;

  /// See MotionEstimator: of the blocks of one size or of all.
  std::size_t memory() const;
  void measure(bool on);
  std::optional<DeviceTimes> times();

 private:
  /// The field before, of the search and of that back.
  struct Previous {
    Image<MotionVector> vectors, back;
  };
  void compute(const GreyPicture& current, const GreyPicture& reference, FoundMotion& found, bool back);
  ImageView<const MotionVector> previous_of(std::size_t index, bool back) const;
  void check(const YuvFrame& current, const YuvFrame& reference, FoundMotion& found);
  void predict(const YuvFrame& reference, FoundMotion& found);
  void keep(const FoundMotion& found);

  MotionOptions options_;
  MotionWants wants_;
  std::optional<MotionEstimator> estimator_;
  std::optional<MotionSizesEstimator> sizes_;  ///< In its place with all sizes.
  std::vector<Previous> previous_;             ///< Empty where fields do not carry on, and before the first.
};

/// Place for what the search of a frame of `size` finds.
FoundMotion make_found(Size size, const MotionOptions& options, const MotionWants& wants);
/// The maps of a field that are wanted.
MotionOutput maps_of(BlockField& field);

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// One search along a video: the estimator, what it keeps from field to field, and how good its predictions are.
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

/// What is known of the blocks of one size.
struct BlockField {
  Size block;
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost;
  Image<std::uint64_t> j, second_j;  ///< Empty where not wanted.
  Image<std::uint8_t> confidence;    ///< Empty where not wanted.
  Image<std::uint8_t> consistent;    ///< Empty where not wanted: 1 where the search back leads home.
  Image<MotionVector> previous;      ///< The field before; what `back` holds, likewise.
  Image<MotionVector> back, previous_back;
};

struct MotionWants {
  bool j = false;
  bool second_j = false;
  bool confidence = false;
  bool chroma = false;  ///< The prediction with its chroma.
  /// Quarter px by which the search back may miss.
  std::optional<int> check;
};

/// What is said of one field.
struct FieldReport {
  std::int64_t frame = 0;
  std::uint64_t cost = 0;  ///< Sum over the blocks.
  PredictionScore score;   ///< Not with all-sizes.
  double entropy = 0;      ///< Bits per vector.
  bool cut = false;
  std::int64_t consistent = 0;  ///< Blocks.
};

class MotionLane {
 public:
  /// Throws as MotionEstimator.
  MotionLane(const Device& device, Size size, const MotionOptions& options, const MotionWants& wants);

  /// Finds the motion of `current` in `reference`, both of the lane's size and depth. May be called again for the same
  /// pair, to be timed.
  void search(const GreyPicture& current, const GreyPicture& reference);
  /// What follows from the vectors: search back, prediction, scores. The vectors are then those that the next search
  /// starts from.
  FieldReport finish(std::int64_t frame, const YuvFrame& current, const YuvFrame& reference);

  /// Of the last finish: one field, or four with all-sizes.
  const std::vector<BlockField>& fields() const { return fields_; }
  /// The current frame as foretold; without a luma with all-sizes.
  const std::shared_ptr<YuvFrame>& prediction() const { return prediction_; }
  MotionEstimator& estimator() { return estimator_; }

 private:
  void compute(const GreyPicture& current, const GreyPicture& reference, bool back);
  MotionMaps maps_of(BlockField& field, bool back) const;
  void predict(const YuvFrame& reference);
  void start_next();

  MotionOptions options_;
  MotionWants wants_;
  MotionEstimator estimator_;
  std::vector<BlockField> fields_;
  std::shared_ptr<YuvFrame> prediction_;
  bool has_previous_ = false;
  bool finished_ = false;
};

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// The frames that the page shows, of files and of live sources: one picture a frame, or both views.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Whether LEFT, RIGHT and --layout give both views; else they name one video.
bool gives_pairs(const StereoArguments& arguments);

/// One thread reads. The arguments outlive it. Throws UsageError and Error as of `vergence stereo`.
class ViewInput {
 public:
  /// Files. A range beyond their end is a UsageError.
  ViewInput(const StereoArguments& arguments, const FrameRange& range);
  /// A live source, which ends when `stop` is set.
  ViewInput(const StereoArguments& arguments, const std::atomic<bool>& stop);

  /// Of a single video with a left picture alone.
  std::optional<StereoFrame> next();
  /// The number of the frame that next() gives.
  std::int64_t number() const { return pairs_ ? pairs_->number() : video_->number(); }
  bool is_stream() const { return pairs_ ? pairs_->is_stream() : video_->is_stream(); }
  std::optional<std::int64_t> count() const { return pairs_ ? pairs_->count() : video_->count(); }
  std::optional<LiveReport> live() const { return pairs_ ? pairs_->live() : video_->live(); }
  /// Of the frame that next() gave last, of files: in colour where they have it.
  Image<Rgb> colours(const StereoFrame& frame, StereoView view) const;

 private:
  void open(const FrameRange& range);

  const StereoArguments* arguments_;
  std::optional<StereoSource> pairs_;
  std::optional<FrameSource> video_;
};

}  // namespace vergence::cli
